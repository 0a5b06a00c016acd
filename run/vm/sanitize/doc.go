// Package sanitize finds mistakes in what the kernels of a launch do: registers and memory that are
// read unset, accesses outside of memory, races, exchanges with lanes that are not there, barriers
// that do not belong together.
//
// A [Sanitizer] is the observer of the CTAs of a worker (see package portable); a [Launch] is what
// the sanitizers of a launch share. What they find is a [Finding], which package vm words.
//
//   - registers.go: [Instrument] adds shadow predicates to literal code, which say where registers are unset.
//   - unset.go: shadow memory that says which bytes have been written.
//   - needed.go: which bytes of a load are not masked or shifted out.
//   - clock.go: vector clocks, which say what warps, and diverged lanes of a warp, know of each other.
//   - shadow.go: who has accessed each word of shared and global memory, for the present CTA.
//   - blocks.go: the same of global memory for the CTAs that have ended.
//   - exchange.go: shuffles and votes.
//   - barrier.go: barriers of the CTA; cluster.go: that of the cluster.
package sanitize
