// Package ptx prints word programs as plain PTX instructions: one line of the
// table for each operation, registers numbered in the order of the program.
//
// It also knows what a PTX file may use: each operation needs a PTX ISA version
// and a target, and [CapsFor] finds the largest set of capabilities within a
// file's; [Native] tells which video instructions a machine still has.
package ptx
