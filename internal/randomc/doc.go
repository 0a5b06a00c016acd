// Package randomc writes random C functions, for tests that hold what a compiler makes of them for one machine against what it
// makes of them for another. They have no undefined behaviour, and neither the bits of NaNs nor the order of anything can be
// seen in what they compute: any difference is a mistake.
//
// The text is C++ that clang takes as CUDA too, and gcc as C. [Program.Host], [Program.Device] and [Program.Routines] give it with what
// each needs around it.
package randomc
