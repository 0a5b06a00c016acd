package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// clusterForms ask for addresses in the shared memory of the CTAs of a cluster (PTX ISA 9.7.9.23 and 9.7.9.24). Here each CTA is a
// cluster by itself: what there is has the rank 0.
var clusterForms = builder.Table{
	{"mapa{.shared::cluster}.(u32|u64)", mapAddress},
	{"getctarank{.shared::cluster}.(u32|u64)", rankOf},
}

// mapAddress builds mapa: the address of the same variable in the shared memory of the CTA of a rank. Of a rank that the cluster does not
// have the manual says nothing; it is a trap, as an address that is used later would be found at a place that does not tell why.
func mapAddress(b *builder.Builder) {
	if !b.Count(3) {
		return
	}
	t := b.Form.LastType()
	address, rank := b.Source(b.Operand(1), simt.TypeOf(t), t), b.Source(b.Operand(2), simt.B32, check.U32)
	if k, ok := b.ConstOf(rank); !ok || k != 0 {
		other := b.Named("setp.ne.u32", rank, b.Constant(simt.B32, 0))
		b.Add(simt.Inst{Kind: simt.Trap, Aux: simt.NoRank, Guard: under(b, other)})
	}
	b.Set(b.Operand(0), address)
}

// rankOf builds getctarank: the rank of the CTA that an address of shared memory belongs to.
func rankOf(b *builder.Builder) {
	if b.Count(2) {
		t := b.Form.LastType()
		b.Source(b.Operand(1), simt.TypeOf(t), t)
		b.Set(b.Operand(0), b.Constant(simt.B32, 0))
	}
}
