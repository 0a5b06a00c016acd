package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// atomicForms are the atomic operations on memory (PTX ISA 9.7.13). The memory order and
// the scope say nothing more: every atomic operation is seen by all threads of the
// grid at once.
var atomicForms = builder.Table{
	{"atom" + atomicOrder + ".(and|or|xor|exch|cas).(b32|b64)", atomicMemory},
	{"atom" + atomicOrder + ".(exch|cas|and|or|xor).(u32|s32|u64|s64)", atomicMemory},
	{"atom" + atomicOrder + ".(add|min|max).(u32|s32|u64|s64)", atomicMemory},
	{"atom" + atomicOrder + ".(inc|dec).u32", atomicMemory},
	{"atom" + atomicOrder + ".add.(f32|f64)", atomicMemory},
	{"atom" + atomicOrder + ".add.noftz.(f16|f16x2|bf16|bf16x2)", atomicMemory},
	{"atom" + atomicOrder + ".cas.b16", atomicMemory},
	{"red" + atomicOrder + ".add.noftz.(f16|f16x2|bf16|bf16x2)", atomicMemory},
	{"red" + atomicOrder + ".(and|or|xor).(b32|b64)", atomicMemory},
	{"red" + atomicOrder + ".(add|min|max).(u32|s32|u64|s64)", atomicMemory},
	{"red" + atomicOrder + ".(inc|dec).u32", atomicMemory},
	{"red" + atomicOrder + ".add.(f32|f64)", atomicMemory},
	{"atom" + atomicOrder + ".(exch|cas).b128", atomicWhole},
	{"atom" + atomicVector + ".add.(v2|v4).f32", atomicElements},
	{"atom" + atomicVector + ".(add|min|max).noftz.(v2|v4|v8).(f16|bf16)", atomicElements},
	{"atom" + atomicVector + ".(add|min|max).noftz.(v2|v4).(f16x2|bf16x2)", atomicElements},
	{"red" + atomicVector + ".add.(v2|v4).f32", atomicElements},
	{"red" + atomicVector + ".(add|min|max).noftz.(v2|v4|v8).(f16|bf16)", atomicElements},
	{"red" + atomicVector + ".(add|min|max).noftz.(v2|v4).(f16x2|bf16x2)", atomicElements},
}

// atomicOrder is what atomic instructions may say of order, scope and space.
const atomicOrder = "{.(relaxed|acquire|release|acq_rel)}{.(cta|cluster|gpu|sys)}{.(global|shared|shared::cta|shared::cluster)}{.L2::cache_hint}"

// atomicVector is what those of several elements may say of it: they are in global memory.
const atomicVector = "{.(relaxed|acquire|release|acq_rel)}{.(cta|cluster|gpu|sys)}{.global}{.L2::cache_hint}"

// atomicMemory builds atom, and red, which has no destination.
func atomicMemory(b *builder.Builder) {
	place := 1
	if b.Form.Name == "red" {
		place = 0
	}
	t := b.Form.LastType()
	kind := simt.TypeOf(t)
	a, address := b.Access(place)
	x := b.Source(b.Operand(place+1), kind, t)
	y := x // for all but cas, which do not read it
	if b.Form.Has("cas") {
		y = b.Source(b.Operand(place+2), kind, t)
	}
	a.Update = b.Form.Update(a.Space)
	var defs []simt.ID
	if place == 1 && b.Operand(0).Kind != check.OpSink {
		defs = b.List(b.Result(kind))
	}
	b.Effect(simt.Inst{Kind: simt.Atomic, Defs: defs, Args: b.List(address, x, y), Aux: a})
	if defs != nil {
		b.Set(b.Operand(0), defs[0])
	}
}

// atomicElements builds atom and red of vectors: the address is looked at as a whole, as that of a load is, and then each element is one
// that the operation is made on.
func atomicElements(b *builder.Builder) {
	place := 1
	if b.Form.Name == "red" {
		place = 0
	}
	t := b.Form.LastType()
	a, address := b.Access(place)
	a.Update = b.Form.Update(a.Space)
	from := b.Elements(b.Operand(place + 1))
	if len(from) != a.Elements {
		b.Fail("its source has %s", diag.Count(len(from), "element"))
		return
	}
	args := []simt.ID{address}
	for i := range from {
		args = append(args, b.Source(&from[i], simt.B32, t))
	}
	var to []check.Operand
	var defs []simt.ID
	if place == 1 && b.Operand(0).Kind != check.OpSink {
		if to = b.Elements(b.Operand(0)); len(to) != a.Elements {
			b.Fail("its destination has %s", diag.Count(len(to), "element"))
			return
		}
		defs = make([]simt.ID, len(to))
		for i := range to {
			defs[i] = b.Result(simt.B32)
		}
	}
	b.Effect(simt.Inst{Kind: simt.Atomic, Defs: defs, Args: b.List(args...), Aux: a})
	for i := range to {
		b.Set(&to[i], defs[i])
	}
}

// atomicWhole builds atom of 128 bits: with the halves of one operand, of cas of two.
func atomicWhole(b *builder.Builder) {
	a, address := b.Access(1)
	a.Update = b.Form.Update(a.Space)
	operands := 1
	if b.Form.Has("cas") {
		operands = 2
	}
	args := []simt.ID{address}
	for i := range operands {
		for _, half := range b.Halves(b.Operand(2 + i)) {
			args = append(args, b.Source(&half, simt.B64, check.B64))
		}
	}
	to := b.Halves(b.Operand(0))
	var defs []simt.ID
	if b.Operand(0).Kind != check.OpSink {
		defs = b.List(b.Result(simt.B64), b.Result(simt.B64))
	}
	b.Effect(simt.Inst{Kind: simt.Atomic, Defs: defs, Args: b.List(args...), Aux: a})
	for i, d := range defs {
		b.Set(&to[i], d)
	}
}
