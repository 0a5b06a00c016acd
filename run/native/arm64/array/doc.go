// Package array compiles functions for arrays: loops over slices.
package array
