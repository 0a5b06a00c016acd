package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Division of integers. Words and doublewords are divided one by one, in general registers: the other way would be division of
// floats of 64 bits, which small cores do slowly. Of 16 bits it is a division of f32, four at a time: a quotient that
// is not whole is at least 1/y away from the next integer, and the rounded one less than that. What PTX leaves open is as package op
// has it: a quotient by 0 has all ones, and so has the remainder.

var divisions = func() map[string]selector {
	all := map[string]selector{}
	for _, t := range integerTypes {
		if t.bits == 8 {
			continue
		}
		all["div."+t.name] = func(s *Selection, a []simt.ID) Value {
			x, y := s.wholes(a[0], t), s.wholes(a[1], t)
			return s.onesByZero(s.quotients(x, y, t), y, t)
		}
		all["rem."+t.name] = func(s *Selection, a []simt.ID) Value {
			x, y := s.wholes(a[0], t), s.wholes(a[1], t)
			if t.bits == 16 {
				return s.onesByZero(one(s.Change(encode.MLS|encode.S4, x[0], s.quotients(x, y, t)[0], y[0])), y, t)
			}
			divide, less := t.divide()
			r := s.eachLane(t.bits, x, y, func() {
				s.Generally(divide, x2, x0, x1)
				s.Generally(less, x0, x2, x1, x0)
			})
			return s.onesByZero(r, y, t)
		}
	}
	return all
}()

// onesByZero is a quotient or remainder, all ones where the divisor is 0.
func (s *Selection) onesByZero(x, divisor Value, t integerType) Value {
	for h := range x {
		if x[h] != 0 {
			x[h] = s.New(encode.ORR, x[h], s.New(encode.CMEQZ|t.lanes(), divisor[h]))
		}
	}
	return x
}

// lanes is the arrangement of vectors of the type.
func (t integerType) lanes() encode.Op {
	if t.bits == 64 {
		return encode.D2
	}
	return encode.S4
}

// divide returns the instruction, which gives 0 where the divisor is 0, and the one that takes a product away.
func (t integerType) divide() (divide, less encode.Op) {
	switch {
	case t.bits == 64 && t.signed:
		return encode.SDIVX, encode.MSUBX
	case t.bits == 64:
		return encode.UDIVX, encode.MSUBX
	case t.signed:
		return encode.SDIVW, encode.MSUBW
	}
	return encode.UDIVW, encode.MSUBW
}

// wholes are values as their type has them, extended to words.
func (s *Selection) wholes(id simt.ID, t integerType) Value {
	x := s.Both(id)
	if t.bits == 16 {
		return one(s.extended(x[0], t))
	}
	return x
}

// quotients divides; by 0 it is anything.
func (s *Selection) quotients(x, y Value, t integerType) Value {
	if t.bits == 16 {
		s.Round(machine.ToNearest)
		float := func(x machine.Register) machine.Register { return s.New(t.toFloat()|encode.S4, x) }
		return one(s.New(t.toInteger(machine.ToZero)|encode.S4, s.New(encode.FDIV|encode.S4, float(x[0]), float(y[0]))))
	}
	divide, _ := t.divide()
	return s.eachLane(t.bits, x, y, func() { s.Generally(divide, x0, x0, x1) })
}

// widened extends words to doublewords.
func (s *Selection) widened(x machine.Register, withSign bool) Value {
	if withSign {
		return Value{s.NewImm(encode.SSHLL|encode.S4, 0, x), s.NewImm(encode.SSHLL2|encode.S4, 0, x)}
	}
	return Value{s.NewImm(encode.USHLL|encode.S4, 0, x), s.NewImm(encode.USHLL2|encode.S4, 0, x)}
}

// The general registers of sequences within a piece.
var x0, x1, x2 = encode.X(0), encode.X(1), encode.X(2)

// eachLane computes words or doublewords one by one: f finds the operands in X0 and X1, and leaves the result in X0.
func (s *Selection) eachLane(bits int, x, y Value, f func()) (d Value) {
	take, put, lanes, broadcast := encode.Op(encode.UMOVW), encode.Op(encode.INSW), 4, encode.Op(encode.DUPW|encode.S4)
	if bits == 64 {
		take, put, lanes, broadcast = encode.UMOVX, encode.INSX, 2, encode.DUPW|encode.D2
	}
	for h := range d {
		if h == 1 && bits == 32 {
			break
		}
		for lane := range lanes {
			s.Take(take, x0, x[h], lane)
			s.Take(take, x1, y[h], lane)
			f()
			if lane == 0 {
				d[h] = s.Broadcast(broadcast, x0)
			} else {
				d[h] = s.Put(put, d[h], lane, x0)
			}
		}
	}
	return d
}
