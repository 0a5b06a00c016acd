// Package logic finds bitwise functions of a few values in code: trees of operations such as and, or, not and lop3, each of which is one
// table of the results for all bits that its leaves may have. Processors have one instruction for each function of three
// values (vpternlogd, lop3) or for some of two.
package logic

import (
	"slices"
	"sync"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// kind is what a logic operation computes.
type kind uint8

const (
	_ kind = iota
	and
	or
	xor
	not
	andNot
	lookup
)

var kinds = sync.OnceValue(func() []kind {
	all := make([]kind, op.All())
	for name, k := range map[string]kind{
		"and.b16": and, "or.b16": or, "xor.b16": xor, "not.b16": not, "and.b32": and, "or.b32": or, "xor.b32": xor, "not.b32": not,
		"word.andnot": andNot, "lop3.b32": lookup,
	} {
		all[op.Must(name)] = k
	}
	return all
})

// Is reports whether an operation is one of logic, or may be.
func Is(o op.Op) bool { return kinds()[o] != 0 }

// And reports whether an operation is the conjunction of two values, or of the first and the complement of the second.
func And(o op.Op) (complemented, ok bool) {
	k := kinds()[o]
	return k == andNot, k == and || k == andNot
}

// The truth tables of the three leaves themselves: bit x<<2|y<<1|z of a table is the result where the bits of the leaves are
// x, y and z.
const (
	X = 0xf0
	Y = 0xcc
	Z = 0xaa
)

// Leaves are the tables of the leaves, by their number.
var Leaves = [3]uint8{X, Y, Z}

// Code is what trees are found in.
type Code interface {
	// ConstOf returns the bits of a constant.
	ConstOf(id simt.ID) (bits uint64, ok bool)
	// Inst returns the instruction that computes a value, if the tree may have it, or nil.
	Inst(id simt.ID) *simt.Inst
	// Once reports whether a value has one use.
	Once(id simt.ID) bool
}

// Tree is a logic function of at most three leaves.
type Tree struct {
	Leaves []simt.ID
	code   Code
	root   *simt.Inst
	inner  []simt.ID // what is computed within the tree
}

// New returns the tree of an instruction alone. ok is false if it is no logic operation, or has more than three leaves.
func New(code Code, root *simt.Inst) (t *Tree, ok bool) {
	if kindOf(code, root) == 0 {
		return nil, false
	}
	t = &Tree{code: code, root: root}
	t.Leaves, ok = t.with(0, t.operands(root))
	return t, ok
}

func (t *Tree) kind(i *simt.Inst) kind { return kindOf(t.code, i) }

// kindOf returns what logic an instruction is.
func kindOf(code Code, i *simt.Inst) kind {
	if i == nil {
		return 0
	}
	k := kinds()[i.Op]
	if k == lookup {
		if _, ok := code.ConstOf(i.Args[3]); !ok {
			return 0
		}
	}
	return k
}

// operands returns the arguments of a logic instruction that are bits.
func (t *Tree) operands(i *simt.Inst) []simt.ID {
	if t.kind(i) == lookup {
		return i.Args[:3]
	}
	return i.Args
}

// trivial reports whether a value is all zeros or all ones, and so is no leaf.
func (t *Tree) trivial(id simt.ID) (table uint8, ok bool) {
	switch bits, constant := t.code.ConstOf(id); {
	case !constant:
	case uint32(bits) == 0:
		return 0, true
	case uint32(bits) == 1<<32-1:
		return 0xff, true
	}
	return 0, false
}

// Grow replaces leaves by their operands as long as there are at most three.
func (t *Tree) Grow() {
	for again := true; again; {
		again = false
		for _, leaf := range t.Leaves {
			i := t.code.Inst(leaf)
			k := t.kind(i)
			// A complement costs nothing, so that it may be computed in several trees.
			if k == 0 || k != not && !t.code.Once(leaf) {
				continue
			}
			if more, ok := t.with(leaf, t.operands(i)); ok {
				t.Leaves, again = more, true
				t.inner = append(t.inner, leaf)
				break
			}
		}
	}
}

// with returns the leaves if one of them is replaced.
func (t *Tree) with(gone simt.ID, operands []simt.ID) (leaves []simt.ID, ok bool) {
	leaves = make([]simt.ID, 0, 5)
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
	for _, id := range t.Leaves {
		if id != gone {
			add(id)
		}
	}
	for _, id := range operands {
		add(id)
	}
	return leaves, len(leaves) <= 3
}

// Table is the truth table of the tree.
func (t *Tree) Table() uint8 { return t.table(t.root.Defs[0]) }

// table returns the truth table of a value of the tree.
func (t *Tree) table(id simt.ID) uint8 {
	if id != t.root.Defs[0] && !slices.Contains(t.inner, id) {
		if table, ok := t.trivial(id); ok {
			return table
		}
		for n, leaf := range t.Leaves {
			if leaf == id {
				return Leaves[n]
			}
		}
	}
	i := t.code.Inst(id)
	x := t.table(i.Args[0])
	k := t.kind(i)
	if k == not {
		return ^x
	}
	y := t.table(i.Args[1])
	switch k {
	case and:
		return x & y
	case or:
		return x | y
	case xor:
		return x ^ y
	case andNot:
		return x &^ y
	}
	z := t.table(i.Args[2])
	bits, _ := t.code.ConstOf(i.Args[3])
	return Compose(uint8(bits), x, y, z)
}

// Count returns how often the instructions of the tree read a value.
func (t *Tree) Count(id simt.ID) (n int32) {
	in := func(i *simt.Inst) {
		for _, a := range i.Args {
			if a == id {
				n++
			}
		}
	}
	in(t.root)
	for _, inner := range t.inner {
		in(t.code.Inst(inner))
	}
	return n
}

// Compose is the truth table of a function of three functions.
func Compose(table, x, y, z uint8) uint8 {
	r := uint8(0)
	for bit := range 8 {
		row := x>>bit&1<<2 | y>>bit&1<<1 | z>>bit&1
		r |= table >> row & 1 << bit
	}
	return r
}

// GrowPair takes complements of the leaves of a tree of two into it, where the function that it is then is simple: one for which
// there is an instruction.
func (t *Tree) GrowPair(simple func(table uint8) bool) {
	for _, leaf := range t.Leaves {
		if i := t.code.Inst(leaf); t.kind(i) == not {
			more, ok := t.with(leaf, i.Args)
			if !ok || len(more) > 2 {
				continue
			}
			before, inner := t.Leaves, t.inner
			t.Leaves, t.inner = more, append(t.inner, leaf)
			if len(more) != 2 || !simple(t.Table()) {
				t.Leaves, t.inner = before, inner
			}
		}
	}
}
