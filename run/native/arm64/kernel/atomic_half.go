package kernel

import "github.com/vop-ptx/vop/run/native/arm64/encode"

// Sums of f16 and bf16, one or two to an element, are those of f32, rounded once more. Both halves of a word are computed at once;
// of an element of 16 bits the upper sum is not stored. No value is in a vector register here.

// halfAtomics are the operations on elements of 16 bits, and on pairs of such.
var halfAtomics = map[string]atomicOp{
	"add.f16":    {compute: (*atomic).addF16},
	"add.f16x2":  {compute: (*atomic).addF16},
	"add.bf16":   {compute: (*atomic).addBF16},
	"add.bf16x2": {compute: (*atomic).addBF16},
	"cas.u16": {compute: func(a *atomic) {
		a.Emit(encode.UBFMX, statusReg, a.b, encode.Imm(0), encode.Imm(15))
		a.Emit(encode.CMPW, oldReg, statusReg)
		a.Branch(encode.BNE, a.done)
		a.Emit(encode.MOVX, newReg, a.c)
	}},
}

// broadcast puts a word into all lanes of a vector register.
func (a *atomic) broadcast(v encode.Operand, word uint64) {
	a.number(statusReg, word)
	a.Emit(encode.DUPW|encode.S4, v, statusReg)
}

// halves leaves in V0 and V1 the element and b.
func (a *atomic) halves() (sum, other encode.Operand) {
	sum, other = encode.V(0), encode.V(1)
	a.Emit(encode.DUPW|encode.S4, sum, oldReg)
	a.Emit(encode.DUPW|encode.S4, other, a.b)
	return sum, other
}

// chooseHalves leaves in newReg the halves of sums, and NVIDIA's NaN where a mask of words has zeros.
func (a *atomic) chooseHalves(sums, numbers encode.Operand) {
	nan := encode.V(2)
	a.broadcast(nan, 0x7fff7fff)
	a.Emit(encode.XTN|encode.H8, numbers, numbers)
	a.Emit(encode.BSL, numbers, sums, nan)
	a.Emit(encode.UMOVW, newReg, numbers, encode.Imm(0))
}

func (a *atomic) addF16() {
	sum, other := a.halves()
	a.Emit(encode.FCVTL|encode.H8, sum, sum)
	a.Emit(encode.FCVTL|encode.H8, other, other)
	a.Emit(encode.FADD|encode.S4, sum, sum, other)
	a.Emit(encode.FCMEQ|encode.S4, other, sum, sum)
	a.Emit(encode.FCVTN|encode.H8, sum, sum)
	a.chooseHalves(sum, other)
}

func (a *atomic) addBF16() {
	sum, other := a.halves()
	for _, x := range []encode.Operand{sum, other} { // the upper halves of f32
		a.Emit(encode.USHLL|encode.H8, x, x, encode.Imm(0))
		a.Emit(encode.SHL|encode.S4, x, x, encode.Imm(16))
	}
	a.Emit(encode.FADD|encode.S4, sum, sum, other)
	a.Emit(encode.FCMEQ|encode.S4, other, sum, sum)
	// Half of the last place, less one where it is even, is added before the lower bits are cut off.
	last, constant := encode.V(2), encode.V(3)
	a.broadcast(constant, 1)
	a.Emit(encode.USHR|encode.S4, last, sum, encode.Imm(16))
	a.Emit(encode.AND, last, last, constant)
	a.broadcast(constant, 0x7fff)
	a.Emit(encode.ADD|encode.S4, sum, sum, constant)
	a.Emit(encode.ADD|encode.S4, sum, sum, last)
	a.Emit(encode.USHR|encode.S4, sum, sum, encode.Imm(16))
	a.Emit(encode.XTN|encode.H8, sum, sum)
	a.chooseHalves(sum, other)
}
