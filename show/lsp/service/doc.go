// Package service answers what editors ask about PTX: a module, or the asm statements of a C, C++,
// CUDA, HIP or OpenCL source. Each feature is a file, and a method of [Document] that takes a
// position and returns a value of package protocol. It knows nothing of connections, so that a page
// in a browser can use it as well.
//
// # How it stays fast
//
// A [Document] is one version of a text together with an [Analysis], which may be that of an
// earlier version: places are then carried over the part that has changed. So there is always an
// answer at once, and features that make edits ask for [Document.Fresh] first.
//
// An analysis is made of pieces: a PTX module is cut before each function. [Analyse] gives all of
// it. Where a large module has changed inside one function, [Analysis.Patch] reads that piece
// alone, and checks it against the rest of the module without bodies, its skeleton; what it knows
// of the others stays. What a piece says beyond its findings, its tree and its names, is found out
// when it is first asked for.
//
// Nothing is kept but what the newest analysis needs: pieces copy their text, and hold no earlier
// one.
package service
