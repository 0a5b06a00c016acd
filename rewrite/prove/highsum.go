package prove

import (
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// The high word of a wide product and a number of two words, start and above it v, is that of the product and start, plus v. Where the number is
// v above zeros, start is 0.

// highSum recognises such a high word.
func highSum(p *word.Program, high word.Value) (product word.Value, start uint64, v word.Value, ok bool) {
	shifted, ok := argumentOf(p, high, word.Lo, 0)
	if !ok || p.Insts[shifted].Op != word.ShrWideU || p.Insts[shifted].Imm != 32 {
		return 0, 0, 0, false
	}
	sum := &p.Insts[p.Insts[shifted].Arg[0]]
	if sum.Op != word.AddWide {
		return 0, 0, 0, false
	}
	for k, product := range sum.Args() {
		pair := &p.Insts[sum.Arg[1-k]]
		if op := p.Insts[product].Op; op != word.MulWideS && op != word.MulWideU {
			continue
		}
		if v, ok := raisedWord(p, sum.Arg[1-k]); ok {
			return product, 0, v, true
		}
		if pair.Op != word.AddWide {
			continue
		}
		for n, low := range pair.Args() {
			if p.Insts[low].Op != word.WideConst || p.Insts[low].Imm>>32 != 0 {
				continue
			}
			if v, ok := raisedWord(p, pair.Arg[1-n]); ok {
				return product, p.Insts[low].Imm, v, true
			}
		}
	}
	return 0, 0, 0, false
}

// raisedWord returns the word that a number of two words has above zeros.
func raisedWord(p *word.Program, raised word.Value) (v word.Value, ok bool) {
	i := &p.Insts[raised]
	if i.Op != word.ShlWide {
		return 0, false
	}
	places := &p.Insts[i.Arg[1]]
	v, ok = argumentOf(p, i.Arg[0], word.WideU, 0)
	return v, ok && places.Op == word.WideConst && places.Imm == 32
}

// argumentOf returns an argument of a value, if that is computed by op.
func argumentOf(p *word.Program, v word.Value, op word.Op, n int) (word.Value, bool) {
	i := &p.Insts[v]
	return i.Arg[n], i.Op == op
}

// highLeaf is the high word of a wide value plus a constant.
func highLeaf(wide word.Value, start uint64) leaf {
	return leaf{
		of:     []word.Value{wide},
		number: func(values []uint64) uint32 { return uint32((values[wide] + start) >> 32) },
		term: func(values []*term.Term) *term.Term {
			return term.Slice(term.Add(values[wide], term.Number(int64(start), 64)), 32, 32)
		},
	}
}
