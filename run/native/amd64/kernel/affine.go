package kernel

import (
	"math/bits"
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Affine values: a scalar, or one for each half of the warp, and a constant for each lane. Indexes and addresses are mostly such.
// Their scalars are computed in general registers; vectors are made of them where something needs vectors.

// laneNumbers are a number for each lane.
type laneNumbers [simt.WarpSize]int64

// affine is what is known of an affine value.
type affine struct {
	c     laneNumbers // of values of 32 bits as signed ones
	none  bool        // there is no scalar: the value is c
	split bool        // each half of the warp has its own scalar
	zeros int         // how many of the scalar's lowest bits are zero
	word  bool        // a value of 64 bits whose upper half is zero
	// The scalar is from 0 to limit, if that is not negative.
	limit int64
}

// uniformC reports whether c is the same in all lanes, and halfC whether it is so in each half of the warp.
func (a *affine) uniformC() bool { return a.sameFrom(0, simt.WarpSize) }
func (a *affine) halfC() bool    { return a.sameFrom(0, 16) && a.sameFrom(16, 32) }

func (a *affine) sameFrom(from, to int) bool {
	return same(a.c[from:to])
}

// bounds returns the least and the largest of c.
func (a *affine) bounds() (low, high int64) {
	low, high = a.c[0], a.c[0]
	for _, c := range a.c {
		low, high = min(low, c), max(high, c)
	}
	return low, high
}

// below reports whether all of c are from 0 to 2^zeros-1: then scalar and c have no bits in common.
func (a *affine) below() bool {
	low, high := a.bounds()
	return low >= 0 && high < 1<<a.zeros
}

// threadSpecial returns what is known of a special register for blocks of a shape, or nil.
func threadSpecial(name string, shape [3]int) *affine {
	x, y := shape[0], shape[1]
	a := &affine{none: true, zeros: 64, limit: -1}
	lanes := func(f func(lane int) int) {
		for l := range a.c {
			a.c[l] = int64(f(l))
		}
	}
	switch {
	case name == "%laneid":
		lanes(func(l int) int { return l })
		return a
	case x == 0 || !strings.HasPrefix(name, "%tid."):
		return nil
	}
	// The threads of a warp are 32*w to 32*w+31, which wrap around at the size before, and are divided by the product
	// of those before.
	below, size := 1, x
	switch name {
	case "%tid.y":
		below, size = x, y
	case "%tid.z":
		below, size = x*y, shape[2]
	}
	a.limit = int64(max(size-1, 0))
	switch {
	case size == 1:
		return a
	case below%simt.WarpSize == 0: // the same in all lanes
		a.none, a.zeros = false, 0
		return a
	case simt.WarpSize%below != 0:
		return nil
	}
	each := simt.WarpSize / below // so many numbers a warp has
	lanes(func(l int) int { return l / below })
	last := x*y*shape[2] == below*size // nothing wraps around
	switch {
	case each <= size && (size%each == 0 || last):
		a.none, a.zeros = false, bits.TrailingZeros(uint(each))
		return a
	case size < each && each%size == 0:
		lanes(func(l int) int { return l / below % size })
		return a
	}
	return nil
}

// maxRounds bounds the analysis, which takes a few rounds for each loop in a loop.
const maxRounds = 64

// findAffine finds the affine values among those that are no scalars.
func (k *compiler) findAffine() {
	k.affines = make([]*affine, len(k.Values))
	k.apart = make([][2]machine.Operand, len(k.Values))
	if k.Options.Without&amd64.FuseAffine != 0 {
		return
	}
	for id := range k.Values {
		if v := &k.Values[id]; v.Kind == simt.Special && v.Type == simt.B32 && !k.scalar[id] {
			k.affines[id] = threadSpecial(v.Name, k.Options.Block)
		}
	}
	together := k.Together(k.uniform)
	lost := make([]bool, len(k.Values))
	again := true
	for rounds := 0; again; rounds++ {
		if rounds == maxRounds {
			clear(k.affines)
			return
		}
		again = false
		set := func(id simt.ID, a *affine) {
			switch {
			case lost[id] || k.scalar[id]:
			case a == nil:
				again = again || k.affines[id] != nil
				k.affines[id], lost[id] = nil, true
			case k.affines[id] == nil || *k.affines[id] != *a:
				k.affines[id] = a
				again = true
			}
		}
		for b := range k.Blocks {
			block := &k.Blocks[b]
			for i := range block.Phis {
				phi := &block.Phis[i]
				if k.Values[phi.Def].Type == simt.Pred || !together[b] {
					lost[phi.Def] = true
					continue
				}
				if a, known := k.affinePhi(phi, lost); known {
					set(phi.Def, a)
				}
			}
			for i := range block.Insts {
				inst := &block.Insts[i]
				if inst.Kind != simt.Compute {
					for _, d := range inst.Defs {
						lost[d] = true
					}
					continue
				}
				if a, known := k.affineCompute(inst, lost); known {
					set(inst.Defs[0], a)
				}
			}
			for _, d := range block.End.Defs {
				lost[d] = true
			}
		}
	}
}

// affineOperand returns what is known of an operand: constants and scalars are affine too. known is false if nothing is
// known yet; a nil affine is none.
func (k *compiler) affineOperand(id simt.ID, lost []bool) (a *affine, known bool) {
	v := &k.Values[id]
	switch {
	case v.Type == simt.Pred:
		return nil, true
	case v.Kind == simt.Const:
		a := &affine{none: true, zeros: 64, limit: -1}
		for l := range a.c {
			a.c[l] = int64(v.Bits)
			if v.Type == simt.B32 {
				a.c[l] = int64(int32(v.Bits))
			}
		}
		return a, true
	case k.scalar[id]:
		return &affine{limit: -1}, true
	case k.affines[id] != nil:
		return k.affines[id], true
	}
	return nil, lost[id] || v.Kind == simt.Special
}

// affinePhi joins what a phi is written from: the lanes' constants may differ by the same in all lanes.
func (k *compiler) affinePhi(phi *simt.Phi, lost []bool) (all *affine, known bool) {
	for _, arg := range phi.Args {
		a, known := k.affineOperand(arg, lost)
		switch {
		case !known:
			continue
		case a == nil:
			return nil, true
		case all == nil:
			first := *a
			first.limit = -1
			all = &first
			if old := k.affines[phi.Def]; old != nil { // what has been found before stays true at most
				all.none = all.none && old.none
				all.split = all.split || old.split
				all.zeros = min(all.zeros, old.zeros)
				all.word = all.word && old.word
			}
			continue
		}
		d := a.c[0] - all.c[0]
		for l := range a.c {
			if a.c[l]-all.c[l] != d {
				return nil, true
			}
		}
		zeros := min(all.zeros, a.zeros)
		if d != 0 {
			all.none = false
			zeros = min(zeros, bits.TrailingZeros64(uint64(d)))
		}
		all.none = all.none && a.none
		all.split = all.split || a.split
		all.word = all.word && a.word
		all.zeros = zeros
	}
	return all, all != nil
}

// affineCompute returns what is known of the result of an operation, as affineOperand does.
func (k *compiler) affineCompute(i *simt.Inst, lost []bool) (a *affine, known bool) {
	var args [4]affine
	constants := true
	for n, id := range i.Args {
		x, known := k.affineOperand(id, lost)
		if !known {
			return nil, false
		}
		if x == nil {
			return nil, true
		}
		args[n] = *x
		constants = constants && x.none
	}
	if rule, ok := affineRules[i.Op.String()]; ok {
		var values [4]affineValue
		for n := range i.Args {
			values[n].affine = args[n]
		}
		e := affiner{compiler: k, wide: k.Values[i.Defs[0]].Type == simt.B64}
		if v, ok := rule(&e, values[:len(i.Args)]); ok {
			return &v.affine, true
		}
	}
	if constants && k.Values[i.Defs[0]].Type == simt.B32 {
		return affineConstants(i, args[:len(i.Args)]), true
	}
	if k.eachHalf(i, args[:len(i.Args)]) {
		return &affine{split: true, limit: -1}, true
	}
	return nil, true
}

// eachHalf reports whether an operation can be computed in general registers for each half of the warp: its operands are
// the same in all lanes of a half, though not in all of the warp.
func (k *compiler) eachHalf(i *simt.Inst, args []affine) bool {
	s, ok := scalarSelectors()[i.Op]
	if !ok || s.counted || k.Values[i.Defs[0]].Type == simt.Pred {
		return false
	}
	for n := range args {
		if !args[n].halfC() {
			return false
		}
	}
	return true
}

// affineConstants computes an operation on constants of the lanes.
func affineConstants(i *simt.Inst, args []affine) *affine {
	var words [3][]uint32
	for n := range args {
		words[n%3] = make([]uint32, simt.WarpSize)
		for l := range words[n%3] {
			words[n%3][l] = uint32(args[n].c[l])
		}
	}
	result := make([]uint32, simt.WarpSize)
	switch loop := i.Op.Info().Loop.(type) {
	case op.Map1[uint32, uint32]:
		loop(result, words[0])
	case op.Map2[uint32, uint32, uint32]:
		loop(result, words[0], words[1])
	case op.Map3[uint32, uint32, uint32, uint32]:
		loop(result, words[0], words[1], words[2])
	default:
		return nil
	}
	a := &affine{none: true, zeros: 64, limit: -1}
	for l, w := range result {
		a.c[l] = int64(int32(w))
	}
	return a
}

// bringAffine makes vectors of an affine value.
func (k *compiler) bringAffine(s *group, id simt.ID) {
	a, v := k.affines[id], &s.Vectors[id]
	var scalars [2]machine.Operand
	if !a.none {
		scalars = k.scalarParts(id)
	}
	x := scalars[0]
	if a.split {
		x = scalars[s.halfOfWarp()]
	}
	if k.Values[id].Type == simt.B32 {
		v.Parts[0] = k.lanesPlus(s, x, false, k.lanes32(a.c[s.Target.Lanes*s.number:]))
		return
	}
	for p := range v.Parts {
		v.Parts[p] = k.lanesPlus(s, x, true, k.lanes64(a.c[s.Target.Lanes*s.number+s.Target.Lanes/2*p:]))
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
	if same(c[:k.Target.Lanes]) {
		return k.Const32(uint32(c[0]))
	}
	return k.ConstDwords(func(i int) uint32 { return uint32(c[i]) })
}

func (k *compiler) lanes64(c []int64) machine.Operand {
	if same(c[:k.Target.Lanes/2]) {
		return k.Const64(uint64(c[0]))
	}
	return k.ConstBytes(func(i int) byte { return byte(c[i/8] >> (i % 8 * 8)) })
}

func same(c []int64) bool {
	for _, x := range c {
		if x != c[0] {
			return false
		}
	}
	return true
}
