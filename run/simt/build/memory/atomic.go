package memory

import (
	"github.com/vop-ptx/vop/read/check"
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
}

// atomicOrder is what atomic instructions may say of order, scope and space.
const atomicOrder = "{.(relaxed|acquire|release|acq_rel)}{.(cta|cluster|gpu|sys)}{.(global|shared|shared::cta)}{.L2::cache_hint}"

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
