package lower

import "github.com/vop-ptx/vop/isa"

// Where a word is too short for an exact intermediate result and no trick with
// words is known, the stages run on 64 bits.

// wideTerm returns the number of a term of one lane.
func (b *builder) wideTerm(t term) Value {
	switch {
	case t.signed:
		return b.do(WideS, t.v)
	case b.caps.PTX:
		return b.do(MulWideU, t.v, b.con(1)) // ptxas joins a product with the sum it goes into
	}
	return b.do(WideU, t.v)
}

// wideSum adds terms of one lane.
func (b *builder) wideSum(terms []term) Value {
	sum := b.wideCon(0)
	for _, t := range terms {
		if !t.neg {
			if wide := b.wideTerm(t); b.insts[sum] == (Inst{Op: WideConst}) {
				sum = wide
			} else {
				sum = b.do(AddWide, sum, wide)
			}
		}
	}
	for _, t := range terms {
		if t.neg {
			sum = b.do(SubWide, sum, b.wideTerm(t))
		}
	}
	return sum
}

// wideClamped clamps a signed wide number to width bits.
func (b *builder) wideClamped(v Value, width int, signed bool) Value {
	lo, hi := span64(lanes(width), signed)
	v = b.do(MinWideS, v, b.wideCon(uint64(hi)))
	return b.do(MaxWideS, v, b.wideCon(uint64(lo)))
}

// finishedWide is stages 3 and 4 on 64 bits.
func (b *builder) finishedWide(f isa.Form, v Value) Value {
	signed := f.DType.Signed()
	if f.Sat {
		v = b.wideClamped(v, f.DSel.Bits(), signed)
	}
	switch f.Second {
	case isa.SecondAdd:
		return b.do(Add, b.do(Lo, v), b.input(2))
	case isa.SecondMin:
		return b.do(Lo, b.do(MinWideS, v, b.wideTerm(b.bounded(32, b.input(2), signed))))
	case isa.SecondMax:
		return b.do(Lo, b.do(MaxWideS, v, b.wideTerm(b.bounded(32, b.input(2), signed))))
	}
	return b.inserted(f.DSel, b.do(Lo, v))
}
