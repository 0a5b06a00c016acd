package scalar

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Scalars of affine values that are known to be equal are in one register.

// sameScalars is what is known of scalars beside others.
type sameScalars struct {
	idom    []simt.BlockID          // by block: the one that is on every way to it
	holders map[affine.Sum][]holder // the values whose scalars are in registers
	aliases map[simt.ID]simt.ID     // of a phi another of its block, with the same scalar
	hopes   bool                    // some of it is so unless sums wrap around before they are extended
	used    bool                    // it has been rested on
}

// RestOnSums notes that the code rests on what is known of sums.
func (k *Compiler) RestOnSums() { k.same.used = true }

// RestsOnHope reports whether the code rests on what is known of sums, some of which is only hoped.
func (k *Compiler) RestsOnHope() bool { return k.same.used && k.same.hopes }

// holder is a value whose scalar is in a register from a block on.
type holder struct {
	id simt.ID
	at simt.BlockID
}

// findSame finds which scalars are equal.
func (k *Compiler) findSame() {
	if k.Options.Without&(amd64.FuseAffine|amd64.FuseSame) != 0 {
		return
	}
	certain := k.Options.Careful || k.Options.Stepped || len(k.Options.Wrapping) > 0
	k.same = sameScalars{idom: k.Dominators(), holders: map[affine.Sum][]holder{}, aliases: map[simt.ID]simt.ID{}}
	k.same.hopes = k.Known.FindSums(certain)
	for b := range k.Blocks {
		first := map[affine.Sum]simt.ID{}
		for i := range k.Blocks[b].Phis {
			id := k.Blocks[b].Phis[i].Def
			sum, ok := k.Known.SumOf(id)
			switch of := first[sum]; {
			case !ok || k.Affines[id] == nil || k.Affines[id].None:
			case of == 0:
				first[sum] = id
				k.same.holders[sum] = append(k.same.holders[sum], holder{id, simt.BlockID(b)})
			case k.Values[of].Type == k.Values[id].Type:
				k.same.aliases[id] = of
			}
		}
	}
}

// IsAlias reports whether a phi is in the register of another: nothing is copied to it.
func (k *Compiler) IsAlias(id simt.ID) bool {
	_, ok := k.same.aliases[id]
	return ok
}

// holderOf returns a value whose scalar is that of another one, and in a register in a block; 0 if there is none. What a
// loop defines is in its register only inside the loop, and what is read no more only in the block that defines it.
func (k *Compiler) holderOf(id simt.ID, b simt.BlockID) simt.ID {
	sum, ok := k.Known.SumOf(id)
	if !ok {
		return 0
	}
	for _, h := range k.same.holders[sum] {
		if h.id != id && k.dominates(h.at, b) && k.Reaches(h.id, h.at, b) && k.InLoop(b, k.Blocks[h.at].Loop) && k.Values[h.id].Type == k.Values[id].Type {
			k.RestOnSums()
			return h.id
		}
	}
	return 0
}

// hold notes that the scalar of a value is in a register from here on.
func (k *Compiler) hold(id simt.ID, b simt.BlockID) {
	if sum, ok := k.Known.SumOf(id); ok {
		k.same.holders[sum] = append(k.same.holders[sum], holder{id, b})
	}
}

// dominates reports whether a block is on every way to another.
func (k *Compiler) dominates(x, b simt.BlockID) bool {
	for b > x {
		b = k.same.idom[b]
	}
	return b == x
}
