package forms

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// bulkHeader starts modules that copy many bytes.
const bulkHeader = ".version 9.2\n.target sm_100a\n.address_size 64\n"

// allOf returns the words that a thread has; each is as the first one of its inputs says.
func allOf(_ uint32, x [8]uint32) [8]uint32 { return x }

// TestBulkCopies copies, reduces and clears many bytes in all ways, each thread those of its own, and at a number of bytes that differs.
func TestBulkCopies(t *testing.T) {
	const begin = `
	.shared .align 16 .b8 s[2560]; .shared .align 8 .b8 b[1024]; .reg .b32 %a, %m, %c; .reg .b64 %k; mul.lo.u32 %a, %id, 32; mov.u32 %c, s; add.u32 %a, %a, %c; mul.lo.u32 %m, %id, 8; mov.u32 %c, b; add.u32 %m, %m, %c;
	mbarrier.init.shared.b64 [%m], 1; st.shared.v4.b32 [%a], {7, 7, 7, 7}; st.shared.v4.b32 [%a+16], {7, 7, 7, 7}; st.global.v4.b32 [%out], {9, 9, 9, 9}; st.global.v4.b32 [%out+16], {9, 9, 9, 9};
`
	const wait = `
$wait:	mbarrier.try_wait.parity.shared.b64 %p4, [%m], 0; @!%p4 bra $wait;
`
	const show = wait + `	ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%a]; st.global.v4.b32 [%out], {%r3, %r4, %r5, %r6}; ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%a+16]; st.global.v4.b32 [%out+16], {%r3, %r4, %r5, %r6};`
	const back = "\n	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
	const fill = "ld.global.v4.b32 {%r3, %r4, %r5, %r6}, [%in]; st.shared.v4.b32 [%a], {%r3, %r4, %r5, %r6}; ld.global.v4.b32 {%r3, %r4, %r5, %r6}, [%in+16]; st.shared.v4.b32 [%a+16], {%r3, %r4, %r5, %r6};\n"
	sevens := [8]uint32{7, 7, 7, 7, 7, 7, 7, 7}
	holdThreads(t, bulkHeader, []threadCase{
		{"to shared memory", "", begin + "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 32; cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%a], [%in], 32, [%m];" + show, allOf},
		{"to that of the cluster, in two parts, with a policy", "", begin + `mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%m], 32; createpolicy.fractional.L2::evict_first.b64 %k;
	cp.async.bulk.prefetch.L2.global [%in], 32; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%a+16], [%in+16], 16, [%m], %k; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a], [%in], 16, [%m];` + show, allOf},
		{"a number of bytes from a register, by the thread", "", begin + "rem.u32 %r1, %id, 3; shl.b32 %r1, %r1, 4; mbarrier.arrive.expect_tx.shared.b64 _, [%m], %r1; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a], [%in], %r1, [%m];" + show,
			func(id uint32, x [8]uint32) [8]uint32 {
				d := sevens
				copy(d[:id%3*4], x[:])
				return d
			}},
		{"under a guard, and with an address that cannot be elsewhere", "", begin + `setp.gt.u32 %p1, %id, 40; selp.b64 %q1, %in, 0, %p1; selp.b32 %r1, 32, 0, %p1; mbarrier.arrive.expect_tx.shared.b64 _, [%m], %r1;
	@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%a], [%q1], 32, [%m];` + show,
			func(id uint32, x [8]uint32) [8]uint32 {
				if id > 40 {
					return x
				}
				return sevens
			}},
		{"multicast", "", begin + `and.b32 %r1, %id, 1; cvt.u16.u32 %h1, %r1; shl.b32 %r2, %r1, 5; mbarrier.arrive.expect_tx.shared.b64 _, [%m], %r2;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%a], [%in], 32, [%m], %h1;` + show,
			func(id uint32, x [8]uint32) [8]uint32 {
				if id&1 == 1 {
					return x
				}
				return sevens
			}},
		{"multicast to a constant, with a policy and under a guard", "", begin + `setp.gt.u32 %p1, %id, 40; selp.b32 %r1, 32, 0, %p1; mbarrier.arrive.expect_tx.shared.b64 _, [%m], %r1; createpolicy.fractional.L2::evict_first.b64 %k;
	@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%a], [%in], 32, [%m], 1, %k;` + show,
			func(id uint32, x [8]uint32) [8]uint32 {
				if id > 40 {
					return x
				}
				return sevens
			}},
		{"bytes that are ignored", "", begin + `rem.u32 %r1, %id, 16; sub.u32 %r2, 15, %r1; mbarrier.arrive.expect_tx.shared.b64 _, [%m], 32;
	cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%a], [%in], 32, %r1, %r2, [%m];` + show,
			func(id uint32, x [8]uint32) [8]uint32 {
				var d, from [32]byte
				for i := range sevens {
					binary.LittleEndian.PutUint32(d[4*i:], 7)
					binary.LittleEndian.PutUint32(from[4*i:], x[i])
				}
				first, last := id%16, 32-(15-id%16)
				copy(d[first:last], from[first:last])
				return words(d)
			}},
		{"within shared memory", "", begin + fill + "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16; cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%a+16], [%a], 16, [%m];" + show,
			func(_ uint32, x [8]uint32) [8]uint32 {
				return [8]uint32{x[0], x[1], x[2], x[3], x[0], x[1], x[2], x[3]}
			}},
		{"to global memory", "", begin + fill + "cp.async.bulk.global.shared::cta.bulk_group [%out], [%a], 32; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;", allOf},
		{"to global memory in part, with a policy", "", begin + fill + "rem.u32 %r1, %id, 3; shl.b32 %r1, %r1, 4; createpolicy.fractional.L2::evict_first.b64 %k; cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%out], [%a], %r1, %k;" + back,
			func(id uint32, x [8]uint32) [8]uint32 {
				d := [8]uint32{9, 9, 9, 9, 9, 9, 9, 9}
				copy(d[:id%3*4], x[:])
				return d
			}},
		{"some bytes of each 16", "", begin + fill + "mul.lo.u32 %r1, %id, 40503; cvt.u16.u32 %h1, %r1; cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out], [%a], 32, %h1;" + back,
			func(id uint32, x [8]uint32) [8]uint32 { return masked(x, uint16(id*40503)) }},
		{"some bytes of each 16, by a constant and with a policy", "", begin + fill + "createpolicy.fractional.L2::evict_first.b64 %k; cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [%out], [%a], 32, %k, 0xf00f;" + back,
			func(_ uint32, x [8]uint32) [8]uint32 { return masked(x, 0xf00f) }},
		{"zeros", "", begin + `st.bulk.weak.shared::cta [%a+8], 16, 0; cvta.shared.u64 %q1, s; cvt.u64.u32 %q2, %id; shl.b64 %q2, %q2, 5; add.u64 %q1, %q1, %q2; rem.u32 %r1, %id, 2; shl.b32 %r1, %r1, 3; st.bulk [%q1+24], %r1, 0;
	cvt.u64.u32 %q2, %r1; st.bulk.shared::cta [%a], %q2, 0; mbarrier.arrive.shared.b64 _, [%m];` + show,
			func(id uint32, _ [8]uint32) [8]uint32 {
				if id%2 == 1 {
					return [8]uint32{}
				}
				return [8]uint32{7, 7, 0, 0, 0, 0, 7, 7}
			}},
		{"reduced in shared memory", "", begin + fill + `mbarrier.arrive.expect_tx.shared.b64 _, [%m], 80;
	cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%a], [%a+16], 16, [%m]; cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32 [%a+16], [%a], 16, [%m];
	cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32 [%a], [%a+16], 16, [%m]; cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32 [%a+16], [%a], 16, [%m];
	cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [%a], [%a+16], 16, [%m];` + show,
			func(_ uint32, x [8]uint32) (d [8]uint32) {
				for i := range 4 {
					a, b := x[i]+x[i+4], x[i+4]
					b = uint32(min(int32(a), int32(b)))
					a ^= b
					if b >= a {
						b = 0
					} else {
						b++
					}
					d[i], d[i+4] = a, b
				}
				for i := 0; i < 4; i += 2 {
					sum := uint64(d[i]) + uint64(d[i+1])<<32 + uint64(d[i+4]) + uint64(d[i+5])<<32
					d[i], d[i+1] = uint32(sum), uint32(sum>>32)
				}
				return d
			}},
		{"reduced in global memory", "", begin + fill + `cp.async.bulk.global.shared::cta.bulk_group [%out], [%a], 32; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; st.shared.v4.b32 [%a], {3, 0xffff0000, 77, 0x80000000};
	cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%out], [%a], 16; cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64 [%out+16], [%a], 16; createpolicy.fractional.L2::evict_first.b64 %k;
	cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.s32 [%out], [%a+16], 16, %k; cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32 [%out+16], [%a], 16;` + back,
			func(_ uint32, x [8]uint32) (d [8]uint32) {
				for i, y := range []uint32{3, 0xffff0000, 77, 0x80000000} {
					d[i] = uint32(max(int32(x[i]), int32(y))) + x[i+4]
					if d[i+4] = x[i+4] & y; d[i+4] == 0 || d[i+4] > y {
						d[i+4] = y
					} else {
						d[i+4]--
					}
				}
				return d
			}},
		{"floating-point sums in global memory", "", begin + `st.global.v4.f32 [%out], {1.5, 0f00000001, 0f7f800000, -0.0}; st.shared.v4.f32 [%a], {2.25, 0f00000002, 1.0, -0.0}; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%out], [%a], 16;
	st.global.v2.f64 [%out+16], {1.5, 0d0000000000000001}; st.shared.v2.f64 [%a+16], {-0.25, 0d0000000000000002}; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%out+16], [%a+16], 16;` + back,
			func(uint32, [8]uint32) [8]uint32 {
				sum := math.Float64bits(1.25)
				return [8]uint32{math.Float32bits(3.75), 0, 0x7f800000, 0x80000000, uint32(sum), uint32(sum >> 32), 3, 0}
			}},
		{"sums of halves in global memory", "", begin + `st.global.v4.b32 [%out], {0x3c003c00, 0x00010001, 0xfbff7bff, 0x7e000000}; st.shared.v4.b32 [%a], {0x40003c00, 0x00020001, 0xfbff7bff, 0x3c008000}; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%out], [%a], 16;
	st.global.v4.b32 [%out+16], {0x3f803f80, 0, 0x00010001, 0}; st.shared.v4.b32 [%a+16], {0x40003f80, 0x3f80bf80, 0x00020001, 0x80008000}; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%out+16], [%a+16], 16;
	st.shared.v4.b32 [%a], {0x00004500, 0x00030002, 0x7e00fc00, 0}; cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [%out], [%a], 16; st.shared.v4.b32 [%a+16], {0xbf804040, 0, 0, 0}; cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16 [%out+16], [%a+16], 16;` + back,
			func(uint32, [8]uint32) [8]uint32 {
				return [8]uint32{0x42004500, 0x00030002, 0xfc007c00, 0, 0xbf804000, 0x0000bf80, 0, 0}
			}},
	})
}

