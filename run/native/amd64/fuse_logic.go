package amd64

import (
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
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
	tableX = 0xf0
	tableY = 0xcc
	tableZ = 0xaa
)

var leafTables = [3]uint8{tableX, tableY, tableZ}

// tree is a logic function of at most three leaves.
type tree struct {
	f      *fuser
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
			if k == 0 || k != logicNot && t.f.uses[leaf] != 1 {
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
func (f *fuser) logic(i *simt.Inst) (node, bool) {
	t := &tree{f: f, inner: map[simt.ID]bool{}}
	if t.kind(i) == 0 {
		return node{}, false
	}
	root := i.Defs[0]
	var ok bool
	if t.leaves, ok = t.with(0, t.operands(i)); !ok {
		return node{}, false
	}
	if f.t.level == AVX512 {
		t.grow()
	} else {
		t.growPair(i)
	}
	table := t.table(root, root)
	if f.t.level == AVX2 && !simpleTable(table, len(t.leaves)) {
		return node{}, false
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
	case tableX & tableY:
		return [2]encode.Op{AVX2: encode.VPAND, AVX512: encode.VPANDD}, false, true
	case tableX | tableY:
		return [2]encode.Op{AVX2: encode.VPOR, AVX512: encode.VPORD}, false, true
	case tableX ^ tableY:
		return [2]encode.Op{AVX2: encode.VPXOR, AVX512: encode.VPXORD}, false, true
	case ^tableX & 0xff & tableY:
		return [2]encode.Op{AVX2: encode.VPANDN, AVX512: encode.VPANDND}, false, true
	case tableX &^ tableY:
		return [2]encode.Op{AVX2: encode.VPANDN, AVX512: encode.VPANDND}, true, true
	}
	return o, false, false
}

// logicSelector emits a function of the node's arguments. Its truth table is the immediate.
var logicSelector = selector{part: func(s *selection, a []operand) operand { return s.logic(uint8(s.node.imm), a...) }}

// logic computes a bitwise function of up to three vectors by its truth table.
func (s *selection) logic(table uint8, a ...operand) operand {
	switch {
	case table == 0:
		return s.zero()
	case table == 0xff:
		return s.ones()
	case table == tableX:
		return a[0]
	case len(a) > 1 && table == tableY:
		return a[1]
	case len(a) > 2 && table == tableZ:
		return a[2]
	}
	if len(a) == 2 {
		if o, exchanged, ok := plainLogic(table); ok {
			switch {
			case exchanged:
				return s.andNot(a[0], a[1])
			case o[s.t.level] == encode.VPANDND || o[s.t.level] == encode.VPANDN:
				return s.andNot(a[1], a[0])
			}
			return s.commuted(o[s.t.level], a[0], a[1])
		}
	}
	if s.t.level == AVX2 {
		return s.logicByParts(table, a)
	}
	return s.ternary(table, a)
}

// andNot is x &^ y.
func (s *selection) andNot(x, y operand) operand {
	if bits, ok := s.constOf(y); ok {
		return s.and(x, s.const32(^bits))
	}
	o := [2]encode.Op{AVX2: encode.VPANDN, AVX512: encode.VPANDND}
	if s.isKnown(y) && s.t.level == AVX512 {
		return s.logic3(tableX&^tableY&0xff, x, y, y)
	}
	return s.new(o[s.t.level], y, x)
}

// ternary emits vpternlogd: the operand that it overwrites should be one that nobody reads again,
// the last one what may be memory.
func (s *selection) ternary(table uint8, a []operand) operand {
	x := [3]operand{a[0], a[0], a[0]}
	copy(x[:], a)
	rank := func(o operand) int { // what should come first
		switch {
		case s.isKnown(o):
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
	return s.change(encode.VPTERNLOGD, x[0], x[1], x[2], immediate(int(table)))
}

// logic3 computes a bitwise function of three vectors.
func (s *selection) logic3(table uint8, x, y, z operand) operand { return s.logic(table, x, y, z) }

// logicByParts computes a bitwise function of three vectors as a sum of products: x chooses between
// two functions of y and z.
func (s *selection) logicByParts(table uint8, a []operand) operand {
	x := [3]operand{a[0], a[0], a[0]}
	copy(x[:], a)
	sum := operand{}
	for row := range 8 {
		if missing := 7 >> len(a); table>>row&1 == 0 || row&missing != 0 {
			continue
		}
		term := operand{}
		for n := range len(a) {
			factor := x[n]
			if row>>(2-n)&1 == 0 {
				factor = s.xor(factor, s.ones())
			}
			if term.none() {
				term = factor
			} else {
				term = s.and(term, factor)
			}
		}
		if sum.none() {
			sum = term
		} else {
			sum = s.or(sum, term)
		}
	}
	return sum
}

// and, or and xor are the operations of these names.
func (s *selection) and(x, y operand) operand {
	return s.commuted([2]encode.Op{AVX2: encode.VPAND, AVX512: encode.VPANDD}[s.t.level], x, y)
}

func (s *selection) or(x, y operand) operand {
	return s.commuted([2]encode.Op{AVX2: encode.VPOR, AVX512: encode.VPORD}[s.t.level], x, y)
}

func (s *selection) xor(x, y operand) operand {
	return s.commuted([2]encode.Op{AVX2: encode.VPXOR, AVX512: encode.VPXORD}[s.t.level], x, y)
}

// not is the complement.
func (s *selection) not(x operand) operand {
	if bits, ok := s.constOf(x); ok {
		return s.const32(^bits)
	}
	if s.t.level == AVX512 {
		return s.ternary(^uint8(tableX), []operand{x})
	}
	return s.xor(x, s.ones())
}
