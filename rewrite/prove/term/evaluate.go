package term

import (
	"math/big"
)

// Evaluation computes terms for one triple of operands.
type Evaluation struct {
	operands [3]uint32
	known    map[*Term]*big.Int
}

// With makes an evaluation with operands.
func With(a, b, c uint32) *Evaluation {
	return &Evaluation{[3]uint32{a, b, c}, map[*Term]*big.Int{}}
}

// Value returns what a term is, as a number from 0 to 2^width-1; Booleans are 0 and 1.
func (e *Evaluation) Value(t *Term) *big.Int {
	if t.Number != nil {
		return t.Number
	}
	if v, ok := e.known[t]; ok {
		return v
	}
	v := e.compute(t)
	e.known[t] = v
	return v
}

func (e *Evaluation) compute(t *Term) *big.Int {
	if t.Name != "" && t.Args == nil {
		if n, ok := t.IsOperand(); ok {
			return big.NewInt(int64(e.operands[n]))
		}
		panic("term: nothing is known of " + t.Name)
	}
	args := make([]*big.Int, len(t.Args))
	for i, arg := range t.Args {
		args[i] = e.Value(arg)
	}
	if t.Name != "" {
		return args[0]
	}
	f, ok := functions[t.Function]
	if !ok {
		panic("term: no function " + t.Function)
	}
	v := f(t, args)
	if t.Width > 0 {
		return wrap(v, t.Width)
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
func signedOrder(t *Term, x []*big.Int) int {
	width := t.Args[0].Width
	return signedValue(x[0], width).Cmp(signedValue(x[1], width))
}

// functions are those of SMT-LIB's FixedSizeBitVectors that queries use, and the abstract products. Their
// results are wrapped to the term's width.
var functions = map[string]func(t *Term, x []*big.Int) *big.Int{
	"bvadd": func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Add(x[0], x[1]) },
	"bvsub": func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Sub(x[0], x[1]) },
	"bvmul": func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Mul(x[0], x[1]) },
	"umul":  func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Mul(x[0], x[1]) },
	"smul": func(_ *Term, x []*big.Int) *big.Int {
		return new(big.Int).Mul(signedValue(x[0], 32), signedValue(x[1], 32))
	},
	"bvand":  func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).And(x[0], x[1]) },
	"bvor":   func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Or(x[0], x[1]) },
	"bvxor":  func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Xor(x[0], x[1]) },
	"bvnot":  func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Not(x[0]) },
	"bvshl":  func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Lsh(x[0], shiftAmount(x[1])) },
	"bvlshr": func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Rsh(x[0], shiftAmount(x[1])) },
	"bvashr": func(t *Term, x []*big.Int) *big.Int {
		return new(big.Int).Rsh(signedValue(x[0], t.Width), shiftAmount(x[1]))
	},

	"=":        func(_ *Term, x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) == 0) },
	"distinct": func(_ *Term, x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) != 0) },
	"bvult":    func(_ *Term, x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) < 0) },
	"bvslt":    func(t *Term, x []*big.Int) *big.Int { return truth(signedOrder(t, x) < 0) },
	"bvsle":    func(t *Term, x []*big.Int) *big.Int { return truth(signedOrder(t, x) <= 0) },
	"and":      func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).And(x[0], x[1]) },
	"or":       func(_ *Term, x []*big.Int) *big.Int { return new(big.Int).Or(x[0], x[1]) },
	"ite": func(_ *Term, x []*big.Int) *big.Int {
		if x[0].Sign() != 0 {
			return x[1]
		}
		return x[2]
	},

	"extract":     func(t *Term, x []*big.Int) *big.Int { return new(big.Int).Rsh(x[0], uint(t.Indices[1])) },
	"zero_extend": func(_ *Term, x []*big.Int) *big.Int { return x[0] },
	"sign_extend": func(t *Term, x []*big.Int) *big.Int { return signedValue(x[0], t.Args[0].Width) },
	"concat": func(t *Term, x []*big.Int) *big.Int {
		high := new(big.Int).Lsh(x[0], uint(t.Args[1].Width))
		return high.Or(high, x[1])
	},
	"repeat": func(t *Term, x []*big.Int) *big.Int {
		all, width := new(big.Int), uint(t.Args[0].Width)
		for range t.Indices[0] {
			all.Lsh(all, width).Or(all, x[0])
		}
		return all
	},
}
