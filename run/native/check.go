package native

import (
	"fmt"

	"github.com/vop-ptx/vop/run/simt"
)

// checkLocations returns an error if a value that others read is not where the code says: where it leaves for good, or where
// lanes wait at a block, while others go on before it.
func (k *Kernel) checkLocations() error {
	name := func(v simt.ID) string { return k.function.Names()[v] }
	reached := k.reached()
	seen := &seenAt{values: make([]int32, len(k.function.Values))}
	live := k.function.Live(nil) // what machine code alone may read, it keeps itself
	for n := range k.code.Sites {
		s := &k.code.Sites[n]
		if !reached[s.Block] {
			continue
		}
		seen.place++
		for _, v := range k.valuesAt(s, live, nil) {
			if of, to := k.lost(v, s.Left, seen); of != 0 {
				return fmt.Errorf("native: site %d of block %d: %s is needed, and %s is in its register up to %d, not %d", n, s.Block, name(v), name(of), to, s.Left)
			}
		}
	}
	for b := range live {
		if !reached[b] {
			continue
		}
		seen.place++
		for v := range simt.IDs(live[b]) {
			if of, to := k.lost(v, k.code.Entered[b], seen); of != 0 {
				return fmt.Errorf("native: block %d: %s is read from there on, and %s is in its register up to %d, not %d", b, name(v), name(of), to, k.code.Entered[b])
			}
		}
	}
	return nil
}

// seenAt tells of each value the last place where it has been looked at.
type seenAt struct {
	values []int32
	place  int32
}

// lost returns a value that has lost its register before an instruction, of those that a value is computed from by who
// brings it home, and the last instruction where it has it; 0 if there is none.
func (k *Kernel) lost(v simt.ID, at int32, seen *seenAt) (of simt.ID, to int32) {
	if seen.values[v] == seen.place {
		return 0, 0
	}
	seen.values[v] = seen.place
	if kind := k.function.Values[v].Kind; v == 0 || kind == simt.Const || kind == simt.Special || k.code.Values[v].AtHome {
		return 0, 0
	}
	l := &k.code.Values[v]
	for p := range l.Parts {
		if part := &l.Parts[p]; !part.Everywhere && part.To < at {
			return v, part.To
		}
	}
	if len(l.Parts) > 0 || l.Lanes != nil || l.Constant || k.defined[v].inst < 0 {
		return 0, 0
	}
	for _, a := range k.function.Blocks[k.defined[v].block].Insts[k.defined[v].inst].Args {
		if of, to = k.lost(a, at, seen); of != 0 {
			return of, to
		}
	}
	return 0, 0
}

// reached tells of each block whether lanes may come to it.
func (k *Kernel) reached() []bool {
	f := k.function
	all := make([]bool, len(f.Blocks))
	pending := []simt.BlockID{0}
	for len(pending) > 0 {
		b := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if all[b] {
			continue
		}
		all[b] = true
		first, behind := f.Taken(b)
		pending = append(pending, f.Blocks[b].End.To[first:behind]...)
	}
	return all
}
