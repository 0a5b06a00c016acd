package prove

import (
	"fmt"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/normal"
	"github.com/vop-ptx/vop/rewrite/word"
)

// The selector theorem. A SIMD form's program is one of the cores of its class (lower.Cores) with the
// selected bytes of a and b in the place of the core's operands x and y. By the manual, too, d is a function of
// the selected lanes x and y, and of c. So if
//
//   - every core gives what the form with the default selectors does, for all x, y and c, and
//   - putting the bytes in their places keeps what a core computes,
//
// the form is right with all selectors. The first is one proof for each core; the second is
// what this file is about.

// EveryForm yields tasks that cover every form of the tables: scalar forms one by one; SIMD forms by their
// cores, once for selectors that take different lanes for x and y, once for those that take the same.
func EveryForm(targets []word.Caps) iter.Seq[Task] {
	return func(yield func(Task) bool) {
		for _, op := range isa.Ops() {
			forms := isa.Forms(op)
			if op.SIMD() {
				forms = defaultSelectors(op)
			}
			for f := range forms {
				if !op.SIMD() {
					if !yield(Task{Form: f, Targets: targets}) {
						return
					}
					continue
				}
				for _, same := range []bool{false, true} {
					if !yield(Task{Form: f, Targets: targets, Cores: true, Facts: lower.Facts{SameAB: same}}) {
						return
					}
				}
			}
		}
	}
}

// Covers returns the number of forms that the proof of a task is good for.
func (t Task) Covers() uint64 {
	if !t.Cores {
		return 1
	}
	lanes := t.Form.Op.Lanes()
	selectors := uint64(1) // of one operand
	same := uint64(1)      // those of b that take what a's does in the lanes of the mask
	for i := range lanes {
		selectors *= uint64(2 * lanes)
		if !t.Form.Mask.Has(i) {
			same *= uint64(2 * lanes)
		}
	}
	if t.Facts.SameAB {
		return selectors * same
	}
	return selectors * (selectors - same)
}

// renamed renames x and y, the operands a and b of a core.
func renamed(s lower.Selection) normal.Renaming {
	return func(operand, at int) (int, int) {
		if operand == 2 {
			return operand, at
		}
		from := s[operand][at/8]
		return from / 4, from%4*8 + at%8
	}
}

// substitutes reports what is wrong with the core into which lower has put bytes of a and b: as it does, and with sums
// gathered, which it may do.
func substitutes(core *word.Program, s lower.Selection, caps word.Caps) error {
	ways := []*word.Program{s.Substituted(core, caps)}
	if caps.PTX && slices.ContainsFunc(core.Insts, func(i word.Inst) bool { return i.Op.Weighs() > 0 }) {
		if gathered := s.Gathered(core, caps); !ways[0].Equal(gathered) {
			ways = append(ways, gathered)
		}
	}
	for _, p := range ways {
		if err := p.Check(); err != nil {
			return err
		}
	}
	if wrong := notSubstituted(core, s, ways...); wrong != nil {
		return fmt.Errorf("for %s, with the bytes %v for x and y,\n%vhas become\n%v", caps.Name, s, core, wrong)
	}
	return nil
}

// notSubstituted returns the first of some programs that is not a core with selected bytes, by their normal forms; nil if all are.
func notSubstituted(core *word.Program, s lower.Selection, programs ...*word.Program) *word.Program {
	want := normal.Form(core, renamed(s), normal.InPlace)
	for _, p := range programs {
		if normal.Form(p, normal.AsItIs, normal.InPlace) != want {
			return p
		}
	}
	return nil
}

// Selections decides for all selectors and masks of an operation whether the lowering takes the bytes that the
// manual says. It returns how many there were.
func Selections(op isa.Op) (n int, err error) {
	f := isa.Form{Op: op}
	lanes, size := op.Lanes(), op.LaneBits()/8
	for f.Mask = 1; f.Mask <= isa.FullMask(op); f.Mask++ {
		for code := range 1 << (lanes * bits.Len(uint(2*lanes-1))) {
			sel := isa.Lanes(0)
			for rest, i := code, 0; i < lanes; i++ {
				sel |= isa.Lanes(rest%(2*lanes)) << (4 * i)
				rest /= 2 * lanes
			}
			f.ALane, f.BLane = sel, sel
			n++
			for _, sameAB := range []bool{false, true} {
				for _, bytes := range lower.SelectionOf(f, lower.Facts{SameAB: sameAB}) {
					for i, from := range bytes {
						want := sel.Lane(i/size)*size + i%size
						if sameAB {
							want %= 4
						}
						if f.Mask.Has(i/size) && from != want || from < 0 || from > 7 || sameAB && from > 3 {
							return n, fmt.Errorf("%v takes the bytes %v", f, bytes)
						}
					}
				}
			}
		}
	}
	return n, nil
}

