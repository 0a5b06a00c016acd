package translate

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
)

// Pseudocode returns the lines of the manual's pseudo-code that apply to a form, in the manual's names.
func Pseudocode(f isa.Form) []string { return pseudocode(f) }

// pseudocode returns the lines of the manual's pseudo-code that apply to a form, in
// the manual's names.
func pseudocode(f isa.Form) []string {
	switch {
	case f.Op == isa.Vmad:
		return madSteps(f)
	case f.Op.SIMD():
		return simdSteps(f)
	}
	return scalarSteps(f)
}

// compute gives the operation on the sources x and y, by kind.
var compute = map[isa.Kind]string{
	isa.Add:     "%[1]s + %[2]s",
	isa.Sub:     "%[1]s - %[2]s",
	isa.Absdiff: "| %[1]s - %[2]s |",
	isa.Min:     "MIN( %[1]s, %[2]s )",
	isa.Max:     "MAX( %[1]s, %[2]s )",
	isa.Shl:     "%[1]s << %[2]s",
	isa.Shr:     "%[1]s >> %[2]s",
	isa.Avrg:    "( %[1]s + %[2]s + (%[1]s + %[2]s >= 0 ? 1 : 0) ) >> 1",
}

var comparisons = map[isa.Cmp]string{
	isa.Eq: "==", isa.Ne: "!=", isa.Lt: "<", isa.Le: "<=", isa.Gt: ">", isa.Ge: ">=",
}

// computation spells the operation of a form.
func computation(f isa.Form, x, y string) string {
	if f.Cmp != isa.NoCmp {
		return fmt.Sprintf("%s %s %s ? 1 : 0", x, comparisons[f.Cmp], y)
	}
	return fmt.Sprintf(compute[f.Op.Kind()], x, y)
}

// clamp spells a saturation to bits of a type.
func clamp(x string, t isa.Type, bits int) string {
	letter := "U"
	if t.Signed() {
		letter = "S"
	}
	return fmt.Sprintf("CLAMP( %[1]s, %[2]s%[3]d_MAX, %[2]s%[3]d_MIN )", x, letter, bits)
}

// extract spells the extraction of a scalar source.
func extract(operand string, t isa.Type, part isa.Part) string {
	if part == isa.Word {
		return fmt.Sprintf("partSelectSignExtend( %s, %v )", operand, t)
	}
	return fmt.Sprintf("partSelectSignExtend( %s, %v, %v )", operand, t, part)
}

func scalarSteps(f isa.Form) []string {
	steps := []string{
		"ta = " + extract("a", f.AType, f.ASel),
		"tb = " + extract("b", f.BType, f.BSel),
	}
	switch f.Mode {
	case isa.Clamp:
		steps = append(steps, "tb = MIN( tb, 32 )")
	case isa.Wrap:
		steps = append(steps, "tb = tb & 0x1f")
	}
	steps = append(steps, "tmp = "+computation(f, "ta", "tb"))
	if f.Sat {
		steps = append(steps, "tmp = "+clamp("tmp", f.DType, f.DSel.Bits()))
	}
	switch {
	case f.DSel != isa.Word:
		return append(steps, fmt.Sprintf("d = c, but d%[1]v = tmp", f.DSel))
	case f.Second == isa.SecondAdd:
		return append(steps, "d = tmp + c")
	case f.Second == isa.SecondMin:
		return append(steps, "d = MIN( tmp, c )")
	case f.Second == isa.SecondMax:
		return append(steps, "d = MAX( tmp, c )")
	}
	return append(steps, "d = tmp")
}

func madSteps(f isa.Form) []string {
	negated := f.NegA != f.NegB
	signed := f.AType.Signed() || f.BType.Signed() || negated || f.NegC
	c, result := "zext( c )", isa.U32
	if signed {
		c, result = "sext32( c )", isa.S32
	}
	sum := "ta * tb + " + c
	switch {
	case f.PlusOne:
		sum += " + 1"
	case negated:
		sum = "~(ta * tb) + " + c + " + 1"
	case f.NegC:
		sum = "ta * tb + sext32( ~c ) + 1"
	}
	steps := []string{
		"ta = " + extract("a", f.AType, f.ASel),
		"tb = " + extract("b", f.BType, f.BSel),
		"tmp = " + sum,
	}
	if n := f.Scale.Shift(); n > 0 {
		steps = append(steps, fmt.Sprintf("tmp = tmp >> %d", n))
	}
	if f.Sat {
		steps = append(steps, "tmp = "+clamp("tmp", result, 32))
	}
	return append(steps, "d = tmp")
}

func simdSteps(f isa.Form) []string {
	lanes := f.Op.Lanes()
	steps := []string{
		fmt.Sprintf("Va = extractAndSignExt_%d( a, b, %s, %v )", lanes, selector(f.Op, f.ALane), f.AType),
		fmt.Sprintf("Vb = extractAndSignExt_%d( a, b, %s, %v )", lanes, selector(f.Op, f.BLane), f.BType),
		"t[i] = " + computation(f, "Va[i]", "Vb[i]"),
	}
	if f.Sat {
		steps = append(steps, "t[i] = "+clamp("t[i]", f.DType, f.Op.LaneBits()))
	}
	switch {
	case f.Second == isa.SecondAdd:
		return append(steps, "d = c + the sum of t[i] over "+mask(f))
	case f.Merges():
		return append(steps, "d[i] = t[i] for "+mask(f)+", c[i] for the others")
	}
	return append(steps, "d[i] = t[i]")
}

// laneLetters begin selectors and masks, by the number of lanes.
var laneLetters = [...]string{2: ".h", 4: ".b"}

// selector spells a SIMD source selector.
func selector(op isa.Op, l isa.Lanes) string {
	s := laneLetters[op.Lanes()]
	for i := op.Lanes() - 1; i >= 0; i-- {
		s += fmt.Sprint(l.Lane(i))
	}
	return s
}

// mask spells a form's SIMD mask.
func mask(f isa.Form) string {
	s := laneLetters[f.Op.Lanes()]
	for i := f.Op.Lanes() - 1; i >= 0; i-- {
		if f.Mask.Has(i) {
			s += fmt.Sprint(i)
		}
	}
	return s
}
