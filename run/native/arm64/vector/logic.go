package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// logic are operations on bits.
var logic = map[string]selector{
	"and.b32": plain(encode.AND), "or.b32": plain(encode.ORR), "xor.b32": plain(encode.EOR), "not.b32": plain(encode.NOT | encode.B16),
	"word.andnot": plain(encode.BIC),
}

// shifts are those of words. Amounts above 31 leave zeros, or signs.
var shifts = map[string]selector{
	"shl.b32": shift(encode.SHL, encode.USHL), "shr.u32": shift(encode.USHR, encode.USHL), "shr.s32": shift(encode.SSHR, encode.SSHL),
}

// shift selects a shift of words.
func shift(constant, variable encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value { return one(s.shifting(constant, variable, s.V(a[0]), a[1])) }
}

// shifting shifts words by a constant, or by a vector: there the amount is the lowest byte of each lane, signed, to the left.
func (s *Selection) shifting(constant, variable encode.Op, x machine.Register, by simt.ID) machine.Register {
	if k, ok := s.ConstOf(by); ok {
		return s.shiftBy(constant, x, uint32(k))
	}
	amount := s.V(by)
	if most, ok := s.atMost(by); !ok || most > 127 {
		amount = s.New(encode.UMIN|encode.S4, amount, s.Const32(32))
	}
	if constant != encode.SHL {
		amount = s.New(encode.NEG|encode.S4, amount)
	}
	return s.New(variable|encode.S4, x, amount)
}

// shiftBy shifts words by a constant.
func (s *Selection) shiftBy(o encode.Op, x machine.Register, by uint32) machine.Register {
	switch {
	case by == 0:
		return x
	case by > 31 && o == encode.SSHR:
		by = 31
	case by > 31:
		return s.Const32(0)
	}
	return s.NewImm(o|encode.S4, int64(by), x)
}

// atMost returns what a word is at most, if the operation that computes it tells.
func (s *Selection) atMost(id simt.ID) (most uint32, ok bool) {
	if k, ok := s.ConstOf(id); ok {
		return uint32(k), true
	}
	i := s.inst(id)
	if i == nil {
		return 0, false
	}
	switch i.Op.String() {
	case "and.b32", "min.u32":
		for _, a := range i.Args {
			if k, ok := s.ConstOf(a); ok {
				return uint32(k), true
			}
		}
	}
	return 0, false
}

// inst returns the operation that computes a value, or nil.
func (c *Compiler) inst(id simt.ID) *simt.Inst { return c.defined[id] }
