// Package programs makes small word programs that hold each operation: what the
// printers of word programs are tested with.
package programs

import "github.com/vop-ptx/vop/rewrite/lower"

// Operations returns the operations of a target that compute something.
func Operations(caps lower.Caps) (all []lower.Op) {
	for _, op := range lower.Ops() {
		if op != lower.Input && op != lower.Const && op != lower.WideConst && caps.Has(op) {
			all = append(all, op)
		}
	}
	return all
}

// constants are arguments at which a spelling may go wrong.
var constants = []uint32{0, 7, 31, 0x80, 0xffff_ff80, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff}

// immediates are those that operations are tried with.
func immediates(op lower.Op) []uint64 {
	switch op {
	case lower.Logic3:
		tables := make([]uint64, 256)
		for i := range tables {
			tables[i] = uint64(i)
		}
		return tables
	case lower.Perm:
		return []uint64{0x5410, 0x0000, 0x7632}
	case lower.PermS:
		return []uint64{0x5410, 0xba98, 0x4c8f}
	case lower.DotU8, lower.DotS8, lower.DotU16, lower.DotS16:
		return []uint64{0x01010101 & immediateMask(op), 0xff80017f & immediateMask(op)}
	case lower.ShrWideU, lower.ShrWideS:
		return []uint64{0, 1, 15, 31, 32, 33, 63}
	}
	return []uint64{0}
}

func immediateMask(op lower.Op) uint64 {
	if op == lower.DotU16 || op == lower.DotS16 {
		return 0xffff
	}
	return 0xffff_ffff
}

// assembler makes test programs.
type assembler struct{ lower.Program }

func (p *assembler) add(op lower.Op, imm uint64, args ...lower.Value) lower.Value {
	i := lower.Inst{Op: op, Imm: imm}
	copy(i.Arg[:], args)
	p.Insts = append(p.Insts, i)
	return lower.Value(len(p.Insts) - 1)
}

// Of returns programs that compute one operation, one of [Operations]: on the operands,
// and with each argument a constant.
func Of(op lower.Op) (programs []*lower.Program) {
	build := func(imm uint64, constant int, value uint32) {
		var p assembler
		var args []lower.Value
		for k := range op.Args() {
			switch {
			case op.TakesWide() && k == constant:
				args = append(args, p.add(lower.WideConst, uint64(int64(int32(value)))))
			case k == constant:
				args = append(args, p.add(lower.Const, uint64(value)))
			case op.TakesWide() && k == 0:
				args = append(args, p.add(lower.MulWideS, 0, p.add(lower.Input, 0), p.add(lower.Input, 1)))
			case op.TakesWide():
				args = append(args, p.add(lower.WideS, 0, p.add(lower.Input, 2)))
			default:
				args = append(args, p.add(lower.Input, uint64(k)))
			}
		}
		if op == lower.Select {
			args[0] = p.add(lower.CmpLtS, 0, p.add(lower.Input, 0), p.add(lower.Input, 1))
		}
		p.Result = p.add(op, imm, args...)
		if op.Wide() {
			low, high := p.add(lower.Lo, 0, p.Result), p.add(lower.Lo, 0, p.add(lower.ShrWideU, 32, p.Result))
			p.Result = p.add(lower.Xor, 0, low, p.add(lower.Mul, 0, high, p.add(lower.Const, 3)))
		}
		programs = append(programs, &p.Program)
	}
	for _, imm := range immediates(op) {
		build(imm, -1, 0)
		for k := range op.Args() {
			if op == lower.Logic3 || op == lower.Select && k == 0 || op.Args() == 1 {
				continue
			}
			for _, c := range constants {
				switch {
				case op == lower.CmpLtU && c == 0, // never true: compilers warn
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
func Masks() (programs []*lower.Program) {
	for _, op := range []lower.Op{lower.CmpEq, lower.CmpLtU, lower.CmpLtS} {
		var p assembler
		less := p.add(op, 0, p.add(lower.Input, 0), p.add(lower.Input, 1))
		chosen := p.add(lower.Select, 0, less, p.add(lower.Input, 2), p.add(lower.Const, 5))
		p.Result = p.add(lower.Xor, 0, less, chosen)
		programs = append(programs, &p.Program)
	}
	return programs
}

func isShift(op lower.Op) bool {
	return op == lower.Shl || op == lower.ShrU || op == lower.ShrS || op == lower.ShlWide
}
