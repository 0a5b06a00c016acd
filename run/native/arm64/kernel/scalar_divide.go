package kernel

import "github.com/vop-ptx/vop/run/native/arm64/encode"

// division is a division of scalars. By 0 the processor gives the quotient 0, and so the dividend as remainder, where package
// op has all ones for both.
type division struct {
	name         string
	divide, less encode.Op // the quotient, and n - q*m
	narrow       encode.Op // the operands are the lowest 16 bits, extended so; or none
	wide         bool
	remainder    bool
}

var divisions = func() (all []division) {
	for _, d := range []division{
		{name: "u16", divide: encode.UDIVW, less: encode.MSUBW, narrow: encode.UBFMW}, {name: "s16", divide: encode.SDIVW, less: encode.MSUBW, narrow: encode.SBFMW},
		{name: "u32", divide: encode.UDIVW, less: encode.MSUBW}, {name: "s32", divide: encode.SDIVW, less: encode.MSUBW},
		{name: "u64", divide: encode.UDIVX, less: encode.MSUBX, wide: true}, {name: "s64", divide: encode.SDIVX, less: encode.MSUBX, wide: true},
	} {
		quotient, remainder := d, d
		quotient.name, remainder.name, remainder.remainder = "div."+d.name, "rem."+d.name, true
		all = append(all, quotient, remainder)
	}
	return all
}()

// divided divides in X0 to X3.
func divided(o division) func(s *scalarInst) {
	return func(s *scalarInst) {
		n, m := s.x[0], s.x[1]
		if o.narrow != 0 {
			s.Emit(o.narrow, x0, n, encode.Imm(0), encode.Imm(15))
			s.Emit(o.narrow, x1, m, encode.Imm(0), encode.Imm(15))
			n, m = x0, x1
		}
		s.Emit(o.divide, x2, n, m)
		if o.remainder {
			s.Emit(o.less, x2, x2, m, n)
		}
		s.number(x3, 0)
		ones, test, choose := encode.Op(encode.MVNW), encode.Op(encode.TSTW), encode.Op(encode.CSELW)
		if o.wide {
			ones, test, choose = encode.MVNX, encode.TSTX, encode.CSELX
		}
		s.Emit(ones, x3, x3)
		s.Emit(test, m, m)
		s.Emit(choose, s.d, x3, x2, encode.Imm(encode.EQ))
	}
}
