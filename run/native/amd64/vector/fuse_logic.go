package vector

import (
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Any bitwise function of three values is one instruction, vpternlogd: bit x<<2|y<<1|z of its
// immediate is the result where the bits of the operands are x, y and z. So a tree of logic
// operations with at most three leaves becomes one node.

// logicOp is the kind of a logic operation.
type logicOp uint8

const (
	_ logicOp = iota
	logicAnd
	logicOr
	logicXor
	logicNot
	logicAndNot
	logicTable
)

var logicOps = sync.OnceValue(func() map[op.Op]logicOp {
	return opsOf(map[string]logicOp{
		"and.b16": logicAnd, "or.b16": logicOr, "xor.b16": logicXor, "not.b16": logicNot,
		"and.b32": logicAnd, "or.b32": logicOr, "xor.b32": logicXor, "not.b32": logicNot,
		"word.andnot": logicAndNot, "lop3.b32": logicTable,
	})
})

// The truth tables of the three operands themselves.
const (
	TableX = 0xf0
	TableY = 0xcc
	TableZ = 0xaa
)

var leafTables = [3]uint8{TableX, TableY, TableZ}

// tree is a logic function of at most three leaves.
type tree struct {
	f      *Fuser
	leaves []simt.ID
	inner  map[simt.ID]bool // what is computed within the tree
}

// kind returns what logic an instruction is.
func (t *tree) kind(i *simt.Inst) logicOp {
	if i == nil {
		return 0
	}
	k := logicOps()[i.Op]
	if k == logicTable {
		if _, ok := t.f.ConstOf(i.Args[3]); !ok {
			return 0
		}
	}
	return k
}

// operands returns the arguments of a logic instruction that are bits.
func (t *tree) operands(i *simt.Inst) []simt.ID {
	if t.kind(i) == logicTable {
		return i.Args[:3]
	}
	return i.Args
}

// trivial reports whether a value is all zeros or all ones, and so is no leaf.
func (t *tree) trivial(id simt.ID) (table uint8, ok bool) {
	switch bits, constant := t.f.ConstOf(id); {
	case !constant:
	case uint32(bits) == 0:
		return 0, true
	case uint32(bits) == 1<<32-1:
		return 0xff, true
	}
	return 0, false
}

// grow replaces leaves by their operands as long as there are at most three.
func (t *tree) grow() {
	for again := true; again; {
		again = false
		for _, leaf := range t.leaves {
			i := t.f.inst(leaf)
			k := t.kind(i)
			// A complement costs nothing, so that it may be computed in several trees.
			if k == 0 || k != logicNot && t.f.Uses[leaf] != 1 {
				continue
			}
			if more, ok := t.with(leaf, t.operands(i)); ok {
				t.leaves, again = more, true
				t.inner[leaf] = true
				break
			}
		}
	}
}

// with returns the leaves if one of them is replaced.
func (t *tree) with(gone simt.ID, operands []simt.ID) (leaves []simt.ID, ok bool) {
	add := func(id simt.ID) {
		if _, trivial := t.trivial(id); trivial {
			return
		}
		for _, known := range leaves {
			if known == id {
				return
			}
		}
		leaves = append(leaves, id)
	}
	for _, id := range t.leaves {
		if id != gone {
			add(id)
		}
	}
	for _, id := range operands {
		add(id)
	}
	return leaves, len(leaves) <= 3
}

// table returns the truth table of a value of the tree.
func (t *tree) table(id simt.ID, root simt.ID) uint8 {
	if id != root && !t.inner[id] {
		if table, ok := t.trivial(id); ok {
			return table
		}
		for n, leaf := range t.leaves {
			if leaf == id {
				return leafTables[n]
			}
		}
	}
	i := t.f.inst(id)
	x := t.table(i.Args[0], root)
	k := t.kind(i)
	if k == logicNot {
		return ^x
	}
	y := t.table(i.Args[1], root)
	switch k {
	case logicAnd:
		return x & y
	case logicOr:
		return x | y
	case logicXor:
		return x ^ y
	case logicAndNot:
		return x &^ y
	}
	z := t.table(i.Args[2], root)
	bits, _ := t.f.ConstOf(i.Args[3])
	return composed(uint8(bits), x, y, z)
}

// composed is the truth table of a function of three functions.
func composed(table, x, y, z uint8) uint8 {
	r := uint8(0)
	for bit := range 8 {
		row := x>>bit&1<<2 | y>>bit&1<<1 | z>>bit&1
		r |= table >> row & 1 << bit
	}
	return r
}

// logic matches a tree of logic operations.
func (f *Fuser) logic(i *simt.Inst) (Node, bool) {
	t := &tree{f: f, inner: map[simt.ID]bool{}}
	if t.kind(i) == 0 {
		return Node{}, false
	}
	root := i.Defs[0]
	var ok bool
	if t.leaves, ok = t.with(0, t.operands(i)); !ok {
		return Node{}, false
	}
	if f.Target.Level == amd64.AVX512 {
		t.grow()
	} else {
		t.growPair(i)
	}
	table := t.table(root, root)
	if f.Target.Level == amd64.AVX2 && !simpleTable(table, len(t.leaves)) {
		return Node{}, false
	}
	return fused("logic", &logicSelector, uint64(table), t.leaves...), true
}

// growPair takes complements of the two operands into the tree, for machines that have no other
// logic of several operations than x &^ y.
func (t *tree) growPair(root *simt.Inst) {
	for _, leaf := range t.leaves {
		if i := t.f.inst(leaf); t.kind(i) == logicNot {
			more, ok := t.with(leaf, i.Args)
			if !ok || len(more) > 2 {
				continue
			}
			before := t.leaves
			t.leaves, t.inner[leaf] = more, true
			if !simpleTable(t.table(root.Defs[0], root.Defs[0]), len(more)) {
				t.leaves = before
				delete(t.inner, leaf)
			}
		}
	}
}

// simpleTable reports whether a function of two values is one instruction without vpternlogd.
func simpleTable(table uint8, leaves int) bool {
	_, _, ok := plainLogic(table)
	return leaves == 2 && ok
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

// logicSelector emits a function of the node's arguments. Its truth table is the immediate.
var logicSelector = selector{part: func(s *Selection, a []machine.Operand) machine.Operand { return s.Logic(uint8(s.Node.imm), a...) }}

// Logic computes a bitwise function of up to three vectors by its truth table.
func (s *Selection) Logic(table uint8, a ...machine.Operand) machine.Operand {
	switch {
	case table == 0:
		return s.Zero()
	case table == 0xff:
		return s.Ones()
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
				return s.andNot(a[0], a[1])
			case o[s.Target.Level] == encode.VPANDND || o[s.Target.Level] == encode.VPANDN:
				return s.andNot(a[1], a[0])
			}
			return s.commuted(o[s.Target.Level], a[0], a[1])
		}
	}
	if s.Target.Level == amd64.AVX2 {
		return s.logicByParts(table, a)
	}
	return s.ternary(table, a)
}

