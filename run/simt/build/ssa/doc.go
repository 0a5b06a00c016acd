// Package ssa makes code for warps in static single assignment form: values that are defined once.
//
// [Variables] turns the registers of a text, which instructions write again and again, into values, with phis where several come together
// (variables.go; ancestors.go finds blocks above others in few steps). [Emitter] adds operations to blocks: what is constant is folded, and
// what has been computed before is found (emitter.go), and operands are left out on which nothing depends (needed.go). It adds word programs
// as a whole, as video instructions are ones (word.go). Nothing here knows of PTX's instructions and operands.
package ssa
