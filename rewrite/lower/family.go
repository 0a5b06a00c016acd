package lower

import "github.com/vop-ptx/vop/rewrite/word"

// lanes is the width in bits of the lanes that a word is taken as: 8, 16, or 32 for
// the word itself. Scalar instructions are those of one lane.
type lanes int

// each returns the word with x in every lane.
func (w lanes) each(x uint32) uint32 {
	switch w {
	case 8:
		return x * 0x01010101
	case 16:
		return x * 0x00010001
	}
	return x
}

// top returns the word with the top bit of every lane.
func (w lanes) top() uint32 { return w.each(1 << (w - 1)) }

// count returns the number of lanes in a word.
func (w lanes) count() int { return 32 / int(w) }

// family is one operation at every width; NoOp where there is none.
type family struct{ op8, op16, op32 word.Op }

func (f family) at(w lanes) word.Op {
	switch w {
	case 8:
		return f.op8
	case 16:
		return f.op16
	}
	return f.op32
}

// signedness is a family for unsigned lanes and one for signed lanes.
type signedness [2]family

func (s signedness) of(signed bool) family {
	if signed {
		return s[1]
	}
	return s[0]
}

// The families.
var (
	plusOps     = family{word.Add8, word.Add16, word.Add}
	minusOps    = family{word.Sub8, word.Sub16, word.Sub}
	averageOps  = family{word.AvgU8, word.AvgU16, word.NoOp}
	equalOps    = family{word.CmpEq8, word.CmpEq16, word.CmpEq}
	greaterOps  = signedness{{word.CmpGtU8, word.CmpGtU16, word.NoOp}, {word.CmpGtS8, word.CmpGtS16, word.NoOp}}
	smallerOps  = signedness{{word.MinU8, word.MinU16, word.MinU}, {word.MinS8, word.MinS16, word.MinS}}
	largerOps   = signedness{{word.MaxU8, word.MaxU16, word.MaxU}, {word.MaxS8, word.MaxS16, word.MaxS}}
	plusSatOps  = signedness{{word.AddSatU8, word.AddSatU16, word.NoOp}, {word.AddSatS8, word.AddSatS16, word.NoOp}}
	minusSatOps = signedness{{word.SubSatU8, word.SubSatU16, word.NoOp}, {word.SubSatS8, word.SubSatS16, word.NoOp}}
	distanceOps = signedness{{word.AbsDiffU8, word.NoOp, word.NoOp}, {word.AbsDiffS8, word.NoOp, word.NoOp}}
)

// native computes a packed operation if the target has it.
func (b *builder) native(w lanes, f family, x, y word.Value) (word.Value, bool) {
	op := f.at(w)
	if op == word.NoOp || !b.caps.Has(op) {
		return 0, false
	}
	return b.do(op, x, y), true
}
