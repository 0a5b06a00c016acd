package scalar

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Compiler compiles what is computed in general registers.
type Compiler struct {
	warp.Compiler
	Homes   *simt.Homes // where special values are
	Scalar  []bool      // by value: it is the same in all lanes, and in a general register
	Known   *affine.Known
	Affines []*affine.Value // by value, or nil: what is known of affine values
	Entered [][]uint64      // by block: the set of values that are read from there on

	// OnWrap is called where the code looks whether a sum wraps around, which an instruction is computed from. It returns what
	// leaves the code if a condition holds.
	OnWrap func(b simt.BlockID, inst int) func(encode.Cond)

	generals []machine.Operand    // by value: of scalars the register
	apart    [][2]machine.Operand // of affine values those of both halves of the warp
	same     sameScalars
	borrowed []simt.ID // values that have been brought into general registers for a block
	briefly  bool      // what is brought is not kept for the rest of the block
}

// The memory of compilers.
var (
	generalsMemory machine.Memory[machine.Operand]
	apartMemory    machine.Memory[[2]machine.Operand]
)

// New returns the state at the beginning. Release is to be called at the end.
func New(f *simt.Function, o amd64.Options) Compiler {
	return Compiler{Compiler: warp.New(f, o), generals: generalsMemory.Take(len(f.Values)), apart: apartMemory.Take(len(f.Values))}
}

// Release takes what is known of values away, and the code.
func (k *Compiler) Release() {
	generalsMemory.Leave(k.generals)
	apartMemory.Leave(k.apart)
	k.Compiler.Release()
}

// Find finds which values are scalars, which are affine, and what is equal of them. uniform tells which values are the same in
// all lanes.
func (k *Compiler) Find(uniform []bool) {
	for _, s := range k.Groups {
		s.Bring = func(id simt.ID) { k.bring(s, id) }
	}
	k.Scalar = k.Scalars(uniform, k.givesScalars)
	k.findAffine(uniform)
	k.findSame()
}

// Reaches reports whether a value that block at defines is in its registers all through block b, if the code is entered there
// as well. What brings values there, where steps or other code have gone before, brings those that are read from there on.
func (k *Compiler) Reaches(id simt.ID, at, b simt.BlockID) bool {
	return at == b || simt.Has(k.Entered[b], id)
}

// InGenerals reports whether a value is computed in general registers.
func (k *Compiler) InGenerals(id simt.ID) bool {
	return k.Scalar[id] || k.Affines[id] != nil
}

// IsMade reports whether a value that is computed in general registers has them.
func (k *Compiler) IsMade(id simt.ID) bool {
	if k.Scalar[id] {
		return !k.generals[id].None()
	}
	return k.Affines[id].None || !k.apart[id][0].None()
}

// Define says which register a scalar is in.
func (k *Compiler) Define(id simt.ID, x machine.Operand) { k.generals[id] = x }

// RegistersOf returns the registers of a value that is computed in general registers: of scalars one, of affine values one or,
// if they are split, one for each half of the warp, unless they have no scalar. A value that is not made has none.
func (k *Compiler) RegistersOf(id simt.ID) []machine.Operand {
	switch s := &k.apart[id]; {
	case k.Scalar[id] && !k.generals[id].None():
		return k.generals[id : id+1]
	case k.Scalar[id] || s[0].None():
		return nil
	case k.Affines[id].Split:
		return s[:]
	default:
		return s[:1]
	}
}

// MakePhi gives a phi the general registers that it is computed in.
func (k *Compiler) MakePhi(id simt.ID) {
	switch a := k.Affines[id]; {
	case k.Scalar[id]:
		if k.generals[id].None() {
			k.generals[id] = machine.Virtual(k.NewRegister(machine.General))
		}
	case k.IsAlias(id):
		of := k.same.aliases[id]
		k.MakePhi(of)
		k.apart[id] = k.apart[of]
		k.RestOnSums()
	case !a.None && k.apart[id][0].None():
		x := machine.Virtual(k.NewRegister(machine.General))
		k.apart[id] = [2]machine.Operand{x, x}
		if a.Split {
			k.apart[id][1] = machine.Virtual(k.NewRegister(machine.General))
		}
	}
}

// MovesTo emits what the registers of a phi become where it is another value's turn, and calls f with each register and that.
func (k *Compiler) MovesTo(m simt.Move, f func(to machine.VReg, from machine.Operand)) {
	if k.Scalar[m.To] {
		f(k.generals[m.To].Reg, k.General(m.From))
		return
	}
	a := k.Affines[m.To]
	if k.IsAlias(m.To) || a.None {
		return
	}
	// The constants of the lanes may be another number apart.
	from := k.termOf(m.From)
	r := k.rules(m.To, &emitter{k: k})
	for half, to := range k.apart[m.To] {
		if half == 1 && !a.Split {
			break
		}
		f(to.Reg, r.Plus(from, half, from.C[0]-a.C[0]))
	}
}

// Rename gives values other registers.
func (k *Compiler) Rename(rename func(*machine.Operand)) {
	for id := range k.Values {
		rename(&k.generals[id])
		rename(&k.apart[id][0])
		rename(&k.apart[id][1])
	}
}
