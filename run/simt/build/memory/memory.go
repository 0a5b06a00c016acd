package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// memoryForms are loads and stores (PTX ISA 9.7.9.8 to 9.7.9.12), and what only concerns caches (9.7.9.15 to 9.7.9.18).
// Cache operators, scopes and eviction priorities say nothing about results and are read over. Every access
// of a CTA is seen by the next in program order, which is what .volatile and the memory
// orders ask for within a CTA.
var memoryForms = builder.Table{
	{"ld{.mmio}{.(weak|volatile|relaxed|acquire)}{.(cta|cluster|gpu|sys)}{.(const|global|shared|local|param|shared::cta|shared::cluster|param::entry|param::func)}{.(ca|cg|cs|lu|cv)}{.nc}" + cacheHints + "{.(L2::64B|L2::128B|L2::256B)}{.(v2|v4|v8)}.<mem>", loadMemory},
	{"ldu{.global}{.(v2|v4)}.<mem>", loadMemory},
	{"st{.mmio}{.(weak|volatile|relaxed|release)}{.(cta|cluster|gpu|sys)}{.(global|shared|local|param|shared::cta|shared::cluster|param::func)}{.(wb|cg|cs|wt)}" + cacheHints + "{.(v2|v4|v8)}.<mem>", storeMemory},
	{"prefetch{.(global|local)}.(L1|L2)", builder.Nothing},
	{"prefetch.global.(L2::evict_last|L2::evict_normal)", builder.Nothing},
	{"prefetch{.(const|param)}.tensormap", builder.Nothing},
	{"prefetchu.L1", builder.Nothing},
	{"applypriority{.global}.L2::evict_normal", builder.Nothing},
	{"discard{.global}.L2", builder.Nothing},
	{"createpolicy.fractional.<primary>{.<secondary>}.b64", createPolicy},
	{"createpolicy.range{.global}.<primary>{.<secondary>}.b64", createPolicy},
	{"createpolicy.cvt.L2.b64", createPolicy},
}

// cacheHints are what accesses may say to caches. A policy is a last operand, which nothing reads.
const cacheHints = "{.(L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate)}{.(L2::evict_normal|L2::evict_first|L2::evict_last)}{.L2::cache_hint}"

// createPolicy builds createpolicy. Policies have no effect, so that there is but one.
func createPolicy(b *builder.Builder) { b.Set(b.Operand(0), b.Constant(simt.B64, 0)) }

// elementsOf returns the elements of operand i of an access.
func elementsOf(b *builder.Builder, a *simt.Access, i int) []check.Operand {
	if a.Whole {
		return b.Halves(b.Operand(i))
	}
	return b.Elements(b.Operand(i))
}

// loadMemory builds ld and ldu.
func loadMemory(b *builder.Builder) {
	a, address := b.Access(1)
	elems := elementsOf(b, a, 0)
	if len(elems) != a.Elements {
		b.Fail("its destination has %s", diag.Count(len(elems), "element"))
		return
	}
	t := simt.TypeOf(b.Form.LastType())
	for i := range elems {
		if elems[i].Kind != check.OpSink {
			t = b.TypeOf(&elems[i])
		}
	}
	defs := make([]simt.ID, len(elems))
	for i := range elems {
		if elems[i].Kind == check.OpSink {
			continue
		}
		if has := b.TypeOf(&elems[i]); has != t || has == simt.Pred {
			b.Fail("its destinations are of different kinds")
			return
		}
		defs[i] = b.Result(t)
	}
	if a.Size == 8 && t != simt.B64 {
		b.Fail("%s has another width than the instruction", b.Text(&elems[0]))
		return
	}
	b.Effect(simt.Inst{Kind: simt.Load, Defs: defs, Args: b.List(address), Aux: a})
	for i := range elems {
		b.Set(&elems[i], defs[i])
	}
}

// storeMemory builds st.
func storeMemory(b *builder.Builder) {
	a, address := b.Access(0)
	elems := elementsOf(b, a, 1)
	if len(elems) != a.Elements {
		b.Fail("its source has %s", diag.Count(len(elems), "element"))
		return
	}
	t := b.Form.LastType()
	if a.Whole {
		t = check.B64
	}
	args := []simt.ID{address}
	for i := range elems {
		args = append(args, b.Source(&elems[i], simt.TypeOf(t), t))
	}
	b.Effect(simt.Inst{Kind: simt.Store, Args: b.List(args...), Aux: a})
}
