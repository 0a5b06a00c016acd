package vector

import (
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Value is what a group has of a value: a vector, or two of 64-bit lanes, the lower lanes first.
type Value [2]machine.Register

// selector emits the instructions of an operation.
type selector func(s *Selection, a []simt.ID) Value

// table are the selectors by operation.
var table = sync.OnceValue(func() map[string]selector {
	all := map[string]selector{}
	for _, family := range []map[string]selector{
		integers, packed, logic, shifts, comparisons, sums, permutations, wides,
		smalls, moves, predicates, orders, floats, doubles, bitCounts, fields, divisions,
		conversions, halves, brains, smallFormats, approximations, tests, products, carries, saturations, manyBits,
	} {
		for name, s := range family {
			if _, ok := op.Find(name); !ok {
				panic("arm64: there is no operation " + name)
			}
			if all[name] != nil {
				panic("arm64: two selectors for " + name)
			}
			all[name] = s
		}
	}
	return all
})

// Selected reports whether code can be made for an operation.
func Selected(o op.Op) bool { return table()[o.String()] != nil }

// NotSelectedError says that there is no machine code for an operation.
type NotSelectedError struct{ Name string }

func (e *NotSelectedError) Error() string {
	return fmt.Sprintf("native: no neon code for the operation %s", e.Name)
}

// Compiler makes code of a block.
type Compiler struct {
	*machine.Builder
	*simt.Function
	Nodes []Node

	defined []*simt.Inst // by value: the operation that computes it
	try     *Selection   // for [Compiler.Can]
}

// Node is an operation, or a pattern of several that become one.
type Node struct {
	sel  selector
	args []simt.ID
	def  simt.ID
}

// Def returns the value that the node computes.
func (n *Node) Def() simt.ID { return n.def }

// Args returns the values that it reads.
func (n *Node) Args() []simt.ID { return n.args }

// NewCompiler returns a compiler for a function.
func NewCompiler(f *simt.Function, o arm64.Options) *Compiler {
	c := &Compiler{Builder: machine.NewBuilder(o), Function: f, defined: make([]*simt.Inst, len(f.Values))}
	for b := range f.Blocks {
		insts := f.Blocks[b].Insts
		for n := range insts {
			if insts[n].Kind == simt.Compute {
				c.defined[insts[n].Defs[0]] = &insts[n]
			}
		}
	}
	return c
}

// Needs reports whether a node or a result reads a value.
func (c *Compiler) Needs(id simt.ID, results []simt.ID) bool {
	for _, r := range results {
		if r == id {
			return true
		}
	}
	for n := range c.Nodes {
		for _, a := range c.Nodes[n].args {
			if a == id {
				return true
			}
		}
	}
	return false
}

// Selection is the state of selecting code for one group.
type Selection struct {
	*Compiler
	Vectors []Value // by value of the function
	// Bring gives a value vectors that no node of the piece has computed; nil if there are none.
	Bring  func(id simt.ID) Value
	failed error
}

// NewSelection returns the state for a group.
func (c *Compiler) NewSelection() *Selection {
	return &Selection{Compiler: c, Vectors: make([]Value, len(c.Values))}
}

// Run emits a node.
func (s *Selection) Run(number int) error {
	n := &s.Nodes[number]
	s.Vectors[n.def] = n.sel(s, n.args)
	return s.failed
}

// fail notes that an operation is not selected with these operands.
func (s *Selection) fail(what string) Value {
	if s.failed == nil {
		s.failed = &NotSelectedError{what}
	}
	return Value{s.Const32(0), s.Const32(0)}
}

// V returns the vector of a value of 32 bits, or of a predicate.
func (s *Selection) V(id simt.ID) machine.Register { return s.Both(id)[0] }

// Both returns both vectors of a value of 64 bits.
func (s *Selection) Both(id simt.ID) Value {
	if v := s.Vectors[id]; v[0] != 0 {
		return v
	}
	bits, ok := s.ConstOf(id)
	if !ok && s.Bring != nil {
		s.Vectors[id] = s.Bring(id)
		return s.Vectors[id]
	}
	if !ok {
		panic("arm64: a value is used before it is computed")
	}
	switch s.Values[id].Type {
	case simt.B64:
		x := s.Const64(bits)
		return Value{x, x}
	case simt.Pred:
		return Value{s.Const32(-uint32(bits & 1))}
	}
	return Value{s.Const32(uint32(bits))}
}

// one is the value of 32 bits that a vector is.
func one(x machine.Register) Value { return Value{x} }

// plain makes a selector of an instruction with as many sources as the operation has operands.
func plain(o encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		if len(a) == 1 {
			return one(s.New(o, s.V(a[0])))
		}
		return one(s.New(o, s.V(a[0]), s.V(a[1])))
	}
}
