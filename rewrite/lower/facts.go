package lower

import (
	"strconv"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
)

// Facts are what a caller knows about the operands of one instruction beyond its
// form. The zero Facts know nothing. They only ever make a program shorter.
type Facts struct {
	Known [3]Known // a, b, c

	// The operands that are the same register, whatever it holds.
	SameAB, SameAC, SameBC bool
}

// Known is an operand that is constant, if Is.
type Known struct {
	Is    bool
	Value uint32
}

// Constant returns the Known of a constant operand.
func Constant(value uint32) Known { return Known{true, value} }

// constants reports whether an operand is constant.
func (facts Facts) constants() bool {
	return facts.Known[0].Is || facts.Known[1].Is || facts.Known[2].Is
}

// operands returns what a program reads as a, b and c under the facts.
func (facts Facts) operands() builder.Operands {
	all := builder.AnyOperands
	if facts.SameAB {
		all[1] = all[0]
	}
	switch {
	case facts.SameBC:
		all[2] = all[1]
	case facts.SameAC:
		all[2] = all[0]
	}
	for n := range all {
		if known := facts.Known[all[n].Same]; known.Is {
			all[n].Constant, all[n].Value = true, known.Value
		}
	}
	return all
}

// Operands returns what the sources a, b and c are under the facts: a number, or the name
// of the first operand that is the same register: "a", "a", "7" if b is a, and c is 7.
func (facts Facts) Operands() [3]string {
	names := [3]string{"a", "b", "c"}
	if facts.SameAB {
		names[1] = names[0]
	}
	if facts.SameAC {
		names[2] = names[0]
	} else if facts.SameBC {
		names[2] = names[1]
	}
	for i, known := range facts.Known {
		if known.Is {
			names[i] = strconv.FormatInt(int64(int32(known.Value)), 10)
		}
	}
	return names
}

// Spell spells an instruction of a form with its facts: "vmad.s32.s32.s32 d, a, 1, a;".
func (facts Facts) Spell(f isa.Form) string {
	names := facts.Operands()
	return f.Spell("d", names[0], names[1], names[2])
}
