package encode

import "slices"

// space returns memory for one instruction behind the code. [Assembler.advance] makes it
// part of the code.
func (a *Assembler) space() *[room]byte {
	n := len(a.code)
	if cap(a.code)-n < room {
		a.code = slices.Grow(a.code, max(n, 1024))
	}
	return (*[room]byte)(a.code[n : n+room])
}

// advance makes the n bytes that were written behind the code part of it.
func (a *Assembler) advance(n int) { a.code = a.code[:len(a.code)+n] }

// modRM writes ModRM, SIB and displacement from b[n] on, and returns where they end. An
// 8-bit displacement stands for its multiple of 1<<shift. behind is the number of
// bytes that follow the displacement in the instruction.
func (a *Assembler) modRM(b *[room]byte, n int, reg uint8, rm Operand, shift uint8, behind int) int {
	reg = reg & 7 << 3
	switch rm.kind() {
	case kindLabel:
		b[n&15] = reg | 5
		at := int32(len(a.code) + n + 1)
		a.fixups = append(a.fixups, fixup{at: at, end: at + 4 + int32(behind), label: rm.label(), addend: rm.addend()})
		return put32(b, n+1, 0)
	case kindMem:
	default:
		b[n&15] = 0xc0 | reg | rm.number()&7
		return n + 1
	}

	base, index, disp := rm.base(), rm.index(), rm.disp()
	if base == 0 {
		b[n&15] = reg | 4
		b[(n+1)&15] = sib(rm.scale(), index, 5)
		return put32(b, n+2, disp)
	}
	needSIB := index != 0 || base&7 == 4
	mod := uint8(0x80)
	short := disp >> shift
	switch {
	case disp == 0 && base&7 != 5:
		mod = 0
	case short<<shift == disp && short == int32(int8(short)):
		mod = 0x40
	}
	if needSIB {
		b[n&15] = mod | reg | 4
		b[(n+1)&15] = sib(rm.scale(), index, base)
		n += 2
	} else {
		b[n&15] = mod | reg | base&7
		n++
	}
	switch mod {
	case 0x40:
		b[n&15] = uint8(short)
		n++
	case 0x80:
		n = put32(b, n, disp)
	}
	return n
}

// sib returns the byte of scale, index and base. No index is coded as RSP.
func sib(scale, index, base uint8) uint8 {
	if index == 0 {
		index = 4
	}
	return scale<<6 | index&7<<3 | base&7
}

// put32 writes four bytes at b[n] and returns where they end.
func put32(b *[room]byte, n int, v int32) int {
	b[n&15], b[(n+1)&15], b[(n+2)&15], b[(n+3)&15] = uint8(v), uint8(v>>8), uint8(v>>16), uint8(v>>24)
	return n + 4
}
