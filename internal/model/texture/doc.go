// Package texture says what reads of textures and accesses to surfaces give (PTX ISA 9.7.10 and
// 9.7.11).
//
// It is written from the formulas of the CUDA programming guide's chapter on texture fetching, one
// function for each, to judge what executes such instructions, and shares no code with it.
// Coordinates are rational numbers, and whole parts of them integers of any size, so that nothing
// is rounded that the guide does not round. Nothing here is written to be fast.
//
// Where the manual and the guide are silent, rulings O9, O10, O21, O22 and O24 hold; each stands at
// the line that follows it.
package texture
