package substitute

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Sums of selected lanes do not mind which of them were x's and which y's: all that are from one register and
// of one type are added by one instruction, whatever their weights.

// A weighing is one instruction of a sum of lanes: lanes of src, weighed by the bytes of imm.
type weighing struct {
	op  word.Op
	src word.Value
	imm uint32
}

// gathers adds the lanes of a word of picked bytes to acc, each where it is from. What acc itself adds of the same registers goes into
// the same instructions. ok is false of words that are not whole lanes, and where a weight is too large.
func (b copier) gathers(i word.Inst, picks *picked, acc word.Value) (sum word.Value, ok bool) {
	var all []weighing
	for b.Inst(acc).Op.Weighs() > 0 {
		dot := b.Inst(acc)
		all, acc = append(all, weighing{dot.Op, dot.Arg[0], uint32(dot.Imm)}), dot.Arg[1]
	}
	lanes := i.Op.Weighs()
	size := 4 / lanes
	for k := range lanes {
		weight := int8(i.Imm >> (8 * k))
		p := picks[k*size]
		if weight == 0 {
			continue
		}
		for n, q := range picks[k*size : (k+1)*size] {
			if q.Zero != p.Zero || !q.Zero && (q.Src != p.Src || q.N != p.N+uint8(n)) {
				return builder.None, false
			}
		}
		if p.Zero {
			continue
		}
		if int(p.N)%size != 0 {
			return builder.None, false
		}
		if all, ok = weighed(all, i.Op, p.Src, int(p.N)/size, weight); !ok {
			return builder.None, false
		}
	}
	for _, w := range all {
		if w.imm != 0 {
			acc = b.DoImm(w.op, uint64(w.imm), w.src, acc)
		}
	}
	return acc, true
}

// weighed adds a lane of a register to a sum. ok is false where a byte does not hold its weight.
func weighed(all []weighing, op word.Op, src word.Value, lane int, weight int8) (more []weighing, ok bool) {
	for n := range all {
		if w := &all[n]; w.op == op && w.src == src {
			sum := int(weight) + int(int8(w.imm>>(8*lane)))
			w.imm = w.imm&^(0xff<<(8*lane)) | uint32(uint8(sum))<<(8*lane)
			return all, sum == int(int8(sum))
		}
	}
	return append(all, weighing{op, src, uint32(uint8(weight)) << (8 * lane)}), true
}
