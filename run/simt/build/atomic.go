package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// atomicForms are the atomic operations on memory (PTX ISA 9.7.13). The memory order and
// the scope say nothing more: every atomic operation is seen by all threads of the
// grid at once.
var atomicForms = []row{
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

// atomicOperations are the words for the operations.
var atomicOperations = []string{"and", "or", "xor", "exch", "cas", "add", "min", "max", "inc", "dec"}

// atomicMemory builds atom, and red, which has no destination.
func atomicMemory(b *builder) {
	place := 1
	if b.inst.name == "red" {
		place = 0
	}
	t := b.inst.lastType()
	kind := simt.TypeOf(t)
	a, address := b.accessOf(place)
	x := b.source(b.operand(place+1), kind, t)
	y := x // for all but cas, which do not read it
	if b.inst.has("cas") {
		y = b.source(b.operand(place+2), kind, t)
	}
	a.Update = b.inst.update(a.Space)
	var defs []simt.ID
	if place == 1 && b.operand(0).Kind != check.OpSink {
		defs = b.list(b.result(kind))
	}
	b.effect(simt.Inst{Kind: simt.Atomic, Defs: defs, Args: b.list(address, x, y), Aux: a})
	if defs != nil {
		b.set(b.operand(0), defs[0])
	}
}

// update is the operation of an atomic form, in memory of a space.
func (f form) update(space check.Space) (update string) {
	if f.name == "mbarrier" {
		return f.name + "." + f.modifiers[0]
	}
	for _, operation := range atomicOperations {
		if f.has(operation) {
			update = operation
		}
	}
	t := f.lastType()
	if t == check.F32 && space != check.Shared {
		update += ".ftz" // in global memory, subnormal numbers are flushed (9.7.13.5)
	}
	if t.IsFloat() {
		return update + t.String()
	}
	return update + "." + integerName(t)
}
