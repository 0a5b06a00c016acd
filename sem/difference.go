package sem

import (
	"slices"

	"github.com/vop-ptx/vop/isa"
)

// Difference is a rule that makes the readings of a form differ, and operand
// values on which they do because of it.
type Difference struct {
	Rule      Rule
	A, B, C   uint32
	ISA, SM86 uint32
}

// Known holds the operands of an instruction that are constants, nil for those that
// are not, and which of the others are one register.
type Known struct {
	A, B, C                *uint32
	SameAB, SameAC, SameBC bool
}

// Differences returns a Difference for each rule that makes the two readings of
// a form differ on some operands. It is empty if they never do, so for every
// SIMD form.
func Differences(f isa.Form) []Difference { return DifferencesGiven(f, Known{}) }

// DifferencesGiven is [Differences] where something is known of the operands.
func DifferencesGiven(f isa.Form, known Known) []Difference {
	open := applicable(f)
	if open == 0 {
		return nil
	}
	var found [numRules]*Difference
	as, bs, cs := candidates(f, known)
search:
	for _, a := range as {
		for _, b := range tied(known.SameAB, a, bs) {
			for _, c := range tied(known.SameAC, a, tied(known.SameBC, b, meeting(f, a, b, cs, known))) {
				causes := causes(f, a, b, c) & open
				if causes == 0 {
					continue
				}
				for i := range rules {
					if causes.has(1 << i) {
						found[i] = &Difference{rules[i], a, b, c, evaluate(0, f, a, b, c), evaluate(allRules, f, a, b, c)}
					}
				}
				if open &^= causes; open == 0 {
					break search
				}
			}
		}
	}
	var differences []Difference
	for _, d := range found {
		if d != nil {
			differences = append(differences, *d)
		}
	}
	return differences
}

// Causes returns the rules for which the readings give different values on these
// operands. It is empty if they give the same.
func Causes(f isa.Form, a, b, c uint32) []Rule {
	set := causes(f, a, b, c)
	var all []Rule
	for i, r := range rules {
		if set.has(1 << i) {
			all = append(all, r)
		}
	}
	return all
}

// causes is the set of rules without which the value of SM86 would be another;
// or, where each of several is enough, of those with which alone that of ISA
// would. It is empty if the readings agree.
func causes(f isa.Form, a, b, c uint32) (necessary ruleSet) {
	manual, compiled := evaluate(0, f, a, b, c), evaluate(allRules, f, a, b, c)
	if manual == compiled {
		return 0
	}
	var sufficient ruleSet
	for i := range rules {
		r := ruleSet(1 << i)
		if !rules[i].applies(f) {
			continue
		}
		if evaluate(allRules&^r, f, a, b, c) != compiled {
			necessary |= r
		}
		if evaluate(r, f, a, b, c) != manual {
			sufficient |= r
		}
	}
	if necessary == 0 {
		return sufficient
	}
	return necessary
}

// applicable returns the rules that change a stage of the form.
func applicable(f isa.Form) (set ruleSet) {
	for i := range rules {
		if !f.Op.SIMD() && rules[i].applies(f) {
			set |= 1 << i
		}
	}
	return set
}

// The values at which a stage of some scalar instruction changes, by the width
// of the part that is read, and the words of c.
var (
	edges = map[int][]uint32{
		8:  {0, 1, 2, 0x7f, 0x80, 0xff},
		16: {0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff},
		32: {0, 1, 2, 0x80, 0x100, 0x8000, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff},
	}
	amounts = func() (all []uint32) {
		for n := range uint32(33) {
			all = append(all, n)
		}
		return all
	}()
	edgesC = []uint32{0, 1, 0x1234_5678, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff}
)

// candidates returns the operand values that a search for differences tries.
func candidates(f isa.Form, known Known) (as, bs, cs []uint32) {
	as, bs, cs = edges[f.ASel.Bits()], edges[f.BSel.Bits()], edgesC
	for _, k := range known.values(f) {
		as, bs, cs = around(as, k), around(bs, k), around(cs, k)
	}
	if f.Mode != isa.NoMode {
		bs = amounts
		if known.B != nil {
			as = shifted(as, *known.B>>f.BSel.Shift()&31)
		}
	}
	as, bs = inPlace(as, f.ASel), inPlace(bs, f.BSel)
	if !f.ReadsC() {
		cs = []uint32{0}
	}
	if known.SameAB {
		as = united(as, bs)
	}
	if known.SameAC {
		as = united(as, cs)
	}
	if known.SameBC && !known.SameAB {
		bs = united(bs, cs)
	}
	return fixed(as, known.A), fixed(bs, known.B), fixed(cs, known.C)
}

// values returns the constants as they enter the operation.
func (k Known) values(f isa.Form) (all []uint32) {
	if k.A != nil {
		all = append(all, uint32(partSelectSignExtend(*k.A, f.AType, f.ASel)))
	}
	if k.B != nil {
		all = append(all, uint32(partSelectSignExtend(*k.B, f.BType, f.BSel)))
	}
	if k.C != nil {
		all = append(all, *k.C)
	}
	return all
}

// meeting returns the values of c to try with given a and b: those around the
// intermediate result, too, where it is compared with c.
func meeting(f isa.Form, a, b uint32, cs []uint32, known Known) []uint32 {
	if known.C != nil || !minOrMax(f) {
		return cs
	}
	f.Second, f.Sat = isa.NoSecond, false
	t := evaluate(0, f, a, b, 0)
	return append(cs[:len(cs):len(cs)], t-1, t, t+1)
}

// fixed returns the constant alone, if there is one.
func fixed(values []uint32, constant *uint32) []uint32 {
	if constant != nil {
		return []uint32{*constant}
	}
	return values
}

// tied returns x alone if an operand is the same register as the one that x is for.
func tied(same bool, x uint32, values []uint32) []uint32 {
	if same {
		return []uint32{x}
	}
	return values
}

// united returns the values of a register that is two operands: those of each, and what
// they make together where they are parts.
func united(xs, ys []uint32) []uint32 {
	all := slices.Concat(xs, ys)
	for _, x := range xs {
		for _, y := range ys {
			all = append(all, x|y)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// inPlace shifts values to where a selector reads them.
func inPlace(values []uint32, sel isa.Part) []uint32 {
	words := make([]uint32, len(values))
	for i, v := range values {
		words[i] = v << sel.Shift()
	}
	return words
}

// around adds to values those that meet a constant in a sum, a difference or a
// comparison.
func around(values []uint32, constant uint32) []uint32 {
	all := slices.Clone(values)
	for _, k := range []uint32{constant, -constant, 0x7fff_ffff - constant, 0x8000_0000 - constant, 0x7fff_ffff + constant, 0x8000_0000 + constant} {
		all = append(all, k-1, k, k+1)
	}
	return all
}

// shifted adds to values those that a shift by n takes to them.
func shifted(values []uint32, n uint32) []uint32 {
	all := slices.Clone(values)
	for _, v := range values {
		// Bits 32 and 33 matter where a left shift is compared.
		all = append(all, v>>n, v<<n, uint32((1<<32|uint64(v))>>n), uint32((1<<33|uint64(v))>>n))
	}
	return all
}
