package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Affine values: their scalars are computed in general registers; vectors are made of them where something needs vectors.

// term is an affine value with the registers of its scalars.
type term = affine.Term[machine.Operand]

// findAffine finds the affine values.
func (k *compiler) findAffine() {
	k.apart = make([][2]machine.Operand, len(k.Values))
	k.known = &affine.Known{Function: k.Function, Values: make([]*affine.Value, len(k.Values)), Scalar: k.scalar, Careful: k.careful}
	k.known.Computes = func(o op.Op) bool {
		s, ok := scalarSelectors()[o]
		return ok && !s.counted
	}
	if k.Options.Without&amd64.FuseAffine == 0 {
		k.known.Find(k.Options.Block, k.uniform)
	}
	k.affines = k.known.Values
}

// selectAffine emits the scalars of an affine value.
func (k *compiler) selectAffine(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	d := inst.Defs[0]
	if k.affines[d].None {
		return
	}
	held := k.holderOf(d, b)
	if held != 0 && !k.known.MayWrap(inst) {
		k.apart[d] = k.apart[held]
		return
	}
	var args [4]term
	for i, id := range inst.Args {
		args[i] = k.termOf(id)
	}
	r := k.rules(d, &scalarEmitter{compiler: k, block: b, inst: n})
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
func (k *compiler) rules(id simt.ID, e *scalarEmitter) affine.Rules[machine.Operand] {
	return affine.Rules[machine.Operand]{Emit: e, Wide: k.Values[id].Type == simt.B64, Careful: k.careful(id)}
}

// careful reports whether it is not to be hoped that the sums that a value is computed from do not wrap around.
func (k *compiler) careful(id simt.ID) bool {
	return k.Options.Careful || slices.Contains(k.Options.Wrapping, int32(id))
}

// ofHalves emits an operation for each half of the warp.
func (k *compiler) ofHalves(i *simt.Inst, args []term) (d [2]machine.Operand) {
	before := make([]machine.Operand, len(args))
	for n, id := range i.Args {
		before[n] = k.generals[id]
		if !k.known.IsScalar(id) {
			r := k.rules(id, &scalarEmitter{compiler: k})
			args[n], _ = r.Joined(args[n])
		}
	}
	for half := range d {
		for n, id := range i.Args {
			if !k.known.IsScalar(id) {
				k.generals[id] = args[n].S[half]
			}
		}
		d[half] = k.scalarOf(i)
	}
	for n, id := range i.Args {
		if !k.known.IsScalar(id) {
			k.generals[id] = before[n]
		}
	}
	return d
}

// termOf returns a value with its scalars.
func (k *compiler) termOf(id simt.ID) term {
	a, _ := k.known.Operand(id)
	t := term{Value: *a}
	switch {
	case a.None:
	case k.scalar[id]:
		x := k.general(id)
		t.S = [2]machine.Operand{x, x}
	default:
		t.S = k.scalarParts(id)
	}
	return t
}

// scalarParts returns the scalars of an affine value. Those of special values are in their homes.
func (k *compiler) scalarParts(id simt.ID) [2]machine.Operand {
	if k.apart[id][0].None() {
		x := k.compute(encode.MOV|encode.S32, machine.MemoryAt(machine.Fixed(homesReg), k.homes.Offset[id]))
		if k.noKeep {
			return [2]machine.Operand{x, x}
		}
		k.apart[id] = [2]machine.Operand{x, x}
		k.borrowed = append(k.borrowed, id)
	}
	return k.apart[id]
}

// ifWraps looks whether an extended word plus the least or the largest of the lanes' constants is not what the extended
// sum of the words is: then a condition holds, which leave is called with.
func (k *compiler) ifWraps(x machine.Operand, low, high int64, signed bool, leave func(encode.Cond)) {
	extend := encode.Op(encode.MOV | encode.S32)
	if signed {
		extend = encode.MOVSXD | encode.S64
	}
	for _, n := range []int64{low, high} {
		if n == 0 {
			continue
		}
		k.fixedly(encode.LEA|encode.S64, rax, machine.MemoryAt(x, int32(n)))
		k.fixedly(extend, rcx, rax)
		k.fixedly(encode.CMP|encode.S64, rcx, rax)
		leave(encode.CondNE)
	}
}

// bringAffine makes vectors of an affine value.
func (k *compiler) bringAffine(s *group, id simt.ID) {
	a, v := k.affines[id], &s.Vectors[id]
	var scalars [2]machine.Operand
	if !a.None {
		scalars = k.scalarParts(id)
	}
	x := scalars[0]
	if a.Split {
		x = scalars[s.halfOfWarp()]
	}
	if k.Values[id].Type == simt.B32 {
		v.Parts[0] = k.lanesPlus(s, x, false, k.lanes32(a.C[s.Target.Lanes*s.number:]))
		return
	}
	for p := range v.Parts {
		v.Parts[p] = k.lanesPlus(s, x, true, k.lanes64(a.C[s.Target.Lanes*s.number+s.Target.Lanes/2*p:]))
	}
}

// lanesPlus adds a scalar, if there is one, to a constant.
func (k *compiler) lanesPlus(s *group, x machine.Operand, wide bool, c machine.Operand) machine.Operand {
	if x.None() {
		return c
	}
	all := s.broadcast(x, wide)
	switch {
	case s.IsZero(c):
		return all
	case wide:
		return s.New(encode.VPADDQ, all, c)
	}
	return s.New(encode.VPADDD, all, c)
}

// lanes32 and lanes64 are vectors of constants of lanes.
func (k *compiler) lanes32(c []int64) machine.Operand {
	if affine.Same(c[:k.Target.Lanes]) {
		return k.Const32(uint32(c[0]))
	}
	return k.ConstDwords(func(i int) uint32 { return uint32(c[i]) })
}

func (k *compiler) lanes64(c []int64) machine.Operand {
	if affine.Same(c[:k.Target.Lanes/2]) {
		return k.Const64(uint64(c[0]))
	}
	return k.ConstBytes(func(i int) byte { return byte(c[i/8] >> (i % 8 * 8)) })
}
