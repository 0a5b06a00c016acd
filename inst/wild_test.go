package inst

import (
	"strings"
	"testing"
)

// TestWild: instructions as compilers and libraries write them are found, whatever the order
// of their modifiers.
func TestWild(t *testing.T) {
	for text := range strings.FieldsSeq(`
		ld.param.u64 ld.param.v4.u32 ld.global.nc.v4.f32 ld.global.nc.L1::no_allocate.L2::128B.v4.s32 ld.global.cs.u8 ld.volatile.shared.v2.u32
		ld.relaxed.gpu.global.u32 ld.acquire.sys.u64 ld.acquire.gpu.b128 ld.weak.shared::cta.b32 ld.global.L1::evict_first.L2::cache_hint.v4.f32 ld.v2.u64
		ld.mmio.relaxed.sys.global.u32 ld.param::entry.b8 ld.global.v8.b32 ldu.global.v4.f32
		st.global.wb.u32 st.global.cs.v4.f32 st.release.gpu.global.u32 st.relaxed.cta.shared::cluster.b32 st.param.v2.b32 st.volatile.u8 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32
		mov.u32 mov.b64 mov.pred mov.b128 mov.v2.u64 mov.s16 mov.f64
		cvt.rn.f16x2.f32 cvt.rn.bf16x2.f32 cvt.rn.relu.bf16.f32 cvt.rna.tf32.f32 cvt.rn.satfinite.e4m3x2.f32 cvt.rn.satfinite.relu.e5m2x2.f16x2 cvt.rn.f16x2.e4m3x2 cvt.rzi.ftz.u32.f32
		cvt.sat.u8.s32 cvt.pack.sat.u8.s32.b32 cvt.pack.sat.s16.s32 cvt.rmi.f64.f64 cvt.f32.bf16 cvt.rs.satfinite.e2m1x4.f32 cvt.rn.bf16.s32 cvt.rzi.s32.bf16 cvt.sat.f32.f32 cvt.ftz.f32.f16
		cvta.to.global.u64 cvta.shared.u64 cvta.to.shared::cluster.u64 cvta.param.u64
		add.s32 add.cc.u32 addc.cc.u32 addc.u64 add.rn.ftz.f32 add.rn.f32x2 add.f16x2 add.rn.bf16x2 add.sat.s32 add.s16x2 add.f32.bf16
		mad.lo.cc.u32 madc.hi.u32 mad.wide.s16 mad.hi.sat.s32 mad.rn.f32 mul.wide.u32 mul24.lo.s32 mad24.hi.sat.s32 sub.sat.f16x2 subc.cc.u32
		fma.rn.f32 fma.rz.ftz.f32 fma.rn.relu.f16x2 fma.rn.bf16x2 fma.rn.oob.relu.bf16 fma.rn.f32.f16
		min.NaN.bf16x2 max.relu.s16x2 max.xorsign.abs.f32 max.s32 min.ftz.f16x2 abs.bf16x2 neg.ftz.f16x2
		div.full.ftz.f32 div.approx.f32 div.rn.f64 rcp.approx.ftz.f64 rsqrt.approx.ftz.f64 sqrt.approx.ftz.f32 ex2.approx.f16x2 ex2.approx.ftz.bf16x2 tanh.approx.bf16 lg2.approx.ftz.f32 sin.approx.f32
		setp.lt.and.s32 setp.geu.ftz.f32 setp.gt.bf16x2 set.eq.f16x2.f16x2 set.gt.u32.bf16x2 set.le.s32.f32 set.ne.xor.u32.b32 selp.u16 slct.u32.ftz.f32
		and.pred lop3.b32 lop3.or.b32 shf.l.wrap.b32 shf.r.clamp.b32 prmt.b32.f4e prmt.b32 bfe.s64 bfi.b32 bfind.shiftamt.u32 brev.b64 szext.wrap.s32 bmsk.clamp.b32 fns.b32 popc.b64 dp4a.s32.u32 dp2a.hi.u32.s32
		tex.2d.v4.f32.f32 tex.level.2d.v4.s32.f32 tex.grad.cube.v4.f32.f32 tex.base.a2d.v2.f16x2.f32 tld4.r.2d.v4.f32.f32 txq.width.b32 txq.level.height.b32 istypep.texref
		suld.b.2d.v4.b32.trap sust.b.a2d.v2.b16.zero sust.p.2d.b32.clamp sured.b.add.2d.u32.trap suq.array_size.b32
		bra.uni bra brx.idx call.uni call ret.uni exit trap brkpt nanosleep.u32 pmevent.mask
		bar.sync bar.cta.arrive bar.red.popc.u32 bar.red.and.pred bar.warp.sync barrier.sync.aligned barrier.cta.red.or.aligned.pred barrier.cluster.arrive.release.aligned barrier.cluster.wait.acquire
		membar.gl membar.proxy.alias fence.sc.cluster fence.acq_rel.gpu fence.proxy.async fence.proxy.tensormap::generic.acquire.gpu fence.mbarrier_init.release.cluster fence.acquire.sync_restrict::shared::cluster.cluster
		atom.global.add.u32 atom.add.noftz.f16x2 atom.relaxed.gpu.global.cas.b16 atom.acq_rel.sys.exch.b128 atom.shared::cluster.inc.u32 atom.global.v4.f32.add atom.and.b32 atom.min.s64 atom.global.add.L2::cache_hint.f64
		red.release.gpu.global.add.s32 red.global.add.noftz.v2.bf16x2 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 red.shared.or.b32
		shfl.sync.idx.b32 shfl.down.b32 vote.sync.ballot.b32 vote.all.pred match.any.sync.b64 match.all.sync.b32 activemask.b32 redux.sync.add.s32 redux.sync.max.abs.NaN.f32 elect.sync griddepcontrol.wait
		mbarrier.init.shared.b64 mbarrier.try_wait.parity.shared::cta.b64 mbarrier.arrive.expect_tx.release.cta.shared::cluster.b64 mbarrier.pending_count.b64
		cp.async.ca.shared.global cp.async.cg.shared.global.L2::cache_hint.L2::128B cp.async.commit_group cp.async.wait_group cp.async.wait_all cp.async.mbarrier.arrive.noinc.shared.b64
		cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes cp.async.bulk.commit_group cp.async.bulk.wait_group.read cp.async.bulk.prefetch.L2.global cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32
		prefetch.global.L2::evict_last prefetch.L1 prefetch.param.tensormap prefetchu.L1 applypriority.global.L2::evict_normal discard.global.L2 createpolicy.fractional.L2::evict_last.b64 isspacep.shared::cta
		mapa.shared::cluster.u32 mapa.u64 getctarank.shared::cluster.u32 tensormap.replace.tile.global_address.global.b1024.b64 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
		multimem.ld_reduce.relaxed.sys.global.add.v4.f32 multimem.st.global.u32 multimem.red.add.f32
		wmma.load.a.sync.aligned.row.m16n16k16.f16 wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 mma.m8n8k4.sync.aligned.row.col.f64.f64.f64.f64
		ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 stmatrix.sync.aligned.m8n8.x2.shared.b16 movmatrix.sync.aligned.m8n8.trans.b16
		mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32 mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e2m1.e4m3.f32.ue8m0 mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3
		mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc
		mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 ldmatrix.sync.aligned.x1.m8n8.shared.b16 ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 stmatrix.sync.aligned.x4.trans.m8n8.shared.b16 stmatrix.sync.aligned.m16n8.x2.trans.shared.b8
		mbarrier.arrive.shared::cta.b64 mbarrier.arrive.release.cluster.shared::cluster.b64 mbarrier.complete_tx.shared::cluster.relaxed.cluster.b64 mbarrier.expect_tx.shared::cta.b64 mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 mbarrier.arrive.noComplete.release.cta.shared.b64
		cvt.rs.f16x2.f32 cvt.rn.satfinite.e2m1x2.f32 cvt.rz.satfinite.ue8m0x2.f32 cvt.rn.bf16x2.ue8m0x2 ld.global.nc.L1::no_allocate.L2::evict_first.v8.b32 st.global.v8.f32 ld.global.v4.u64
		wgmma.fence.sync.aligned wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 wgmma.commit_group.sync.aligned wgmma.wait_group.sync.aligned
		tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 tcgen05.ld.sync.aligned.16x64b.x1.b32 tcgen05.mma.cta_group::2.kind::f16 tcgen05.fence::before_thread_sync
		setmaxnreg.inc.sync.aligned.u32 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 stacksave.u64 stackrestore.u64 alloca.u64
	`) {
		if o, problems := find(text); o == nil {
			t.Errorf("%s: %+v", text, problems)
		}
	}
}
