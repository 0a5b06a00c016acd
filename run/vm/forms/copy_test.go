package forms

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// copied are the words that a copy of so many bytes leaves, of which some are read.
func copied(x [8]uint32, bytes, read uint32) (d [8]uint32) {
	var data [32]byte
	for i, w := range x[:bytes/4] {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	for i := min(read, bytes); i < bytes; i++ {
		data[i] = 0
	}
	for i := range d {
		d[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return d
}

// TestAsyncCopies copies to shared memory by cp.async, of all sizes, in part, with a predicate and under guards.
func TestAsyncCopies(t *testing.T) {
	const declare = ".shared .align 16 .b8 s[2560]; mul.lo.u32 %r1, %id, 32; mov.u32 %r2, s; add.u32 %r1, %r1, %r2; st.shared.v4.b32 [%r1], {0, 0, 0, 0}; st.shared.v4.b32 [%r1+16], {0, 0, 0, 0};\n"
	const show = "\nbar.sync 0; ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%r1]; st.global.v4.b32 [%out], {%r3, %r4, %r5, %r6}; ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%r1+16]; st.global.v4.b32 [%out+16], {%r3, %r4, %r5, %r6};"
	all := func(bytes uint32) func(uint32, [8]uint32) [8]uint32 {
		return func(_ uint32, x [8]uint32) [8]uint32 { return copied(x, bytes, bytes) }
	}
	holdThreads(t, ".version 8.3\n.target sm_80\n.address_size 64\n", []threadCase{
		{"4 bytes", "", declare + "cp.async.ca.shared.global [%r1], [%in], 4; cp.async.commit_group; cp.async.wait_group 0;" + show, all(4)},
		{"8 bytes", "", declare + "cp.async.ca.shared.global.L2::128B [%r1], [%in], 8; cp.async.wait_all;" + show, all(8)},
		{"16 bytes, two groups and offsets", "", declare + "cp.async.cg.shared.global [%r1], [%in], 16; cp.async.commit_group; cp.async.cg.shared.global [%r1+16], [%in+16], 16; cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_group 0;" + show,
			func(_ uint32, x [8]uint32) [8]uint32 { return x }},
		{"a cache policy", "", declare + "createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %q1, 0.5; cp.async.ca.shared.global.L2::cache_hint [%r1], [%in], 16, %q1; cp.async.wait_all;" + show, all(16)},
		{"none of it, as a constant", "", declare + "st.shared.b32 [%r1], 7; cp.async.ca.shared.global [%r1], [%in], 16, 0; cp.async.wait_all;" + show,
			func(_ uint32, x [8]uint32) [8]uint32 { return copied(x, 16, 0) }},
		{"a part of 16, by the thread", "", declare + "rem.u32 %r8, %id, 21; st.shared.v4.b32 [%r1], {7, 7, 7, 7}; cp.async.cg.shared.global [%r1], [%in], 16, %r8; cp.async.wait_all;" + show,
			func(id uint32, x [8]uint32) [8]uint32 { return copied(x, 16, id%21) }},
		{"a part of 4, by the thread", "", declare + "rem.u32 %r8, %id, 6; cp.async.ca.shared.global [%r1], [%in], 4, %r8; cp.async.wait_all;" + show,
			func(id uint32, x [8]uint32) [8]uint32 { return copied(x, 4, id%6) }},
		{"a predicate that says no", "", declare + "setp.gt.u32 %p1, %id, 40; st.shared.b32 [%r1], 7; cp.async.ca.shared.global [%r1], [%in], 8, %p1; cp.async.wait_all;" + show,
			func(id uint32, x [8]uint32) [8]uint32 {
				if id > 40 {
					return [8]uint32{}
				}
				return copied(x, 8, 8)
			}},
		{"under guards, one with addresses that cannot be", "", declare + `setp.gt.u32 %p1, %id, 40; selp.b64 %q1, %in, 0, %p1; and.b32 %r8, %id, 7;
	@%p1 cp.async.ca.shared.global [%r1], [%q1], 16; @!%p1 cp.async.ca.shared.global [%r1+16], [%in], 8, %r8; cp.async.wait_all;` + show,
			func(id uint32, x [8]uint32) (d [8]uint32) {
				if id > 40 {
					return copied(x, 16, 16)
				}
				c := copied(x, 8, id&7)
				copy(d[4:], c[:4])
				return d
			}},
		{"hints without an effect", "", `
	createpolicy.range.global.L2::evict_first.L2::evict_unchanged.b64 %q1, [%in], 32, 64; createpolicy.cvt.L2.b64 %q2, %q1;
	prefetch.global.L2::evict_last [%in]; prefetch.global.L2::evict_normal [%in]; applypriority.global.L2::evict_normal [%out], 128; discard.global.L2 [%out], 128;
	ld.global.L1::evict_last.L2::cache_hint.v4.b32 {%r1, %r2, %r3, %r4}, [%in], %q1; ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.v2.b32 {%r5, %r6}, [%in+16], %q2;
	ld.global.L1::evict_first.v2.b32 {%r7, %r8}, [%in+24];
	st.global.L2::cache_hint.v4.b32 [%out], {%r1, %r2, %r3, %r4}, %q1; st.global.L1::no_allocate.v4.b32 [%out+16], {%r5, %r6, %r7, 0};
	atom.global.L2::cache_hint.exch.b32 %r1, [%out+28], %r8, %q1; red.global.L2::cache_hint.add.u32 [%out+28], 0, %q1;`,
			func(_ uint32, x [8]uint32) [8]uint32 { return x }},
	})
}

// TestAsyncCopyFaults: a copy outside of memory is a fault, and so is one that is not aligned to its size.
func TestAsyncCopyFaults(t *testing.T) {
	for code, want := range map[string]string{
		"cp.async.ca.shared.global [s], [%q+64], 16;":      "out of bounds",
		"cp.async.ca.shared.global [s], [%q+8], 16;":       "misaligned",
		"cp.async.ca.shared.global [s+8], [%q], 16;":       "misaligned",
		"cp.async.ca.shared.global [s+4096], [%q], 16;":    "out of bounds",
		"cp.async.ca.shared.global [s], [%q+60], 16, 5;":   "out of bounds",
		"cp.async.ca.shared.global [s], [%q+4096], 16, 0;": "",
		"cp.async.ca.shared.global [s], [%q+60], 4, 4;":    "",
	} {
		m := vmtest.Load(t, ".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) { .shared .align 16 .b8 s[64]; .reg .b64 %q; ld.param.u64 %q, [p];\n"+code+"\ncp.async.wait_all; ret; }\n")
		buffer, _ := m.Memory().Alloc("buffer", 64)
		err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 3}}, buffer)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "test.ptx:5:1")) {
			t.Errorf("%s: %v, want %s", code, err, want)
		}
	}
}
