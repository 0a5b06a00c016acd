package ssa

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
)

// Variables turns the registers of a text, which instructions write again and again, into values
// that are defined once, as in Braun et al., "Simple and Efficient Construction of Static Single
// Assignment Form" (2013). Blocks are filled in order; a block is sealed once all blocks that lead to
// it are filled. Unlike there, phis are made only where blocks that may write the variable lead to: most
// registers are written once, and read far away.
type Variables struct {
	*simt.Function
	types   []simt.Type                             // by variable
	last    []written                               // by variable: what was written last
	now     map[variableAt]simt.ID                  // what variables are at the ends of blocks, but for what last has
	pending []map[int]simt.ID                       // by block that is not sealed: the phis that wait for their arguments
	sealed  []bool                                  // by block
	same    []simt.ID                               // by ID, as far as it goes: what phis have turned out to be, 0 for themselves
	index   []int32                                 // by ID, as far as it goes: of phis, which of their block's they are
	unset   func(variable int, t simt.Type) simt.ID // what a variable is that has not been written
	writers [][]simt.BlockID                        // by variable: the blocks that may write it, in order
	above   *ancestors
	latches []simt.BlockID // by header of a loop: its last block; NoBlock of other blocks
	made    int            // phis
}

// written is what a variable is at the end of a block, NoBlock of none.
type written struct {
	block simt.BlockID
	value simt.ID
}

// variableAt is a variable at the end of a block: the number of the block, then that of the variable.
type variableAt uint64

func atEnd(v int, b simt.BlockID) variableAt { return variableAt(b)<<32 | variableAt(uint32(v)) }

// NewVariables returns the variables of a function that has blocks and nothing in them. types and writers are by variable: its type,
// and the blocks that may write it, in order. idom are the immediate dominators of the blocks, and unset returns what a variable is
// that has not been written; -1 is any.
func NewVariables(f *simt.Function, types []simt.Type, writers [][]simt.BlockID, idom []simt.BlockID, unset func(variable int, t simt.Type) simt.ID) *Variables {
	s := &Variables{Function: f, types: types, now: map[variableAt]simt.ID{}, unset: unset, writers: writers}
	s.latches = make([]simt.BlockID, len(f.Blocks))
	for b := range s.latches {
		s.latches[b] = simt.NoBlock
		if f.Blocks[b].Loop == simt.BlockID(b) {
			s.latches[b] = f.LoopLast(simt.BlockID(b))
		}
	}
	s.above = newAncestors(idom, s.latches)
	s.last = slices.Repeat([]written{{block: simt.NoBlock}}, len(types))
	s.pending = make([]map[int]simt.ID, len(f.Blocks))
	s.sealed = make([]bool, len(f.Blocks))
	return s
}

// TypeOf returns the type of a variable.
func (s *Variables) TypeOf(v int) simt.Type { return s.types[v] }

// Write says what a variable is from here on, in a block.
func (s *Variables) Write(v int, b simt.BlockID, value simt.ID) {
	l := &s.last[v]
	if l.block != b && l.block != simt.NoBlock {
		s.now[atEnd(v, l.block)] = l.value
	}
	*l = written{b, value}
}

// in returns what a variable is at the end of a block, if that is known without looking at others.
func (s *Variables) in(v int, b simt.BlockID) (id simt.ID, ok bool) {
	if l := s.last[v]; l.block == b {
		return l.value, true
	}
	id, ok = s.now[atEnd(v, b)]
	return id, ok
}

// MayWrite reports whether a block is one of those that were said to write a variable.
func (s *Variables) MayWrite(v int, b simt.BlockID) bool {
	_, ok := slices.BinarySearch(s.writers[v], b)
	return ok
}

// Read returns what a variable is at this point of a block.
func (s *Variables) Read(v int, b simt.BlockID) simt.ID {
	if id, ok := s.in(v, b); ok {
		return s.final(id)
	}
	if s.TooMany() { // the function is not used
		return s.Constant(s.types[v], 0)
	}
	id := s.atStart(v, b)
	s.Write(v, b, id)
	return id
}

// atStart returns what a variable is where a block begins: what it is at the end of the nearest block that
// dominates it, unless a block writes it on a way from there. Such a block stands between the two, or,
// if lanes come back to the block, in its loop.
func (s *Variables) atStart(v int, b simt.BlockID) simt.ID {
	writers := s.writers[v]
	n, _ := slices.BinarySearch(writers, b) // those before b
	for {
		last, next := simt.NoBlock, simt.BlockID(len(s.Blocks))
		if n > 0 {
			last = writers[n-1]
		}
		if n < len(writers) {
			next = writers[n]
		}
		b = s.above.climb(b, last, next)
		above := s.above.idom[b]
		if above == simt.NoBlock {
			return s.unset(v, s.types[v])
		}
		if len(s.Blocks[b].Preds) > 1 && (last > above || next <= s.latches[b]) {
			return s.merged(v, b)
		}
		b = above
		for n > 0 && writers[n-1] > b {
			n--
		}
		if n > 0 && writers[n-1] == b {
			if id, ok := s.in(v, b); ok {
				return s.final(id)
			}
			n--
		}
	}
}

