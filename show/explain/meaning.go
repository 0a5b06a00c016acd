package explain

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
)

// Meaning says in one line what a form computes.
func Meaning(f isa.Form) string {
	if f.Op == isa.Vmad {
		return madMeaning(f)
	}
	s := does(f)
	if f.Sat {
		s += fmt.Sprintf(", clamped to %s", clampedTo(f))
	}
	switch {
	case f.Op.SIMD() && f.Second == isa.SecondAdd && f.Mask == isa.FullMask(f.Op):
		s += "; the sum of the lanes is added to c"
	case f.Op.SIMD() && f.Second == isa.SecondAdd:
		s += "; the sum of the lanes in the mask is added to c"
	case f.Op.SIMD() && f.Merges():
		s += "; lanes that are not in the mask are those of c"
	case f.Merges():
		s += fmt.Sprintf("; it is written to d%v, the rest of d is c", f.DSel)
	case f.Second == isa.SecondAdd:
		s += "; c is added"
	case f.Second == isa.SecondMin:
		s += "; d is the smaller of it and c"
	case f.Second == isa.SecondMax:
		s += "; d is the greater of it and c"
	}
	return s
}

var verbs = map[isa.Kind]string{
	isa.Add: "adds %[1]s and %[2]s", isa.Sub: "subtracts %[2]s from %[1]s", isa.Absdiff: "takes the distance of %[1]s and %[2]s",
	isa.Min: "takes the smaller of %[1]s and %[2]s", isa.Max: "takes the greater of %[1]s and %[2]s",
	isa.Shl: "shifts %[1]s left by %[2]s", isa.Shr: "shifts %[1]s right by %[2]s",
	isa.Avrg: "takes the average of %[1]s and %[2]s, rounded",
}

var comparisons = map[isa.Cmp]string{
	isa.Eq: "equal to", isa.Ne: "different from", isa.Lt: "less than", isa.Le: "at most", isa.Gt: "greater than", isa.Ge: "at least",
}

// does says what happens to the sources.
func does(f isa.Form) string {
	a, b := operand("a", f.AType, f.ASel), operand("b", f.BType, f.BSel)
	lanes := ""
	if f.Op.SIMD() {
		defaultA, defaultB := isa.DefaultLanes(f.Op)
		part := map[int]string{2: "half-words", 4: "bytes"}[f.Op.Lanes()]
		lanes = fmt.Sprintf("in each of %d lanes ", f.Op.Lanes())
		a, b = sign(f.AType)+part+" of a", sign(f.BType)+part+" of b"
		if f.ALane != defaultA {
			a = sign(f.AType) + part + " picked from a and b"
		}
		if f.BLane != defaultB {
			b = sign(f.BType) + part + " picked from a and b"
		}
		a, b = "the "+a, "the "+b
	}
	if f.Cmp != isa.NoCmp {
		verb := "is"
		if f.Op.SIMD() {
			verb = "are"
		}
		return fmt.Sprintf("%sgives 1 where %s %s %s %s, else 0", lanes, a, verb, comparisons[f.Cmp], b)
	}
	s := lanes + fmt.Sprintf(verbs[f.Op.Kind()], a, b)
	switch f.Mode {
	case isa.Clamp:
		s += ", at most by 32"
	case isa.Wrap:
		s += ", of which the lowest 5 bits count"
	}
	return s
}

// operand names a source of a scalar instruction.
func operand(name string, t isa.Type, part isa.Part) string {
	switch part.Bits() {
	case 8:
		return fmt.Sprintf("the %sbyte %d of %s", sign(t), part.Shift()/8, name)
	case 16:
		return fmt.Sprintf("the %shalf-word %d of %s", sign(t), part.Shift()/16, name)
	}
	return name + " (" + sign(t)[:len(sign(t))-1] + ")"
}

func sign(t isa.Type) string {
	if t.Signed() {
		return "signed "
	}
	return "unsigned "
}

// clampedTo names the range of .sat.
func clampedTo(f isa.Form) string {
	bits := f.DSel.Bits()
	if f.Op.SIMD() {
		bits = f.Op.LaneBits()
	}
	if f.DType.Signed() {
		return fmt.Sprintf("%d to %d", -(int64(1) << (bits - 1)), int64(1)<<(bits-1)-1)
	}
	return fmt.Sprintf("0 to %d", int64(1)<<bits-1)
}

func madMeaning(f isa.Form) string {
	product := operand("a", f.AType, f.ASel) + " times " + operand("b", f.BType, f.BSel)
	s := "computes " + product
	if f.NegA != f.NegB {
		s += ", negated,"
	}
	if f.NegC {
		s += " minus c"
	} else {
		s += " plus c"
	}
	if f.PlusOne {
		s += " plus 1"
	}
	if n := f.Scale.Shift(); n > 0 {
		s += fmt.Sprintf(", shifted right by %d", n)
	}
	if f.Sat {
		s += ", clamped to 32 bits"
	}
	return s
}
