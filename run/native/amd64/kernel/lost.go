package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
)

// Steps read all operands of an instruction, machine code only those on which the result depends: of 32 * x & 31 none. What
// only steps read has no register; where the code leaves it is computed from what has one.

// lost returns the values that could not be computed so: where the code is entered at a block, from which on steps may read
// them, not all that they are computed from is loaded.
func (k *compiler) lost() (all []simt.ID) {
	for b := range k.Blocks {
		for id := range simt.IDs(k.stepsRead[b]) {
			if k.needed[id] || slices.Contains(all, id) {
				continue
			}
			k.visit++
			if !k.isLoaded(id, k.Entered[b]) {
				all = append(all, id)
			}
		}
	}
	return all
}

// isLoaded reports whether a value, or all that it is computed from, is among the values that the code is entered with. Of
// what it has seen in this visit it says yes.
func (k *compiler) isLoaded(id simt.ID, entered []uint64) bool {
	if kind := k.Values[id].Kind; id == 0 || kind == simt.Const || kind == simt.Special || k.visited[id] == k.visit {
		return true
	}
	k.visited[id] = k.visit
	i := k.defined[id]
	if k.needed[id] || i == nil || i.Kind != simt.Compute {
		return simt.Has(entered, id)
	}
	if a := k.Affines[id]; a != nil && a.None { // a constant for each lane
		return true
	}
	return !slices.ContainsFunc(i.Args, func(a simt.ID) bool { return !k.isLoaded(a, entered) })
}
