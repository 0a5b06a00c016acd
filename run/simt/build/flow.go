package build

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
)

// flow is the control flow of a function before it has values. [flow.arrange] brings it into the order
// of blocks that code for warps has (see package simt), whatever jumps the text is made of: each loop
// gets one latch, and one that the text enters at several places a header that switches to them.
type flow struct {
	blocks    []flowBlock
	selectors int  // variables that headers switch on
	tooDeep   bool // loops are nested more than maxNesting deep; the order is not one
}

// maxNesting is how deep loops may be nested. To take them apart, the blocks of the innermost are looked at as
// often, and what is alive through them has a value for each.
const maxNesting = 256

// flowBlock is a block before it has values.
type flowBlock struct {
	from, to int // its instructions: indices in check.Function.Body
	end      simt.EndKind
	endAt    int // the instruction that ends it, or -1
	succs    []int
	// sets are what the block, made for an edge into a loop of several entries, writes to selectors.
	sets []selectorValue
	// selector is, of a header made for such a loop, the one it switches on; else -1.
	selector int
	// loop is the header of the innermost loop around the block, itself if it is one; or -1.
	loop int
}

// selectorValue is a number written to a selector.
type selectorValue struct{ selector, value int }

// jumpTo makes a block without instructions that leads to another.
func (f *flow) jumpTo(to int) int {
	f.blocks = append(f.blocks, flowBlock{end: simt.Jump, endAt: -1, succs: []int{to}, selector: -1, loop: -1})
	return len(f.blocks) - 1
}

// arrange returns the blocks that can be reached from the first, in the order described at [flow].
func (f *flow) arrange() (order []int) {
	if f.isTarget(0) {
		f.blocks = append(f.blocks, f.blocks[0])
		for i := range f.blocks {
			for k, s := range f.blocks[i].succs {
				if s == 0 {
					f.blocks[i].succs[k] = len(f.blocks) - 1
				}
			}
		}
		f.blocks[0] = flowBlock{end: simt.Jump, endAt: -1, succs: []int{len(f.blocks) - 1}, selector: -1, loop: -1}
	}
	a := arranger{flow: f}
	a.region(a.reached(), -1)
	return a.order
}

// isTarget reports whether a block leads to b.
func (f *flow) isTarget(b int) bool {
	return slices.ContainsFunc(f.blocks, func(other flowBlock) bool { return slices.Contains(other.succs, b) })
}

// arranger arranges a flow: it takes strongly connected components apart, each of which is a loop,
// as in Steensgaard, "Sequentializing Program Dependence Graphs for Irreducible Programs" (1993).
type arranger struct {
	*flow
	order []int
	nodes []arrangerNode // by block
	count int32          // regions so far
	depth int            // of loops
}

type arrangerNode struct {
	preds  []int
	region int32 // the innermost loop that is known of, by number; 0 is the function
	// Of Tarjan's algorithm: the number in the order of visits, 0 before; the least number reached; whether
	// the component is open.
	index, low int32
	open       bool
}

// reached returns the blocks that can be reached from the first, and notes what leads to each.
func (a *arranger) reached() (all []int) {
	a.nodes = make([]arrangerNode, len(a.blocks))
	seen := make([]bool, len(a.blocks))
	seen[0] = true
	all = append(all, 0)
	for i := 0; i < len(all); i++ {
		for _, s := range a.blocks[all[i]].succs {
			a.nodes[s].preds = append(a.nodes[s].preds, all[i])
			if !seen[s] {
				seen[s] = true
				all = append(all, s)
			}
		}
	}
	return all
}

// add makes a block that leads to another, in a region.
func (a *arranger) add(to int, region int32) int {
	b := a.jumpTo(to)
	a.nodes = append(a.nodes, arrangerNode{region: region})
	a.nodes[to].preds = append(a.nodes[to].preds, b)
	return b
}

// redirect lets a block lead to another one than before.
func (a *arranger) redirect(b, from, to int) {
	for k, s := range a.blocks[b].succs {
		if s == from {
			a.blocks[b].succs[k] = to
			a.nodes[to].preds = append(a.nodes[to].preds, b)
		}
	}
	a.nodes[from].preds = slices.DeleteFunc(a.nodes[from].preds, func(p int) bool { return p == b })
}

// region appends blocks to the order: those of a loop with the given header, or all, if it is -1.
func (a *arranger) region(blocks []int, header int) {
	for _, component := range a.components(blocks, header) {
		if b := component[0]; len(component) == 1 && (b == header || !slices.Contains(a.blocks[b].succs, b)) {
			a.order = append(a.order, b)
			continue
		}
		a.loop(component, header)
	}
}

