package simt

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// Uniform tells for each value whether all lanes that have it have the same; same tells of which special values that
// is known besides, and may be nil. A lane has a value if it has
// executed what defines it, in the same turn of the loops around.
//
// It rests on the order of blocks: lanes that come to a block at all, in a turn of the loop around it, come
// together. So what a block computes from uniform values is uniform, and so is a phi of a loop's
// header: all lanes in the loop are in the same turn. Behind a branch that lanes of a warp may part at,
// the phis of a block where they meet differ, and those behind a loop that they leave in different turns.
func (f *Function) Uniform(same func(name string) bool) []bool {
	u := uniformity{Function: f, uniform: make([]bool, len(f.Values)), idom: f.Dominators()}
	for v := range f.Values {
		value := &f.Values[v]
		u.uniform[v] = value.Kind != Special || uniformSpecial(value.Name) || same != nil && same(value.Name)
	}
	for again := true; again; {
		u.countParting()
		again = u.pass()
	}
	return u.uniform
}

// uniformSpecial reports whether a special value is the same in all lanes.
func uniformSpecial(name string) bool {
	switch {
	case name == LocalBase:
		return true
	case strings.HasPrefix(name, "%tid"), strings.HasPrefix(name, "%lane"):
		return false
	}
	_, ok := specials[name]
	return ok
}

// uniformity is the state of the analysis. Values that are uniform as far as is known become fewer, until
// nothing changes.
type uniformity struct {
	*Function
	uniform []bool
	idom    []BlockID
	parting []int32 // how many blocks before each end with a branch that lanes part at
}

func (u *uniformity) countParting() {
	u.parting = append(u.parting[:0], 0)
	for b := range u.Blocks {
		n := u.parting[b]
		if u.parts(BlockID(b)) {
			n++
		}
		u.parting = append(u.parting, n)
	}
}

// parts reports whether lanes may part at the end of a block.
func (u *uniformity) parts(b BlockID) bool {
	end := &u.Blocks[b].End
	return (end.Kind == Branch || end.Kind == Switch) && !u.uniform[end.Cond]
}

// Together tells for each block whether all lanes that come to it, but by the end of its loop, come by the same edge
// at the same time: then its phis are the same in all lanes if all that they are written from is. uniform is what
// [Function.Uniform] returns.
func (f *Function) Together(uniform []bool) []bool {
	u := uniformity{Function: f, uniform: uniform, idom: f.Dominators()}
	u.countParting()
	all := make([]bool, len(f.Blocks))
	for b := range all {
		all[b] = u.together(BlockID(b))
	}
	return all
}

// together reports whether all lanes that come to a block, but by the end of its loop, come by the same edge at the same
// time.
func (u *uniformity) together(b BlockID) bool {
	first := b
	if d := u.idom[b]; d != NoBlock {
		first = d
	}
	for _, p := range u.Blocks[b].Preds {
		if p >= b {
			continue
		}
		for l := u.Blocks[p].Loop; l != NoBlock && !u.InLoop(b, l); l = u.Outer(l) {
			first = min(first, l)
		}
	}
	return u.parting[b] == u.parting[first]
}

// pass looks at all values once, and reports whether one has turned out to differ.
func (u *uniformity) pass() (changed bool) {
	differ := func(v ID) {
		if v != 0 && u.uniform[v] {
			u.uniform[v] = false
			changed = true
		}
	}
	same := func(args []ID) bool {
		return !slices.ContainsFunc(args, func(a ID) bool { return a != 0 && !u.uniform[a] })
	}
	for b := range u.Blocks {
		block := &u.Blocks[b]
		if len(block.Phis) > 0 {
			together := u.together(BlockID(b))
			for i := range block.Phis {
				if phi := &block.Phis[i]; !together || !same(phi.Args) {
					differ(phi.Def)
				}
			}
		}
		for i := range block.Insts {
			inst := &block.Insts[i]
			if inst.Kind == Compute && same(inst.Args) || inst.Kind == Load && u.loadsOne(inst) {
				continue
			}
			for _, d := range inst.Defs {
				differ(d)
			}
		}
		for _, d := range block.End.Defs {
			differ(d)
		}
	}
	return changed
}

// loadsOne reports whether a load reads the same memory for all lanes. Executors read it once: others may write there
// meanwhile. A generic address may be one of local memory, which is not the same for all.
func (u *uniformity) loadsOne(i *Inst) bool {
	switch i.Aux.(*Access).Space {
	case check.Global, check.Shared, check.Const, check.Param:
		return i.Guard == 0 && u.uniform[i.Args[0]]
	}
	return false
}
