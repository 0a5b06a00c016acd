package scalar

import (
	"math"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Values that are not in vectors by themselves, brought to where something needs them.

// General returns the general register of a scalar or a constant. A constant is loaded where it is read: that is cheaper
// than a register.
func (k *Compiler) General(id simt.ID) machine.Operand {
	if x := k.generals[id]; !x.None() {
		return x
	}
	v := &k.Values[id]
	switch v.Kind {
	case simt.Const:
		return k.loadImmediate(v.Bits)
	case simt.Special:
	default:
		panic("amd64: a scalar is used before it is computed")
	}
	op := encode.MOV | encode.S32
	if v.Type == simt.B64 {
		op = encode.MOV | encode.S64
	}
	x := k.Compute(op, machine.MemoryAt(machine.Fixed(warp.HomesReg), k.Homes.Offset[id]))
	if !k.briefly {
		k.generals[id] = x
		k.borrowed = append(k.borrowed, id)
	}
	return x
}

// loadImmediate loads a number into a general register.
func (k *Compiler) loadImmediate(bits uint64) machine.Operand {
	switch {
	case bits <= math.MaxUint32:
		return k.Compute(encode.MOV|encode.S32, machine.Fixed(encode.Imm(int64(bits))))
	case int64(bits) == int64(int32(bits)):
		return k.Compute(encode.MOV|encode.S64, machine.Fixed(encode.Imm(int64(bits))))
	}
	return k.Compute(encode.MOV|encode.S64, machine.Fixed(k.Asm.Const64(bits)))
}

// source returns an operand that an instruction of a size may have besides a register: a constant as an
// immediate.
func (k *Compiler) source(id simt.ID) machine.Operand {
	if bits, ok := k.ConstOf(id); ok {
		switch {
		case k.Values[id].Type != simt.B64:
			return machine.Fixed(encode.Imm(int64(int32(bits))))
		case int64(bits) == int64(int32(bits)):
			return machine.Fixed(encode.Imm(int64(bits)))
		}
	}
	return k.General(id)
}

// maskOf makes a mask of a scalar predicate.
func (k *Compiler) maskOf(s *warp.Group, id simt.ID) machine.Operand {
	return s.AllOrNone(k.Change(encode.NEG|encode.S32, k.General(id)))
}

// Forget drops what has been brought into registers for one block.
func (k *Compiler) Forget() {
	for _, s := range k.Groups {
		for _, id := range s.Cached {
			delete(s.Halves, id)
			if k.IsBrought(id) {
				s.Vectors[id].Parts = [2]machine.Operand{}
			}
		}
		s.Cached = s.Cached[:0]
	}
	for _, id := range k.borrowed {
		k.generals[id], k.apart[id] = machine.Operand{}, [2]machine.Operand{}
	}
	k.borrowed = k.borrowed[:0]
}

// IsBrought reports whether a value is not in vector registers by itself.
func (k *Compiler) IsBrought(id simt.ID) bool {
	kind := k.Values[id].Kind
	return k.Scalar[id] || k.Affines[id] != nil || kind == simt.Special || kind == simt.Const
}

// bring brings a value that is in a general register, or in its home, into vector or mask registers.
func (k *Compiler) bring(s *warp.Group, id simt.ID) {
	v := &s.Vectors[id]
	home := k.Homes.Offset[id]
	switch typ := k.Values[id].Type; {
	case k.Affines[id] != nil:
		k.bringAffine(s, id)
	case k.Scalar[id] && typ == simt.Pred:
		v.Parts[0] = k.maskOf(s, id)
	case k.Scalar[id]:
		x := s.Broadcast(k.General(id), typ == simt.B64)
		v.Parts = [2]machine.Operand{x}
		if typ == simt.B64 {
			v.Parts[1] = x
		}
		for _, other := range k.Groups {
			if other != s && !k.briefly {
				other.Vectors[id].Parts = v.Parts
				other.Cached = append(other.Cached, id)
			}
		}
	case k.Values[id].Kind != simt.Special:
		panic("amd64: a value is used before it is computed")
	case typ == simt.Pred && k.HasMasks():
		v.Parts[0] = s.Test(encode.KMOVW, machine.MemoryAt(machine.Fixed(warp.HomesReg), home+int32(2*s.Number)))
	case typ == simt.Pred:
		v.Parts[0] = s.Expand(s.New(encode.VPBROADCASTD, machine.MemoryAt(machine.Fixed(warp.HomesReg), home)))
	case typ == simt.B64:
		for p := range v.Parts {
			v.Parts[p] = s.New(k.Target.Move, machine.MemoryAt(machine.Fixed(warp.HomesReg), home+int32(k.Target.Bytes*(2*s.Number+p))))
		}
	default:
		v.Parts[0] = s.New(k.Target.Move, machine.MemoryAt(machine.Fixed(warp.HomesReg), home+int32(k.Target.Bytes*s.Number)))
	}
	s.Cached = append(s.Cached, id)
}

// Briefly lets f bring values into registers that are forgotten behind it: what it emits is executed on some ways only. Nothing
// that f calls may call it.
func (k *Compiler) Briefly(f func()) {
	var before [warp.MaxGroups][]simt.ID
	for g, s := range k.Groups {
		before[g] = s.Cached
		s.Cached = nil
	}
	borrowed := k.borrowed
	k.borrowed, k.briefly = nil, true
	f()
	k.Forget()
	for g, s := range k.Groups {
		s.Cached = before[g]
	}
	k.borrowed, k.briefly = borrowed, false
}

// bringAffine makes vectors of an affine value.
func (k *Compiler) bringAffine(s *warp.Group, id simt.ID) {
	a, v := k.Affines[id], &s.Vectors[id]
	var scalars [2]machine.Operand
	if !a.None {
		scalars = k.ScalarParts(id)
	}
	x := scalars[0]
	if a.Split {
		x = scalars[s.HalfOfWarp()]
	}
	if k.Values[id].Type == simt.B32 {
		v.Parts[0] = k.lanesPlus(s, x, false, k.lanes32(a.C[s.Target.Lanes*s.Number:]))
		return
	}
	for p := range v.Parts {
		v.Parts[p] = k.lanesPlus(s, x, true, k.lanes64(a.C[s.Target.Lanes*s.Number+s.Target.Lanes/2*p:]))
	}
}

// lanesPlus adds a scalar, if there is one, to a constant.
func (k *Compiler) lanesPlus(s *warp.Group, x machine.Operand, wide bool, c machine.Operand) machine.Operand {
	if x.None() {
		return c
	}
	all := s.Broadcast(x, wide)
	switch {
	case s.IsZero(c):
		return all
	case wide:
		return s.New(encode.VPADDQ, all, c)
	}
	return s.New(encode.VPADDD, all, c)
}

// lanes32 and lanes64 are vectors of constants of lanes.
func (k *Compiler) lanes32(c []int64) machine.Operand {
	if affine.Same(c[:k.Target.Lanes]) {
		return k.Const32(uint32(c[0]))
	}
	return k.ConstDwords(func(i int) uint32 { return uint32(c[i]) })
}

func (k *Compiler) lanes64(c []int64) machine.Operand {
	if affine.Same(c[:k.Target.Lanes/2]) {
		return k.Const64(uint64(c[0]))
	}
	return k.ConstQwords(func(i int) uint64 { return uint64(c[i]) })
}
