package superblock

import (
	"strings"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// dependence is what a value depends on.
type dependence uint8

const (
	other   dependence = iota
	launch             // on nothing that differs between the threads of a launch
	inBlock            // linearly on where a thread is in its block
	inGrid             // linearly on where it is in the grid
)

// position tells what the values of a function depend on.
type position struct {
	*simt.Function
	of      []dependence // by ID
	defined []*simt.Inst // by ID: what computes it
}

// linear are the operations whose results are where a thread is if an operand is.
var linear = map[string]bool{"add": true, "sub": true, "mul": true, "mad": true, "shl": true, "shr": true, "or": true, "cvt": true, "widen": true, "mov": true}

// positionsOf looks at all values, in the order of blocks: what phis define may be anything.
func positionsOf(f *simt.Function) *position {
	p := &position{f, make([]dependence, len(f.Values)), make([]*simt.Inst, len(f.Values))}
	for v := range f.Values {
		switch value := &f.Values[v]; value.Kind {
		case simt.Const:
			p.of[v] = launch
		case simt.Special:
			p.of[v] = dependenceOf(value.Name)
		}
	}
	for b := range f.Blocks {
		for n := range f.Blocks[b].Insts {
			inst := &f.Blocks[b].Insts[n]
			for _, d := range inst.Defs {
				p.defined[d] = inst
			}
			switch {
			case inst.Kind == simt.Compute:
				p.of[inst.Defs[0]] = p.result(inst)
			case f.LoadsParameter(inst):
				for _, d := range inst.Defs {
					p.of[d] = launch
				}
			}
		}
	}
	return p
}

func dependenceOf(special string) dependence {
	switch name, _, _ := strings.Cut(special, "."); name {
	case "%ntid", "%nctaid":
		return launch
	case "%tid", "%laneid", "%warpid":
		return inBlock
	case "%ctaid":
		return inGrid
	}
	return other
}

// result is what an operation's result depends on.
func (p *position) result(i *simt.Inst) (all dependence) {
	all = launch
	for _, a := range i.Args {
		if p.of[a] == other {
			return other
		}
		all = max(all, p.of[a])
	}
	if name, _, _ := strings.Cut(i.Op.String(), "."); all > launch && !linear[name] {
		return other
	}
	return all
}

// leaf is a comparison of where a thread is with a limit, as it usually turns out.
type leaf struct {
	where, limit simt.ID
	relation     string // of where to limit, as it usually holds: le, lt, ge or gt
	typ          string // s32 or u32
	at           int32  // as simt.Inst.At
}

// mirrored are the relations with their sides exchanged, and opposite those that hold where they do not.
var (
	mirrored = map[string]string{"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
	opposite = map[string]string{"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
)

var (
	both   = op.Must("and.pred")
	either = op.Must("or.pred")
)

// usual returns whether a predicate usually holds, and the comparisons that this rests on. ok is false if nothing is known of
// it.
func (p *position) usual(id simt.ID) (leaves []leaf, holds, ok bool) {
	i := p.defined[id]
	if i == nil || i.Kind != simt.Compute {
		return nil, false, false
	}
	if i.Op != both && i.Op != either {
		l, holds, ok := p.leafOf(i)
		return []leaf{l}, holds, ok
	}
	first, one, ok := p.usual(i.Args[0])
	if !ok {
		return nil, false, false
	}
	second, two, ok := p.usual(i.Args[1])
	if !ok || len(first)+len(second) > maxBlocks {
		return nil, false, false
	}
	if i.Op == both {
		holds = one && two
	} else {
		holds = one || two
	}
	return append(first, second...), holds, true
}

// low is up to where a constant limit is taken for the lower border of the grid, or near to it. Others are the upper one.
const low = 8

// leafOf returns the comparison that an instruction is, and whether it usually holds: most threads are beyond a low constant, and
// before what the launch says.
func (p *position) leafOf(i *simt.Inst) (l leaf, holds, ok bool) {
	name := strings.Split(i.Op.String(), ".")
	if len(name) != 3 || name[0] != "setp" || name[2] != "s32" && name[2] != "u32" || mirrored[name[1]] == "" {
		return leaf{}, false, false
	}
	l = leaf{i.Args[0], i.Args[1], name[1], name[2], i.At}
	if p.of[l.limit] == inGrid {
		l.where, l.limit, l.relation = l.limit, l.where, mirrored[l.relation]
	}
	if p.of[l.where] != inGrid || p.of[l.limit] != launch {
		return leaf{}, false, false
	}
	bits, constant := p.ConstOf(l.limit)
	below := l.relation == "lt" || l.relation == "le"
	holds = below == !(constant && int32(bits) <= low)
	if !holds {
		l.relation = opposite[l.relation]
	}
	return l, holds, true
}
