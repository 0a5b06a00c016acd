package sem_test

import (
	"math/big"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// The model computes the same instructions a second time, from the prose of the
// manual and the rulings and in another way: numbers instead of bit patterns,
// with division and remainder. It shares no code with package sem.

// number is the value of the bits of word from low on, as unsigned or signed.
func number(word uint32, low, bits int, signed bool) int64 {
	n := int64(word) / power(low) % power(bits)
	if signed && n >= power(bits-1) {
		n -= power(bits)
	}
	return n
}

var powers = func() (p [64]int64) {
	for n, value := 0, int64(1); n < 63; n, value = n+1, value*2 {
		p[n] = value
	}
	return p
}()

func power(n int) int64 { return powers[n] }

// residue is x modulo 2^bits, not negative.
func residue(x int64, bits int) int64 { return (x%power(bits) + power(bits)) % power(bits) }

// replace puts the value into the bits of word from low on.
func replace(word uint32, low, bits int, value int64) uint32 {
	return uint32(int64(word) - number(word, low, bits, false)*power(low) + residue(value, bits)*power(low))
}

// core is the operation of all instructions but shifts and vmad.
func core(kind isa.Kind, cmp isa.Cmp, x, y int64) int64 {
	switch kind {
	case isa.Add:
		return x + y
	case isa.Sub:
		return x - y
	case isa.Absdiff:
		if x < y {
			return y - x
		}
		return x - y
	case isa.Min:
		if x < y {
			return x
		}
		return y
	case isa.Max:
		if x < y {
			return y
		}
		return x
	case isa.Avrg: // the mean, halves away from zero
		if x+y < 0 {
			return (x + y - 1) / 2
		}
		return (x + y + 1) / 2
	}
	order := 0 // of x and y
	if x < y {
		order = -1
	} else if x > y {
		order = 1
	}
	for _, holds := range holdsFor[cmp] {
		if order == holds {
			return 1
		}
	}
	return 0
}

// holdsFor gives the orders (-1: less, 0: equal, 1: greater) for which a comparison holds.
var holdsFor = [...][]int{isa.Eq: {0}, isa.Ne: {-1, 1}, isa.Lt: {-1}, isa.Le: {-1, 0}, isa.Gt: {1}, isa.Ge: {0, 1}}

func saturated(x int64, bits int, signed bool) int64 {
	lowest, highest := int64(0), power(bits)-1
	if signed {
		lowest, highest = -power(bits-1), power(bits-1)-1
	}
	if x < lowest {
		return lowest
	}
	if x > highest {
		return highest
	}
	return x
}

// modelSIMD gives the value of a SIMD instruction.
func modelSIMD(f isa.Form, a, b, c uint32) uint32 {
	bits := 32 / f.Op.Lanes()
	read := func(selected int, typ isa.Type) int64 {
		if selected >= f.Op.Lanes() {
			return number(b, (selected-f.Op.Lanes())*bits, bits, typ == isa.S32)
		}
		return number(a, selected*bits, bits, typ == isa.S32)
	}
	d := c
	for i := range f.Op.Lanes() {
		if !f.Mask.Has(i) {
			continue
		}
		x := core(f.Op.Kind(), f.Cmp, read(f.ALane.Lane(i), f.AType), read(f.BLane.Lane(i), f.BType))
		if f.Sat {
			x = saturated(x, bits, f.DType == isa.S32)
		}
		if f.Second == isa.SecondAdd {
			d = uint32(residue(int64(d)+x, 32))
		} else {
			d = replace(d, i*bits, bits, x)
		}
	}
	return d
}

// modelScalar gives the value of a scalar instruction but vmad.
func modelScalar(f isa.Form, a, b, c uint32) uint32 {
	place := func(p isa.Part) (low, bits int) {
		switch p {
		case isa.Word:
			return 0, 32
		case isa.H0, isa.H1:
			return int(p-isa.H0) * 16, 16
		}
		return int(p-isa.B0) * 8, 8
	}
	read := func(word uint32, p isa.Part, typ isa.Type) int64 {
		low, bits := place(p)
		return number(word, low, bits, typ == isa.S32)
	}
	x, y := read(a, f.ASel, f.AType), read(b, f.BSel, f.BType)

	var result int64
	switch f.Op.Kind() {
	case isa.Shl, isa.Shr:
		if f.Mode == isa.Wrap {
			y %= 32
		} else if y > 32 {
			y = 32
		}
		if f.Op.Kind() == isa.Shl {
			result = x
			for range y { // 34 bits remain (ruling R1)
				result = residue(result*2, 34)
			}
			result = residue(result+power(33), 34) - power(33)
		} else { // rounds down
			result = (x - residue(x, int(y))) / power(int(y))
		}
	default:
		result = core(f.Op.Kind(), f.Cmp, x, y)
	}

	low, bits := place(f.DSel)
	if f.Sat {
		result = saturated(result, bits, f.DType == isa.S32)
	}
	third := number(c, 0, 32, f.DType == isa.S32)
	switch {
	case f.DSel != isa.Word:
		return replace(c, low, bits, result)
	case f.Second == isa.SecondAdd:
		result += third
	case f.Second == isa.SecondMin && third < result, f.Second == isa.SecondMax && third > result:
		result = third
	}
	return uint32(residue(result, 32))
}

// modelMad gives the value of vmad.
func modelMad(f isa.Form, a, b, c uint32) uint32 {
	read := func(word uint32, p isa.Part, typ isa.Type) *big.Int {
		bits := p.Bits()
		return big.NewInt(number(word, p.Shift(), bits, typ == isa.S32))
	}
	sum := new(big.Int).Mul(read(a, f.ASel, f.AType), read(b, f.BSel, f.BType))
	negated := f.NegA != f.NegB
	if negated {
		sum.Neg(sum)
	}
	signed := f.AType == isa.S32 || f.BType == isa.S32 || negated || f.NegC
	switch {
	case f.NegC && !f.PlusOne: // ruling R5: the complement of 32 bits, read as signed, plus 1
		sum.Add(sum, big.NewInt(number(^c, 0, 32, true)+1))
	default:
		sum.Add(sum, big.NewInt(number(c, 0, 32, signed)))
	}
	if f.PlusOne {
		sum.Add(sum, big.NewInt(1))
	}
	switch f.Scale { // Div rounds down for a positive divisor
	case isa.Shr7:
		sum.Div(sum, big.NewInt(128))
	case isa.Shr15:
		sum.Div(sum, big.NewInt(32768))
	}
	if f.Sat {
		lowest, highest := big.NewInt(0), big.NewInt(1<<32-1)
		if signed {
			lowest, highest = big.NewInt(-1<<31), big.NewInt(1<<31-1)
		}
		if sum.Cmp(lowest) < 0 {
			sum = lowest
		}
		if sum.Cmp(highest) > 0 {
			sum = highest
		}
	}
	return uint32(sum.Mod(sum, big.NewInt(1<<32)).Uint64())
}

func model(f isa.Form, a, b, c uint32) uint32 {
	switch {
	case f.Op == isa.Vmad:
		return modelMad(f, a, b, c)
	case f.Op.SIMD():
		return modelSIMD(f, a, b, c)
	}
	return modelScalar(f, a, b, c)
}

// agree fails the test where package sem and the model differ.
func agree(t *testing.T, f isa.Form, a, b, c uint32) {
	if got, want := sem.Eval(f, a, b, c), model(f, a, b, c); got != want {
		t.Fatalf("%v a=%08x b=%08x c=%08x: %08x, the model gives %08x", f, a, b, c, got, want)
	}
}