// loop appends the blocks of a loop, inside of the loop of another header, if that is not -1.
func (a *arranger) loop(blocks []int, around int) {
	if a.depth == maxNesting {
		a.tooDeep = true
		return
	}
	a.depth++
	defer func() { a.depth-- }()
	a.count++
	outer, region := a.nodes[blocks[0]].region, a.count
	for _, b := range blocks {
		a.nodes[b].region = region
	}
	inside := func(b int) bool { return a.nodes[b].region == region }
	var entries []int
	for _, b := range blocks {
		if slices.ContainsFunc(a.nodes[b].preds, func(p int) bool { return !inside(p) }) {
			entries = append(entries, b)
		}
	}
	slices.Sort(entries)
	header := entries[0]
	if len(entries) > 1 {
		before := len(a.order)
		header = a.dispatch(entries, &blocks, inside)
		for _, b := range a.order[before:] {
			a.nodes[b].region, a.blocks[b].loop = outer, around
		}
	}
	blocks = a.latch(header, blocks, inside)
	for _, b := range blocks {
		a.blocks[b].loop = header
	}
	a.region(blocks, header)
}

// dispatch gives a loop of several entries a header that leads to them, and returns it. What led to an
// entry leads there by a block that says to which.
func (a *arranger) dispatch(entries []int, blocks *[]int, inside func(int) bool) (header int) {
	region := a.nodes[entries[0]].region
	a.blocks = append(a.blocks, flowBlock{end: simt.Switch, endAt: -1, succs: entries, selector: a.selectors, loop: -1})
	header = len(a.blocks) - 1
	a.nodes = append(a.nodes, arrangerNode{region: region})
	a.selectors++
	for value, entry := range entries {
		preds := slices.Compact(slices.Sorted(slices.Values(a.nodes[entry].preds)))
		for _, p := range preds {
			in := inside(p)
			by := a.add(header, 0)
			a.blocks[by].sets = []selectorValue{{a.blocks[header].selector, value}}
			a.redirect(p, entry, by)
			if in {
				a.nodes[by].region = region
				*blocks = append(*blocks, by)
				continue
			}
			a.order = append(a.order, by) // behind p, which stands in a component before
		}
	}
	for _, entry := range entries {
		a.nodes[entry].preds = append(a.nodes[entry].preds, header)
	}
	*blocks = append([]int{header}, *blocks...)
	return header
}

// latch sees to it that one block leads back to the header, and nowhere else.
func (a *arranger) latch(header int, blocks []int, inside func(int) bool) []int {
	var back []int
	for _, p := range a.nodes[header].preds {
		if inside(p) {
			back = append(back, p)
		}
	}
	if len(back) == 1 && back[0] != header && len(a.blocks[back[0]].succs) == 1 {
		return blocks
	}
	latch := a.add(header, a.nodes[header].region)
	slices.Sort(back)
	for _, p := range slices.Compact(back) {
		a.redirect(p, header, latch)
	}
	return append(blocks, latch)
}

// components returns the strongly connected components of some blocks of one region, each before
// those that it leads to, after Tarjan (1972). Edges to the header do not count.
func (a *arranger) components(blocks []int, header int) (all [][]int) {
	region := a.nodes[blocks[0]].region
	for _, b := range blocks {
		a.nodes[b].index = 0
	}
	var open []int
	type visit struct{ block, edge int }
	var visits []visit
	count := int32(0)
	enter := func(b int) {
		count++
		a.nodes[b].index, a.nodes[b].low, a.nodes[b].open = count, count, true
		open = append(open, b)
		visits = append(visits, visit{b, 0})
	}
	if header >= 0 {
		enter(header)
	} else {
		enter(blocks[0])
	}
	for len(visits) > 0 {
		top := &visits[len(visits)-1]
		n := &a.nodes[top.block]
		if succs := a.blocks[top.block].succs; top.edge < len(succs) {
			to := succs[top.edge]
			top.edge++
			switch other := &a.nodes[to]; {
			case other.region != region || to == header:
			case other.index == 0:
				enter(to)
			case other.open:
				n.low = min(n.low, other.index)
			}
			continue
		}
		b := top.block
		visits = visits[:len(visits)-1]
		if len(visits) > 0 {
			above := &a.nodes[visits[len(visits)-1].block]
			above.low = min(above.low, n.low)
		}
		if n.low == n.index {
			at := len(open) - 1
			for open[at] != b { // a component is looked for where it ends, so that all of them take time as they are large
				at--
			}
			component := slices.Clone(open[at:])
			open = open[:at]
			for _, c := range component {
				a.nodes[c].open = false
			}
			all = append(all, component)
		}
	}
	slices.Reverse(all)
	return all
}
