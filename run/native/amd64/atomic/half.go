package atomic

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// Elements of 16 bits, f16 or bf16, or two of them in a word. Their sums are those of f32, rounded once more, which is as good as to
// round once: f32 has more than twice the digits of either.

// count is how many numbers an element has.
func (u *Update) count() int {
	if strings.HasSuffix(u.typ, "x2") {
		return 2
	}
	return 1
}

// widenHalves writes the numbers that RBX has into the frame, as f32.
func (u *Update) widenHalves() {
	x := encode.V(0)
	if u.typ[0] == 'f' {
		u.Emit(encode.VMOVD, x, data)
		u.Emit(encode.VCVTPH2PS|encode.L128, x, x)
		u.Emit(encode.VMOVUPS|encode.L128, inFrame(halves), x)
		return
	}
	for i := range u.count() {
		if i == 1 {
			u.Emit(encode.MOV|encode.S32, data, inFrame(operand))
		}
		u.asFloat(i)
		u.Emit(encode.MOV|encode.S32, inFrame(halves+4*int32(i)), data)
	}
}

// asFloat makes a bf16 in RBX the f32 that it is the upper half of.
func (u *Update) asFloat(i int) {
	if i == 0 {
		u.Emit(encode.SHL|encode.S32, data, encode.Imm(16))
	} else {
		u.Emit(encode.AND|encode.S32, data, encode.Imm(-1<<16))
	}
}

// sumOfHalves leaves in RBX the sums of the numbers in RAX and those in the frame. What is no number is NVIDIA's own.
func (u *Update) sumOfHalves() {
	if u.typ[0] == 'f' {
		u.sumOfF16()
		return
	}
	for i := range u.count() {
		u.sumOfBF16(i)
	}
	if u.count() == 2 {
		u.Emit(encode.SHL|encode.S32, data, encode.Imm(16))
		u.Emit(encode.OR|encode.S32, data, inFrame(sums))
	}
}

func (u *Update) sumOfF16() {
	x := encode.V(0)
	u.Emit(encode.VMOVD, x, old)
	u.Emit(encode.VCVTPH2PS|encode.L128, x, x)
	u.Emit(encode.VADDPS|encode.L128, x, x, inFrame(halves))
	u.Emit(encode.VMOVUPS|encode.L128, inFrame(sums), x)
	const toNearest = 0
	u.Emit(encode.VCVTPS2PH|encode.L128, x, x, encode.Imm(toNearest))
	u.Emit(encode.VMOVD, data, x)
	for i := range u.count() {
		number := u.Asm.NewLabel()
		u.Emit(encode.VMOVD, x, inFrame(sums+4*int32(i)))
		u.Emit(encode.VUCOMISS, x, x)
		u.JumpIf(encode.CondNP, number)
		u.Emit(encode.OR|encode.S32, data, encode.Imm([]int64{0xffff, -1 << 16}[i]))
		u.Emit(encode.XOR|encode.S32, data, encode.Imm([]int64{0x8000, -1 << 31}[i]))
		u.Bind(number)
	}
}

// sumOfBF16 leaves in RBX the sum of number i, and that of the one before it in the frame.
func (u *Update) sumOfBF16(i int) {
	number, done := u.Asm.NewLabel(), u.Asm.NewLabel()
	x := encode.V(0)
	if i == 1 {
		u.Emit(encode.MOV|encode.S32, inFrame(sums), data)
	}
	u.Emit(encode.MOV|encode.S32, data, old)
	u.asFloat(i)
	u.Emit(encode.VMOVD, x, data)
	u.Emit(encode.VADDSS, x, x, inFrame(halves+4*int32(i)))
	u.Emit(encode.VUCOMISS, x, x)
	u.JumpIf(encode.CondNP, number)
	u.Emit(encode.MOV|encode.S32, data, encode.Imm(0x7fff))
	u.Jump(done)
	u.Bind(number)
	// Half of the last place, less one where it is even, is added before the lower bits are cut off.
	u.Emit(encode.VMOVD, inFrame(sums+4), x)
	u.Emit(encode.VMOVD, data, x)
	u.Emit(encode.SHR|encode.S32, data, encode.Imm(16))
	u.Emit(encode.AND|encode.S32, data, encode.Imm(1))
	u.Emit(encode.LEA|encode.S32, data, encode.At(data, 0x7fff))
	u.Emit(encode.ADD|encode.S32, data, inFrame(sums+4))
	u.Emit(encode.SHR|encode.S32, data, encode.Imm(16))
	u.Bind(done)
}
