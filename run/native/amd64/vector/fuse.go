package vector

import (
	"fmt"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/logic"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Node is what a selector is called for: an operation, or a pattern of several.
type Node struct {
	sel   *selector
	Args  [4]simt.ID
	Count int
	imm   uint64
	def   simt.ID
	wide  bool // parts have elements of 64 bits
	free  bool // it does the same for any order of lanes
}

// NotSelectedError says that there is no machine code for an operation.
type NotSelectedError struct {
	Level amd64.Level
	Name  string // of the operation
}

func (e *NotSelectedError) Error() string {
	return fmt.Sprintf("native: no %v code for the operation %s", e.Level, e.Name)
}

// Fuser covers the operations of a block by nodes, from the last on. A pattern takes operations in
// whose results nobody else has an interest; they are not computed by themselves then.
type Fuser struct {
	*Compiler
	Insts []simt.Inst
	Uses  []int32
	By    []int32 // which instruction defines a value, plus 1

	patterns [][]*pattern // by operation
}

// NewFuser returns a Fuser that knows of no instructions and uses.
func (c *Compiler) NewFuser() *Fuser {
	return &Fuser{Compiler: c, Uses: make([]int32, len(c.Values)), By: make([]int32, len(c.Values)), patterns: patternsOf()[c.Target.Level]}
}

// pattern returns the node of an instruction, whose operation is one of some, and of others that it reads the results of.
type pattern struct {
	fusion amd64.Fusion
	levels []amd64.Level
	of     func(o op.Op) bool
	match  func(f *Fuser, i *simt.Inst) (Node, bool)
}

var patterns = []pattern{
	{amd64.FuseMasked, onlyAVX512, isAnd, (*Fuser).maskedMove},
	{amd64.FuseBlend, onlyAVX512, logic.Is, (*Fuser).blend},
	{amd64.FuseFunnel, onlyAVX512, isOr, (*Fuser).funnel},
	{amd64.FuseLogic, everyLevel, logic.Is, (*Fuser).logic},
	{amd64.FuseProduct, everyLevel, isProductOrSum, (*Fuser).product},
	{amd64.FuseMaskedAnd, onlyAVX512, isAndOfPredicates, (*Fuser).maskedAnd},
}

// patternsOf are the patterns by level and operation: of most there are none.
var patternsOf = sync.OnceValue(func() (all [amd64.NumLevels][][]*pattern) {
	for l := range all {
		all[l] = make([][]*pattern, op.All())
	}
	for k := range patterns {
		p := &patterns[k]
		for _, l := range p.levels {
			for o := range op.Op(op.All()) {
				if p.of(o) {
					all[l][o] = append(all[l][o], p)
				}
			}
		}
	}
	return all
})

// Fuse makes the nodes of a block. results are the values that must be computed.
func (c *Compiler) Fuse(block *simt.Block, results []simt.ID) error {
	f := c.NewFuser()
	f.Insts = block.Insts
	for n := range f.Insts {
		i := &f.Insts[n]
		if i.Kind != simt.Compute {
			return fmt.Errorf("native: instruction %d of the block is no computation", n)
		}
		f.By[i.Defs[0]] = int32(n + 1)
		for _, a := range i.Args {
			f.Uses[a]++
		}
	}
	needed := make([]bool, len(c.Values))
	for _, id := range results {
		f.Uses[id]++
		needed[id] = true
	}
	var reversed []Node
	for n := len(f.Insts) - 1; n >= 0; n-- {
		i := &f.Insts[n]
		if !needed[i.Defs[0]] {
			continue
		}
		fused, err := f.Cover(i)
		if err != nil {
			return err
		}
		for _, a := range fused.Args[:fused.Count] {
			needed[a] = true
		}
		reversed = append(reversed, fused)
	}
	for n := len(reversed) - 1; n >= 0; n-- {
		c.Nodes = append(c.Nodes, reversed[n])
	}
	c.LastUse = make([]int32, len(c.Values))
	for n := range c.Nodes {
		for _, a := range c.Nodes[n].Args[:c.Nodes[n].Count] {
			c.LastUse[a] = int32(n)
		}
	}
	for _, id := range results {
		c.LastUse[id] = int32(len(c.Nodes))
	}
	return nil
}

// Cover returns the node for an instruction.
func (f *Fuser) Cover(i *simt.Inst) (Node, error) {
	for _, p := range f.patterns[i.Op] {
		if f.Options.Without&p.fusion != 0 {
			continue
		}
		if n, ok := p.match(f, i); ok {
			n.def = i.Defs[0]
			return n, nil
		}
	}
	s := selectorOf(f.Target.Level, i.Op)
	if s == nil {
		return Node{}, &NotSelectedError{f.Target.Level, i.Op.String()}
	}
	n := Node{sel: s, Count: len(i.Args), def: i.Defs[0], wide: strings.Contains(i.Op.Shape(), "l"), free: orderFree()[i.Op]}
	copy(n.Args[:], i.Args)
	return n, nil
}

// Inst returns the instruction that defines a value, or nil.
func (f *Fuser) Inst(id simt.ID) *simt.Inst {
	if n := f.By[id]; n > 0 {
		return &f.Insts[n-1]
	}
	return nil
}

// Once reports whether nobody but one reads a value.
func (f *Fuser) Once(id simt.ID) bool { return f.Uses[id] == 1 }

// only returns the instruction that defines a value if nobody else is interested in the value, or
// nil.
func (f *Fuser) only(id simt.ID) *simt.Inst {
	if !f.Once(id) {
		return nil
	}
	return f.Inst(id)
}

// fused returns a node of one of the selectors below.
func fused(s *selector, imm uint64, args ...simt.ID) Node {
	n := Node{sel: s, imm: imm, Count: len(args)}
	copy(n.Args[:], args)
	return n
}

// opsOf returns by operation what stands for its name.
func opsOf[T any](names map[string]T) []T {
	all := make([]T, op.All())
	for name, x := range names {
		all[op.Must(name)] = x
	}
	return all
}
