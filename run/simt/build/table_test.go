package build

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/simt/build/form"
)

// fieldForms are the forms that real kernels with video instructions have, by tier, as the survey
// of 164 such kernels names them.
var fieldForms = `
mov.u16 mov.u32 mov.u64 mov.b32 mov.b64 mov.pred mov.f32 mov.f64 ret bra bra.uni exit
add.s32 add.s64 add.u32 sub.s32 sub.s64 mul.lo.s32 mul.lo.s64 mul.wide.s32 mul.wide.u32 mul.wide.u16 mad.lo.s32 mad.lo.u32 neg.s32 abs.s32 min.s32 max.u32
and.b32 and.b64 and.pred or.b32 or.b64 or.pred xor.b32 xor.b64 xor.pred not.b32 not.b64 not.pred shl.b32 shl.b64 shr.u32 shr.s32 shr.b32 shr.u64 shr.s64
setp.eq.s32 setp.ne.u32 setp.lt.s64 setp.le.b32 setp.gt.u64 setp.ge.u32 selp.b32 selp.b64 selp.s32 selp.u32
cvt.u32.u8 cvt.s64.s32 cvt.u64.u32 cvt.u16.u32 cvt.s8.s32 cvta.to.global.u64 cvta.global.u64 cvta.local.u64 cvta.shared.u64 cvta.const.u64
ld.param.u32 ld.param.u64 ld.param.f32 ld.param.s8 ld.global.u32 ld.global.v2.u32 ld.global.v4.u32 ld.global.nc.u8 ld.global.nc.v4.f32 ld.global.nc.u64 ld.global.nc.v2.u8
st.global.u32 st.global.v4.u32 st.global.wb.u32 ld.shared.u32 ld.shared.v2.u64 st.shared.v4.f32 ld.const.u32 bar.sync prmt.b32 bfe.u32 bfe.s32 bfi.b32
ld.local.u32 st.local.v4.u32 and.b16 add.s16 setp.eq.s16 shl.b16 selp.b16 shr.u16 min.s16 max.u16 mul.lo.s16 popc.b32 bfind.u32 clz.b32 shf.l.wrap.b32 div.s32 rem.u32 div.u32 rem.s32
ld.volatile.shared.u32 st.volatile.shared.u32 ld.volatile.global.u32 ld.u32 st.u8 ld.v4.u32 ld.param.v2.u32 ld.param.v4.u32 add.cc.u32 addc.u32 slct.s32.s32 lop3.b32 dp4a.u32.u32 bfi.b64
add.f32 add.rn.f32 add.rz.f32 sub.f32 mul.f32 mul.rz.f32 fma.rn.f32 fma.rz.f32 fma.rm.f32 fma.rz.ftz.f32 min.f32 max.f32 abs.f32 neg.f32 setp.ltu.f32 setp.geu.f32 setp.gtu.f32 setp.leu.f32 setp.lt.ftz.f32 selp.f32
cvt.rn.f32.s32 cvt.rn.f32.u32 cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.f32.f32 cvt.rmi.s32.f32 cvt.sat.f32.f32 cvt.rzi.u32.f32 cvt.rni.sat.u8.f32 rcp.rn.f32 div.rn.f32 sqrt.rn.f32 testp.finite.f32 slct.f32.f32 slct.u32.f32
atom.global.add.u32 atom.global.inc.u32 atom.shared.add.u32 atom.shared.or.b32 atom.shared.min.s32 atom.shared.max.u32 red.global.add.f32 atom.add.u32 atom.global.cas.b32 atom.global.acq_rel.gpu.add.u32 red.relaxed.gpu.global.add.u32
shfl.bfly.b32 shfl.sync.idx.b32 shfl.sync.up.b32 shfl.down.b32 vote.any.pred vote.sync.all.pred vote.ballot.b32 vote.sync.ballot.b32 activemask.b32 match.any.sync.b32 bar.warp.sync barrier.sync membar.sys membar.gl fence.acq_rel.gpu
add.f64 mul.f64 sub.f64 fma.rn.f64 neg.f64 abs.f64 setp.lt.f64 selp.f64 cvt.f64.f32 cvt.rn.f32.f64 cvt.rzi.s32.f64 cvt.rn.f64.s32 cvt.rn.f64.u64 cvt.f32.f16 cvt.rn.f16.f32 call.uni call st.param.b32 st.param.b64 ld.param.b32 add.rn.f64 div.rn.f64
rcp.approx.ftz.f32 rcp.approx.f32 ex2.approx.ftz.f32 ex2.approx.f32 lg2.approx.f32 rsqrt.approx.f32 sqrt.approx.f32 sqrt.approx.ftz.f32 sin.approx.f32 cos.approx.ftz.f32 div.full.f32 div.approx.f32
tex.2d.v4.u32.f32 tex.2d.v4.s32.f32 tex.2d.v4.f32.f32 tex.2d.v4.u32.s32 tex.1d.v4.f32.s32 tex.1d.v4.s32.s32 tex.1d.v4.u32.f32 tex.3d.v4.f32.f32 tex.3d.v4.u32.s32 tex.level.2d.v4.f32.f32 tex.a2d.v4.f32.f32
sust.b.2d.b8.trap sust.b.2d.b32.trap sust.b.2d.b32.zero sust.b.2d.v4.b8.clamp suld.b.2d.b32.trap suld.b.2d.v2.b16.zero txq.width.b32 suq.height.b32 tex.2d.v4.f16.f32 tex.a2d.v2.f16x2.s32 tex.level.cube.v2.f16x2.f32 sured.b.add.2d.u32.trap sured.p.min.1d.b64.zero sust.p.a2d.cg.b32.clamp
red.global.add.v4.f32 red.global.v2.f32.add atom.global.add.noftz.v8.bf16 red.release.gpu.global.max.noftz.v4.f16x2 fence.proxy.async.shared::cta fence.acquire.cluster setmaxnreg.dec.sync.aligned.u32
griddepcontrol.wait pmevent.mask redux.sync.min.abs.NaN.f32 max.NaN.abs.f32 lop3.or.b32 set.lo.and.bf16.u32
brx.idx isspacep.global isspacep.shared cvt.pack.sat.u8.s32.b32 cvt.pack.sat.s16.s32 add.f16 sub.f16x2 mul.rn.f16 fma.rn.f16x2 neg.f16 abs.f16x2 min.f16 max.NaN.f16x2 setp.lt.f16 call
`

