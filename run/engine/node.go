package engine

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// node is a value of a word program in the machine's terms: an operation that
// the machine has as a step, on at most two values and a mask.
type node struct {
	op       machine.Op
	x, y     word.Value // or nothing
	mask     word.Value // of BitSelect
	extra    []byte     // the constants at the step's Extra, if any
	constant []byte     // of a constant: a vector of it
	operand  int        // of an input: 0 is a
	wide     bool       // whether the value is of 64 bits
	uses     int        // how often other values, or the result, still need it
}

const nothing word.Value = -1

// leaf reports whether no step computes the value: whether it is an input or a constant.
func (n *node) leaf() bool { return n.op == machine.NoOp }

// input reports whether the value is an operand of the program.
func (n *node) input() bool { return n.leaf() && n.constant == nil }

// arguments returns the values that the node is computed from.
func (n *node) arguments() []word.Value {
	return slices.DeleteFunc([]word.Value{n.mask, n.y, n.x}, func(v word.Value) bool { return v == nothing })
}

// translator makes the nodes of a program for one unit.
type translator struct {
	unit  *unit
	nodes []node
}

// newNodes returns the nodes of a program: those of its values, by their
// numbers, and after them constants that the machine needs besides. It reports false
// if the machine does not have all operations.
func newNodes(u *unit, p *word.Program) (nodes []node, ok bool) {
	t := translator{unit: u, nodes: make([]node, len(p.Insts))}
	for v := range p.Insts {
		n, ok := t.translate(p, &p.Insts[v])
		if !ok {
			return nil, false
		}
		t.nodes[v] = n
	}
	t.joinDifferences()
	t.joinMasks(p)
	t.countUses(p.Result)
	t.nodes[p.Result].uses++
	return t.nodes, true
}

// differences lists the operations that are a greater minus a smaller one.
var differences = map[machine.Op][]struct{ max, min, op machine.Op }{
	machine.Sub:   {{machine.MaxU, machine.MinU, machine.AbsDiffU}, {machine.MaxS, machine.MinS, machine.AbsDiffS}},
	machine.Sub8:  {{machine.MaxU8, machine.MinU8, machine.AbsDiffU8}, {machine.MaxS8, machine.MinS8, machine.AbsDiffS8}},
	machine.Sub16: {{machine.MaxU16, machine.MinU16, machine.AbsDiffU16}, {machine.MaxS16, machine.MinS16, machine.AbsDiffS16}},
}

// joinDifferences makes one node of a maximum, a minimum of the same values, and
// the difference of the two.
func (t *translator) joinDifferences() {
	for v := range t.nodes {
		n := &t.nodes[v]
		for _, d := range differences[n.op] {
			greater, less := &t.nodes[n.x], &t.nodes[n.y]
			sameValues := greater.x == less.x && greater.y == less.y || greater.x == less.y && greater.y == less.x
			if greater.op == d.max && less.op == d.min && sameValues {
				n.op, n.x, n.y = d.op, greater.x, greater.y
				break
			}
		}
	}
}

// joinMasks makes one node of a product and the masks of both its factors, where
// they are as short as bytes. The machine has a faster product of short numbers.
func (t *translator) joinMasks(p *word.Program) {
	for v := range p.Insts {
		product := &p.Insts[v]
		if product.Op != word.Mul {
			continue
		}
		x, y := &p.Insts[product.Arg[0]], &p.Insts[product.Arg[1]]
		if x.Op != word.And || y.Op != word.And || x.Arg[1] != y.Arg[1] {
			continue
		}
		if mask, ok := p.ConstOf(x.Arg[1]); ok && mask <= 0x7fff {
			t.nodes[v] = node{op: machine.MulMasked, x: x.Arg[0], y: y.Arg[0], mask: nothing, extra: t.words(mask)}
		}
	}
}

// countUses counts the uses by a value and by all it is computed from.
func (t *translator) countUses(v word.Value) {
	for _, argument := range t.nodes[v].arguments() {
		n := &t.nodes[argument]
		n.uses++
		if n.uses == 1 {
			t.countUses(argument)
		}
	}
}

