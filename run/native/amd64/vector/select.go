package vector

import (
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// selector says how the instructions of an operation are chosen. One of its functions is set.
type selector struct {
	// part emits the operation for one vector, and returns the result. If one of the types is of 64
	// bits, the vectors have elements of 64 bits; 32-bit operands are extended by zeros, and of a
	// 32-bit result the low half of each element counts.
	part func(s *Selection, a []machine.Operand) machine.Operand
	// group emits the operation for a group: for operations whose parts are not alike.
	group func(s *Selection)
}

// partFunc is how most selectors are written.
type partFunc = func(s *Selection, a []machine.Operand) machine.Operand

// table holds the selectors of some families by level and operation, nil if there is none.
type table [amd64.NumLevels][]*selector

// The tables are filled when code is first compiled: that of the families that arrays of video
// instructions need, and that of the others when something asks for them, so that the first array
// does not wait for all.
var (
	arrayTable, otherTable table

	fillArrayTable = sync.OnceFunc(func() {
		fill(&arrayTable, defineInteger, defineWide, defineLogic, defineShift, definePacked, defineCompare, definePermute, defineDot)
	})
	fillOtherTable = sync.OnceFunc(func() {
		fill(&otherTable, defineBits, defineDivide, defineConvert, defineFloat, defineFloatConvert, defineHalf, defineApproximate, defineAVX2, defineAVX2Float, defineAVX2Wide, defineAVX2Divide, defineBrain, defineTF32, defineFormats, defineAVX2Approximate, defineAVX2Directed)
	})
	filling *table
)

func fill(t *table, families ...func()) {
	filling = t
	for l := range t {
		t[l] = make([]*selector, op.All())
	}
	for _, f := range families {
		f()
	}
}

// selectorOf returns the selector of an operation, or nil.
func selectorOf(l amd64.Level, o op.Op) *selector {
	fillArrayTable()
	if s := arrayTable[l][o]; s != nil {
		return s
	}
	fillOtherTable()
	return otherTable[l][o]
}

// define enters a selector for some levels.
func define(levels []amd64.Level, name string, s selector) {
	o := op.Must(name)
	for _, l := range levels {
		if filling[l][o] != nil {
			panic(fmt.Sprintf("amd64: %v has two selectors for %s", l, name))
		}
		filling[l][o] = &s
	}
}

var (
	everyLevel = []amd64.Level{amd64.AVX2, amd64.AVX512}
	onlyAVX2   = []amd64.Level{amd64.AVX2}
	onlyAVX512 = []amd64.Level{amd64.AVX512}
)

// both, with512 and with2 enter a selector of parts for both levels or one.
//
//go:noinline
func both(name string, f partFunc) { define(everyLevel, name, selector{part: f}) }

//go:noinline
func with512(name string, f partFunc) { define(onlyAVX512, name, selector{part: f}) }

//go:noinline
func with2(name string, f partFunc) { define(onlyAVX2, name, selector{part: f}) }

// group512 enters a selector of groups.
func group512(name string, f func(s *Selection))  { define(onlyAVX512, name, selector{group: f}) }
func groupBoth(name string, f func(s *Selection)) { define(everyLevel, name, selector{group: f}) }

// Selected reports whether code can be made for an operation.
func Selected(l amd64.Level, o op.Op) bool {
	return selectorOf(l, o) != nil
}

// Value is what a group has of a value: a vector or mask, or two vectors of 64-bit elements.
type Value struct{ Parts [2]machine.Operand }

// Selection is the state of selecting one node for one group.
type Selection struct {
	*Compiler
	emit.Emitter
	Node       *Node
	nodeNumber int
	Vectors    []Value
	half       int             // of a group of 64-bit elements: which one
	under      machine.Operand // the mask that comparisons are done under, if there is one
	// Halves are elements of 32 bits extended to 64, or the two parts of a mask, of values that something has asked for.
	Halves map[simt.ID][2]machine.Operand
	// Cached are the values that something has been made of for one block of a kernel.
	Cached []simt.ID
	// Bring, of a kernel, brings values into vectors that are elsewhere.
	Bring func(id simt.ID)
}

// NewSelection returns the state for a group of lanes. vectors are what it has of values, by ID.
func NewSelection(c *Compiler, vectors []Value) *Selection {
	return &Selection{Compiler: c, Emitter: emit.New(c.Builder), Vectors: vectors}
}

// Apart says that what is emitted from here on is of no node.
func (s *Selection) Apart() {
	s.Node = &Node{}
	s.Begin(0)
}

// Run emits a node.
func (s *Selection) Run(number int) error {
	n := &s.Nodes[number]
	s.Node, s.nodeNumber, s.half = n, number, 0
	s.Begin(n.Count)
	if n.sel.group != nil {
		n.sel.group(s)
		return nil
	}
	if !n.wide {
		for k, id := range n.Args[:n.Count] {
			s.Operand(k, s.Value(id).Parts[0], s.LastUse[id] == int32(number))
		}
		s.give(n.sel.part(s, s.Operands()))
		return nil
	}
	var results [2]machine.Operand
	for h := range results {
		s.half = h
		for k, id := range n.Args[:n.Count] {
			s.Operand(k, s.HalfOf(id, h), s.Values[id].Type == simt.B64 && s.LastUse[id] == int32(number))
		}
		results[h] = n.sel.part(s, s.Operands())
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
func (s *Selection) give(x machine.Operand) { s.Vectors[s.Node.def].Parts[0] = x }

// giveWide sets the result of the node, of 64-bit elements. In kernels the two have registers of their own: what comes
// from elsewhere is not the same in lanes that are not at work.
func (s *Selection) giveWide(x [2]machine.Operand) {
	if s.Bring != nil && x[0] == x[1] && !s.IsKnown(x[0]) {
		x[1] = s.Put(machine.Vector, machine.Instr{Op: s.Target.Move, Move: true}, []machine.Operand{x[1]})
	}
	s.Vectors[s.Node.def].Parts = x
}

// Value returns what a group has of a value. Constants come into being here.
func (s *Selection) Value(id simt.ID) *Value {
	v := &s.Vectors[id]
	if v.Parts[0].None() {
		bits, ok := s.ConstOf(id)
		switch known := &s.Values[id]; {
		case !ok && s.Bring != nil:
			s.Bring(id)
		case !ok:
			panic("amd64: a value is used before it is computed")
		case known.Type == simt.B64:
			v.Parts = [2]machine.Operand{s.Const64(bits), s.Const64(bits)}
		case known.Type == simt.B32:
			v.Parts[0] = s.Const32(uint32(bits))
		default:
			return &Value{Parts: [2]machine.Operand{s.ConstMask(bits&1 != 0)}}
		}
	}
	return v
}

// wide returns both parts of a value of 64 bits.
func (s *Selection) wide(id simt.ID) [2]machine.Operand { return s.Value(id).Parts }

// HalfOf returns half h of a value in elements of 64 bits.
func (s *Selection) HalfOf(id simt.ID, h int) machine.Operand {
	v := s.Value(id)
	if s.Values[id].Type == simt.B64 {
		return v.Parts[h]
	}
	if bits, ok := s.ConstOf(id); ok && s.Values[id].Type == simt.B32 {
		return s.Const64(bits)
	}
	halves, ok := s.Halves[id]
	if !ok {
		s.Cached = append(s.Cached, id)
		if s.Values[id].Type == simt.Pred {
			halves = s.splitMask(v.Parts[0])
		} else {
			halves = s.Widen(v.Parts[0])
		}
		if s.Halves == nil {
			s.Halves = map[simt.ID][2]machine.Operand{}
		}
		s.Halves[id] = halves
	}
	return halves[h]
}

// arg returns the single vector or mask of argument k, for selectors of groups.
func (s *Selection) arg(k int) machine.Operand { return s.Value(s.Node.Args[k]).Parts[0] }

// ordered makes a selector of an instruction with two sources.
func ordered(o encode.Op) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand { return s.New(o, a[0], a[1]) }
}

// commutative makes a selector of an instruction with two sources that may change places.
func commutative(o encode.Op) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand { return s.Commuted(o, a[0], a[1]) }
}

// unary makes a selector of an instruction with one source.
func unary(o encode.Op) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand { return s.New(o, a[0]) }
}

// identity selects nothing: the result is the operand.
func identity(_ *Selection, a []machine.Operand) machine.Operand { return a[0] }
