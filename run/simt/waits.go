package simt

import "github.com/vop-ptx/vop/read/check"

// Waits returns for each header of a loop whether lanes may wait for others in turns of it: then a group must let others go first that
// stand behind the loop. In all other loops lanes stay together, as they do on a processor that lets lanes part no longer than
// they must.
//
// To wait is to look at the same memory again and again: by an atomic operation, a strong load, or a weak one of an address that is the
// same in all turns, or by a call. Loops around and in one that waits count as such.
func (f *Function) Waits() []bool {
	waits := make([]bool, len(f.Blocks))
	varies := f.varying()
	for first := 0; first < len(f.Blocks); first++ {
		if f.Blocks[first].Loop != BlockID(first) {
			continue
		}
		last := int(f.LoopLast(BlockID(first)))
		any := false
		for b := first; b <= last && !any; b++ {
			any = f.Blocks[b].waits(varies)
		}
		for b := first; b <= last; b++ {
			waits[b] = any
		}
		first = last
	}
	return waits
}

// waits reports whether a block has something by which lanes may wait, given the values that change from turn to turn.
func (b *Block) waits(varies []bool) bool {
	for n := range b.Insts {
		switch i := &b.Insts[n]; i.Kind {
		case Load:
			a := i.Aux.(*Access)
			if a.Strong || a.Acquires || !varies[i.Args[0]] && a.Space != check.Local && a.Space != check.Param && a.Space != check.Const {
				return true
			}
		case Compute, Store, Exchange, InSpace, Trap, Probe, Idle:
		default:
			return true
		}
	}
	return b.End.Kind == Call
}

// varying returns the values that are computed from phis of loops' headers: those that change from turn to turn. What has been loaded
// is not among them.
func (f *Function) varying() []bool {
	varies := make([]bool, len(f.Values))
	for b := range f.Blocks {
		block := &f.Blocks[b]
		for n := range block.Phis {
			if p := &block.Phis[n]; block.Loop == BlockID(b) {
				varies[p.Def] = true
			}
		}
		for n := range block.Insts {
			if i := &block.Insts[n]; i.Kind == Compute {
				for _, a := range i.Args {
					varies[i.Defs[0]] = varies[i.Defs[0]] || varies[a]
				}
			}
		}
	}
	return varies
}