// merged returns the phi of a variable where a block begins. The block does not write the variable, or
// has not yet.
func (s *Variables) merged(v int, b simt.BlockID) simt.ID {
	if id, ok := s.in(v, b); ok {
		return s.final(id)
	}
	id := s.newPhi(v, b)
	s.Write(v, b, id)
	if !s.sealed[b] {
		if s.pending[b] == nil {
			s.pending[b] = map[int]simt.ID{}
		}
		s.pending[b][v] = id
		return id
	}
	id = s.complete(v, id)
	s.Write(v, b, id)
	return id
}

// MaxPhis is how many phis a function may need before they are simplified. A variable of the innermost of n loops has
// one in each of them, so that n variables of n nested loops have n²/2.
const MaxPhis = 1 << 20

// TooMany reports whether the function needs more than [MaxPhis]. It is not to be used then.
func (s *Variables) TooMany() bool { return s.made > MaxPhis }

func (s *Variables) newPhi(v int, b simt.BlockID) simt.ID {
	s.made++
	id := s.DefinePhi(s.types[v], b)
	block := &s.Blocks[b]
	setAt(&s.index, id, int32(len(block.Phis)))
	block.Phis = append(block.Phis, simt.Phi{Def: id})
	return id
}

// complete gives a phi its arguments, and returns what it is.
func (s *Variables) complete(v int, id simt.ID) simt.ID {
	preds := s.Blocks[s.Values[id].Block].Preds
	args := make([]simt.ID, 0, len(preds))
	for _, p := range preds {
		args = append(args, s.Read(v, p))
	}
	s.phi(id).Args = args
	return s.simplify(id)
}

// phi returns a phi that has been made.
func (s *Variables) phi(id simt.ID) *simt.Phi { return &s.Blocks[s.Values[id].Block].Phis[s.index[id]] }

// setAt sets an element of a list by ID, which grows as far as needed.
func setAt[T any](list *[]T, id simt.ID, to T) {
	if n := int(id) + 1 - len(*list); n > 0 {
		*list = append(*list, make([]T, n)...)
	}
	(*list)[id] = to
}

// simplify returns what a phi is: itself, or the only value that comes to it.
func (s *Variables) simplify(id simt.ID) simt.ID {
	only := simt.ID(0)
	for _, arg := range s.phi(id).Args {
		if arg = s.final(arg); arg == id || arg == only {
			continue
		}
		if only != 0 {
			return id
		}
		only = arg
	}
	if only == 0 { // it cannot be reached
		only = s.unset(-1, s.Values[id].Type)
	}
	setAt(&s.same, id, only)
	return only
}

// final returns what a value has turned out to be.
func (s *Variables) final(id simt.ID) simt.ID {
	last := id
	for int(last) < len(s.same) && s.same[last] != 0 {
		last = s.same[last]
	}
	for id != last { // so that the way is short the next time
		id, s.same[id] = s.same[id], last
	}
	return last
}

// Seal is called when all blocks that lead to one are filled.
func (s *Variables) Seal(b simt.BlockID) {
	s.sealed[b] = true
	waiting := s.pending[b]
	order := make([]int, 0, len(waiting))
	for v := range waiting {
		order = append(order, v)
	}
	slices.Sort(order)
	for _, v := range order {
		s.complete(v, waiting[v])
	}
}

// simplifyAll simplifies phis until none is another value. One that has turned out to be makes those that
// read it worth another look, and no others.
func (s *Variables) simplifyAll() {
	readers := map[simt.ID][]simt.ID{}
	var pending []simt.ID
	for b := range s.Blocks {
		for i := range s.Blocks[b].Phis {
			p := &s.Blocks[b].Phis[i]
			if s.final(p.Def) != p.Def {
				continue
			}
			pending = append(pending, p.Def)
			for _, arg := range p.Args {
				if arg = s.final(arg); arg != p.Def && s.Values[arg].Kind == simt.PhiDef {
					readers[arg] = append(readers[arg], p.Def)
				}
			}
		}
	}
	for len(pending) > 0 {
		id := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if s.final(id) != id {
			continue
		}
		to := s.simplify(id)
		if to == id {
			continue
		}
		for _, r := range readers[id] {
			if s.final(r) != r {
				continue
			}
			pending = append(pending, r)
			if r != to {
				readers[to] = append(readers[to], r)
			}
		}
		delete(readers, id)
	}
}

// Finish removes the phis that are other values, and names those instead.
func (s *Variables) Finish() {
	s.simplifyAll()
	rename := func(ids []simt.ID) {
		for i := range ids {
			ids[i] = s.final(ids[i])
		}
	}
	for b := range s.Blocks {
		block := &s.Blocks[b]
		block.Phis = slices.DeleteFunc(block.Phis, func(p simt.Phi) bool { return s.final(p.Def) != p.Def })
		for i := range block.Phis {
			rename(block.Phis[i].Args)
		}
		for i := range block.Insts {
			rename(block.Insts[i].Args)
			block.Insts[i].Guard = s.final(block.Insts[i].Guard)
		}
		for i := range block.Reads {
			block.Reads[i].Value = s.final(block.Reads[i].Value)
		}
		rename(block.End.Args)
		block.End.Cond = s.final(block.End.Cond)
	}
}
