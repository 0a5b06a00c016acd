package simt_test

import (
	"testing"

	"github.com/vop-ptx/vop/run/simt/simttest"
)

// TestAnyOrder: warps that meet, or tell each other something, are not executed in any order.
func TestAnyOrder(t *testing.T) {
	for line, want := range map[string]bool{
		"ld.global.u32 %r0, [%d0];":               true,
		"st.global.u32 [%d0], %r0;":               true,
		"shfl.sync.bfly.b32 %r0, %r0, 1, 31, -1;": true,
		"trap;":                              true,
		"ld.volatile.global.u32 %r0, [%d0];": false,
		"ld.acquire.gpu.u32 %r0, [%d0];":     false,
		"st.relaxed.gpu.u32 [%d0], %r0;":     false,
		"st.release.gpu.u32 [%d0], %r0;":     false,
		"membar.gl;":                         false,
		"bar.sync 0;":                        false,
		"red.global.add.u32 [%d0], %r0;":     false,
		"atom.global.inc.u32 %r0, [%d0], 7;": false,
		"mov.u32 %r0, %clock;":               false,
		"st.shared.u32 [s], %r0;":            false,
		"call f;":                            false,
	} {
		p := simttest.MustLoad(t, ".shared .b32 s;\n.func f { ret; }\n.entry k(.param .u64 p)\n{\n.reg .b32 %r<2>;\n.reg .b64 %d<2>;\n"+
			"mov.u32 %r0, %tid.x;\nld.param.u64 %d0, [p];\n"+line+"\nst.global.u32 [%d0+4], %r0;\nret;\n}\n")
		if got := p.Functions[len(p.Functions)-1].AnyOrder(); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// TestSynchronizes: by these a CTA may learn what another one has done.
func TestSynchronizes(t *testing.T) {
	for line, want := range map[string]bool{
		"ld.global.u32 %r0, [%d0];":           false,
		"st.global.u32 [%d0], %r0;":           false,
		"ld.volatile.shared.u32 %r0, [s];":    false,
		"atom.shared.add.u32 %r0, [s], 1;":    false,
		"bar.sync 0;":                         false,
		"ld.volatile.global.u32 %r0, [%d0];":  true,
		"ld.acquire.gpu.u32 %r0, [%d0];":      true,
		"st.release.gpu.u32 [%d0], %r0;":      true,
		"st.relaxed.gpu.u32 [%d0], %r0;":      true,
		"red.global.add.u32 [%d0], %r0;":      true,
		"@%p0 atom.add.u32 %r0, [%d0], 1;":    true,
		"atom.global.exch.b64 %d0, [%d0], 7;": true,
	} {
		p := simttest.MustLoad(t, ".shared .b32 s;\n.entry k(.param .u64 p)\n{\n.reg .b32 %r<2>;\n.reg .b64 %d<2>;\n.reg .pred %p<2>;\n"+
			"mov.u32 %r0, %tid.x;\nsetp.gt.u32 %p0, %r0, 3;\nld.param.u64 %d0, [p];\n"+line+"\nst.global.u32 [%d0+4], %r0;\nret;\n}\n")
		if got := p.Functions[len(p.Functions)-1].Synchronizes(); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
