package prove

import (
	"math/big"
)

// evaluation computes terms for one triple of operands.
type evaluation struct {
	operands [3]uint32
	known    map[*term]*big.Int
}

func evaluateWith(a, b, c uint32) *evaluation {
	return &evaluation{[3]uint32{a, b, c}, map[*term]*big.Int{}}
}

// value returns what a term is, as a number from 0 to 2^width-1; Booleans are 0 and 1.
func (e *evaluation) value(t *term) *big.Int {
	if t.number != nil {
		return t.number
	}
	if v, ok := e.known[t]; ok {
		return v
	}
	v := e.compute(t)
	e.known[t] = v
	return v
}

func (e *evaluation) compute(t *term) *big.Int {
	if t.name != "" && t.args == nil {
		for n, operand := range operands {
			if t == operand {
				return big.NewInt(int64(e.operands[n]))
			}
		}
		panic("prove: nothing is known of " + t.name)
	}
	args := make([]*big.Int, len(t.args))
	for i, arg := range t.args {
		args[i] = e.value(arg)
	}
	if t.name != "" {
		return args[0]
	}
	f, ok := functions[t.function]
	if !ok {
		panic("prove: no function " + t.function)
	}
	v := f(t, args)
	if t.width > 0 {
		return wrap(v, t.width)
	}
	return v
}

// wrap returns x modulo 2^width.
func wrap(x *big.Int, width int) *big.Int {
	ones := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return new(big.Int).And(x, ones.Sub(ones, big.NewInt(1)))
}

// signedValue reads a bit vector as a signed number.
func signedValue(x *big.Int, width int) *big.Int {
	if x.Bit(width-1) == 0 {
		return x
	}
	return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(width)))
}

func truth(is bool) *big.Int {
	if is {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// shiftLimit is above the width of every term: shifts by more all give the same.
const shiftLimit = 1 << 10

func shiftAmount(x *big.Int) uint {
	if !x.IsUint64() || x.Uint64() > shiftLimit {
		return shiftLimit
	}
	return uint(x.Uint64())
}

// signedOrder compares two arguments as signed numbers, as [big.Int.Cmp] does.
func signedOrder(t *term, x []*big.Int) int {
	width := t.args[0].width
	return signedValue(x[0], width).Cmp(signedValue(x[1], width))
}

// functions are those of SMT-LIB's FixedSizeBitVectors that queries use, and the abstract products. Their
// results are wrapped to the term's width.
var functions = map[string]func(t *term, x []*big.Int) *big.Int{
	"bvadd": func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Add(x[0], x[1]) },
	"bvsub": func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Sub(x[0], x[1]) },
	"bvmul": func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Mul(x[0], x[1]) },
	"umul":  func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Mul(x[0], x[1]) },
	"smul": func(_ *term, x []*big.Int) *big.Int {
		return new(big.Int).Mul(signedValue(x[0], 32), signedValue(x[1], 32))
	},
	"bvand":  func(_ *term, x []*big.Int) *big.Int { return new(big.Int).And(x[0], x[1]) },
	"bvor":   func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Or(x[0], x[1]) },
	"bvxor":  func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Xor(x[0], x[1]) },
	"bvnot":  func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Not(x[0]) },
	"bvshl":  func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Lsh(x[0], shiftAmount(x[1])) },
	"bvlshr": func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Rsh(x[0], shiftAmount(x[1])) },
	"bvashr": func(t *term, x []*big.Int) *big.Int {
		return new(big.Int).Rsh(signedValue(x[0], t.width), shiftAmount(x[1]))
	},

	"=":        func(_ *term, x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) == 0) },
	"distinct": func(_ *term, x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) != 0) },
	"bvult":    func(_ *term, x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) < 0) },
	"bvslt":    func(t *term, x []*big.Int) *big.Int { return truth(signedOrder(t, x) < 0) },
	"bvsle":    func(t *term, x []*big.Int) *big.Int { return truth(signedOrder(t, x) <= 0) },
	"and":      func(_ *term, x []*big.Int) *big.Int { return new(big.Int).And(x[0], x[1]) },
	"or":       func(_ *term, x []*big.Int) *big.Int { return new(big.Int).Or(x[0], x[1]) },
	"ite": func(_ *term, x []*big.Int) *big.Int {
		if x[0].Sign() != 0 {
			return x[1]
		}
		return x[2]
	},

	"extract":     func(t *term, x []*big.Int) *big.Int { return new(big.Int).Rsh(x[0], uint(t.indices[1])) },
	"zero_extend": func(_ *term, x []*big.Int) *big.Int { return x[0] },
	"sign_extend": func(t *term, x []*big.Int) *big.Int { return signedValue(x[0], t.args[0].width) },
	"concat": func(t *term, x []*big.Int) *big.Int {
		high := new(big.Int).Lsh(x[0], uint(t.args[1].width))
		return high.Or(high, x[1])
	},
	"repeat": func(t *term, x []*big.Int) *big.Int {
		all, width := new(big.Int), uint(t.args[0].width)
		for range t.indices[0] {
			all.Lsh(all, width).Or(all, x[0])
		}
		return all
	},
}