func TestFieldForms(t *testing.T) {
	for _, spelling := range strings.Fields(fieldForms) {
		if build, _ := lookUp(form.Parse(spelling)); build == nil {
			t.Errorf("the table lacks %s", spelling)
		}
	}
}

// TestTable looks whether the lines of the table can be read, name modifiers and have something to build with.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range families() {
		for _, r := range table {
			if r.Build == nil || seen[r.Syntax] {
				t.Errorf("%s: a second time, or without anything to build it", r.Syntax)
			}
			seen[r.Syntax] = true
			line := form.ParseLine(r.Syntax)
			if line.Name == "" || strings.ContainsAny(line.Name, "{}()<>|") {
				t.Errorf("%s: the mnemonic is %q", r.Syntax, line.Name)
			}
			for _, s := range line.Slots {
				for _, w := range s.Words {
					if w == "" || strings.ContainsAny(w, "{}()<>|.") {
						t.Errorf("%s: the modifier %q", r.Syntax, w)
					}
				}
			}
		}
	}
}

// TestIdleModifiers: what NVIDIA's assembler takes without a meaning has none here.
func TestIdleModifiers(t *testing.T) {
	for text, want := range map[string]string{
		"add.rp.pred.sat.f32": "add.rp.sat.f32", "fma.sat.rp.sat.f32": "fma.rp.sat.f32", "cvt.rmi.sat.sat.s8.f64": "cvt.rmi.sat.s8.f64", "cvt.pred.u8.u8": "cvt.u8.u8",
		"add.ftz.ftz.f32": "", "mov.pred": "mov.pred", "add.pred": "",
	} {
		build, found := lookUp(form.Parse(text))
		got := ""
		if build != nil {
			got = found.String()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}
