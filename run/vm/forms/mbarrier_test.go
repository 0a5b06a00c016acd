package forms

import "testing"

// mbarrierHeader starts modules that use barriers in memory.
const mbarrierHeader = ".version 8.3\n.target sm_90\n.address_size 64\n"

// TestBarriersInMemory passes values from warp to warp by barriers in shared memory: producers and consumers, by states and by
// parities, phases that follow each other, and arrivals that are dropped.
func TestBarriersInMemory(t *testing.T) {
	const begin = `
	.shared .align 8 .b64 b[2]; .shared .align 4 .b8 s[1024]; .reg .b64 %st; .reg .b32 %a, %t;
	shl.b32 %a, %id, 2; mov.u32 %t, s; add.u32 %a, %a, %t; setp.eq.u32 %p1, %id, 0;
`
	const clear = "st.global.v4.b32 [%out], {0, 0, 0, 0}; st.global.v4.b32 [%out+16], {0, 0, 0, 0};"
	neighbour := func(factor uint32) func(id uint32, _ [8]uint32) [8]uint32 {
		return func(id uint32, _ [8]uint32) [8]uint32 { return [8]uint32{(76 - id) * factor} }
	}
	holdThreads(t, mbarrierHeader, []threadCase{
		{"all wait for all, by the state", "", begin + `
	@%p1 mbarrier.init.shared.b64 [b], 77; bar.sync 0;
	mul.lo.u32 %r1, %id, 3; st.shared.u32 [%a], %r1; mbarrier.arrive.shared.b64 %st, [b];
$wait:	mbarrier.test_wait.shared.b64 %p2, [b], %st; @!%p2 bra $wait;
	sub.u32 %r2, 76, %id; shl.b32 %r2, %r2, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3; ld.shared.u32 %r4, [%r2]; ` + clear + " st.global.u32 [%out], %r4;",
			neighbour(3)},
		{"three phases, by parity", "", begin + `
	@%p1 mbarrier.init.shared::cta.b64 [b], 77; bar.sync 0; mov.u32 %r5, 0; mov.u32 %r6, 0;
$turn:	add.u32 %r5, %r5, 1; mul.lo.u32 %r1, %id, %r5; st.shared.u32 [%a], %r1;
	mbarrier.arrive.release.cta.shared::cta.b64 _, [b];
$wait:	mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [b], %r6, 1000; @!%p2 bra $wait; xor.b32 %r6, %r6, 1;
	sub.u32 %r2, 76, %id; shl.b32 %r2, %r2, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3; ld.shared.u32 %r4, [%r2];
	bar.sync 0; setp.lt.u32 %p3, %r5, 3; @%p3 bra $turn; ` + clear + " st.global.u32 [%out], %r4;",
			neighbour(3)},
		{"one warp waits for what another has copied", "", begin + `
	setp.lt.u32 %p3, %id, 32; @%p1 mbarrier.init.shared.b64 [b], 32; bar.sync 0; @!%p3 bra $consumer;
	cp.async.ca.shared.global [%a], [%in], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [b]; cp.async.mbarrier.arrive.shared.b64 [b]; mov.u32 %r4, 5; bra $end;
$consumer: mbarrier.test_wait.parity.shared.b64 %p2, [b], 0; @!%p2 bra $consumer;
	ld.shared.u32 %r4, [s+44];
$end: ` + clear + " st.global.u32 [%out], %r4;",
			func(id uint32, _ [8]uint32) [8]uint32 {
				if id < 32 {
					return [8]uint32{5}
				}
				eleventh := uint32(11 * 8)
				return [8]uint32{eleventh*0x9e3779b9 + 0x1234567}
			}},
		{"counts, drops and states of one thread's own", "", `
	.shared .align 8 .b8 b[1024]; .reg .b64 %st<5>; .reg .b32 %a, %t; shl.b32 %a, %id, 3; mov.u32 %t, b; add.u32 %a, %a, %t;
	mbarrier.init.shared.b64 [%a], 5; mbarrier.arrive.noComplete.shared.b64 %st0, [%a], 2; mbarrier.pending_count.b64 %r1, %st0;
	mbarrier.arrive_drop.shared.b64 %st1, [%a]; mbarrier.pending_count.b64 %r2, %st1; mbarrier.test_wait.shared.b64 %p1, [%a], %st0; selp.u32 %r3, 1, 0, %p1;
	mbarrier.arrive.shared.b64 %st2, [%a], 2; mbarrier.test_wait.shared.b64 %p1, [%a], %st0; selp.u32 %r4, 1, 0, %p1;
	mbarrier.arrive.shared.b64 %st3, [%a], 4; mbarrier.pending_count.b64 %r5, %st3; mbarrier.test_wait.shared.b64 %p1, [%a], %st3; selp.u32 %r6, 1, 0, %p1;
	cvta.shared.u64 %q1, b; cvt.u64.u32 %q2, %id; shl.b64 %q2, %q2, 3; add.s64 %q1, %q1, %q2; mbarrier.test_wait.parity.b64 %p1, [%q1], 0; selp.u32 %r7, 1, 0, %p1; mbarrier.inval.shared.b64 [%a];
	st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4}; st.global.v4.b32 [%out+16], {%r5, %r6, %r7, 0};`,
			func(uint32, [8]uint32) [8]uint32 { return [8]uint32{5, 3, 0, 1, 4, 1, 0} }},
		{"a phase ends when no bytes are awaited, and none have come too early", "", `
	.shared .align 8 .b8 b[1024]; .reg .b64 %st<5>; .reg .b32 %a, %t, %r9; shl.b32 %a, %id, 3; mov.u32 %t, b; add.u32 %a, %a, %t;
	mbarrier.init.shared.b64 [%a], 2; mbarrier.arrive.expect_tx.shared.b64 %st0, [%a], 1048575; mbarrier.arrive.release.cta.shared::cta.b64 %st1, [%a];
	mbarrier.pending_count.b64 %r1, %st1; mbarrier.test_wait.shared.b64 %p1, [%a], %st0; selp.u32 %r2, 1, 0, %p1;
	mbarrier.complete_tx.shared.b64 [%a], 1048574; mbarrier.test_wait.shared.b64 %p1, [%a], %st0; selp.u32 %r3, 1, 0, %p1;
	mbarrier.complete_tx.relaxed.cta.shared.b64 [%a], 1; mbarrier.test_wait.shared.b64 %p1, [%a], %st0; selp.u32 %r4, 1, 0, %p1;
	mbarrier.complete_tx.shared::cta.b64 [%a], 64; mbarrier.arrive.shared.b64 %st2, [%a], 2; mbarrier.test_wait.shared.b64 %p1, [%a], %st2; selp.u32 %r5, 1, 0, %p1;
	mbarrier.expect_tx.shared.b64 [%a], 64; mbarrier.test_wait.shared.b64 %p1, [%a], %st2; selp.u32 %r6, 1, 0, %p1;
	mbarrier.arrive_drop.expect_tx.relaxed.cluster.shared.b64 _, [%a], 3; mbarrier.arrive.shared.b64 %st3, [%a]; mbarrier.pending_count.b64 %r7, %st3;
	mbarrier.complete_tx.shared.b64 [%a], 3; mbarrier.arrive.shared.b64 %st4, [%a]; mbarrier.test_wait.parity.shared.b64 %p1, [%a], 1; selp.u32 %r8, 1, 0, %p1;
	mbarrier.pending_count.b64 %r9, %st4; mad.lo.u32 %r8, %r9, 16, %r8;
	st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4}; st.global.v4.b32 [%out+16], {%r5, %r6, %r7, %r8};`,
			func(uint32, [8]uint32) [8]uint32 { return [8]uint32{1, 0, 0, 1, 0, 1, 1, 17} }},
		{"bytes from another warp", "", begin + `
	@%p1 mbarrier.init.shared.b64 [b], 1; bar.sync 0; setp.lt.u32 %p3, %id, 64; mov.u32 %r4, 9; @%p3 bra $consumer;
	mul.lo.u32 %r1, %id, 3; st.shared.u32 [%a], %r1; fence.acq_rel.cta; mbarrier.complete_tx.shared.b64 [b], 4; bra $end;
$consumer: @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [b], 52;
$wait:	mbarrier.try_wait.parity.shared.b64 %p2, [b], 0; @!%p2 bra $wait; ld.shared.u32 %r4, [s+280];
$end: ` + clear + " st.global.u32 [%out], %r4;",
			func(id uint32, _ [8]uint32) [8]uint32 {
				if id < 64 {
					return [8]uint32{210}
				}
				return [8]uint32{9}
			}},
	})
}
