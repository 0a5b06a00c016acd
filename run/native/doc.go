// Package native makes machine code of package simt's functions and runs it.
//
// [CompileKernel] makes a [Kernel], which executes groups of a warp's lanes; what it has no code for is executed by the
// [Machine] that it runs on.
//
// [Compile] makes an [Array] of a function that computes one word of three: code that runs it over
// slices. Package amd64 selects the instructions, for AVX-512 or AVX2, and package arm64 for NEON; this package asks the processor what it has, keeps the code in memory that is executable and not writable, and enters it.
//
// # Memory for code
//
// Small pieces of code share blocks of [blockSize] bytes. A sealed page is never made writable again: where code is
// added to a page that holds some, a copy of the page with the addition is sealed and then takes the place of the old
// one at once, which goroutines that run code there do not notice. Where the system has no such
// replacement, each piece has pages of its own. A block is unmapped when the garbage collector has found
// that nobody holds code in it.
//
// A system may refuse executable memory. Then, and on processors without AVX2, the error wraps
// [errors.ErrUnsupported], and callers use code that is not made at run time.
package native
