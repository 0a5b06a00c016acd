package simt

import "slices"

// WarpSize is the number of lanes of a warp.
const WarpSize = 32

// Homes says where the values of a function are in the frame of an activation: 128 bytes for a
// value of 32 bits, 256 for one of 64, 8 for a predicate, of which the first 4 count. Constants and
// special values have homes of their own, which nothing else writes; other values share them where
// no lane needs both.
//
// A value's interval in the order of blocks begins where it is defined and ends with its last use, or
// with the loops around that use that it is defined outside of. Phis are written on the edges that lead
// to their block, all at once. What a loop defines and is used behind it has the whole loop. So a home
// holds one value from its first definition to its last use, at every place between: lanes that wait
// further on keep theirs, even if others write whole homes and not only their own lanes.
type Homes struct {
	Offset []int32 // by ID, in bytes; multiples of 64 but for predicates, of 8. -1 of values without one
	Size   int     // of a frame: a multiple of 64
}

// sizes of homes by type.
var homeSize = [...]int32{Pred: 8, B32: 4 * WarpSize, B64: 8 * WarpSize}

// interval is where a value is alive: positions in the order of blocks.
type interval struct {
	value      ID
	start, end int32
}

// NewHomes lays out the frame of a function. also returns what is to be kept for an instruction besides its operands;
// it may be nil.
func NewHomes(f *Function, also func(i *Inst) []ID) *Homes {
	h := &Homes{Offset: make([]int32, len(f.Values))}
	for v := range h.Offset {
		h.Offset[v] = -1
	}
	next := int32(0)
	var small int32 // where the next predicate goes, in a line of 64 bytes that has room
	take := func(t Type) int32 {
		if t == Pred {
			if small%64 == 0 {
				small = next
				next += 64
			}
			small += homeSize[Pred]
			return small - homeSize[Pred]
		}
		next += homeSize[t]
		return next - homeSize[t]
	}
	for v := 1; v < len(f.Values); v++ {
		if kind := f.Values[v].Kind; kind == Const || kind == Special {
			h.Offset[v] = take(f.Values[v].Type)
		}
	}
	var free [len(homeSize)][]int32
	all, positions := intervals(f, also)
	ends := newLists(positions, len(f.Values))
	for _, i := range slices.Backward(all) {
		ends.add(i.end, i.value)
	}
	now := int32(0) // the homes of values that have ended before are free
	for _, i := range all {
		for ; now < i.start; now++ {
			for v := ends.first[now]; v != 0; v = ends.next[v] {
				t := f.Values[v].Type
				free[t] = append(free[t], h.Offset[v])
			}
		}
		t := f.Values[i.value].Type
		if n := len(free[t]); n > 0 {
			h.Offset[i.value] = free[t][n-1]
			free[t] = free[t][:n-1]
		} else {
			h.Offset[i.value] = take(t)
		}
	}
	h.Size = int(next+63) &^ 63
	return h
}

// lists are values by position: the first of each, and by value the next one.
type lists struct{ first, next []ID }

func newLists(positions, values int) lists {
	return lists{make([]ID, positions), make([]ID, values)}
}

// add puts a value before the others of a position.
func (l lists) add(at int32, v ID) { l.first[at], l.next[v] = v, l.first[at] }