// words are bytes as words.
func words(data [32]byte) (d [8]uint32) {
	for i := range d {
		d[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return d
}

// masked is words of which some bytes of each 16 are those of others, whose words are 9.
func masked(x [8]uint32, mask uint16) [8]uint32 {
	var data [32]byte
	for i := range data {
		of := uint32(9)
		if mask>>(i%16)&1 != 0 {
			of = x[i/4]
		}
		data[i] = byte(of >> (i % 4 * 8))
	}
	return words(data)
}

// TestBulkFaults: what is outside of memory, not aligned, or not of a number of bytes that may be, is a fault that says so, on all levels.
func TestBulkFaults(t *testing.T) {
	const to = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
	for code, want := range map[string]string{
		to + " [s], [%q], 64, [b];":                      "",
		to + " [s], [%q], 80, [b];":                      to + " of 80 bytes out of bounds at 0x0, block (0, 0, 0) thread (0, 0, 0): the last 8 bytes are beyond the end of the shared memory of the CTA (72 bytes",
		to + " [s], [%q+32], 64, [b];":                   "the last 32 bytes are beyond the end of buffer (64 bytes",
		to + " [s], [%q+8], 16, [b];":                    "misaligned at 0x",
		to + " [s+8], [%q], 16, [b];":                    "of 16 bytes misaligned at 0x8, block (0, 0, 0) thread (0, 0, 0): offset 8 in the shared memory of the CTA is not a multiple of 16",
		to + " [s], [%q], 24, [b];":                      "of 24 bytes misaligned at 0x0, block (0, 0, 0) thread (0, 0, 0): the number of bytes is not a multiple of 16",
		to + " [s], [%q+4096], 0, [b];":                  "",
		to + " [s], [%q], 0xfffffff0, [b];":              "of 4294967280 bytes out of bounds at 0x0",
		to + " [s], [0], 16, [b];":                       "a null pointer",
		to + " [s], [%q], 16, [b+-4];":                   "mbarrier.complete_tx.shared.b64 of 8 bytes misaligned",
		to + " [s], [%q], %r, [b];":                      "thread (1, 0, 0): the number of bytes is not a multiple of 16",
		"@%p " + to + " [s], [%q], 1024, [b];":           "thread (2, 0, 0): the last",
		to + ".ignore_oob [s], [%q+56], 0, 0, 0, [b];":   "",
		to + ".ignore_oob [s], [%q+48], 32, 0, 15, [b];": "of 32 bytes out of bounds",
		to + ".ignore_oob [s], [%q], 32, 16, 0, [b];":    "at most 15 bytes are ignored at either end",
		to + ".ignore_oob [s], [%q], 32, 3, 400, [b];":   "at most 15 bytes are ignored at either end",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%q], 16, [b], 3;": "the rank is not 0",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%q], 16, [b], 0;": "",
		"cp.async.bulk.global.shared::cta.bulk_group [%q], [s], 16;":                                                  "",
		"cp.async.bulk.global.shared::cta.bulk_group [%q+64], [s], 16;":                                               "right behind the end of buffer",
		"mov.u64 %q, c; cp.async.bulk.global.shared::cta.bulk_group [%q], [s], 16;":                                   "c is a .const variable",
		"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%q+40], [s], 16, 1;":                                    "misaligned",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%q+48], [s], 32;":                                "of 32 bytes out of bounds",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%q], [s+4], 16;":                                 "of 16 bytes misaligned at 0x4",
		"st.bulk.shared::cta [s], 72, 0;":                                                                             "",
		"st.bulk.shared::cta [s+8], 72, 0;":                                                                           "st.bulk.shared::cta of 72 bytes out of bounds at 0x8",
		"st.bulk.shared::cta [s+4], 8, 0;":                                                                            "offset 4 in the shared memory of the CTA is not a multiple of 8",
		"st.bulk.shared::cta [s], 12, 0;":                                                                             "the number of bytes is not a multiple of 8",
		"st.bulk [%q], 8, 0;":                                                                                         "the generic address is not one of shared memory",
		"mov.u64 %q, 0x100000008; st.bulk.shared::cta [s], %q, 0;":                                                    "out of bounds",
	} {
		text := bulkHeader + ".const .align 16 .b8 c[16];\n.visible .entry k(.param .u64 p) { .shared .align 16 .b8 s[64]; .shared .align 8 .b64 b; .reg .b64 %q; .reg .b32 %r; .reg .pred %p; ld.param.u64 %q, [p]; mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p mbarrier.init.shared.b64 [b], 1; @%p st.shared.v4.b32 [s], {0, 0, 0, 0}; bar.sync 0; setp.eq.u32 %p, %r, 2;\n" + code + "\nret; }\n"
		for _, l := range level.Levels() {
			for _, check := range []bool{false, true} {
				m := vmtest.LoadOn(t, l, text)
				buffer, _ := m.Memory().Alloc("buffer", 64)
				err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 3}, Check: check}, buffer)
				if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "test.ptx:6:")) {
					t.Errorf("%v, check %v: %s: %v, want %s", l, check, code, err, want)
				}
			}
		}
	}
}

// TestBulkOfHugeSizes: what is said of copies of more bytes than there are is their number, however large.
func TestBulkOfHugeSizes(t *testing.T) {
	for size, want := range map[string]string{
		"4294967296": "st.bulk.shared::cta of 4294967296 bytes out of bounds", "0xfffffff0": "of 4294967280 bytes out of bounds", "-8": "of 18446744073709551608 bytes out of bounds",
	} {
		text := ".version 8.6\n.target sm_100\n.address_size 64\n.visible .entry k() {\n.shared .align 16 .b8 s[64]; .reg .b64 %n; mov.b64 %n, " + size + "; st.bulk.shared::cta [s], %n, 0; ret; }"
		for _, on := range level.Levels() {
			err := vmtest.Kernel(t, vmtest.LoadOn(t, on, text), "k").Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 1}})
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "no memory has so many bytes") {
				t.Errorf("%v, %s: %v", on, size, err)
			}
		}
	}
}
