package lower

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
type family struct{ op8, op16, op32 Op }

func (f family) at(w lanes) Op {
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
	plusOps     = family{Add8, Add16, Add}
	minusOps    = family{Sub8, Sub16, Sub}
	averageOps  = family{AvgU8, AvgU16, NoOp}
	equalOps    = family{CmpEq8, CmpEq16, CmpEq}
	greaterOps  = signedness{{CmpGtU8, CmpGtU16, NoOp}, {CmpGtS8, CmpGtS16, NoOp}}
	smallerOps  = signedness{{MinU8, MinU16, MinU}, {MinS8, MinS16, MinS}}
	largerOps   = signedness{{MaxU8, MaxU16, MaxU}, {MaxS8, MaxS16, MaxS}}
	plusSatOps  = signedness{{AddSatU8, AddSatU16, NoOp}, {AddSatS8, AddSatS16, NoOp}}
	minusSatOps = signedness{{SubSatU8, SubSatU16, NoOp}, {SubSatS8, SubSatS16, NoOp}}
	distanceOps = signedness{{AbsDiffU8, NoOp, NoOp}, {AbsDiffS8, NoOp, NoOp}}
)

// native computes a packed operation if the target has it.
func (b *builder) native(w lanes, f family, x, y Value) (Value, bool) {
	op := f.at(w)
	if op == NoOp || !b.caps.Has(op) {
		return 0, false
	}
	return b.do(op, x, y), true
}
