package machine

import (
	"fmt"

	"github.com/vop-ptx/vop/internal/sass/listing"
)

// The instructions that nvdisasm 11.8 has no name for are known by their code. Of the fields only those are
// read that listings of later disassemblers, which do have the name, show beside the same code. Every other
// bit that is not scheduling must be as it is there.
//
//	first half    0-11  opcode: 0x248 with a register, 0x848 a constant, 0xa48 a constant bank, 0xc48 a uniform one
//	              12-15 guard, and whether it is negated
//	              16-23 d
//	              24-31 a
//	              32-63 b: a register in the 8 lowest bits; a constant of 32 bits; from 38 on the offset of a
//	                    constant in bytes, and from 54 on its bank
//	second half   8     signed
//	              17-22 the two predicates that VIMNMX3 and others write: PT, PT
//	              23-26 the predicate of the minimum, and whether it is negated
//	              27    with 0xc48: the opcode's highest bit
//	              41-63 scheduling

// name reads an instruction that is printed as code alone.
func name(in *listing.Instruction) (*listing.Instruction, error) {
	if len(in.Code) != 2 {
		return nil, fmt.Errorf("an instruction without a name and without its code")
	}
	low, high := in.Code[0], in.Code[1]
	named := &listing.Instruction{Line: in.Line, Address: in.Address, Op: "VIMNMX", Code: in.Code}
	if guard := predicate(low >> 12); guard.Number != listing.Zero || guard.Negated {
		named.Guard = &guard
	}
	if high>>8&1 == 0 {
		named.Mods = []string{"U32"}
	}
	b, opcode := uint32(low>>32), low&0xfff|high>>27&1<<12
	var second listing.Operand
	known := true
	switch opcode {
	case 0x248:
		second, known = registerOf(uint64(b)), b <= 0xff
	case 0x848:
		second = listing.Operand{Kind: listing.Immediate, Value: int64(b)}
	case 0xa48:
		second = listing.Operand{Kind: listing.Constant, Bank: int(b >> 22 & 0x1f), Value: int64(b >> 6 & 0xffff)}
		known = b&0x3f == 0 && b>>27 == 0
	case 0x1c48:
		second, known = registerOf(uint64(b)), b <= 0x3f
		second.Kind = listing.Uniform
		if b == 0x3f {
			second.Number = listing.Zero
		}
	default:
		return nil, fmt.Errorf("an instruction without a name, of the opcode %#x", opcode)
	}
	const scheduling = ^uint64(1<<41 - 1)
	if rest := high &^ scheduling &^ (1<<8 | 0xf<<23 | 1<<27); !known || rest != 0x7e<<16 {
		return nil, fmt.Errorf("an instruction without a name: VIMNMX with bits that are not known")
	}
	named.Operands = []listing.Operand{registerOf(low >> 16), registerOf(low >> 24), second, predicate(high >> 23)}
	return named, nil
}

func registerOf(n uint64) listing.Operand {
	o := listing.Operand{Kind: listing.Register, Number: int(n & 0xff)}
	if o.Number == 0xff {
		o.Number = listing.Zero
	}
	return o
}

// predicate reads four bits: the number of a predicate, and whether it is negated.
func predicate(bits uint64) listing.Operand {
	o := listing.Operand{Kind: listing.Predicate, Number: int(bits & 7), Negated: bits&8 != 0}
	if o.Number == 7 {
		o.Number = listing.Zero
	}
	return o
}
