package vector

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Can reports whether there is code for an operation with its operands: some have it only where an operand is a constant.
func (c *Compiler) Can(i *simt.Inst) bool {
	s := table()[i.Op.String()]
	if s == nil {
		return false
	}
	if c.try == nil {
		c.try = c.NewSelection()
		c.try.Bring = func(simt.ID) Value { return Value{c.From(machine.Place{}), c.From(machine.Place{})} }
	}
	c.Fresh()
	c.Begin(&machine.Piece{})
	s(c.try, i.Args)
	ok := c.try.failed == nil
	c.try.failed = nil
	for _, a := range i.Args {
		c.try.Vectors[a] = Value{}
	}
	return ok
}

// FuseRun covers those operations of a run by nodes whose results are wanted, or needed for one that is. in says which
// of the instructions are of the run; uses are how often values are used in the function.
func (c *Compiler) FuseRun(insts []simt.Inst, in, wanted func(i *simt.Inst) bool, uses []int32) ([]Node, error) {
	f := &fuser{Compiler: c, uses: uses, by: make(map[simt.ID]*simt.Inst)}
	needed := map[simt.ID]bool{}
	for n := range insts {
		if i := &insts[n]; in(i) {
			f.by[i.Defs[0]] = i
			needed[i.Defs[0]] = wanted(i)
		}
	}
	var nodes []Node
	for n := len(insts) - 1; n >= 0; n-- {
		i := &insts[n]
		if !in(i) || !needed[i.Defs[0]] {
			continue
		}
		node, err := f.cover(i)
		if err != nil {
			return nil, err
		}
		for _, a := range node.args {
			needed[a] = true
		}
		nodes = append(nodes, node)
	}
	slices.Reverse(nodes)
	return nodes, nil
}
