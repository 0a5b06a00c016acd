package native_test

import (
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop/rewrite/word"
)

// randomProgram draws a program of operations that a target has, deep rather than
// wide, so that values are needed both at once and much later.
func randomProgram(rng *rand.Rand, caps word.Caps) *word.Program {
	p := &word.Program{}
	var words, wides, compares []word.Value
	add := func(i word.Inst) {
		v := word.Value(len(p.Insts))
		p.Insts = append(p.Insts, i)
		switch {
		case i.Op.Wide():
			wides = append(wides, v)
		default:
			words = append(words, v)
			if i.Op == word.CmpEq || i.Op == word.CmpLtU || i.Op == word.CmpLtS {
				compares = append(compares, v)
			}
		}
	}
	pick := func(from []word.Value) word.Value {
		switch rng.IntN(4) {
		case 0, 1:
			return from[len(from)-1]
		case 2:
			return from[rng.IntN(min(len(from), 3))] // of words an operand
		}
		return from[rng.IntN(len(from))]
	}

	for n := range uint64(3) {
		add(word.Inst{Op: word.Input, Imm: n})
	}
	add(word.Inst{Op: word.Const, Imm: uint64(randomWord(rng))})
	add(word.Inst{Op: word.Const, Imm: uint64(rng.IntN(40))})
	add(word.Inst{Op: word.WideConst, Imm: uint64(int64(rng.Uint64()) >> rng.IntN(64))})
	ops := word.Ops()
	if rng.IntN(4) == 0 {
		ops = slices.Concat(ops, slices.Repeat(wideOps, 10))
	}
	wanted := len(p.Insts) + 1
	switch rng.IntN(4) {
	case 0:
	case 1:
		wanted += rng.IntN(30)
	default:
		wanted += rng.IntN(14)
	}
	for len(p.Insts) < wanted || p.Insts[len(p.Insts)-1].Op.Wide() {
		op := ops[rng.IntN(len(ops))]
		if op == word.Input || op == word.Const || op == word.WideConst || !caps.Has(op) || op == word.Select && len(compares) == 0 {
			continue
		}
		if rng.IntN(20) == 0 {
			x, y := pick(words), pick(words)
			pattern := fused[rng.IntN(len(fused))]
			add(word.Inst{Op: pattern[0], Arg: [3]word.Value{x, y}})
			add(word.Inst{Op: pattern[1], Arg: [3]word.Value{y, x}})
			last := word.Value(len(p.Insts))
			add(word.Inst{Op: pattern[2], Arg: [3]word.Value{last - 2, last - 1}})
			continue
		}
		if rng.IntN(20) == 0 {
			add(word.Inst{Op: word.Const, Imm: uint64(rng.IntN(1 << 16))})
			mask := word.Value(len(p.Insts) - 1)
			add(word.Inst{Op: word.And, Arg: [3]word.Value{pick(words), mask}})
			add(word.Inst{Op: word.And, Arg: [3]word.Value{pick(words), mask}})
			add(word.Inst{Op: word.Mul, Arg: [3]word.Value{mask + 1, mask + 2}})
			continue
		}
		i := word.Inst{Op: op, Imm: randomImm(rng, op)}
		for n := range op.Args() {
			switch {
			case op == word.Select && n == 0:
				i.Arg[n] = pick(compares)
			case op.TakesWide():
				i.Arg[n] = pick(wides)
			default:
				i.Arg[n] = pick(words)
			}
		}
		add(i)
	}
	p.Result = word.Value(len(p.Insts) - 1)
	return p
}

var wideOps = slices.DeleteFunc(word.Ops(), func(op word.Op) bool { return !op.Wide() && !op.TakesWide() })

// fused are operations that the machines do in one step.
var fused = [][3]word.Op{
	{word.MaxU, word.MinU, word.Sub}, {word.MaxS, word.MinS, word.Sub},
	{word.MaxU8, word.MinU8, word.Sub8}, {word.MaxS8, word.MinS8, word.Sub8},
	{word.MaxU16, word.MinU16, word.Sub16}, {word.MaxS16, word.MinS16, word.Sub16},
}

// randomImm draws an immediate that an operation accepts, and that the vector
// machines are exact for.
func randomImm(rng *rand.Rand, op word.Op) uint64 {
	switch op {
	case word.Perm:
		return uint64(rng.IntN(1<<16)) & 0x7777
	case word.DotU8:
		return []uint64{0x01010101, 0x00010001, 0xff01ff00, 0x40200810, 0xffffffff}[rng.IntN(5)]
	case word.DotS8:
		return uint64(rng.Uint32()) & 0x7f7f7f7f
	case word.DotS16:
		return uint64(rng.IntN(1 << 16))
	case word.ShrWideU, word.ShrWideS:
		return uint64(rng.IntN(64))
	}
	return 0
}

// randomWord draws a word at which something changes in one of its lanes, or any.
func randomWord(rng *rand.Rand) uint32 {
	edges := []uint32{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 31, 32}
	switch rng.IntN(4) {
	case 0:
		return edges[rng.IntN(len(edges))] * []uint32{1, 0x10001, 0x1010101}[rng.IntN(3)]
	case 1:
		return edges[rng.IntN(8)]&0xff | edges[rng.IntN(8)]&0xff<<8 | edges[rng.IntN(8)]&0xff<<16 | edges[rng.IntN(8)]<<24
	case 2:
		return uint32(rng.IntN(40))
	}
	return rng.Uint32()
}

func randomWords(rng *rand.Rand, n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = randomWord(rng)
	}
	return words
}
