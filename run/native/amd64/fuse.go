package amd64

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// node is what a selector is called for: an operation, or a pattern of several.
type node struct {
	sel   *selector
	name  string
	args  [4]simt.ID
	count int
	imm   uint64
	def   simt.ID
	wide  bool // parts have elements of 64 bits
}

// Fusion is a set of patterns of several operations that one node does.
type Fusion uint32

// The patterns.
const (
	FuseLogic     Fusion = 1 << iota // any logic of three values: vpternlogd
	FuseMasked                       // a comparison that gives vectors, and what it masks: a masked move
	FuseBlend                        // a comparison that chooses between two values: a blend
	FuseProduct                      // the product of two small numbers, and a sum: vpmaddwd, vpdpwssd
	FuseMaskedAnd                    // the conjunction of a comparison and a predicate: a masked comparison
	FuseFunnel                       // two shifts of which one fills what the other leaves: vpshldd
	FuseLanes                        // the order of lanes of 64 bits that takes fewest instructions
	FuseAddress                      // the parts of an address, and the access
	FuseAffine                       // values that are a scalar and a constant for each lane
	FuseCopies                       // a value and the phi that has it in the next turn of a loop

	fusionsEnd
	// AllFusions are all patterns.
	AllFusions = fusionsEnd - 1
)

var fusionNames = [...]string{"logic", "masked", "blend", "product", "masked-and", "funnel", "lanes", "address", "affine", "copies"}

// String returns the names of the patterns, joined by commas.
func (f Fusion) String() string {
	var names []string
	for i, name := range fusionNames {
		if f>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// NotSelectedError says that there is no machine code for an operation.
type NotSelectedError struct {
	Level Level
	Name  string // of the operation
}

func (e *NotSelectedError) Error() string {
	return fmt.Sprintf("native: no %v code for the operation %s", e.Level, e.Name)
}

// fuser covers the operations of a block by nodes, from the last on. A pattern takes operations in
// whose results nobody else has an interest; they are not computed by themselves then.
type fuser struct {
	*compiler
	insts []simt.Inst
	uses  []int32
	by    []int32 // which instruction defines a value, plus 1
}

// pattern returns the node of an instruction and of others that it reads the results of.
type pattern struct {
	fusion Fusion
	levels []Level
	match  func(f *fuser, i *simt.Inst) (node, bool)
}

var patterns = []pattern{
	{FuseMasked, onlyAVX512, (*fuser).maskedMove},
	{FuseBlend, onlyAVX512, (*fuser).blend},
	{FuseFunnel, onlyAVX512, (*fuser).funnel},
	{FuseLogic, everyLevel, (*fuser).logic},
	{FuseProduct, everyLevel, (*fuser).product},
	{FuseMaskedAnd, onlyAVX512, (*fuser).maskedAnd},
}

// fuse makes the nodes of a block. results are the values that must be computed.
func (c *compiler) fuse(block *simt.Block, results []simt.ID) error {
	f := &fuser{compiler: c, insts: block.Insts, uses: make([]int32, len(c.Values)), by: make([]int32, len(c.Values))}
	for n := range f.insts {
		i := &f.insts[n]
		if i.Kind != simt.Compute {
			return fmt.Errorf("native: instruction %d of the block is no computation", n)
		}
		f.by[i.Defs[0]] = int32(n + 1)
		for _, a := range i.Args {
			f.uses[a]++
		}
	}
	needed := make([]bool, len(c.Values))
	for _, id := range results {
		f.uses[id]++
		needed[id] = true
	}
	var reversed []node
	for n := len(f.insts) - 1; n >= 0; n-- {
		i := &f.insts[n]
		if !needed[i.Defs[0]] {
			continue
		}
		fused, err := f.cover(i)
		if err != nil {
			return err
		}
		for _, a := range fused.args[:fused.count] {
			needed[a] = true
		}
		reversed = append(reversed, fused)
	}
	for n := len(reversed) - 1; n >= 0; n-- {
		c.nodes = append(c.nodes, reversed[n])
	}
	c.lastUse = make([]int32, len(c.Values))
	for n := range c.nodes {
		for _, a := range c.nodes[n].args[:c.nodes[n].count] {
			c.lastUse[a] = int32(n)
		}
	}
	for _, id := range results {
		c.lastUse[id] = int32(len(c.nodes))
	}
	return nil
}

// cover returns the node for an instruction.
func (f *fuser) cover(i *simt.Inst) (node, error) {
	for k := range patterns {
		p := &patterns[k]
		if f.o.Without&p.fusion != 0 || len(p.levels) == 1 && p.levels[0] != f.t.level {
			continue
		}
		if n, ok := p.match(f, i); ok {
			n.def = i.Defs[0]
			return n, nil
		}
	}
	s := selectorOf(f.t.level, i.Op)
	if s == nil {
		return node{}, &NotSelectedError{f.t.level, i.Op.String()}
	}
	n := node{sel: s, name: i.Op.String(), count: len(i.Args), def: i.Defs[0], wide: strings.Contains(i.Op.Shape(), "l")}
	copy(n.args[:], i.Args)
	return n, nil
}

// inst returns the instruction that defines a value, or nil.
func (f *fuser) inst(id simt.ID) *simt.Inst {
	if n := f.by[id]; n > 0 {
		return &f.insts[n-1]
	}
	return nil
}

// only returns the instruction that defines a value if nobody else is interested in the value, or
// nil.
func (f *fuser) only(id simt.ID) *simt.Inst {
	if f.uses[id] != 1 {
		return nil
	}
	return f.inst(id)
}

// fused returns a node of one of the selectors below.
func fused(name string, s *selector, imm uint64, args ...simt.ID) node {
	n := node{sel: s, name: name, imm: imm, count: len(args)}
	copy(n.args[:], args)
	return n
}

// opsOf returns the operations of some names, with a number for each.
func opsOf[T any](names map[string]T) map[op.Op]T {
	all := make(map[op.Op]T, len(names))
	for name, x := range names {
		all[op.Must(name)] = x
	}
	return all
}
