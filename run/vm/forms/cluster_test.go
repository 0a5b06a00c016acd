package forms

import (
	"context"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// clusterHeader starts modules that use what clusters have.
const clusterHeader = ".version 8.6\n.target sm_90\n.address_size 64\n"

// TestSharedMemoryOfCluster accesses the shared memory of a cluster of one CTA in all ways that there are: it is that of the CTA.
func TestSharedMemoryOfCluster(t *testing.T) {
	const begin = ".shared .align 16 .b8 s[2560]; .shared .align 8 .b64 b; .reg .b32 %a, %c; .reg .b64 %st, %g, %h; shl.b32 %a, %id, 4; mov.u32 %c, s; add.u32 %a, %a, %c;\n"
	holdThreads(t, clusterHeader, []threadCase{
		{"loads, stores and atomic operations", "", begin + `
	mapa.shared::cluster.u32 %c, %a, 0; ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%in]; st.shared::cluster.v4.b32 [%c], {%r1, %r2, %r3, %r4};
	ld.shared.b32 %r5, [%a]; ld.acquire.cluster.shared::cluster.b32 %r6, [%c+4]; atom.shared::cluster.add.u32 %r7, [%c+8], 5; red.relaxed.cluster.shared::cluster.xor.b32 [%c+12], 3;
	ld.shared::cta.v2.b32 {%r3, %r4}, [%a+8]; st.volatile.shared::cluster.b32 [%c], 77; ld.shared.b32 %r8, [%a];
	st.global.v4.b32 [%out], {%r5, %r6, %r7, %r3}; st.global.v4.b32 [%out+16], {%r4, %r8, 0, 0};`,
			func(_ uint32, x [8]uint32) [8]uint32 {
				return [8]uint32{x[0], x[1], x[2], x[2] + 5, x[3] ^ 3, 77}
			}},
		{"addresses", "", begin + `
	cvta.shared::cluster.u64 %g, s; cvta.shared.u64 %h, s; setp.eq.u64 %p1, %g, %h; selp.u32 %r1, 1, 0, %p1; cvta.to.shared::cluster.u64 %h, %g; mov.u64 %q1, s; setp.eq.u64 %p1, %h, %q1; selp.u32 %r2, 1, 0, %p1;
	isspacep.shared::cluster %p1, %g; isspacep.shared::cluster %p2, %out; selp.u32 %r3, 2, 0, %p1; @%p2 add.u32 %r3, %r3, 1;
	mov.u32 %r7, 0; mapa.u64 %q2, %g, %r7; setp.eq.u64 %p1, %q2, %g; selp.u32 %r4, 1, 0, %p1; mapa.shared::cluster.u64 %q3, s, %r7; setp.eq.u64 %p1, %q3, %q1; selp.u32 %r5, 1, 0, %p1;
	mov.u32 %r6, 9; getctarank.u64 %r6, %g; mov.u32 %r7, 9; getctarank.shared::cluster.u32 %r7, %a; cvta.shared::cta.u64 %h, s; setp.eq.u64 %p1, %g, %h; selp.u32 %r8, 1, 0, %p1;
	st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4}; st.global.v4.b32 [%out+16], {%r5, %r6, %r7, %r8};`,
			func(uint32, [8]uint32) [8]uint32 { return [8]uint32{1, 1, 2, 1, 1, 0, 0, 1} }},
		{"special registers", "", `
	mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctaid.y; mov.u32 %r4, %cluster_ctaid.z; mov.u32 %r5, %nclusterid.x; mov.u32 %r6, %clusterid.y;
	mov.pred %p1, %is_explicit_cluster; selp.u32 %r7, 1, 0, %p1; st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4}; st.global.v4.b32 [%out+16], {%r5, %r6, %r7, 0};`,
			func(uint32, [8]uint32) [8]uint32 { return [8]uint32{1, 0, 1, 0, 1, 0, 0} }},
		{"a rank under a guard", "", begin + `
	setp.lt.u32 %p1, %id, 5; selp.u32 %r1, 0, 3, %p1; mov.u32 %r2, 7; @%p1 mapa.shared::cluster.u32 %r2, %a, %r1; @!%p1 mapa.shared::cluster.u32 %r2, %a, 0; setp.eq.u32 %p2, %r2, %a; selp.u32 %r3, 1, 0, %p2;
	@!%p2 mapa.shared::cluster.u32 %r2, %a, 1; st.global.v4.b32 [%out], {%r3, 0, 0, 0}; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`,
			func(uint32, [8]uint32) [8]uint32 { return [8]uint32{1} }},
		{"barriers in memory", "", begin + `
	setp.eq.u32 %p1, %id, 0; @%p1 mbarrier.init.shared.b64 [b], 77; bar.sync 0; mov.u32 %c, b; mapa.shared::cluster.u32 %c, %c, 0; st.shared.u32 [%a], %id;
	@%p1 mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%c], 12; @%p1 mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%c], 8;
	mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%c]; @%p1 mbarrier.complete_tx.shared::cluster.b64 [%c], 4;
$wait:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [b], 0; @!%p2 bra $wait;
	sub.u32 %r1, 76, %id; shl.b32 %r1, %r1, 4; mov.u32 %r2, s; add.u32 %r1, %r1, %r2; ld.shared::cluster.b32 %r3, [%r1];
	st.global.v4.b32 [%out], {%r3, 0, 0, 0}; st.global.v4.b32 [%out+16], {0, 0, 0, 0};`,
			func(id uint32, _ [8]uint32) [8]uint32 { return [8]uint32{76 - id} }},
	})
}

// TestRankThatIsNot: mapa of a rank that a cluster of one does not have is a trap that says so, in the first thread that asks for it.
func TestRankThatIsNot(t *testing.T) {
	for code, want := range map[string]string{
		"mapa.u64 %q, %q, 1;": "thread (0, 0, 0): the rank is not 0",
		"mov.u32 %r, %tid.x; mapa.shared::cluster.u64 %q, s, %r;":                 "thread (1, 0, 0): the rank is not 0",
		"mov.u32 %r, %tid.x; setp.gt.u32 %p, %r, 3; @%p mapa.u64 %q, %q, %r;":     "thread (4, 0, 0): the rank is not 0",
		"mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 3; @!%p mapa.u64 %q, %q, 4;":     "thread (3, 0, 0): the rank is not 0",
		"mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 64; @!%p mapa.u64 %q, %q, %r;":   "",
		"ld.shared::cluster.u32 %r, [s+64];":                                      "ld.shared::cluster.u32 of 4 bytes out of bounds at 0x40",
		"mov.u32 %r, %cluster_nctarank; add.u32 %r, %r, -1; mapa.u64 %q, %q, %r;": "",
	} {
		text := clusterHeader + ".visible .entry k() { .shared .align 16 .b8 s[64]; .reg .b64 %q; .reg .b32 %r; .reg .pred %p; cvta.shared.u64 %q, s;\n" + code + "\nst.shared.u64 [s], %q; ret; }\n"
		for _, l := range level.Levels() {
			err := vmtest.Kernel(t, vmtest.LoadOn(t, l, text), "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 40}})
			if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "test.ptx:5:")) {
				t.Errorf("%v: %s: %v, want %s", l, code, err, want)
			}
		}
	}
}

