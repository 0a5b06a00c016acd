package ordinary

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Operand is the type that an instruction reads or writes an operand as, and the register it is in.
type Operand struct {
	Kind     byte // u, s, b, f as in PTX; g for bf16; x for two f16, y for two bf16; p for a predicate
	Bits     int
	Register int // the width of the register, which may be more; 1 for predicates
}

// Form is a form of an instruction, or a short sequence of which the instruction is a part: a
// carry can be seen only in the instruction that reads it.
type Form struct {
	Name     string // with all modifiers: "add.sat.s32"
	Code     string // instructions in which D0, D1 stand for results and S0, S1 for sources
	Results  []Operand
	Sources  []Operand
	Constant bool // sources may be constants
	// Positions is how many of the last sources are positions among bits: constants there are 0 to 255.
	Positions int
	// Compute returns the results, as they stand in registers of their widths. Sources are
	// those of registers, too: bits above the type do not count.
	Compute func(x []uint64) []uint64
	// Near is given instead of Compute where the manual bounds the error: it tells what is
	// wrong about a result, if anything.
	Near func(x []uint64, got uint64) string
	// Restrict brings random sources into the range for which the manual says something.
	Restrict func(x []uint64)
}

// Forms returns all forms.
func Forms() []Form {
	t := &table{}
	t.integers()
	t.bits()
	t.carries()
	t.floats()
	t.threeExtremes()
	t.halves()
	t.brains()
	t.packed()
	t.approximations()
	t.comparisons()
	t.integerConversions()
	t.floatConversions()
	t.moves()
	slices.SortStableFunc(t.forms, func(a, b Form) int { return strings.Compare(a.Code, b.Code) })
	return t.forms
}

type table struct{ forms []Form }

// operand reads a type, with the width of the register if that is another one than usual: "u8/32".
func operand(text string) Operand {
	typ, register, given := strings.Cut(text, "/")
	switch typ {
	case "pred":
		return Operand{'p', 1, 1}
	case "f16x2":
		return Operand{'x', 32, 32}
	case "bf16":
		return Operand{'g', 16, 16}
	case "bf16x2":
		return Operand{'y', 32, 32}
	}
	bits, err := strconv.Atoi(typ[1:])
	if err != nil {
		panic("ordinary: the type " + text)
	}
	o := Operand{typ[0], bits, max(bits, 16)}
	if given {
		if o.Register, err = strconv.Atoi(register); err != nil {
			panic("ordinary: the type " + text)
		}
	}
	return o
}

func operands(text string) (all []Operand) {
	for _, word := range strings.Fields(text) {
		all = append(all, operand(word))
	}
	return all
}

func mask(bits int) uint64 {
	if bits == 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// extend returns a result as it stands in its register: signed integers are extended by their sign, all
// others by zeros.
func (o Operand) extend(v uint64) uint64 {
	v &= mask(o.Bits)
	if o.Kind == 's' && v>>(o.Bits-1) != 0 {
		v |= ^mask(o.Bits)
	}
	return v & mask(o.Register)
}

// value returns the integer that a source stands for.
func (o Operand) value(x uint64) *big.Int {
	v := new(big.Int).SetUint64(x & mask(o.Bits))
	if o.Kind == 's' && v.Bit(o.Bits-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(o.Bits)))
	}
	return v
}

// pattern returns the low bits of an integer in two's complement.
func pattern(v *big.Int, bits int) uint64 {
	all := new(big.Int).SetUint64(mask(bits))
	return new(big.Int).And(v, all).Uint64()
}

// add enters a form with the usual operands: destinations, then sources.
func (t *table) add(name, results, sources string, compute func(x []uint64) []uint64) *Form {
	var list []string
	for i := range strings.Fields(results) {
		list = append(list, fmt.Sprintf("D%d", i))
	}
	for i := range strings.Fields(sources) {
		list = append(list, fmt.Sprintf("S%d", i))
	}
	return t.addCode(name, name+" "+strings.Join(list, ", "), results, sources, compute)
}

func (t *table) addCode(name, code, results, sources string, compute func(x []uint64) []uint64) *Form {
	f := Form{Name: name, Code: code + ";", Results: operands(results), Sources: operands(sources), Constant: true}
	f.Compute = func(x []uint64) []uint64 {
		trimmed := make([]uint64, len(x))
		for i := range x {
			trimmed[i] = x[i] & mask(f.Sources[i].Bits)
		}
		all := compute(trimmed)
		for i := range all {
			all[i] = f.Results[i].extend(all[i])
		}
		return all
	}
	t.forms = append(t.forms, f)
	return &t.forms[len(t.forms)-1]
}

// bitwise enters a form with one result, computed from patterns.
func (t *table) bitwise(name, result, sources string, compute func(x []uint64) uint64) *Form {
	return t.add(name, result, sources, func(x []uint64) []uint64 { return []uint64{compute(x)} })
}

// whole enters a form with one result, computed from the integers that the sources stand for.
func (t *table) whole(name, result, sources string, compute func(v []*big.Int) *big.Int) *Form {
	types := operands(sources)
	bits := operand(result).Bits
	return t.bitwise(name, result, sources, func(x []uint64) uint64 {
		v := make([]*big.Int, len(x))
		for i := range x {
			v[i] = types[i].value(x[i])
		}
		return pattern(compute(v), bits)
	})
}

// truth is 1 for true.
func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// String spells an operand's type, and the register if that is another one than usual: "u8/32".
func (o Operand) String() string {
	s := fmt.Sprintf("%c%d", o.Kind, o.Bits)
	switch {
	case o.Kind == 'p':
		return "pred"
	case o.Kind == 'x':
		return "f16x2"
	case o.Kind == 'y':
		return "bf16x2"
	case o.Register != max(o.Bits, 16):
		s += fmt.Sprintf("/%d", o.Register)
	}
	return s
}