// intervals returns where values are alive, by start, and how many positions there are. Each instruction has two: where it reads
// and where it writes.
func intervals(f *Function, also func(i *Inst) []ID) (all []interval, positions int) {
	start := make([]int32, len(f.Values))
	end := make([]int32, len(f.Values))
	blockStart := make([]int32, len(f.Blocks)+1)
	position := int32(1)
	for b := range f.Blocks {
		blockStart[b] = position
		position += 2*int32(len(f.Blocks[b].Insts)) + 4
	}
	blockStart[len(f.Blocks)] = position
	loopEnd := loopEnds(f, blockStart)
	define := func(v ID, at int32) {
		if v != 0 {
			start[v], end[v] = at, max(end[v], at)
		}
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		at := blockStart[b]
		for _, phi := range block.Phis {
			written := at // a phi is written at the ends of the blocks that lead here
			for _, p := range block.Preds {
				written = min(written, blockStart[p+1]-1)
			}
			define(phi.Def, written)
		}
		for i := range block.Insts {
			at += 2
			written := at
			if block.Insts[i].Kind == Compute { // which has read all of its operands before it writes
				written++
			}
			for _, d := range block.Insts[i].Defs {
				define(d, written)
			}
		}
		for _, d := range block.End.Defs {
			define(d, at+2)
		}
	}
	use := func(v ID, b BlockID, at int32) {
		if v == 0 || start[v] == 0 {
			return
		}
		for l := f.Blocks[b].Loop; l != NoBlock && blockStart[l] > start[v]; l = f.Outer(l) {
			at = max(at, loopEnd[l])
		}
		end[v] = max(end[v], at)
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		at := blockStart[b]
		for i := range block.Insts {
			at += 2
			for _, v := range block.Insts[i].Args {
				use(v, BlockID(b), at)
			}
			use(block.Insts[i].Guard, BlockID(b), at)
			if also != nil {
				for _, v := range also(&block.Insts[i]) {
					use(v, BlockID(b), at)
				}
			}
		}
		for _, v := range block.End.Args {
			use(v, BlockID(b), at+2)
		}
		use(block.End.Cond, BlockID(b), at+2)
		for k, p := range block.Preds {
			for _, phi := range block.Phis {
				use(phi.Args[k], p, blockStart[p+1]-1)
			}
		}
	}
	// What is written in a loop and read behind it is kept from the loop's beginning: lanes leave in different turns.
	for v := range f.Values {
		if start[v] == 0 {
			continue
		}
		b, found := slices.BinarySearch(blockStart, start[v])
		if !found {
			b--
		}
		for l := f.Blocks[b].Loop; l != NoBlock; l = f.Outer(l) {
			if start[v] > blockStart[l] && end[v] > loopEnd[l] {
				start[v] = blockStart[l]
			}
		}
	}
	starts := newLists(int(position), len(f.Values))
	for v := len(f.Values) - 1; v > 0; v-- {
		if at := start[v]; at != 0 {
			starts.add(at, ID(v))
		}
	}
	all = make([]interval, 0, len(f.Values))
	for _, v := range starts.first {
		for ; v != 0; v = starts.next[v] {
			all = append(all, interval{v, start[v], end[v]})
		}
	}
	return all, int(position)
}

// Outer returns the header of the loop around the loop of a header, or NoBlock.
func (f *Function) Outer(header BlockID) BlockID {
	if f.parents == nil {
		f.parents = make([]BlockID, len(f.Blocks))
		var open []BlockID // the headers of the loops around a block, the innermost last
		for b := range f.Blocks {
			f.parents[b] = NoBlock
			for len(open) > 0 && f.LoopLast(open[len(open)-1]) < BlockID(b) {
				open = open[:len(open)-1]
			}
			if f.Blocks[b].Loop == BlockID(b) {
				if len(open) > 0 {
					f.parents[b] = open[len(open)-1]
				}
				open = append(open, BlockID(b))
			}
		}
	}
	return f.parents[header]
}

// LoopLast returns the last block of the loop of a header: the one that leads back.
func (f *Function) LoopLast(header BlockID) (last BlockID) {
	for _, p := range f.Blocks[header].Preds {
		last = max(last, p)
	}
	return last
}

// loopEnds returns for each header where its loop ends.
func loopEnds(f *Function, blockStart []int32) []int32 {
	ends := make([]int32, len(f.Blocks))
	for b := range f.Blocks {
		if f.Blocks[b].Loop == BlockID(b) {
			ends[b] = blockStart[f.LoopLast(BlockID(b))+1] - 1
		}
	}
	return ends
}
