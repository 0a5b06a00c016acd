package circuit

import (
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/rewrite/prove/term"
)

// Circuit turns terms into circuits: bit vectors become literals, the lowest bit first, Booleans one literal. It
// shares no line with any solver of bit vectors.
type Circuit struct {
	*Formula
	Operands [3][]int // the literals of each

	known    map[*term.Term][]int
	products map[string][]int // abstract ones, by their factors
}

// New makes a circuit without gates.
func New() *Circuit {
	b := &Circuit{Formula: newFormula(), known: map[*term.Term][]int{}, products: map[string][]int{}}
	for n := range b.Operands {
		for range 32 {
			b.Operands[n] = append(b.Operands[n], b.variable(gate{}))
		}
	}
	return b
}

// Require demands that a term holds.
func (b *Circuit) Require(t *term.Term) { b.clause(b.Bits(t)[0]) }

// Bits returns the literals of a term.
func (b *Circuit) Bits(t *term.Term) []int {
	if known, ok := b.known[t]; ok {
		return known
	}
	result := b.blast(t)
	b.known[t] = result
	return result
}

func (b *Circuit) blast(t *term.Term) []int {
	switch {
	case t.Number != nil:
		result := make([]int, t.Width)
		for n := range result {
			result[n] = -yes
			if t.Number.Bit(n) == 1 {
				result[n] = yes
			}
		}
		return result
	case t.Name != "" && len(t.Args) == 0:
		if n, ok := t.IsOperand(); ok {
			return b.Operands[n]
		}
		panic("circuit: nothing is known of " + t.Name)
	case t.Name != "":
		return b.Bits(t.Args[0])
	}
	args := make([][]int, len(t.Args))
	for n, arg := range t.Args {
		args[n] = b.Bits(arg)
	}
	if result, ok := b.moving(t, args); ok {
		return result
	}
	if result, ok := b.relating(t, args); ok {
		return []int{result}
	}
	x := args[0]
	switch t.Function {
	case "bvnot":
		return b.each(x, x, func(p, _ int) int { return -p })
	case "bvand":
		return b.each(x, args[1], b.and)
	case "bvor":
		return b.each(x, args[1], b.or)
	case "bvxor":
		return b.each(x, args[1], b.xor)
	case "bvadd":
		sum, _ := b.sum(x, args[1], -yes)
		return sum
	case "bvsub":
		difference, _ := b.sum(x, b.negated(args[1]), yes)
		return difference
	case "bvmul":
		return b.product(x, args[1])
	case "umul", "smul":
		return b.abstract(t, x, args[1])
	case "bvshl", "bvlshr", "bvashr":
		return b.shifted(t.Function, x, args[1])
	case "ite":
		return b.each(args[1], args[2], func(p, q int) int { return b.choose(x[0], p, q) })
	}
	panic(fmt.Sprintf("circuit: no circuit for %s", t.Function))
}

// moving is of functions that only move bits.
func (b *Circuit) moving(t *term.Term, args [][]int) (result []int, ok bool) {
	x := args[0]
	switch t.Function {
	case "extract":
		return x[t.Indices[1] : t.Indices[0]+1], true
	case "concat":
		return append(append(result, args[1]...), x...), true
	case "zero_extend", "sign_extend":
		fill := -yes
		if t.Function == "sign_extend" {
			fill = x[len(x)-1]
		}
		result = append(result, x...)
		for range t.Indices[0] {
			result = append(result, fill)
		}
		return result, true
	case "repeat":
		for range t.Indices[0] {
			result = append(result, x...)
		}
		return result, true
	}
	return nil, false
}

// relating is of functions that give a Boolean.
func (b *Circuit) relating(t *term.Term, args [][]int) (result int, ok bool) {
	if t.Width > 0 {
		return 0, false
	}
	x, y := args[0], args[1]
	switch t.Function {
	case "and":
		return b.and(x[0], y[0]), true
	case "or":
		return b.or(x[0], y[0]), true
	case "=":
		return -b.different(x, y), true
	case "distinct":
		return b.different(x, y), true
	case "bvult":
		return b.below(x, y), true
	case "bvslt":
		return b.below(b.flipped(x), b.flipped(y)), true
	case "bvsle":
		return -b.below(b.flipped(y), b.flipped(x)), true
	}
	return 0, false
}

func (b *Circuit) each(x, y []int, f func(p, q int) int) []int {
	result := make([]int, len(x))
	for n := range x {
		result[n] = f(x[n], y[n])
	}
	return result
}

func (b *Circuit) negated(x []int) []int { return b.each(x, x, func(p, _ int) int { return -p }) }

// flipped inverts the top bit: signed numbers are then in the order of unsigned ones.
func (b *Circuit) flipped(x []int) []int {
	result := append([]int(nil), x...)
	result[len(x)-1] = -result[len(x)-1]
	return result
}

// sum returns x + y + carry and the carry out.
func (b *Circuit) sum(x, y []int, carry int) (sum []int, out int) {
	sum = make([]int, len(x))
	for n := range x {
		sum[n], carry = b.adder(x[n], y[n], carry)
	}
	return sum, carry
}

// below compares x < y: x - y borrows.
func (b *Circuit) below(x, y []int) int {
	_, carry := b.sum(x, b.negated(y), yes)
	return -carry
}

func (b *Circuit) different(x, y []int) int {
	result := -yes
	for n := range x {
		result = b.or(result, b.xor(x[n], y[n]))
	}
	return result
}

// product adds x, shifted, for each bit of y.
func (b *Circuit) product(x, y []int) []int {
	total := b.each(x, x, func(int, int) int { return -yes })
	for n := range y {
		row := make([]int, len(x))
		for k := range row {
			row[k] = -yes
			if k >= n {
				row[k] = b.and(x[k-n], y[n])
			}
		}
		total, _ = b.sum(total, row, -yes)
	}
	return total
}

// abstract returns new bits for a product of which nothing is known, the same for the same factors in either order.
func (b *Circuit) abstract(t *term.Term, x, y []int) []int {
	if slices.Compare(x, y) > 0 {
		x, y = y, x
	}
	key := fmt.Sprint(t.Function, x, y)
	if b.products[key] == nil {
		for range t.Width {
			b.products[key] = append(b.products[key], b.variable(gate{}))
		}
	}
	return b.products[key]
}

// shifted shifts by each bit of the amount; any that is beyond the width leaves nothing but the fill.
func (b *Circuit) shifted(function string, x, amount []int) []int {
	fill := -yes
	if function == "bvashr" {
		fill = x[len(x)-1]
	}
	for n, bit := range amount {
		moved := make([]int, len(x))
		for k := range moved {
			from := len(x)
			if n < 16 && function == "bvshl" {
				from = k - 1<<n
			} else if n < 16 {
				from = k + 1<<n
			}
			moved[k] = fill
			if from >= 0 && from < len(x) {
				moved[k] = x[from]
			}
		}
		x = b.each(moved, x, func(p, q int) int { return b.choose(bit, p, q) })
	}
	return x
}
