package emit

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt/logic"
)

// The truth tables of the operands.
const (
	TableX = logic.X
	TableY = logic.Y
	TableZ = logic.Z
)

// Logic computes a bitwise function of up to three vectors by its truth table.
func (e *Emitter) Logic(table uint8, a ...machine.Operand) machine.Operand {
	switch {
	case table == 0:
		return e.Zero()
	case table == 0xff:
		return e.Ones()
	case table == TableX:
		return a[0]
	case len(a) > 1 && table == TableY:
		return a[1]
	case len(a) > 2 && table == TableZ:
		return a[2]
	}
	if len(a) == 2 {
		if o, exchanged, ok := plainLogic(table); ok {
			switch {
			case exchanged:
				return e.AndNot(a[0], a[1])
			case o[e.machine.Target.Level] == encode.VPANDND || o[e.machine.Target.Level] == encode.VPANDN:
				return e.AndNot(a[1], a[0])
			}
			return e.Commuted(o[e.machine.Target.Level], a[0], a[1])
		}
	}
	if e.machine.Target.Level == amd64.AVX2 {
		return e.logicByParts(table, a)
	}
	return e.ternary(table, a)
}

// plainLogic returns the instruction for a function of x and y, and whether it takes them
// exchanged.
func plainLogic(table uint8) (o [2]encode.Op, exchanged, ok bool) {
	switch table {
	case TableX & TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPAND, amd64.AVX512: encode.VPANDD}, false, true
	case TableX | TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPOR, amd64.AVX512: encode.VPORD}, false, true
	case TableX ^ TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPXOR, amd64.AVX512: encode.VPXORD}, false, true
	case ^TableX & 0xff & TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPANDN, amd64.AVX512: encode.VPANDND}, false, true
	case TableX &^ TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPANDN, amd64.AVX512: encode.VPANDND}, true, true
	}
	return o, false, false
}

// AndNot is x &^ y.
func (e *Emitter) AndNot(x, y machine.Operand) machine.Operand {
	if bits, ok := e.machine.Const32Of(y); ok {
		return e.And(x, e.machine.Const32(^bits))
	}
	o := [2]encode.Op{amd64.AVX2: encode.VPANDN, amd64.AVX512: encode.VPANDND}
	if e.machine.IsKnown(y) && e.machine.Target.Level == amd64.AVX512 {
		return e.logic3(TableX&^TableY&0xff, x, y, y)
	}
	return e.New(o[e.machine.Target.Level], y, x)
}

// ternary emits vpternlogd: the operand that it overwrites should be one that nobody reads again,
// the last one what may be memory.
func (e *Emitter) ternary(table uint8, a []machine.Operand) machine.Operand {
	x := [3]machine.Operand{a[0], a[0], a[0]}
	copy(x[:], a)
	rank := func(o machine.Operand) int { // what should come first
		switch {
		case e.machine.IsKnown(o):
			return 3
		case e.IsInput(o):
			return 2
		case e.Dies(o):
			return 0
		}
		return 1
	}
	swap := func(i, j int) {
		x[i], x[j] = x[j], x[i]
		t := logic.Leaves
		t[i], t[j] = t[j], t[i]
		table = logic.Compose(table, t[0], t[1], t[2])
	}
	if len(a) < 3 {
		// The missing ones count as the first: rows in which they differ never occur.
		t := logic.Leaves
		for n := len(a); n < 3; n++ {
			t[n] = t[0]
		}
		table = logic.Compose(table, t[0], t[1], t[2])
	}
	if rank(x[0]) > rank(x[1]) {
		swap(0, 1)
	}
	if rank(x[1]) > rank(x[2]) {
		swap(1, 2)
	}
	if rank(x[0]) > rank(x[1]) {
		swap(0, 1)
	}
	return e.Change(encode.VPTERNLOGD, x[0], x[1], x[2], machine.Immediate(int(table)))
}

// logic3 computes a bitwise function of three vectors.
func (e *Emitter) logic3(table uint8, x, y, z machine.Operand) machine.Operand {
	return e.Logic(table, x, y, z)
}

// logicByParts computes a bitwise function of three vectors as a sum of products: x chooses between
// two functions of y and z.
func (e *Emitter) logicByParts(table uint8, a []machine.Operand) machine.Operand {
	x := [3]machine.Operand{a[0], a[0], a[0]}
	copy(x[:], a)
	sum := machine.Operand{}
	for row := range 8 {
		if missing := 7 >> len(a); table>>row&1 == 0 || row&missing != 0 {
			continue
		}
		term := machine.Operand{}
		for n := range len(a) {
			factor := x[n]
			if row>>(2-n)&1 == 0 {
				factor = e.Xor(factor, e.Ones())
			}
			if term.None() {
				term = factor
			} else {
				term = e.And(term, factor)
			}
		}
		if sum.None() {
			sum = term
		} else {
			sum = e.Or(sum, term)
		}
	}
	return sum
}

// And is the conjunction of all bits.
//
//go:noinline
func (e *Emitter) And(x, y machine.Operand) machine.Operand {
	return e.Commuted([2]encode.Op{amd64.AVX2: encode.VPAND, amd64.AVX512: encode.VPANDD}[e.machine.Target.Level], x, y)
}

// Or is the disjunction of all bits.
//
//go:noinline
func (e *Emitter) Or(x, y machine.Operand) machine.Operand {
	return e.Commuted([2]encode.Op{amd64.AVX2: encode.VPOR, amd64.AVX512: encode.VPORD}[e.machine.Target.Level], x, y)
}

// Xor is the exclusive disjunction of all bits.
//
//go:noinline
func (e *Emitter) Xor(x, y machine.Operand) machine.Operand {
	return e.Commuted([2]encode.Op{amd64.AVX2: encode.VPXOR, amd64.AVX512: encode.VPXORD}[e.machine.Target.Level], x, y)
}

// Not is the complement.
func (e *Emitter) Not(x machine.Operand) machine.Operand {
	if bits, ok := e.machine.Const32Of(x); ok {
		return e.machine.Const32(^bits)
	}
	if e.machine.Target.Level == amd64.AVX512 {
		return e.ternary(^uint8(TableX), []machine.Operand{x})
	}
	return e.Xor(x, e.Ones())
}

// IsZero reports whether an operand is known to be zero.
func (e *Emitter) IsZero(x machine.Operand) bool {
	bits, ok := e.machine.Const32Of(x)
	return ok && bits == 0
}

// OneInstruction reports whether a function of so many values is one instruction without vpternlogd.
func OneInstruction(table uint8, leaves int) bool {
	_, _, ok := plainLogic(table)
	return leaves == 2 && ok
}
