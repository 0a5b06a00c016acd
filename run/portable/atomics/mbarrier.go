package atomics

import "github.com/vop-ptx/vop/run/simt"

// memoryBarrier is what a barrier in memory consists of (PTX ISA 9.7.13.15).
type memoryBarrier struct {
	pending, expected uint64 // arrivals: those that are awaited in this phase, and in each of the next
	bytes             int64  // that copies are yet to bring, or have brought before they were expected
	phase             uint64
}

// barrierOf reads a barrier from its word in memory.
func barrierOf(word uint64) memoryBarrier {
	const counts = 1<<simt.BarrierCountBits - 1
	bytes := int64(word<<(64-simt.BarrierPhaseShift)) >> (64 - simt.BarrierPhaseShift + simt.BarrierBytesShift)
	return memoryBarrier{word & counts, word >> simt.BarrierCountBits & counts, bytes, word >> simt.BarrierPhaseShift}
}

// word returns the barrier as it stands in memory, after its phase has come to its end if nothing is awaited any more.
func (b memoryBarrier) word() uint64 {
	if b.pending == 0 && b.bytes == 0 {
		b.pending, b.phase = b.expected, b.phase+1
	}
	bytes := uint64(b.bytes) << simt.BarrierBytesShift & (1<<simt.BarrierPhaseShift - 1)
	return b.pending | b.expected<<simt.BarrierCountBits | bytes | b.phase<<simt.BarrierPhaseShift
}

// arrive lets so many arrive, after bytes have been added that are expected.
func (b memoryBarrier) arrive(count, bytes uint64) uint64 {
	b.pending -= min(count, b.pending)
	b.bytes += int64(bytes)
	return b.word()
}

func init() {
	updates["mbarrier.arrive"] = func(old, count, bytes uint64) uint64 { return barrierOf(old).arrive(count, bytes) }
	updates["mbarrier.arrive_drop"] = func(old, count, bytes uint64) uint64 {
		b := barrierOf(old)
		b.expected -= min(count, b.expected)
		return b.arrive(count, bytes)
	}
	updates["mbarrier.expect_tx"] = func(old, bytes, _ uint64) uint64 { return barrierOf(old).arrive(0, bytes) }
	updates["mbarrier.complete_tx"] = func(old, bytes, _ uint64) uint64 { return barrierOf(old).arrive(0, -bytes) }
}