// andNot is x &^ y.
func (s *Selection) andNot(x, y machine.Operand) machine.Operand {
	if bits, ok := s.Const32Of(y); ok {
		return s.And(x, s.Const32(^bits))
	}
	o := [2]encode.Op{amd64.AVX2: encode.VPANDN, amd64.AVX512: encode.VPANDND}
	if s.IsKnown(y) && s.Target.Level == amd64.AVX512 {
		return s.logic3(TableX&^TableY&0xff, x, y, y)
	}
	return s.New(o[s.Target.Level], y, x)
}

// ternary emits vpternlogd: the operand that it overwrites should be one that nobody reads again,
// the last one what may be memory.
func (s *Selection) ternary(table uint8, a []machine.Operand) machine.Operand {
	x := [3]machine.Operand{a[0], a[0], a[0]}
	copy(x[:], a)
	rank := func(o machine.Operand) int { // what should come first
		switch {
		case s.IsKnown(o):
			return 3
		case s.isInput(o):
			return 2
		case s.dies(o):
			return 0
		}
		return 1
	}
	swap := func(i, j int) {
		x[i], x[j] = x[j], x[i]
		t := leafTables
		t[i], t[j] = t[j], t[i]
		table = composed(table, t[0], t[1], t[2])
	}
	if len(a) < 3 {
		// The missing ones count as the first: rows in which they differ never occur.
		t := leafTables
		for n := len(a); n < 3; n++ {
			t[n] = t[0]
		}
		table = composed(table, t[0], t[1], t[2])
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
	return s.Change(encode.VPTERNLOGD, x[0], x[1], x[2], machine.Immediate(int(table)))
}

// logic3 computes a bitwise function of three vectors.
func (s *Selection) logic3(table uint8, x, y, z machine.Operand) machine.Operand {
	return s.Logic(table, x, y, z)
}

// logicByParts computes a bitwise function of three vectors as a sum of products: x chooses between
// two functions of y and z.
func (s *Selection) logicByParts(table uint8, a []machine.Operand) machine.Operand {
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
				factor = s.Xor(factor, s.Ones())
			}
			if term.None() {
				term = factor
			} else {
				term = s.And(term, factor)
			}
		}
		if sum.None() {
			sum = term
		} else {
			sum = s.Or(sum, term)
		}
	}
	return sum
}

// And is the conjunction of all bits.
//
//go:noinline
func (s *Selection) And(x, y machine.Operand) machine.Operand {
	return s.commuted([2]encode.Op{amd64.AVX2: encode.VPAND, amd64.AVX512: encode.VPANDD}[s.Target.Level], x, y)
}

// Or is the disjunction of all bits.
//
//go:noinline
func (s *Selection) Or(x, y machine.Operand) machine.Operand {
	return s.commuted([2]encode.Op{amd64.AVX2: encode.VPOR, amd64.AVX512: encode.VPORD}[s.Target.Level], x, y)
}

// Xor is the exclusive disjunction of all bits.
//
//go:noinline
func (s *Selection) Xor(x, y machine.Operand) machine.Operand {
	return s.commuted([2]encode.Op{amd64.AVX2: encode.VPXOR, amd64.AVX512: encode.VPXORD}[s.Target.Level], x, y)
}

// Not is the complement.
func (s *Selection) Not(x machine.Operand) machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		return s.Const32(^bits)
	}
	if s.Target.Level == amd64.AVX512 {
		return s.ternary(^uint8(TableX), []machine.Operand{x})
	}
	return s.Xor(x, s.Ones())
}
