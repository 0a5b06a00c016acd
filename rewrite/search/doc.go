// Package search looks for the shortest programs by going through all of them.
//
// What is searched are machine instructions as ptxas makes them of a program's operations
// (machine.go): three-input logic, sums of three words, a shift with a sum, a permutation and so
// on, over the operands and a few constants. A problem is a form without selectors and masks; package
// lower adds those around what is found. Programs that give the same values on the test vectors as one
// before are passed over, and so are those that compute something that is not used (enumerate.go).
// The last instruction is not gone through but solved for (close.go).
//
// What passes the vectors is a candidate: who calls Shortest proves it with package prove. Where there is none, there
// is no program of that length in the [Space] that was searched, and that is all that is claimed.
package search
