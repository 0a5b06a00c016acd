// Package programs makes small word programs that hold each operation: what the
// printers of word programs are tested with.
package programs

import (
	"github.com/vop-ptx/vop/rewrite/word"
)

// Operations returns the operations of a target that compute something.
func Operations(caps word.Caps) (all []word.Op) {
	for _, op := range word.Ops() {
		if op != word.Input && op != word.Const && op != word.WideConst && caps.Has(op) {
			all = append(all, op)
		}
	}
	return all
}

// constants are arguments at which a spelling may go wrong.
var constants = []uint32{0, 7, 31, 0x80, 0xffff_ff80, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff}

// immediates are those that operations are tried with.
func immediates(op word.Op) []uint64 {
	switch op {
	case word.Logic3:
		tables := make([]uint64, 256)
		for i := range tables {
			tables[i] = uint64(i)
		}
		return tables
	case word.Perm:
		return []uint64{0x5410, 0x0000, 0x7632}
	case word.PermS:
		return []uint64{0x5410, 0xba98, 0x4c8f}
	case word.DotU8, word.DotS8, word.DotU16, word.DotS16:
		return []uint64{0x01010101 & immediateMask(op), 0xff80017f & immediateMask(op)}
	case word.ShrWideU, word.ShrWideS:
		return []uint64{0, 1, 15, 31, 32, 33, 63}
	}
	return []uint64{0}
}

func immediateMask(op word.Op) uint64 {
	if op == word.DotU16 || op == word.DotS16 {
		return 0xffff
	}
	return 0xffff_ffff
}

// assembler makes test programs.
type assembler struct{ word.Program }

func (p *assembler) add(op word.Op, imm uint64, args ...word.Value) word.Value {
	i := word.Inst{Op: op, Imm: imm}
	copy(i.Arg[:], args)
	p.Insts = append(p.Insts, i)
	return word.Value(len(p.Insts) - 1)
}

// Of returns programs that compute one operation, one of [Operations]: on the operands,
// and with each argument a constant.
func Of(op word.Op) (programs []*word.Program) {
	build := func(imm uint64, constant int, value uint32) {
		var p assembler
		var args []word.Value
		for k := range op.Args() {
			switch {
			case op.TakesWide() && k == constant:
				args = append(args, p.add(word.WideConst, uint64(int64(int32(value)))))
			case k == constant:
				args = append(args, p.add(word.Const, uint64(value)))
			case op.TakesWide() && k == 0:
				args = append(args, p.add(word.MulWideS, 0, p.add(word.Input, 0), p.add(word.Input, 1)))
			case op.TakesWide():
				args = append(args, p.add(word.WideS, 0, p.add(word.Input, 2)))
			default:
				args = append(args, p.add(word.Input, uint64(k)))
			}
		}
		if op == word.Select {
			args[0] = p.add(word.CmpLtS, 0, p.add(word.Input, 0), p.add(word.Input, 1))
		}
		p.Result = p.add(op, imm, args...)
		if op.Wide() {
			low, high := p.add(word.Lo, 0, p.Result), p.add(word.Lo, 0, p.add(word.ShrWideU, 32, p.Result))
			p.Result = p.add(word.Xor, 0, low, p.add(word.Mul, 0, high, p.add(word.Const, 3)))
		}
		programs = append(programs, &p.Program)
	}
	for _, imm := range immediates(op) {
		build(imm, -1, 0)
		for k := range op.Args() {
			if op == word.Logic3 || op == word.Select && k == 0 || op.Args() == 1 {
				continue
			}
			for _, c := range constants {
				switch {
				case op == word.CmpLtU && c == 0, // never true: compilers warn
					isShift(op) && k == 1 && c > 31: // and so they do here
					continue
				}
				build(imm, k, c)
			}
		}
	}
	return programs
}

// Masks returns programs that use a comparison as a word, and as both.
func Masks() (programs []*word.Program) {
	for _, op := range []word.Op{word.CmpEq, word.CmpLtU, word.CmpLtS} {
		var p assembler
		less := p.add(op, 0, p.add(word.Input, 0), p.add(word.Input, 1))
		chosen := p.add(word.Select, 0, less, p.add(word.Input, 2), p.add(word.Const, 5))
		p.Result = p.add(word.Xor, 0, less, chosen)
		programs = append(programs, &p.Program)
	}
	return programs
}

func isShift(op word.Op) bool {
	return op == word.Shl || op == word.ShrU || op == word.ShrS || op == word.ShlWide
}
