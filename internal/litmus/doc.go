// Package litmus makes litmus tests of PTX's memory consistency model (PTX ISA, chapter 8), as PTX
// kernels, and judges what is seen of them.
//
// A [Program] is a few threads that each access a few locations. An [Outcome] is what all reads
// have returned, and what is in memory at the end. [Judge] looks for an execution that explains an
// outcome: for each byte that is read the write that it is from, an order of the fence.sc, and an
// order of the writes to each location, such that no axiom of section 8.10 is violated. There is no
// machine in it, and nothing of how this one executes kernels.
//
// Every write of a constant writes a byte of its own over and over, so that each byte that is read
// tells where it is from, also where a value is torn.
//
// What the manual leaves open is decided as follows. What is doubtful is not claimed: an outcome is
// refused only if the text refuses it.
//
//   - fence.sc and membar are acquire-release fences too. The text of 8.8 says "acquire-release
//     memory fence"; CUDA's mapping of seq_cst and the published formal models have fence.sc there.
//   - Elements of a vector are accesses of their own in no program order with each other (8.2.4).
//   - Coherence order is transitive (8.9.6), also where that relates two writes that race with each
//     other.
//   - Accesses that race with each other and are of one size may be torn, if they are not morally
//     strong. Programs whose accesses of different sizes may race are not judged (8.7.2): the
//     generator makes none.
//   - "To the same address" (8.9.5) is read as "overlapping". There are no aliases and no other
//     proxies.
//   - A dependency is one of a value, an address or a guard on what a read has returned. A value
//     that is the same whatever has been read depends on nothing (8.10.4).
//   - An await is its last read. The reads before it, which have found nothing, are left out.
//   - .volatile is .relaxed.sys (8.4.2). That volatile instructions keep their number and order
//     shows in no outcome, except that an await ends.
//   - A launch has no clusters, so that .cluster is .cta.
package litmus
