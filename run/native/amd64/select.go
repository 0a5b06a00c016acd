package amd64

import (
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// selector says how the instructions of an operation are chosen. One of its functions is set.
type selector struct {
	// part emits the operation for one vector, and returns the result. If one of the types is of 64
	// bits, the vectors have elements of 64 bits; 32-bit operands are extended by zeros, and of a
	// 32-bit result the low half of each element counts.
	part func(s *selection, a []operand) operand
	// group emits the operation for a group: for operations whose parts are not alike.
	group func(s *selection)
}

// partFunc is how most selectors are written.
type partFunc = func(s *selection, a []operand) operand

// table holds the selectors of some families by level and operation.
type table [numLevels]map[string]selector

// The tables are filled when code is first compiled: that of the families that arrays of video
// instructions need, and that of the others when something asks for them, so that the first array
// does not wait for all.
var (
	arrayTable, otherTable table

	fillArrayTable = sync.OnceFunc(func() {
		fill(&arrayTable, defineInteger, defineWide, defineLogic, defineShift, definePacked, defineCompare, definePermute, defineDot)
	})
	fillOtherTable = sync.OnceFunc(func() {
		fill(&otherTable, defineBits, defineDivide, defineConvert, defineFloat, defineFloatConvert, defineHalf, defineApproximate, defineAVX2, defineAVX2Float)
	})
	filling *table
)

func fill(t *table, families ...func()) {
	filling = t
	for l := range t {
		t[l] = make(map[string]selector, 256)
	}
	for _, f := range families {
		f()
	}
}

// selectorOf returns the selector of an operation, or nil.
func selectorOf(l Level, o op.Op) *selector {
	fillArrayTable()
	if s, ok := arrayTable[l][o.String()]; ok {
		return &s
	}
	fillOtherTable()
	if s, ok := otherTable[l][o.String()]; ok {
		return &s
	}
	return nil
}

// define enters a selector for some levels.
func define(levels []Level, name string, s selector) {
	if _, ok := op.Find(name); !ok {
		panic("amd64: there is no operation " + name)
	}
	for _, l := range levels {
		if _, twice := filling[l][name]; twice {
			panic(fmt.Sprintf("amd64: %v has two selectors for %s", l, name))
		}
		filling[l][name] = s
	}
}

var (
	everyLevel = []Level{AVX2, AVX512}
	onlyAVX2   = []Level{AVX2}
	onlyAVX512 = []Level{AVX512}
)

// both, with512 and with2 enter a selector of parts for both levels or one.
func both(name string, f partFunc)    { define(everyLevel, name, selector{part: f}) }
func with512(name string, f partFunc) { define(onlyAVX512, name, selector{part: f}) }
func with2(name string, f partFunc)   { define(onlyAVX2, name, selector{part: f}) }

// group512 enters a selector of groups.
func group512(name string, f func(s *selection))  { define(onlyAVX512, name, selector{group: f}) }
func groupBoth(name string, f func(s *selection)) { define(everyLevel, name, selector{group: f}) }

// Selected reports whether code can be made for an operation.
func Selected(l Level, o op.Op) bool {
	return selectorOf(l, o) != nil
}

// value is what a group has of a value: a vector or mask, or two vectors of 64-bit elements. halves
// are 32-bit elements extended to 64, or the two parts of a mask, once something has asked for
// them.
type value struct {
	parts  [2]operand
	halves [2]operand
}

// selection is the state of selecting one node for one group.
type selection struct {
	*compiler
	node   *node
	nodeNumber int
	values []value
	half   int     // of a group of 64-bit elements: which one
	under  operand // the mask that comparisons are done under, if there is one
	// args are the operands of the part, and dying tells which of them nobody reads afterwards.
	// Registers from temporary on were made for the node.
	args      [4]operand
	dying     [4]bool
	temporary vreg
	// cached are the values that something has been made of for one block of a kernel.
	cached []simt.ID
	// bring, of a kernel, brings values into vectors that are elsewhere.
	bring func(id simt.ID)
}

// run emits a node.
func (s *selection) run(number int) error {
	n := &s.nodes[number]
	s.node, s.nodeNumber, s.half = n, number, 0
	s.temporary = vreg(len(s.registers))
	if n.sel.group != nil {
		n.sel.group(s)
		return nil
	}
	if !n.wide {
		for k, id := range n.args[:n.count] {
			s.args[k] = s.value(id).parts[0]
			s.dying[k] = s.lastUse[id] == int32(number)
		}
		s.give(n.sel.part(s, s.args[:n.count]))
		return nil
	}
	var results [2]operand
	for h := range results {
		s.half = h
		for k, id := range n.args[:n.count] {
			s.args[k], s.dying[k] = s.halfOf(id, h), s.Values[id].Type == simt.B64 && s.lastUse[id] == int32(number)
		}
		results[h] = n.sel.part(s, s.args[:n.count])
	}
	switch s.Values[n.def].Type {
	case simt.B64:
		s.giveWide(results)
	case simt.Pred:
		s.give(s.joinMasks(results))
	default:
		s.give(s.narrow(results))
	}
	return nil
}

// give sets the result of the node, of a vector or mask.
func (s *selection) give(x operand) { s.values[s.node.def].parts[0] = x }

// giveWide sets the result of the node, of 64-bit elements. In kernels the two have registers of their own: what comes
// from elsewhere is not the same in lanes that are not at work.
func (s *selection) giveWide(x [2]operand) {
	if s.bring != nil && x[0] == x[1] && !s.isKnown(x[0]) {
		x[1] = s.put(vector, instr{op: s.t.move, move: true}, []operand{x[1]})
	}
	s.values[s.node.def].parts = x
}

// value returns what a group has of a value. Constants come into being here.
func (s *selection) value(id simt.ID) *value {
	v := &s.values[id]
	if v.parts[0].none() {
		bits, ok := s.ConstOf(id)
		switch known := &s.Values[id]; {
		case !ok && s.bring != nil:
			s.bring(id)
		case !ok:
			panic("amd64: a value is used before it is computed")
		case known.Type == simt.B64:
			v.parts = [2]operand{s.const64(bits), s.const64(bits)}
		case known.Type == simt.B32:
			v.parts[0] = s.const32(uint32(bits))
			v.halves = [2]operand{s.const64(bits), s.const64(bits)}
		default:
			return &value{parts: [2]operand{s.constMask(bits&1 != 0)}}
		}
	}
	return v
}

// wide returns both parts of a value of 64 bits.
func (s *selection) wide(id simt.ID) [2]operand { return s.value(id).parts }

// halfOf returns half h of a value in elements of 64 bits.
func (s *selection) halfOf(id simt.ID, h int) operand {
	v := s.value(id)
	if s.Values[id].Type == simt.B64 {
		return v.parts[h]
	}
	if v.halves[0].none() {
		s.cached = append(s.cached, id)
		if s.Values[id].Type == simt.Pred {
			v.halves = s.splitMask(v.parts[0])
		} else {
			v.halves = s.widen(v.parts[0])
		}
	}
	return v.halves[h]
}

// dies reports whether nobody reads an operand afterwards, so that it may be changed without a
// copy.
func (s *selection) dies(x operand) bool {
	if x.v == 0 || s.isKnown(x) {
		return false
	}
	for k, a := range s.args[:s.node.count] {
		if a == x {
			return s.dying[k]
		}
	}
	return x.v >= s.temporary
}

// arg returns the single vector or mask of argument k, for selectors of groups.
func (s *selection) arg(k int) operand { return s.value(s.node.args[k]).parts[0] }

// The functions below emit one instruction.

// sized returns an instruction with the length of the level's vectors, if it needs one and has
// none.
func (s *selection) sized(o encode.Op) encode.Op {
	if o.NeedsLength() && !o.HasLength() {
		return o | s.t.length
	}
	return o
}

// put adds an instruction that defines a new register.
func (s *selection) put(k class, i instr, sources []operand) operand {
	i.op = s.sized(i.op)
	i.defines = true
	d := virtual(s.newRegister(k))
	i.args[0] = d
	i.n = uint8(1 + copy(i.args[1:], sources))
	s.code = append(s.code, i)
	return d
}

// new computes a new vector.
func (s *selection) new(o encode.Op, sources ...operand) operand {
	return s.put(vector, instr{op: o}, sources)
}

// test computes a new mask.
func (s *selection) test(o encode.Op, sources ...operand) operand {
	return s.put(mask, instr{op: o}, sources)
}

// testUnder computes a new mask that is zero where another one is.
func (s *selection) testUnder(o encode.Op, under operand, sources ...operand) operand {
	return s.put(mask, instr{op: o, mask: under}, sources)
}

// change computes a new vector from an old one that the instruction overwrites.
func (s *selection) change(o encode.Op, old operand, sources ...operand) operand {
	return s.put(vector, instr{op: o, tie: old.v}, sources)
}

// zeroed computes a new vector that is zero where the mask is.
func (s *selection) zeroed(o encode.Op, k operand, sources ...operand) operand {
	return s.put(vector, instr{op: o, mask: k, zeroing: true}, sources)
}

// merged computes a new vector that is old where the mask is zero.
func (s *selection) merged(o encode.Op, k, old operand, sources ...operand) operand {
	return s.put(vector, instr{op: o, mask: k, tie: old.v}, sources)
}

// commuted is new for an instruction whose sources may change places: a constant comes last, where
// it may be memory, or else what is loaded.
func (s *selection) commuted(o encode.Op, x, y operand) operand {
	if s.isKnown(x) && !s.isKnown(y) || s.isInput(x) && !s.isKnown(y) && !s.isInput(y) {
		x, y = y, x
	}
	return s.new(o, x, y)
}

// isInput reports whether an operand was loaded for this group.
func (s *selection) isInput(x operand) bool { return x.v != 0 && s.registers[x.v].loaded == fromInput }

// fromInput marks, while code is selected, a register that an operand of the function was loaded
// into.
const fromInput = -2

// zero and ones are the vectors of these bits.
func (s *selection) zero() operand { return s.const32(0) }
func (s *selection) ones() operand { return s.const32(1<<32 - 1) }

// ordered makes a selector of an instruction with two sources.
func ordered(o encode.Op) partFunc {
	return func(s *selection, a []operand) operand { return s.new(o, a[0], a[1]) }
}

// commutative makes a selector of an instruction with two sources that may change places.
func commutative(o encode.Op) partFunc {
	return func(s *selection, a []operand) operand { return s.commuted(o, a[0], a[1]) }
}

// unary makes a selector of an instruction with one source.
func unary(o encode.Op) partFunc {
	return func(s *selection, a []operand) operand { return s.new(o, a[0]) }
}

// identity selects nothing: the result is the operand.
func identity(_ *selection, a []operand) operand { return a[0] }
