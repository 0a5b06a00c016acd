package normal

import (
	"math/bits"

	"github.com/vop-ptx/vop/rewrite/word"
)

// moved returns the bits of an operation that only moves bits of its arguments; ok is false if it
// computes with them.
func moved(i *word.Inst, args [3]*word32bits) (w word32bits, ok bool) {
	switch i.Op {
	case word.And, word.Or, word.Xor, word.AndNot, word.Logic3:
		return movedByLogic(i, args)
	case word.Shl, word.ShrU, word.ShrS:
		if n, constant := args[1].number(); constant {
			return movedByShift(i.Op, args[0], int(min(n, 32))), true
		}
	case word.Perm, word.PermS:
		for at := range w {
			number := int(i.Imm >> (4 * (at / 8)) & 15)
			from, place := args[number>>2&1], 8*(number&3)+at%8
			if number&8 != 0 {
				place = 8*(number&3) + 7
			}
			w[at] = from[place]
		}
		return w, true
	case word.Mul:
		if k, constant := args[1].number(); constant && bits.OnesCount32(k) > 0 {
			return copies(args[0], k)
		}
	}
	return w, false
}

func movedByShift(op word.Op, x *word32bits, n int) (w word32bits) {
	for at := range w {
		from := at + n
		if op == word.Shl {
			from = at - n
		}
		switch {
		case from >= 0 && from < 32:
			w[at] = x[from]
		case op == word.ShrS:
			w[at] = x[31]
		default:
			w[at] = bit{constantBit, 0}
		}
	}
	return w
}

// movedByLogic looks at each bit by itself: what the operation gives is a constant there, or one of the bits.
func movedByLogic(i *word.Inst, args [3]*word32bits) (w word32bits, ok bool) {
	for at := range w {
		var of [3]bit
		for k := range i.Op.Args() {
			of[k] = args[k][at]
		}
		if w[at], ok = logicBit(i, of); !ok {
			return w, false
		}
	}
	return w, true
}

// logicBit tries the values of at most three bits: which of them does the operation give?
func logicBit(i *word.Inst, of [3]bit) (result bit, ok bool) {
	// Bit n of a trial is a value in case n of eight.
	trialsOf := func(b bit) uint8 {
		if b.node == constantBit {
			return -uint8(b.at)
		}
		for k, trials := range [3]uint8{0xaa, 0xcc, 0xf0} { // equal bits have one value
			if of[k] == b {
				return trials
			}
		}
		return 0
	}
	// The operation does with each bit what it does with any, so that it does all cases at once.
	got := uint8(i.Op.Apply(uint64(trialsOf(of[0])), uint64(trialsOf(of[1])), uint64(trialsOf(of[2])), i.Imm))
	for _, candidate := range []bit{{constantBit, 0}, {constantBit, 1}, of[0], of[1], of[2]}[:2+i.Op.Args()] {
		if trialsOf(candidate) == got {
			return candidate, true
		}
	}
	return bit{}, false
}

// copies is x times k, where no two of the shifted copies of x have a bit in one place.
func copies(x *word32bits, k uint32) (w word32bits, ok bool) {
	w = constantWord(0)
	for ; k != 0; k &= k - 1 {
		shift := bits.TrailingZeros32(k)
		for at := shift; at < 32; at++ {
			from := x[at-shift]
			if from == (bit{constantBit, 0}) {
				continue
			}
			if w[at] != (bit{constantBit, 0}) {
				return w, false
			}
			w[at] = from
		}
	}
	return w, true
}
