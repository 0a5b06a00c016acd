package simt

import (
	"iter"
	"math/bits"
)

// Live tells for each block which values lanes at its beginning may still read: bit v%64 of word v/64. Phis of
// the block itself are among them, and not what they are written from. Edges that no lane takes do not count, nor do
// phis that nothing reads. also returns what an instruction reads besides its operands; it may be nil.
func (f *Function) Live(also func(i *Inst) []ID) [][]uint64 {
	live, written := f.sets(), f.sets() // what blocks read and have not written before is live from the beginning
	for b := range f.Blocks {
		f.liveBefore(BlockID(b), 0, live[b], also)
		for i := range f.Blocks[b].Insts {
			for _, d := range f.Blocks[b].Insts[i].Defs {
				insert(written[b], d)
			}
		}
	}
	now := make([]uint64, (len(f.Values)+63)/64)
	for again := true; again; {
		again = false
		for b := len(f.Blocks) - 1; b >= 0; b-- {
			f.liveBehind(BlockID(b), live, now)
			for w := range now {
				if more := now[w] &^ written[b][w] &^ live[b][w]; more != 0 {
					live[b][w] |= more
					again = true
				}
			}
		}
	}
	return live
}

// sets returns an empty set of values for each block.
func (f *Function) sets() [][]uint64 {
	words := (len(f.Values) + 63) / 64
	all, sets := make([]uint64, words*len(f.Blocks)), make([][]uint64, len(f.Blocks))
	for b := range sets {
		sets[b] = all[b*words : (b+1)*words]
	}
	return sets
}

// liveBehind sets now to what is read behind the end of a block, the phis' copies included.
func (f *Function) liveBehind(b BlockID, live [][]uint64, now []uint64) {
	clear(now)
	end := &f.Blocks[b].End
	first, behind := f.Taken(b)
	for _, to := range end.To[first:behind] {
		for w := range now {
			now[w] |= live[to][w]
		}
		for _, phi := range f.Blocks[to].Phis {
			remove(now, phi.Def)
		}
	}
	for n := first; n < behind; n++ {
		for _, m := range f.Moves(b, n) {
			if Has(live[end.To[n]], m.To) {
				insert(now, m.From)
			}
		}
	}
	for _, d := range end.Defs {
		remove(now, d)
	}
	insert(now, end.Cond)
	for _, a := range end.Args {
		insert(now, a)
	}
}

// liveBefore changes now from what is read at the end of a block to what is read from an instruction on.
func (f *Function) liveBefore(b BlockID, inst int, now []uint64, also func(i *Inst) []ID) {
	insts := f.Blocks[b].Insts
	for n := len(insts) - 1; n >= inst; n-- {
		i := &insts[n]
		for _, d := range i.Defs {
			remove(now, d)
		}
		for _, a := range i.Args {
			insert(now, a)
		}
		insert(now, i.Guard)
		if also != nil {
			for _, a := range also(i) {
				insert(now, a)
			}
		}
	}
}

func insert(set []uint64, v ID) {
	if v != 0 {
		set[v/64] |= 1 << (v % 64)
	}
}

// Has reports whether a set has a value.
func Has(set []uint64, v ID) bool { return set[v/64]>>(v%64)&1 != 0 }

func remove(set []uint64, v ID) { set[v/64] &^= 1 << (v % 64) }

// LiveAtEnd returns what is read at the end of a block or behind it, given what [Function.Live] returns.
func (f *Function) LiveAtEnd(b BlockID, live [][]uint64) []uint64 {
	now := make([]uint64, (len(f.Values)+63)/64)
	f.liveBehind(b, live, now)
	return now
}

// LiveBefore returns what is read from an instruction of a block on.
func (f *Function) LiveBefore(b BlockID, inst int, live [][]uint64, also func(i *Inst) []ID) []uint64 {
	now := f.LiveAtEnd(b, live)
	f.liveBefore(b, inst, now, also)
	return now
}

// IDs are the values of a set, in order.
func IDs(set []uint64) iter.Seq[ID] {
	return func(yield func(v ID) bool) {
		for w, bit := range set {
			for ; bit != 0; bit &= bit - 1 {
				if !yield(ID(64*w + bits.TrailingZeros64(bit))) {
					return
				}
			}
		}
	}
}
