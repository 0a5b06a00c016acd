// Package ops has what the instructions of random kernels compute, each as a function of numbers: the operations on
// registers, the tests that make predicates, and the exchanges between the lanes of a warp. Package model chooses
// among them, and executes kernels by them.
package ops
