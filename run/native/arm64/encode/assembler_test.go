package encode

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestLabels jumps back and ahead, and reads a constant behind the code.
func TestLabels(t *testing.T) {
	a := New()
	back, ahead := a.NewLabel(), a.NewLabel()
	a.Bind(back)
	a.Emit(LDRQLiteral, V(3), a.Const([16]byte{1, 2, 3}))
	a.Emit(LDRQLiteral, V(4), a.Const([16]byte{1, 2, 3}))
	a.Emit(CBZ, X(4), At(ahead))
	a.Branch(BNE, back)
	a.Bind(ahead)
	a.Emit(RET)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{0x9c000103, 0x9c0000e4, 0xb4000044, 0x54ffffa1, 0xd65f03c0}
	for n, w := range want {
		if got := binary.LittleEndian.Uint32(code[4*n:]); got != w {
			t.Errorf("instruction %d: %08x, want %08x", n, got, w)
		}
	}
	if len(code) != 48 || code[32] != 1 || code[34] != 3 {
		t.Errorf("the constant is not at 32: %x", code)
	}
}

// TestRejected holds that what cannot be encoded is an error that says why.
func TestRejected(t *testing.T) {
	for _, c := range []struct {
		emit func(a *Assembler)
		want string
	}{
		{func(a *Assembler) { a.Emit(ADD, V(0), V(1), V(2)) }, "no such arrangement"},
		{func(a *Assembler) { a.Emit(MUL|D2, V(0), V(1), V(2)) }, "mul has no such arrangement"},
		{func(a *Assembler) { a.Emit(AND|B16, V(0), V(1), V(2)) }, "and has no arrangements"},
		{func(a *Assembler) { a.Emit(ADD|S4, V(0), V(1)) }, "add has 3 operands, not 2"},
		{func(a *Assembler) { a.Emit(ADD|S4, V(0), V(1), X(2)) }, "operand 3 is x2"},
		{func(a *Assembler) { a.Emit(ADD|S4, V(0), V(1), V(32)) }, "no register v32"},
		{func(a *Assembler) { a.Emit(ADDI, X(31), X(0), Imm(1)) }, "no register x31"},
		{func(a *Assembler) { a.Emit(ADDI, X(1), X(0), Imm(4096)) }, "the number is 4096, want 0 to 4095"},
		{func(a *Assembler) { a.Emit(SHL|S4, V(1), V(0), Imm(32)) }, "the shift is 32, want 0 to 31"},
		{func(a *Assembler) { a.Emit(USHR|B16, V(1), V(0), Imm(0)) }, "the shift is 0, want 1 to 8"},
		{func(a *Assembler) { a.Emit(LDRQ, V(1), X(0), Imm(8)) }, "8 is no multiple of 16"},
		{func(a *Assembler) { a.Emit(LDRQ, V(1), X(0), Imm(-16)) }, "the offset is -16, want 0 to 65520"},
		{func(a *Assembler) { a.Emit(LDPQ, V(1), V(2), X(0), Imm(1024)) }, "the offset is 1024, want -1024 to 1008"},
		{func(a *Assembler) { a.Emit(STRQPost, V(1), X(0), Imm(256)) }, "the offset is 256, want -256 to 255"},
		{func(a *Assembler) { a.Branch(B, a.NewLabel()) }, "a label that is nowhere"},
		{func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Bind(l) }, "bound twice"},
		{func(a *Assembler) { a.Emit(0) }, "no instruction"},
		{func(a *Assembler) {
			l := a.NewLabel()
			a.Emit(TBZ, X(1), Imm(2), At(l))
			for range 1 << 13 {
				a.Emit(NOP)
			}
			a.Bind(l)
		}, "the distance is 32772, want -32768 to 32764"},
	} {
		a := New()
		c.emit(a)
		if code, err := a.Finish(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%x, %v, want %q", code, err, c.want)
		}
	}
}

// TestNames holds what instructions are called, in listings and messages.
func TestNames(t *testing.T) {
	for text, got := range map[string]string{
		"umlal2 v0.2d, v1.4s, v2.4s":  (UMLAL2 | S4).Text(V(0), V(1), V(2)),
		"b.lo .3":                     BLO.Text(At(3)),
		"(no instruction)":            Op(0).String(),
		"(mul has 3 operands, not 1)": (MUL | S4).Text(V(1)),
	} {
		if got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	for bits, want := range map[int]Op{8: B16, 16: H8, 32: S4, 64: D2} {
		if got := ADD.Sized(bits); got != ADD|want {
			t.Errorf("lanes of %d bits: %x", bits, got)
		}
	}
}
