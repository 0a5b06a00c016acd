package address

import "github.com/vop-ptx/vop/run/simt"

// Pair is two words side by side of which prmt takes four bytes, as kernels read words that are not aligned: nobody else reads
// the one that is loaded later.
type Pair struct {
	Defines simt.ID                  // what the permutation gives
	Second  *simt.Inst               // the later one of the loads
	Shared  bool                     // others read the word that is loaded first
	Bytes   [4 * simt.WarpSize]int64 // where the lanes' bytes are, from the lowest address of the loads that these are together with
}

// Pairs finds the pairs among loads that are together, by those loads that only the pair needs. canPermute tells whether bytes can be loaded in place of the
// words. Between the loads and the permutation nothing writes, or may leave the rest of the block to steps.
func (f *Finder) Pairs(loads map[*simt.Inst]*Together, canPermute func(p *Pair) bool) map[*simt.Inst]*Pair {
	all := map[*simt.Inst]*Pair{}
	if len(loads) == 0 {
		return all
	}
	uses := make([]int32, len(f.Values))
	f.CountUses(uses)
	for b := range f.Blocks {
		insts := f.Blocks[b].Insts
		for n := range insts {
			inst := &insts[n]
			if inst.Kind != simt.Compute || inst.Op.String() != "prmt.b32" {
				continue
			}
			words := [2]*simt.Inst{f.Defined[inst.Args[0]], f.Defined[inst.Args[1]]}
			p := f.pairOf(insts[:n], inst, words, loads)
			if p == nil || uses[p.Second.Defs[0]] != 1 {
				continue
			}
			first := words[0]
			if first == p.Second {
				first = words[1]
			}
			p.Shared = uses[first.Defs[0]] != 1
			if !canPermute(p) {
				continue
			}
			all[p.Second] = p
			if !p.Shared {
				all[first] = p
			}
		}
	}
	return all
}

// pairOf returns the pair that an instruction permutes, or nil. before are the instructions of its block that stand before
// it.
func (f *Finder) pairOf(before []simt.Inst, permute *simt.Inst, words [2]*simt.Inst, loads map[*simt.Inst]*Together) *Pair {
	selector, known := f.Operand(permute.Args[2])
	group := loads[words[0]]
	if !known || selector == nil || !selector.None || group == nil || group != loads[words[1]] {
		return nil
	}
	p := &Pair{Defines: permute.Defs[0], Second: f.lastOf(before, words)}
	if p.Second == nil {
		return nil
	}
	var lanes [2][simt.WarpSize]int64
	for at, load := range words {
		a, _ := f.Of(load)
		access := load.Aux.(*simt.Access)
		if a.Affine == 0 || access.Size != 4 || access.Elements != 1 || load.Guard != 0 || access.Ordering != (simt.Ordering{}) || f.value(load.Defs[0]).Type != simt.B32 {
			return nil
		}
		_, from, _, _ := f.FromScalar(&a, access)
		low, _ := f.Values[a.Affine].Bounds()
		for l, c := range f.Values[a.Affine].C {
			lanes[at][l] = from - group.Low + c - low
		}
	}
	for l, c := range selector.C {
		for at := range 4 {
			from := c >> (4 * at) & 15
			if from > 7 { // the sign of a byte
				return nil
			}
			p.Bytes[4*l+at] = lanes[from/4][l] + from%4
		}
	}
	return p
}

// lastOf returns the later one of two loads of a block, or nil if they are not among those before, or something that stands
// behind one of them writes, or may leave the rest of the block to steps, which would find no words.
func (f *Finder) lastOf(before []simt.Inst, words [2]*simt.Inst) (last *simt.Inst) {
	for n := len(before) - 1; n >= 0; n-- {
		switch i := &before[n]; {
		case i == words[0] || i == words[1]:
			if last != nil {
				return last
			}
			last = i
		case i.Kind == simt.Load:
		case i.Kind != simt.Compute || f.Values[i.Defs[0]] != nil && f.MayWrap(i):
			return nil
		}
	}
	return nil
}

func (f *Finder) value(id simt.ID) *simt.Value { return &f.Function.Values[id] }