// TestClusterSizes: a kernel that asks for clusters of more than one block is not launched.
func TestClusterSizes(t *testing.T) {
	for directives, want := range map[string]string{
		".reqnctapercluster 2":               "kernel k: its .reqnctapercluster asks for clusters of (2, 1, 1) blocks, and here each block is a cluster by itself",
		".reqnctapercluster 1, 1, 4":         "clusters of (1, 1, 4) blocks",
		".reqnctapercluster 1, 1, 1":         "",
		".explicitcluster":                   "",
		".maxclusterrank 8":                  "",
		"":                                   "",
		".explicitcluster .maxclusterrank 4": "",
	} {
		m := vmtest.Load(t, clusterHeader+".visible .entry k(.param .u64 out) "+directives+" { .reg .b64 %q; .reg .b32 %r; .reg .pred %p; ld.param.u64 %q, [out]; mov.pred %p, %is_explicit_cluster; selp.u32 %r, 1, 0, %p; st.global.u32 [%q], %r; ret; }\n")
		out, _ := m.Memory().Alloc("out", 4)
		err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Grid: vm.Dim{X: 4}, Workers: 1}, out)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", directives, err, want)
		}
		explicit := strings.Contains(directives, "explicit") || strings.Contains(directives, "req")
		if got := out.Bytes()[0] == 1; err == nil && got != explicit {
			t.Errorf("%s: %%is_explicit_cluster is %v", directives, got)
		}
	}
}

