package lower

import "github.com/vop-ptx/vop/isa"

// intermediateBits is the width of the scalar instructions' intermediate result
// (9.7.18.1: ".s34", ruling R1). Only a left shift exceeds it.
const intermediateBits = 34

// shifted32 lowers vshl and vshr. Shift amounts above 31 leave zeros or copies of the
// sign in a word, as .clamp to 32 does on the 33-bit value.
func (b *builder) shifted32(f isa.Form, x, amount term) Value {
	n := amount.v
	if f.Mode == isa.Wrap {
		n = b.andCon(n, 31)
	}
	if f.Op.Kind() == isa.Shr {
		op := ShrU
		if x.signed {
			op = ShrS
		}
		t := term{v: b.do(op, x.v, n), signed: x.signed, lo: min(x.lo, 0), hi: max(x.hi, 0)}
		return b.finished(f, []term{t})
	}
	if !f.Sat && f.Second != isa.SecondMin && f.Second != isa.SecondMax {
		// Only the low 32 bits matter.
		return b.finished(f, []term{whole(32, b.do(Shl, x.v, n), x.signed)})
	}
	wide := b.do(ShlWide, b.wideTerm(x), b.do(WideU, b.do(MinU, n, b.con(32))))
	over := b.wideCon(64 - intermediateBits)
	wide = b.doImm(ShrWideS, 64-intermediateBits, b.do(ShlWide, wide, over))
	return b.finishedWide(f, wide)
}
