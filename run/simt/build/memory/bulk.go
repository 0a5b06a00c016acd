package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// bulkForms are copies and reductions of many bytes (PTX ISA 9.7.9.25.4), waiting for them, and st.bulk (9.7.9.13). As those of cp.async they
// are made at once, in their thread.
var bulkForms = builder.Table{
	{"cp.async.bulk.shared::cta.global" + bytesTold + "{.ignore_oob}{.L2::cache_hint}", copyBulk},
	{"cp.async.bulk.shared::cluster.global" + bytesTold + "{.multicast::cluster}{.L2::cache_hint}", copyBulk},
	{"cp.async.bulk.shared::cluster.shared::cta" + bytesTold, copyBulk},
	{"cp.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask}", copyBulk},
	{"cp.async.bulk.prefetch.L2.global{.L2::cache_hint}", builder.Nothing},
	{"cp.async.bulk.commit_group", builder.Nothing},
	{"cp.async.bulk.wait_group{.read}", builder.Nothing},
	{"cp.reduce.async.bulk.shared::cluster.shared::cta" + bytesTold + ".add.(u32|s32|u64)", copyBulk},
	{"cp.reduce.async.bulk.shared::cluster.shared::cta" + bytesTold + ".(min|max).(u32|s32)", copyBulk},
	{"cp.reduce.async.bulk.shared::cluster.shared::cta" + bytesTold + ".(inc|dec).u32", copyBulk},
	{"cp.reduce.async.bulk.shared::cluster.shared::cta" + bytesTold + ".(and|or|xor).(b32|u32|s32)", copyBulk},
	{"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.(u32|s32|u64|f32|f64)", copyBulk},
	{"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.noftz.(f16|bf16)", copyBulk},
	{"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.(min|max).(u32|s32|u64|s64|f16|bf16)", copyBulk},
	{"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.(inc|dec).u32", copyBulk},
	{"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.(and|or|xor).(b32|u32|s32|b64|u64|s64)", copyBulk},
	{"st.bulk{.weak}{.shared::cta}", storeZeros},
}

// bytesTold is how a form says that a barrier in memory is told of the bytes that have come.
const bytesTold = ".mbarrier::complete_tx::bytes"

// copyBulk builds cp.async.bulk and cp.reduce.async.bulk: to, from, the number of bytes, how many of the first and the last ones are not copied, then the
// barrier that is told of them and the CTAs that they go to, or a cache policy and which bytes of each 16 are copied.
func copyBulk(b *builder.Builder) {
	op, _ := form.NewBulk(b.Form)
	told, multicast := b.Form.Has(bytesTold[1:]), b.Form.Has("multicast::cluster")
	count := 3
	for _, more := range []bool{op.Trimmed, op.Trimmed, told, multicast, b.Form.Has("L2::cache_hint"), op.Masked} {
		if more {
			count++
		}
	}
	if !b.Count(count) {
		return
	}
	number := func(i int, t check.Type) simt.ID { return b.Source(b.Operand(i), simt.B32, t) }
	size := number(2, check.U32)
	args := []simt.ID{bulkAddress(b, 0), bulkAddress(b, 1), size}
	next := 3
	if op.Trimmed {
		args, next = append(args, number(3, check.U32), number(4, check.U32)), 5
	}
	if op.Masked {
		args = append(args, number(count-1, check.U16))
	}
	guard := under(b, 0)
	if multicast {
		guard = ofThisCTA(b, number(next+1, check.U16))
	}
	if b.Failed() {
		return
	}
	b.Add(simt.Inst{Kind: simt.Bulk, Args: b.List(args...), Aux: op, Guard: guard})
	if told {
		tellOfBytes(b, next, check.Shared, b.Named("widen.64", size), guard)
	}
}

// ofThisCTA returns a predicate that holds where the instruction is executed and the lowest bit of the CTAs of the cluster is set, which stands for
// the only one that there is. Others are a trap.
func ofThisCTA(b *builder.Builder, ctas simt.ID) simt.ID {
	bits := func(mask uint64) simt.ID {
		return b.Named("setp.ne.u32", b.Named("and.b32", ctas, b.Constant(simt.B32, mask)), b.Constant(simt.B32, 0))
	}
	b.Add(simt.Inst{Kind: simt.Trap, Aux: simt.NoRank, Guard: under(b, bits(0xfffe))})
	return under(b, bits(1))
}

// bulkAddress returns the address that an operand is, its offset included.
func bulkAddress(b *builder.Builder, i int) simt.ID {
	of, address := b.Access(i)
	if of.Offset == 0 {
		return address
	}
	return b.Sum(address, int64(of.Offset))
}

// storeZeros builds st.bulk: the address, the number of bytes and 0. A generic address must be one of shared memory.
func storeZeros(b *builder.Builder) {
	if !b.Count(3) {
		return
	}
	op, _ := form.NewBulk(b.Form)
	of, _ := b.Access(0)
	address := bulkAddress(b, 0)
	if of.Space == check.Generic {
		shared := b.Result(simt.Pred)
		b.Effect(simt.Inst{Kind: simt.InSpace, Defs: b.List(shared), Args: b.List(address), Aux: check.Shared})
		b.Add(simt.Inst{Kind: simt.Trap, Aux: simt.NotShared, Guard: under(b, b.Named("not.pred", shared))})
		address = b.Sum(address, -simt.SharedWindow)
	} else if of.Space != check.Shared {
		b.Fail("it writes to shared memory, and the address is one of %v memory", of.Space)
	}
	b.Effect(simt.Inst{Kind: simt.Bulk, Args: b.List(address, b.Source(b.Operand(1), simt.B64, check.U64)), Aux: op})
}
