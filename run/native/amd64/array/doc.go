// Package array compiles functions of one block to loops over slices.
package array
