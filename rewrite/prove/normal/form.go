package normal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Programs that differ only in the bytes they take have one normal form: every bit of a word is followed through
// operations that only move bits (masks, shifts by constants, permutations, copies by a multiplication) to
// where it was computed, and every other operation is named by the hash of its name and of its arguments'
// bits. Two programs of one normal form compute the same.

// A bit is one of a word that was computed: bit number at of a node; or a constant.
type bit struct {
	node int16 // of the normal form; below 0 for constants
	at   int16 // the constant: 0 or 1
}

// word32bits is a word, bit by bit.
type word32bits [32]bit

const constantBit = -1

// constantWord returns the bits of a constant.
func constantWord(x uint32) (w word32bits) {
	for at := range w {
		w[at] = bit{constantBit, int16(x >> at & 1)}
	}
	return w
}

// number returns the constant that a word is, if it is one.
func (w *word32bits) number() (x uint32, ok bool) {
	for at, b := range w {
		if b.node != constantBit {
			return 0, false
		}
		x |= uint32(b.at) << at
	}
	return x, true
}

// Renaming says which bit of which operand a program's operand bit is.
type Renaming func(operand, at int) (int, int)

// AsItIs renames nothing.
func AsItIs(operand, at int) (int, int) { return operand, at }

// operandNodes is the number of the nodes that are operands, which are the first.
const operandNodes = 3

// normalizer makes a normal form.
type normalizer struct {
	p      *word.Program
	rename Renaming
	words  []*word32bits // of values
	wides  []int16       // of wide values: the node
	nodes  map[string]int16
	names  []string             // of nodes
	sums   map[int16]weighedSum // by the nodes that they are
}

func newNormalizer(p *word.Program, rename Renaming) *normalizer {
	return &normalizer{p: p, rename: rename, words: make([]*word32bits, len(p.Insts)), wides: make([]int16, len(p.Insts)),
		nodes: map[string]int16{}, names: []string{"a", "b", "c"}, sums: map[int16]weighedSum{}}
}

// Form returns a program's normal form, its operands renamed, and each bit of the result brought to where
// place says.
func Form(p *word.Program, rename Renaming, place func(at int) int) string {
	n := newNormalizer(p, rename)
	var d word32bits
	for at, b := range n.word(p.Result) {
		d[place(at)] = b
	}
	return n.text(&d)
}

// InPlace leaves the bits of a result where they are.
func InPlace(at int) int { return at }

// node returns the number of the node that a line defines.
func (n *normalizer) node(line string) int16 {
	if known, ok := n.nodes[line]; ok {
		return known
	}
	if len(n.names) > math.MaxInt16 {
		panic("normal: a program with more operations than there are nodes for")
	}
	number := int16(len(n.names))
	n.nodes[line] = number
	sum := sha256.Sum256([]byte(line))
	n.names = append(n.names, hex.EncodeToString(sum[:16]))
	return number
}

// word returns the bits of a value.
func (n *normalizer) word(v word.Value) *word32bits {
	if n.words[v] == nil {
		w := n.compute(v)
		n.words[v] = &w
	}
	return n.words[v]
}

// whole returns the word that a line defines.
func (n *normalizer) whole(line string) (w word32bits) {
	return wordOf(n.node(line))
}

// wordOf returns the bits of a node.
func wordOf(node int16) (w word32bits) {
	for at := range w {
		w[at] = bit{node, int16(at)}
	}
	return w
}

func (n *normalizer) compute(v word.Value) (w word32bits) {
	i := &n.p.Insts[v]
	switch {
	case i.Op == word.Input:
		for at := range w {
			operand, to := n.rename(int(i.Imm), at)
			w[at] = bit{int16(operand), int16(to)}
		}
		return w
	case i.Op == word.Const:
		return constantWord(uint32(i.Imm))
	case i.Op.TakesWide(): // Lo
		return n.whole(fmt.Sprintf("%v %s", i.Op, n.names[n.wide(i.Arg[0])]))
	}
	var args [3]*word32bits
	for k, arg := range i.Args() {
		args[k] = n.word(arg)
	}
	if w, ok := moved(i, args); ok {
		return w
	}
	if w, ok := n.alike(i.Op, args); ok {
		return w
	}
	if w, ok := ofConstants(i, args); ok {
		return w
	}
	if lanes := i.Op.Weighs(); lanes > 0 {
		return n.dot(i, args, lanes)
	}
	if lanes := i.Op.Products(); lanes.Width > 0 {
		return n.products(i.Op, args, lanes)
	}
	return n.whole(n.line(i, args))
}

// wide returns the node of a wide value.
func (n *normalizer) wide(v word.Value) int16 {
	if n.wides[v] != 0 {
		return n.wides[v]
	}
	i := &n.p.Insts[v]
	line := fmt.Sprintf("%v %x", i.Op, i.Imm)
	if i.Op.TakesWide() {
		var names []string
		for _, arg := range i.Args() {
			names = append(names, n.names[n.wide(arg)])
		}
		if i.Op.Commutes() {
			slices.Sort(names)
		}
		line += " " + strings.Join(names, " ")
	} else if i.Op.Args() > 0 {
		var args [3]*word32bits
		for k, arg := range i.Args() {
			args[k] = n.word(arg)
		}
		line = n.line(i, args)
	}
	n.wides[v] = n.node(line)
	return n.wides[v]
}