// translate returns the node for an instruction.
func (t *translator) translate(p *word.Program, i *word.Inst) (n node, ok bool) {
	n = node{op: machine.Of(i.Op), x: nothing, y: nothing, mask: nothing, wide: i.Op.Wide()}
	switch i.Op.Args() {
	case 2:
		n.x, n.y = i.Arg[0], i.Arg[1]
	case 1:
		n.x = i.Arg[0]
	}

	switch i.Op {
	case word.Input:
		n.operand = int(i.Imm)
		return n, true
	case word.Const:
		n.constant = t.words(uint32(i.Imm))
		return n, true
	case word.WideConst:
		n.constant = t.wides(i.Imm)
		return n, true
	case word.Not:
		n.op = machine.Xor
		n.y = t.constant(t.words(0xffffffff))
	case word.Select:
		n.op, n.mask, n.x, n.y = machine.BitSelect, i.Arg[0], i.Arg[1], i.Arg[2]
	case word.Perm:
		t.perm(p, i, &n)
	case word.DotU8, word.DotS8:
		if !t.fitsDot(i.Op, uint32(i.Imm)) {
			return n, false
		}
		n.extra = t.words(uint32(i.Imm))
	case word.DotS16:
		weights := uint32(uint16(int8(i.Imm))) | uint32(uint16(int8(i.Imm>>8)))<<16
		n.extra = t.words(weights)
	case word.ShrWideU:
		n.y = t.constant(t.wides(i.Imm))
	case word.ShrWideS:
		n.y = t.constant(t.wides(i.Imm))
		n.extra = t.wides(1 << (63 - i.Imm)) // where a logical shift leaves the sign
	}
	return n, n.op != machine.NoOp && t.unit.has(n.op)
}

// constant adds a constant to the nodes.
func (t *translator) constant(vector []byte) word.Value {
	t.nodes = append(t.nodes, node{x: nothing, y: nothing, mask: nothing, constant: vector})
	return word.Value(len(t.nodes) - 1)
}

// words returns a vector that has x in every word.
func (t *translator) words(x uint32) []byte {
	return bytes.Repeat(binary.LittleEndian.AppendUint32(nil, x), t.unit.vector/4)
}

// wides returns a vector that has x in every 64 bits.
func (t *translator) wides(x uint64) []byte {
	return bytes.Repeat(binary.LittleEndian.AppendUint64(nil, x), t.unit.vector/8)
}

// fitsDot reports whether weights are in the range that a dot product of bytes is
// exact for.
func (t *translator) fitsDot(op word.Op, weights uint32) bool {
	if op == word.DotS8 {
		return weights&0x80808080 == 0 // vpmaddubsw and vpdpbusd take them as unsigned
	}
	if !t.unit.narrowDot {
		return true
	}
	// vpmaddubsw adds two products in 16 bits, and saturates.
	for ; weights != 0; weights >>= 16 {
		w0, w1 := int(int8(weights)), int(int8(weights>>8))
		if 255*(max(w0, 0)+max(w1, 0)) > 1<<15-1 || 255*(min(w0, 0)+min(w1, 0)) < -1<<15 {
			return false
		}
	}
	return true
}

// perm makes a node of a Perm: a shuffle of one source if that is enough.
func (t *translator) perm(p *word.Program, i *word.Inst, n *node) {
	const zero = 0x80 // what vpshufb takes to make a zero byte
	var numbers [4]byte
	var fromX, fromY [4]byte // of each source, or zero
	from := [2]bool{}
	for k := range numbers {
		numbers[k] = byte(i.Imm>>(4*k)) & 7
		fromX[k], fromY[k] = numbers[k], numbers[k]-4
		if numbers[k] < 4 {
			fromY[k] = zero
		} else {
			fromX[k] = zero
		}
		from[numbers[k]/4] = true
	}
	isZero := func(v word.Value) bool {
		x, ok := p.ConstOf(v)
		return ok && x == 0
	}
	shuffle := func(source word.Value, numbers [4]byte) {
		n.op, n.x, n.y = machine.Shuffle, source, t.constant(t.perWord(numbers, 16))
	}
	switch {
	case n.x == n.y:
		for k := range numbers {
			numbers[k] &= 3
		}
		shuffle(n.x, numbers)
	case !from[1] || isZero(n.y):
		shuffle(n.x, fromX)
	case !from[0] || isZero(n.x):
		shuffle(n.y, fromY)
	case t.unit.twoSourcePerm:
		for k := range numbers {
			if numbers[k] >= 4 {
				numbers[k] += byte(t.unit.vector) - 4
			}
		}
		n.extra = t.perWord(numbers, t.unit.vector)
	default:
		n.extra = slices.Concat(t.perWord(fromX, 16), t.perWord(fromY, 16))
	}
}

// perWord makes a vector of byte numbers from those within the first word. The
// numbers count from the start of a lane of so many bytes.
func (t *translator) perWord(numbers [4]byte, lane int) []byte {
	vector := make([]byte, t.unit.vector)
	for j := range vector {
		number := numbers[j%4]
		if number < 0x80 || lane == t.unit.vector {
			number += byte(j % lane &^ 3)
		}
		vector[j] = number
	}
	return vector
}