// TestAsyncAccesses stores and reduces by instructions that tell a barrier in memory of their bytes, and by those that release.
func TestAsyncAccesses(t *testing.T) {
	const begin = `
	.shared .align 16 .b8 s[2560]; .shared .align 8 .b8 b[1024]; .reg .b32 %a, %m, %c; .reg .b64 %g, %n; mul.lo.u32 %a, %id, 32; mov.u32 %c, s; add.u32 %a, %a, %c; mul.lo.u32 %m, %id, 8; mov.u32 %c, b; add.u32 %m, %m, %c;
	cvt.u64.u32 %g, %a; cvta.shared.u64 %g, %g; cvt.u64.u32 %n, %m; cvta.shared.u64 %n, %n; mbarrier.init.shared.b64 [%m], 1; ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%in]; ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%in+16];
`
	const show = `
$wait:	mbarrier.try_wait.parity.shared.b64 %p4, [%m], 0; @!%p4 bra $wait;
	ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%a]; st.global.v4.b32 [%out], {%r3, %r4, %r5, %r6}; ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%a+16]; st.global.v4.b32 [%out+16], {%r3, %r4, %r5, %r6};`
	holdThreads(t, bulkHeader, []threadCase{
		{"stores", "", begin + `mbarrier.arrive.expect_tx.shared.b64 _, [%m], 32; ld.global.v2.b64 {%q1, %q2}, [%in+16];
	st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%a], %r1, [%m]; st.async.weak.mbarrier::complete_tx::bytes.u32 [%g+4], %r2, [%n]; st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s32 [%a+8], {%r3, %r4}, [%m];
	st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%a+16], {%q1, %q2}, [%m];` + show, allOf},
		{"a vector, of which other threads store nothing", "", begin + `setp.lt.u32 %p1, %id, 7; selp.u32 %c, 32, 16, %p1; mbarrier.arrive.expect_tx.shared.b64 _, [%m], %c; st.shared.v4.b32 [%a], {1, 2, 3, 4};
	@%p1 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%a], {%r1, %r2, %r3, %r4}, [%m]; st.async.mbarrier::complete_tx::bytes.v4.u32 [%g+16], {%r5, %r6, %r7, %r8}, [%n];` + show,
			func(id uint32, x [8]uint32) [8]uint32 {
				if id >= 7 {
					copy(x[:], []uint32{1, 2, 3, 4})
				}
				return x
			}},
		{"reductions", "", begin + `mbarrier.arrive.expect_tx.shared.b64 _, [%m], 28; st.shared.v4.b32 [%a], {%r1, %r2, %r3, %r4}; st.shared.v4.b32 [%a+16], {%r5, %r6, %r7, %r8}; mov.u64 %q1, 0xffffffffffffffff;
	red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%a], %r5, [%m]; red.async.relaxed.cluster.mbarrier::complete_tx::bytes.max.s32 [%g+4], %r6, [%n]; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%a+8], %r7, [%m];
	red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%a+12], %r8, [%m]; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%a+16], %q1, [%m]; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32 [%a+24], 5, [%m];` + show,
			func(_ uint32, x [8]uint32) [8]uint32 {
				d := x
				d[0] += x[4]
				d[1] = uint32(max(int32(x[1]), int32(x[5])))
				if d[2]++; x[2] >= x[6] {
					d[2] = 0
				}
				d[3] ^= x[7]
				less := uint64(x[4]) + uint64(x[5])<<32 - 1
				d[4], d[5] = uint32(less), uint32(less>>32)
				d[6] = min(x[6], 5)
				return d
			}},
		{"in global memory", "", `ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%in]; ld.global.v2.b64 {%q1, %q2}, [%in+16];
	st.async.release.gpu.global.u32 [%out], %r1; st.async.mmio.release.sys.global.b32 [%out+4], %r2; st.async.release.sys.u32 [%out+8], %r3; st.global.b32 [%out+12], %r4; st.async.release.gpu.global.b64 [%out+16], %q1; st.global.b64 [%out+24], %q2;
	red.async.release.gpu.global.add.u32 [%out+12], 5; red.async.mmio.release.sys.add.s64 [%out+24], -1;`,
			func(_ uint32, x [8]uint32) [8]uint32 {
				x[3] += 5
				less := uint64(x[6]) + uint64(x[7])<<32 - 1
				x[6], x[7] = uint32(less), uint32(less>>32)
				return x
			}},
	})
}
