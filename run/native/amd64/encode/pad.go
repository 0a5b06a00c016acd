package encode

// nops are the recommended nops of 1 to 9 bytes.
var nops = [...]string{
	"",
	"\x90",
	"\x66\x90",
	"\x0f\x1f\x00",
	"\x0f\x1f\x40\x00",
	"\x0f\x1f\x44\x00\x00",
	"\x66\x0f\x1f\x44\x00\x00",
	"\x0f\x1f\x80\x00\x00\x00\x00",
	"\x0f\x1f\x84\x00\x00\x00\x00\x00",
	"\x66\x0f\x1f\x84\x00\x00\x00\x00\x00",
}

// Nop writes n bytes that do nothing, as few instructions as there can be.
func (a *Assembler) Nop(n int) {
	for n > 0 && a.err == nil {
		k := min(n, len(nops)-1)
		a.code = append(a.code, nops[k]...)
		n -= k
	}
}

// Align writes nops until the next instruction stands at a multiple of n, a power of two
// up to 64.
func (a *Assembler) Align(n int) {
	if n <= 0 || n > 64 || n&(n-1) != 0 {
		a.fail(0, "code is aligned to a power of two up to 64")
		return
	}
	a.Nop(-len(a.code) & (n - 1))
}

// MoveConst puts a constant of 64 bits into a general register, in the shortest way that
// leaves the flags alone.
func (a *Assembler) MoveConst(dst Operand, v uint64) {
	switch {
	case v < 1<<32:
		a.Emit(MOV|S32, dst, Imm(int64(v)))
	case v >= -1<<31&(1<<64-1):
		a.Emit(MOV|S64, dst, Imm(int64(v)))
	case a.err != nil:
	case dst.kind() != kindGeneral:
		a.reject(wrongOperands, MOV|S64, []Operand{dst})
	default:
		b := a.space()
		b[0], b[1] = 0x48|dst.number()>>3, 0xb8|dst.number()&7
		put32(b, 2, int32(v))
		put32(b, 6, int32(v>>32))
		a.advance(10)
	}
}
