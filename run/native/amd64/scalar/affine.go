package scalar

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Affine values: their scalars are computed in general registers; vectors are made of them where something needs vectors.

// term is an affine value with the registers of its scalars.
type term = affine.Term[machine.Operand]

// findAffine finds the affine values.
func (k *Compiler) findAffine(uniform []bool) {
	k.Known = &affine.Known{Function: k.Function, Values: make([]*affine.Value, len(k.Values)), Scalar: k.Scalar, Careful: k.careful}
	k.Known.Computes = func(o op.Op) bool {
		s := selectors()[o]
		return s.emit != nil && !s.counted
	}
	if k.Options.Without&amd64.FuseAffine == 0 {
		k.Known.Find(k.Options.Block, uniform)
	}
	k.Affines = k.Known.Values
}

// SelectAffine emits the scalars of an affine value, unless there are none, or they are those of another one.
func (k *Compiler) SelectAffine(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	d := inst.Defs[0]
	if k.Affines[d].None {
		return
	}
	held := k.holderOf(d, b)
	if held != 0 && !k.Known.MayWrap(inst) {
		k.apart[d] = k.apart[held]
		return
	}
	var args [4]term
	for i, id := range inst.Args {
		args[i] = k.termOf(id)
	}
	r := k.rules(d, &emitter{k: k, block: b, inst: n})
	if t, ok := r.Apply(inst.Op.String(), args[:len(inst.Args)]); ok {
		k.apart[d] = t.S
	} else {
		k.apart[d] = k.ofHalves(inst, args[:len(inst.Args)])
	}
	if held != 0 { // what has been computed was looked at only
		k.apart[d] = k.apart[held]
		return
	}
	k.hold(d, b)
}

// rules are the rules for the computation of a value.
func (k *Compiler) rules(id simt.ID, e *emitter) affine.Rules[machine.Operand] {
	return affine.Rules[machine.Operand]{Emit: e, Wide: k.Values[id].Type == simt.B64, Careful: k.careful(id)}
}

// careful reports whether it is not to be hoped that the sums that a value is computed from do not wrap around.
func (k *Compiler) careful(id simt.ID) bool {
	return k.Options.Careful || slices.Contains(k.Options.Wrapping, int32(id))
}

// ofHalves emits an operation for each half of the warp.
func (k *Compiler) ofHalves(i *simt.Inst, args []term) (d [2]machine.Operand) {
	before := make([]machine.Operand, len(args))
	for n, id := range i.Args {
		before[n] = k.generals[id]
		if !k.Known.IsScalar(id) {
			r := k.rules(id, &emitter{k: k})
			args[n], _ = r.Joined(args[n])
		}
	}
	for half := range d {
		for n, id := range i.Args {
			if !k.Known.IsScalar(id) {
				k.generals[id] = args[n].S[half]
			}
		}
		d[half] = k.scalarOf(i)
	}
	for n, id := range i.Args {
		if !k.Known.IsScalar(id) {
			k.generals[id] = before[n]
		}
	}
	return d
}

// termOf returns a value with its scalars.
func (k *Compiler) termOf(id simt.ID) term {
	a, _ := k.Known.Operand(id)
	t := term{Value: *a}
	switch {
	case a.None:
	case k.Scalar[id]:
		x := k.General(id)
		t.S = [2]machine.Operand{x, x}
	default:
		t.S = k.ScalarParts(id)
	}
	return t
}

// ScalarParts returns the scalars of an affine value. Those of special values are in their homes.
func (k *Compiler) ScalarParts(id simt.ID) [2]machine.Operand {
	if k.apart[id][0].None() {
		x := k.Compute(encode.MOV|encode.S32, machine.MemoryAt(machine.Fixed(warp.HomesReg), k.Homes.Offset[id]))
		if k.briefly {
			return [2]machine.Operand{x, x}
		}
		k.apart[id] = [2]machine.Operand{x, x}
		k.borrowed = append(k.borrowed, id)
	}
	return k.apart[id]
}

// IfWraps looks whether an extended word plus the least or the largest of the lanes' constants is not what the extended
// sum of the words is: then a condition holds, which leave is called with.
func (k *Compiler) IfWraps(x machine.Operand, low, high int64, signed bool, leave func(encode.Cond)) {
	extend := encode.Op(encode.MOV | encode.S32)
	if signed {
		extend = encode.MOVSXD | encode.S64
	}
	for _, n := range []int64{low, high} {
		if n == 0 {
			continue
		}
		k.Fixedly(encode.LEA|encode.S64, warp.RAX, machine.MemoryAt(x, int32(n)))
		k.Fixedly(extend, warp.RCX, warp.RAX)
		k.Fixedly(encode.CMP|encode.S64, warp.RCX, warp.RAX)
		leave(encode.CondNE)
	}
}
