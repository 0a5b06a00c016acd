package prove

import (
	"slices"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
)

// A program for a c that is the same register as a or b reads that one in c's place, where sums of lanes and the last sum cannot be told
// apart. With c put back there it is a program for any c, and if that one is proven, so is the first.

// withAnyC puts c back into the sum that a program ends with. It returns the program and what is still known of its operands.
func withAnyC(p *word.Program, facts lower.Facts) (*word.Program, lower.Facts) {
	if facts.SameAC || facts.SameBC {
		if sum := sumWithRepeated(p, p.Result, facts); sum != nil {
			all := slices.Clone(p.Insts)
			for _, at := range sum {
				i := word.Inst{Op: word.Input, Imm: 2}
				if last := len(all) - 1; last >= len(p.Insts) {
					i = p.Insts[at.value]
					i.Arg[at.arg] = word.Value(last)
				}
				all = append(all, i)
			}
			p = &word.Program{Insts: all, Result: word.Value(len(all) - 1)}
		}
	}
	facts.SameAC, facts.SameBC = false, false
	return p, facts
}

// addend is an argument of a value, which adds it.
type addend struct {
	value word.Value
	arg   int
}

// sumWithRepeated returns the way from an operand that c may be to the value that it is added to, which comes last.
func sumWithRepeated(p *word.Program, v word.Value, facts lower.Facts) []addend {
	i := &p.Insts[v]
	if i.Op == word.Input {
		if i.Imm == 2 || i.Imm == 0 && (facts.SameAC || facts.SameAB) || i.Imm == 1 && facts.SameBC {
			return []addend{{value: v}}
		}
		return nil
	}
	for _, arg := range addends(i.Op) {
		if sum := sumWithRepeated(p, i.Arg[arg], facts); sum != nil {
			return append(sum, addend{v, arg})
		}
	}
	return nil
}

// addends are the arguments that an operation adds to something else, or hands on in sums of two words. Which c is put back for does not matter to
// what is proven, only to whether it is.
func addends(op word.Op) []int {
	switch op {
	case word.Add, word.AddWide:
		return []int{0, 1}
	case word.Sub, word.Lo, word.WideU, word.ShlWide, word.ShrWideU:
		return []int{0}
	case word.DotU8, word.DotS8, word.DotU16, word.DotS16:
		return []int{1}
	case word.SadU, word.SadS, word.SadU8, word.SadS8:
		return []int{2}
	}
	return nil
}
