package search

import "github.com/vop-ptx/vop/rewrite/word"

// kind is a kind of machine instruction.
type kind uint8

const (
	logic    kind = iota // Logic3 of three values
	sum                  // x + y + z, with signs; IADD3
	lea                  // x + (y >> n), or x + (y << n)
	mad                  // x + y * n, or x * n; IMAD
	shift                // one value
	perm                 // Perm or PermS
	binary               // an operation of the space
	dot                  // a weighted sum
	ternary              // an operation of up to three values, the others 0
	compare              // a predicate
	choice               // a selection by a predicate
	variable             // a shift by a value; imm is 31 if only five bits of it count, and 0 if all do
	product              // x * y, or x * y + z; IMAD
)

// instruction is one machine instruction on values, by number: constants first, then
// operands, then the results of instructions in order.
type instruction struct {
	kind  kind
	op    word.Op
	args  [3]int8
	n     int8   // number of args
	imm   uint32 // table, distance, selector or weights
	signs uint8  // of a sum: bit k is set if args[k] is subtracted
}

// vectors is the number of test vectors that values are computed on while searching.
const vectors = 6

// vec is a value on all test vectors.
type vec [vectors]uint32

// eval computes an instruction.
func (i *instruction) eval(values []vec) (r vec) {
	x := &values[i.args[0]]
	switch i.kind {
	case logic:
		y, z := &values[i.args[1]], &values[i.args[2]]
		for k := range r {
			r[k] = uint32(word.Logic3.Apply(uint64(x[k]), uint64(y[k]), uint64(z[k]), uint64(i.imm)))
		}
	case sum:
		for a := range i.n {
			y := &values[i.args[a]]
			for k := range r {
				if i.signs>>a&1 != 0 {
					r[k] -= y[k]
				} else {
					r[k] += y[k]
				}
			}
		}
	case mad:
		y := &values[i.args[i.n-1]]
		for k := range r {
			r[k] = y[k] * i.imm
			if i.n == 2 {
				r[k] += x[k]
			}
		}
	case lea:
		y := shifted(i.op, &values[i.args[1]], i.imm)
		for k := range r {
			r[k] = x[k] + y[k]
		}
	case shift:
		return shifted(i.op, x, i.imm)
	default:
		var y, z vec
		if i.n > 1 {
			y = values[i.args[1]]
		}
		if i.n > 2 {
			z = values[i.args[2]]
		}
		if i.kind == variable || i.kind == product {
			for k := range r {
				r[k] = i.ofVariable(x[k], y[k], z[k])
			}
			return r
		}
		for k := range r {
			r[k] = uint32(i.op.Apply(uint64(x[k]), uint64(y[k]), uint64(z[k]), uint64(i.imm)))
		}
	}
	return r
}

// first is eval on the first test vector alone.
func (i *instruction) first(values []vec) uint32 {
	x := values[i.args[0]][0]
	switch i.kind {
	case sum:
		r := uint32(0)
		for a := range i.n {
			if y := values[i.args[a]][0]; i.signs>>a&1 != 0 {
				r -= y
			} else {
				r += y
			}
		}
		return r
	case lea:
		return x + shiftedWord(i.op, values[i.args[1]][0], i.imm)
	case mad:
		if i.n == 1 {
			return x * i.imm
		}
		return x + values[i.args[1]][0]*i.imm
	case shift:
		return shiftedWord(i.op, x, i.imm)
	}
	var y, z uint32
	if i.n > 1 {
		y = values[i.args[1]][0]
	}
	if i.n > 2 {
		z = values[i.args[2]][0]
	}
	if i.kind == variable || i.kind == product {
		return i.ofVariable(x, y, z)
	}
	return uint32(i.op.Apply(uint64(x), uint64(y), uint64(z), uint64(i.imm)))
}

// shiftedWord computes a shift by a constant.
func shiftedWord(op word.Op, x, n uint32) uint32 {
	switch op {
	case word.Shl:
		return x << n
	case word.ShrU:
		return x >> n
	}
	return uint32(int32(x) >> n)
}

// shifted is shiftedWord of a value.
func shifted(op word.Op, x *vec, n uint32) (r vec) {
	for k := range r {
		r[k] = shiftedWord(op, x[k], n)
	}
	return r
}

// program writes instructions as a word program. Constants are numbered first, then the operands.
func program(constants []uint32, operands int, list []instruction) *word.Program {
	p := &word.Program{}
	emit := func(i word.Inst) word.Value {
		for v := range p.Insts {
			if p.Insts[v] == i {
				return word.Value(v)
			}
		}
		p.Insts = append(p.Insts, i)
		return word.Value(len(p.Insts) - 1)
	}
	do := func(op word.Op, imm uint32, args ...word.Value) word.Value {
		i := word.Inst{Op: op, Imm: uint64(imm)}
		copy(i.Arg[:], args)
		return emit(i)
	}
	results := make([]word.Value, len(list))
	value := func(n int8) word.Value {
		switch at := int(n) - len(constants); {
		case at < 0:
			return emit(word.Inst{Op: word.Const, Imm: uint64(constants[n])})
		case at < operands:
			return emit(word.Inst{Op: word.Input, Imm: uint64(at)})
		default:
			return results[at-operands]
		}
	}
	constant := func(k uint32) word.Value { return emit(word.Inst{Op: word.Const, Imm: uint64(k)}) }
	for n := range list {
		i := &list[n]
		var args []word.Value
		for _, a := range i.args[:i.n] {
			args = append(args, value(a))
		}
		switch i.kind {
		case sum:
			results[n] = sumOf(do, constant, i, args)
		case lea:
			results[n] = do(word.Add, 0, args[0], do(i.op, 0, args[1], constant(i.imm)))
		case mad:
			product := do(word.Mul, 0, args[i.n-1], constant(i.imm))
			if results[n] = product; i.n == 2 {
				results[n] = do(word.Add, 0, args[0], product)
			}
		case shift:
			results[n] = do(i.op, 0, args[0], constant(i.imm))
		case variable:
			if i.imm != 0 {
				args[i.n-1] = do(word.And, 0, args[i.n-1], constant(i.imm))
			}
			results[n] = do(i.op, 0, args...)
		case product:
			if results[n] = do(word.Mul, 0, args[0], args[1]); i.n == 3 {
				results[n] = do(word.Add, 0, results[n], args[2])
			}
		case ternary:
			for len(args) < i.op.Args() {
				args = append(args, constant(0))
			}
			results[n] = do(i.op, 0, args...)
		case perm:
			if len(args) == 1 {
				args = append(args, constant(0))
			}
			results[n] = do(i.op, i.imm, args...)
		case dot:
			if len(args) == 1 {
				args = append(args, constant(0))
			}
			results[n] = do(i.op, i.imm, args...)
		default:
			results[n] = do(i.op, i.imm, args...)
		}
	}
	p.Result = results[len(list)-1]
	return p
}

// sumOf writes a sum with signs: what is added first.
func sumOf(do func(op word.Op, imm uint32, args ...word.Value) word.Value, constant func(uint32) word.Value, i *instruction, args []word.Value) word.Value {
	total, some := word.Value(0), false
	for k, v := range args {
		if i.signs>>k&1 == 0 {
			if some {
				v = do(word.Add, 0, total, v)
			}
			total, some = v, true
		}
	}
	if !some {
		total = constant(0)
	}
	for k, v := range args {
		if i.signs>>k&1 != 0 {
			total = do(word.Sub, 0, total, v)
		}
	}
	return total
}
