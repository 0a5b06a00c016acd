// Package vmtest has what the tests of package vm and of the packages below it share: loading of
// texts, launches that must have the same effect however they are executed, whole programs, and the
// flags of tests of random kernels.
//
// Whoever imports it has machine code that checks its registers, and no kernel that is without:
// what is to become machine code and does not is a panic.
package vmtest