// selections returns the selections that every core is tried with: each byte in its place, and
// some drawn at random, the same ones each time.
func selections(draws int) (all []lower.Selection) {
	all = append(all, lower.Selection{{0, 1, 2, 3}, {4, 5, 6, 7}}, lower.Selection{{4, 5, 6, 7}, {0, 1, 2, 3}})
	rng := rand.New(rand.NewPCG(9718, 2))
	for range draws {
		var s lower.Selection
		for n := range s {
			for i := range s[n] {
				s[n][i] = rng.IntN(8)
			}
		}
		all = append(all, s)
	}
	return all
}

// Substitution decides for a target that moving bytes and adding lanes is right for all bytes. That is where putting bytes into a
// core does anything but copy; the rest is tried for each core as it is proven.
//
// A word is any four of: the bytes of x and y, their signs, and 0. For each of the 17^4 words the code that makes it from
// its places must make it; for each of the 9^4 words without signs, the sum of its
// lanes, and that sum with all lanes of x added or subtracted before: other sums are copied.
func Substitution(caps word.Caps) (words int, err error) {
	identity := lower.Selection{{0, 1, 2, 3}, {4, 5, 6, 7}}
	p := &word.Program{}
	insert := func(i word.Inst) word.Value {
		p.Insts = append(p.Insts, i)
		return word.Value(len(p.Insts) - 1)
	}
	for zeros := range 16 {
		mask := uint32(0)
		for i := range 4 {
			if zeros>>i&1 == 0 {
				mask |= 0xff << (8 * i)
			}
		}
		for selector := range uint64(1 << 16) {
			signs, repeated := false, false
			for i := range 4 {
				nibble := selector >> (4 * i) & 15
				signs = signs || nibble&8 != 0
				repeated = repeated || zeros>>i&1 != 0 && nibble != 0
			}
			if repeated { // what is set to 0 need not be gone through
				continue
			}
			p.Insts = p.Insts[:0]
			x, y := insert(word.Inst{Op: word.Input, Imm: 0}), insert(word.Inst{Op: word.Input, Imm: 1})
			v := insert(word.Inst{Op: word.PermS, Arg: [3]word.Value{x, y}, Imm: selector})
			v = insert(word.Inst{Op: word.And, Arg: [3]word.Value{v, insert(word.Inst{Op: word.Const, Imm: uint64(mask)})}})
			p.Result = v
			words++
			if err := substitutes(p, identity, caps); err != nil {
				return words, err
			}
			if signs {
				continue
			}
			c := insert(word.Inst{Op: word.Input, Imm: 2})
			bytes := len(p.Insts)
			for _, dot := range dots(caps) {
				if !weighsLowest(dot, selector) {
					continue
				}
				p.Insts = p.Insts[:bytes]
				p.Result = insert(word.Inst{Op: dot.Op, Arg: [3]word.Value{v, c}, Imm: dot.Imm})
				words++
				if err := substitutes(p, identity, caps); err != nil {
					return words, err
				}
				for _, all := range wholeSums(dot.Op, zeros == 0 && caps.PTX) {
					p.Insts = p.Insts[:bytes]
					inner := insert(word.Inst{Op: dot.Op, Arg: [3]word.Value{x, c}, Imm: all})
					p.Result = insert(word.Inst{Op: dot.Op, Arg: [3]word.Value{v, inner}, Imm: dot.Imm})
					words++
					if err := substitutes(p, identity, caps); err != nil {
						return words, err
					}
				}
			}
		}
	}
	return words, nil
}

// wholeSums returns the weights with which all lanes are added or subtracted; none if they are not wanted.
func wholeSums(op word.Op, wanted bool) []uint64 {
	switch {
	case !wanted:
		return nil
	case op.Weighs() == 4:
		return []uint64{0x01010101, 0xffffffff}
	}
	return []uint64{0x0101, 0xffff}
}

// dots returns the sums of lanes that a target has, with the weights that cores may give them: 1, 2, or -1 where that can be, in
// the lanes of any mask.
func dots(caps word.Caps) (all []word.Inst) {
	for _, op := range []word.Op{word.DotU8, word.DotS8, word.DotU16, word.DotS16} {
		if !caps.Has(op) {
			continue
		}
		for mask := 1; mask < 1<<op.Weighs(); mask++ {
			for _, weight := range []uint64{1, 2, 0xff} {
				if weight == 0xff && op == word.DotS8 && caps.NonNegativeDotS8 {
					continue
				}
				i := word.Inst{Op: op}
				for lane := range op.Weighs() {
					if mask>>lane&1 != 0 {
						i.Imm |= weight << (8 * lane)
					}
				}
				all = append(all, i)
			}
		}
	}
	return all
}

// weighsLowest reports whether a selector takes the lowest byte of x for all bytes without a weight: where
// nothing is weighed it does not matter what is there.
func weighsLowest(dot word.Inst, selector uint64) bool {
	size := 4 / dot.Op.Weighs()
	for i := range 4 {
		if dot.Imm>>(8*(i/size))&0xff == 0 && selector>>(4*i)&15 != 0 {
			return false
		}
	}
	return true
}