// line writes an operation, the arguments of one that commutes in a fixed order.
func (n *normalizer) line(i *word.Inst, args [3]*word32bits) string {
	var texts []string
	for _, arg := range args[:i.Op.Args()] {
		texts = append(texts, n.text(arg))
	}
	if i.Op.Commutes() {
		slices.Sort(texts[:2])
	}
	return fmt.Sprintf("%v %x %s", i.Op, i.Imm, strings.Join(texts, " "))
}

// text writes runs of bits: "a.0-31" is a itself, "a.8-15,0x24" a byte of it with zeros above.
func (n *normalizer) text(w *word32bits) string {
	var room [128]byte
	s := room[:0]
	for at := int16(0); at < 32; {
		b, end := w[at], at+1
		repeats := b.node == constantBit || end < 32 && w[end] == b
		for end < 32 && (repeats && w[end] == b || !repeats && w[end] == bit{b.node, b.at + end - at}) {
			end++
		}
		if at > 0 {
			s = append(s, ',')
		}
		if b.node != constantBit {
			s = append(append(s, n.names[b.node]...), '.')
		}
		s = strconv.AppendInt(s, int64(b.at), 10)
		if repeats {
			s = strconv.AppendInt(append(s, 'x'), int64(end-at), 10)
		} else {
			s = strconv.AppendInt(append(s, '-'), int64(b.at+end-at-1), 10)
		}
		at = end
	}
	return string(s)
}

// alike simplifies operations on one value twice, and selections by a constant.
func (n *normalizer) alike(op word.Op, args [3]*word32bits) (w word32bits, ok bool) {
	x, y, z := args[0], args[1], args[2]
	if op == word.Select {
		if k, constant := x.number(); constant && k == 0 {
			return *z, true
		} else if constant {
			return *y, true
		}
		return *y, *y == *z
	}
	if op.Args() < 2 || op.Wide() || *x != *y {
		return w, false
	}
	switch op {
	case word.And, word.Or, word.MinU, word.MaxU, word.MinS, word.MaxS, word.MinU8, word.MinU16, word.MaxU8, word.MaxU16,
		word.MinS8, word.MinS16, word.MaxS8, word.MaxS16, word.AvgU8, word.AvgU16:
		return *x, true
	case word.Xor, word.AndNot, word.Sub, word.CmpLtU, word.CmpLtS, word.Sub8, word.Sub16, word.SubSatU8, word.SubSatU16,
		word.SubSatS8, word.SubSatS16, word.CmpGtU8, word.CmpGtU16, word.CmpGtS8, word.CmpGtS16, word.AbsDiffU8, word.AbsDiffS8:
		return constantWord(0), true
	case word.CmpEq, word.CmpEq8, word.CmpEq16:
		return constantWord(0xffffffff), true
	case word.SadU, word.SadS, word.SadU8, word.SadS8:
		return *z, true
	}
	return w, false
}

// ofConstants computes an operation of constants, and knows that a sum with 0 is the other term.
func ofConstants(i *word.Inst, args [3]*word32bits) (w word32bits, ok bool) {
	var numbers [3]uint64
	constants := 0
	for k, arg := range args[:i.Op.Args()] {
		if x, constant := arg.number(); constant {
			numbers[k] = uint64(x)
			constants++
		}
	}
	zero := constantWord(0)
	switch {
	case i.Op.Wide() || i.Op.TakesWide():
		return w, false
	case constants == i.Op.Args():
		return constantWord(uint32(i.Op.Apply(numbers[0], numbers[1], numbers[2], i.Imm))), true
	case (i.Op == word.Add || i.Op == word.Sub) && *args[1] == zero:
		return *args[0], true
	case i.Op == word.Add && *args[0] == zero:
		return *args[1], true
	}
	return w, false
}

// products writes a sum of products of lanes, in a fixed order and without those of zeros.
func (n *normalizer) products(op word.Op, args [3]*word32bits, lanes word.Lanes) word32bits {
	var pairs []string
	for k := range 32 / lanes.Width {
		x, y := constantWord(0), constantWord(0)
		copy(x[:lanes.Width], args[0][k*lanes.Width:])
		copy(y[:8], args[1][8*k:])
		if x == constantWord(0) || y == constantWord(0) {
			continue
		}
		pair := []string{n.text(&x), n.text(&y)}
		if op.Commutes() {
			slices.Sort(pair)
		}
		pairs = append(pairs, strings.Join(pair, " "))
	}
	if len(pairs) == 0 {
		return *args[2]
	}
	slices.Sort(pairs)
	return n.whole(fmt.Sprintf("%v %s [%s]", op, n.text(args[2]), strings.Join(pairs, "; ")))
}
