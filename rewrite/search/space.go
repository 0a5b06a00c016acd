package search

import "github.com/vop-ptx/vop/rewrite/word"

// A Space is what programs are made of.
type Space struct {
	// Constants are the words that an instruction may have in place of an argument.
	Constants []uint32
	// Shifts are the distances of shifts.
	Shifts []uint32
	// Factors are what values are multiplied by; each product is added to a word or to 0.
	Factors []uint32
	// Perms are the selectors of permutations of two words, or of one and 0.
	Perms []uint32
	// Ops are the operations of two words that the space has besides: [word.AbsDiffU8],
	// [word.MinU] and the like. All of them are one machine instruction.
	Ops []word.Op
	// Ternary are operations of three words of which the last may be 0, [word.SadU] and the like, or all but the first,
	// [word.PackSatS8] and the like. All of them are one machine instruction.
	Ternary []word.Op
	// Variable are shifts by a value, [word.Shl] and the like, and funnel shifts.
	Variable []word.Op
	// Wrap says that the space also has those of Variable that count only five bits of the value.
	Wrap bool
	// Products says that the space has products of two values, added to a word or to 0.
	Products bool
	// Compare says that the space has comparisons, whose result is a predicate, and selections by one.
	Compare bool
	// PlainLogic says that logic but the last instruction is AND, OR, XOR and AND NOT of two words, not every table of three.
	PlainLogic bool
	// Weights are those of Dot and its kin; each is added to a word or to 0.
	Weights []Weight
}

// A Weight is an operation that adds weighted lanes.
type Weight struct {
	Op      word.Op
	Weights uint32
}

// Bytes returns the space for four lanes on a target.
func Bytes(caps word.Caps) Space {
	s := Space{
		Constants: []uint32{0x80808080, 0x7f7f7f7f, 0x01010101, 0xfefefefe},
		Shifts:    []uint32{1, 7},
		Factors:   []uint32{0xff},
		Perms:     []uint32{0xba98},
	}
	return s.with(caps, word.AbsDiffU8, word.AbsDiffS8)
}

// Halves returns the space for two lanes on a target.
func Halves(caps word.Caps) Space {
	s := Space{
		Constants: []uint32{0x80008000, 0x7fff7fff, 0x00010001, 0xfffefffe},
		Shifts:    []uint32{1, 15, 16},
		Factors:   []uint32{0xffff, 0x10001},
		Perms:     []uint32{0xbb99, 0x5410, 0x7632, 0x7610, 0x5432},
	}
	for _, op := range []word.Op{word.SadU, word.SadS} {
		if caps.Has(op) {
			s.Ternary = append(s.Ternary, op)
		}
	}
	for _, w := range []Weight{{word.DotU16, 0x01}, {word.DotU16, 0xff}, {word.DotU16, 0x100}, {word.DotU16, 0xff00}} {
		if caps.Has(w.Op) {
			s.Weights = append(s.Weights, w)
		}
	}
	return s.with(caps, word.MinU, word.MaxU, word.MinS, word.MaxS, word.Add16, word.MinU16, word.MaxU16, word.MinS16, word.MaxS16)
}

// with adds the operations that a target has.
func (s Space) with(caps word.Caps, ops ...word.Op) Space {
	for _, op := range ops {
		if caps.Has(op) {
			s.Ops = append(s.Ops, op)
		}
	}
	return s
}
