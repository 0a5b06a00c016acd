// Package codepage holds machine code in memory that can be executed, and enters it.
//
// Memory is writable or executable, never both: a [Block] is mapped writable, filled, and
// then sealed. A system may refuse any of these steps (hardened kernels, some containers);
// the error says which, and callers fall back to code that needs no such memory.
//
// On arm64 the caches of data and of instructions are not one: what is sealed is flushed from one to the other, and code that
// is entered keeps to the same rules with other names: the context is in X0, the reason too, the address to return to in X30.
// It leaves SP, X18, X28, X29 and X30 alone.
//
// # What code that Enter runs must keep to
//
//   - It is entered by a call with the context in RDI. It leaves by RET with a reason in RAX.
//   - RSP is at RET what it was at entry, and nothing is pushed in between. A fault with RSP as
//     at entry becomes a normal panic under debug.SetPanicOnFault; after a push, the runtime cannot
//     find its caller and ends the process.
//   - All other general registers, vectors and masks may be changed, R14 and RBP included:
//     Enter's frame keeps RBP, and the wrapper that Go puts around an assembly function restores
//     R14 and X15.
//   - The upper halves of vectors are clear at RET (VZEROUPPER), or the SSE code of Go's
//     runtime becomes slow.
//   - MXCSR and the direction flag are at RET what they were at entry.
//   - It reads and writes memory outside the Go heap, or objects that its caller keeps alive
//     (runtime.KeepAlive). It holds no address of a stack: stacks move between two calls.
//   - It calls nothing of Go.
//   - It comes back after 50 to 100 microseconds: the goroutine cannot be preempted meanwhile, and
//     garbage collection waits for it.
package codepage
