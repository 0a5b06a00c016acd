// Package kernels is a folder of GPU kernels with video instructions as real programs
// have them, each with its source, the PTX that compilers make of it, and a test that
// runs that PTX and holds it against an independent model in plain Go. README.md lists them.
package kernels
