package simt

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// Waits returns for each header of a loop whether lanes may wait for others in turns of it: then a group must let others go first that
// stand behind the loop. In all other loops lanes stay together, as they do on a processor that lets lanes part no longer than
// they must.
//
// To wait is to look at the same memory again and again: by an atomic operation, a strong load, one past the caches, or a weak one of an
// address that is the same in all turns, or by a call. A loop around one that looks at each of several words by weak loads is not found:
// on a processor, too, these may be in a cache for ever. Loops around and in one that waits count as such.
func (f *Function) Waits() []bool {
	waits := make([]bool, len(f.Blocks))
	changes := f.changing()
	for first := 0; first < len(f.Blocks); first++ {
		if f.Blocks[first].Loop != BlockID(first) {
			continue
		}
		last := int(f.LoopLast(BlockID(first)))
		any := false
		for b := first; b <= last && !any; b++ {
			any = f.Blocks[b].waits(changes)
		}
		for b := first; b <= last; b++ {
			waits[b] = any
		}
		first = last
	}
	return waits
}

// waits reports whether a block in a loop has something by which lanes may wait, given the loops that values change in.
func (b *Block) waits(changes []BlockID) bool {
	for n := range b.Insts {
		switch i := &b.Insts[n]; i.Kind {
		case Load:
			a := i.Aux.(*Access)
			again := changes[i.Args[0]] < b.Loop && !unchanged(a)
			if again || a.Strong || a.Acquires || pastCaches(a) {
				return true
			}
		case Compute, Store, Bulk, Exchange, InSpace, Stack, Trap, Fence, Probe, Idle:
		default:
			return true
		}
	}
	return b.End.Kind == Call
}

// Polls returns for each header of a loop in which lanes may wait, as Waits has it, whether turns of it change nothing that other threads
// see. Lanes that stay in one for long are likely to wait for others; in other loops they are at work.
func (f *Function) Polls(waits []bool) []bool {
	polls := slices.Clone(waits)
	for first := range f.Blocks {
		if f.Blocks[first].Loop != BlockID(first) {
			continue
		}
		for b := first; b <= int(f.LoopLast(BlockID(first))) && polls[first]; b++ {
			polls[first] = f.changesNothing(&f.Blocks[b])
		}
	}
	return polls
}

// changesNothing reports whether a block changes nothing that other threads see. An exchange with a word in memory, and the like, is what
// locks are asked by: it leaves the word as it is while somebody else has the lock.
func (f *Function) changesNothing(b *Block) bool {
	for n := range b.Insts {
		switch i := &b.Insts[n]; i.Kind {
		case Store:
			if i.Aux.(*Access).Space != check.Local {
				return false
			}
		case Atomic:
			if !f.asks(i) {
				return false
			}
		case Texture, Bulk, Host, Trap:
			return false
		}
	}
	return b.End.Kind != Call && b.End.Kind != Barrier
}

// asks reports whether an atomic operation is one that threads ask with what others have written.
func (f *Function) asks(i *Inst) bool {
	a := i.Aux.(*Access)
	if a.Elements > 1 && !a.Whole {
		return false
	}
	update, _, _ := strings.Cut(a.Update, ".")
	switch update {
	case "cas", "exch", "test_wait", "try_wait":
		return true
	case "add", "or", "xor":
		with, constant := f.ConstOf(i.Args[1])
		return constant && with == 0
	}
	return false
}

// unchanged reports whether what an access reads is not changed by other lanes while the kernel runs: that of ld.global.nc is "read-only".
func unchanged(a *Access) bool {
	return a.Space == check.Local || a.Space == check.Param || a.Space == check.Const || strings.Contains(a.Spelling, ".nc")
}

// pastCaches reports whether a weak load does not look into the first cache, as one does that waits for another processor.
func pastCaches(a *Access) bool {
	return strings.Contains(a.Spelling, ".cg") || strings.Contains(a.Spelling, ".cv")
}

// changing returns of values that are computed from phis of loops' headers the last of these loops: a block in it finds another value in
// each turn, one in a later loop, or in one that is in that, the same in all. The others have NoBlock, and what has been loaded.
func (f *Function) changing() []BlockID {
	changes := make([]BlockID, len(f.Values))
	for v := range changes {
		changes[v] = NoBlock
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		for n := range block.Phis {
			if p := &block.Phis[n]; block.Loop == BlockID(b) {
				changes[p.Def] = BlockID(b)
			}
		}
		for n := range block.Insts {
			if i := &block.Insts[n]; i.Kind == Compute {
				for _, a := range i.Args {
					changes[i.Defs[0]] = max(changes[i.Defs[0]], changes[a])
				}
			}
		}
	}
	return changes
}
