package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// memoryForms are loads and stores (PTX ISA 9.7.9.8 to 9.7.9.12), and what only concerns caches (9.7.9.15 to 9.7.9.18).
// Cache operators, scopes and eviction priorities say nothing about results and are read over. Every access
// of a CTA is seen by the next in program order, which is what .volatile and the memory
// orders ask for within a CTA.
var memoryForms = []row{
	{"ld{.(weak|volatile|relaxed|acquire|mmio)}{.(cta|cluster|gpu|sys)}{.(const|global|shared|local|param|shared::cta|param::entry|param::func)}{.(ca|cg|cs|lu|cv)}{.nc}" + cacheHints + "{.(L2::64B|L2::128B|L2::256B)}{.(v2|v4|v8)}.<mem>", loadMemory},
	{"ldu{.global}{.(v2|v4)}.<mem>", loadMemory},
	{"st{.(weak|volatile|relaxed|release|mmio)}{.(cta|cluster|gpu|sys)}{.(global|shared|local|param|shared::cta|param::func)}{.(wb|cg|cs|wt)}" + cacheHints + "{.(v2|v4|v8)}.<mem>", storeMemory},
	{"prefetch{.(global|local)}.(L1|L2)", nothing},
	{"prefetch.global.(L2::evict_last|L2::evict_normal)", nothing},
	{"prefetch{.(const|param)}.tensormap", nothing},
	{"prefetchu.L1", nothing},
	{"applypriority{.global}.L2::evict_normal", nothing},
	{"discard{.global}.L2", nothing},
	{"createpolicy.fractional.<primary>{.<secondary>}.b64", createPolicy},
	{"createpolicy.range{.global}.<primary>{.<secondary>}.b64", createPolicy},
	{"createpolicy.cvt.L2.b64", createPolicy},
}

// cacheHints are what accesses may say to caches. A policy is a last operand, which nothing reads.
const cacheHints = "{.(L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate)}{.(L2::evict_normal|L2::evict_first|L2::evict_last)}{.L2::cache_hint}"

// createPolicy builds createpolicy. Policies have no effect, so that there is but one.
func createPolicy(b *builder) { b.set(b.operand(0), b.Constant(simt.B64, 0)) }

// spaceOf returns the state space that the form names.
func (f form) spaceOf() check.Space {
	for modifier, space := range map[string]check.Space{
		"const": check.Const, "global": check.Global, "shared": check.Shared, "shared::cta": check.Shared,
		"local": check.Local, "param": check.Param, "param::entry": check.Param, "param::func": check.Param,
	} {
		if f.has(modifier) {
			return space
		}
	}
	return check.Generic
}

// newAccess returns the access of a form: all that the form alone says of it.
func newAccess(f form) *simt.Access {
	t := f.lastType()
	return &simt.Access{
		Space: f.spaceOf(), Size: t.Bytes(), Elements: f.elements(), Signed: check.S8 <= t && t <= check.S64,
		Writes: f.name != "ld" && f.name != "ldu", Ordering: f.ordering(), Spelling: f.String(),
	}
}

// elements is how many elements a form loads or stores.
func (f form) elements() int {
	switch {
	case f.has("v2"):
		return 2
	case f.has("v4"):
		return 4
	case f.has("v8"):
		return 8
	}
	return 1
}

// accessOf returns what the operand at i says of an access, and its address.
func (b *builder) accessOf(i int) (a *simt.Access, address simt.ID) {
	a = newAccess(b.inst)
	b.Publishes = b.Publishes || a.Ordering.Releases
	o := b.operand(i)
	if o.Kind != check.OpAddress || len(o.Elems) != 1 {
		b.fail("the address %s", b.name(o))
		return a, b.Constant(simt.B64, 0)
	}
	a.Offset = uint64(o.Offset)
	if a.Space == check.Param && !b.decl.Entry {
		a.Space = check.Local
	}
	base := &o.Elems[0]
	switch base.Kind {
	case check.OpReg:
		return a, b.readRegister(base.Reg, int(base.Elem))
	case check.OpImm:
		return a, b.Constant(simt.B64, base.Imm)
	case check.OpVar:
		if a.Space == check.Generic {
			a.Space = base.Var.Space
		}
		if _, ok := b.Offsets[base.Var]; ok {
			a.Space = check.Local
		}
		return a, b.addressOf(base, simt.B64)
	}
	b.fail("the address %s", b.name(o))
	return a, b.Constant(simt.B64, 0)
}

// ordering returns what the form says of memory order.
func (f form) ordering() simt.Ordering {
	acquires, releases := f.has("acquire") || f.has("acq_rel"), f.has("release") || f.has("acq_rel")
	atomic := f.name == "atom" || f.name == "red" || f.name == "mbarrier"
	releases = releases || f.name == "mbarrier" && !f.has("relaxed")
	return simt.Ordering{Strong: atomic || acquires || releases || f.has("volatile") || f.has("relaxed"), Acquires: acquires, Releases: releases}
}

// loadMemory builds ld and ldu.
func loadMemory(b *builder) {
	a, address := b.accessOf(1)
	elems := b.vectorElements(b.operand(0))
	if len(elems) != a.Elements {
		b.fail("its destination has %s", diag.Count(len(elems), "element"))
		return
	}
	t := simt.TypeOf(b.inst.lastType())
	for i := range elems {
		if elems[i].Kind != check.OpSink {
			t = b.typeOfOperand(&elems[i])
		}
	}
	defs := make([]simt.ID, len(elems))
	for i := range elems {
		if elems[i].Kind == check.OpSink {
			continue
		}
		if has := b.typeOfOperand(&elems[i]); has != t || has == simt.Pred {
			b.fail("its destinations are of different kinds")
			return
		}
		defs[i] = b.result(t)
	}
	if a.Size == 8 && t != simt.B64 {
		b.fail("%s has another width than the instruction", b.name(&elems[0]))
		return
	}
	b.effect(simt.Inst{Kind: simt.Load, Defs: defs, Args: b.list(address), Aux: a})
	for i := range elems {
		b.set(&elems[i], defs[i])
	}
}

// storeMemory builds st.
func storeMemory(b *builder) {
	a, address := b.accessOf(0)
	elems := b.vectorElements(b.operand(1))
	if len(elems) != a.Elements {
		b.fail("its source has %s", diag.Count(len(elems), "element"))
		return
	}
	t := b.inst.lastType()
	args := []simt.ID{address}
	for i := range elems {
		args = append(args, b.source(&elems[i], simt.TypeOf(t), t))
	}
	b.effect(simt.Inst{Kind: simt.Store, Args: b.list(args...), Aux: a})
}
