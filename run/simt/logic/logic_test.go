package logic

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// code is instructions in order: instruction n computes value inputs+n.
type code struct {
	insts []simt.Inst
	uses  []int
}

const inputs = 6 // values 1 to 3 are anything, 4 is 0, 5 is all ones

func (c *code) ConstOf(id simt.ID) (uint64, bool) {
	switch {
	case id == 4:
		return 0, true
	case id == 5:
		return 0xffff_ffff, true
	case id >= 1000: // a table of lop3
		return uint64(id - 1000), true
	}
	return 0, false
}

func (c *code) Inst(id simt.ID) *simt.Inst {
	if id < inputs || id >= 1000 {
		return nil
	}
	return &c.insts[id-inputs]
}

func (c *code) Once(id simt.ID) bool { return c.uses[id] == 1 }

// eval computes a value where the inputs are bits.
func (c *code) eval(id simt.ID, in *[inputs]uint64) uint64 {
	if id < inputs {
		return in[id]
	}
	i := c.Inst(id)
	var args []uint64
	for _, a := range i.Args {
		if bits, ok := c.ConstOf(a); ok {
			args = append(args, bits)
		} else {
			args = append(args, c.eval(a, in))
		}
	}
	return op.Fold(i.Op, args...)
}

// TestTreesAreWhatTheyStandFor grows trees in random code: the table of the leaves is what the code computes.
func TestTreesAreWhatTheyStandFor(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	names := []string{"and.b32", "or.b32", "xor.b32", "not.b32", "word.andnot", "lop3.b32"}
	sizes := map[int]int{}
	for range 3000 {
		c := &code{uses: make([]int, inputs+8)}
		for n := range 8 {
			o := op.Must(names[rng.IntN(len(names))])
			i := simt.Inst{Kind: simt.Compute, Op: o, Defs: []simt.ID{simt.ID(inputs + n)}}
			count := map[string]int{"not.b32": 1, "lop3.b32": 3}[o.String()]
			if count == 0 {
				count = 2
			}
			for range count {
				a := simt.ID(1 + rng.IntN(inputs+n-1))
				c.uses[a]++
				i.Args = append(i.Args, a)
			}
			if count == 3 {
				i.Args = append(i.Args, simt.ID(1000+rng.IntN(256)))
			}
			c.insts = append(c.insts, i)
		}
		root := &c.insts[7]
		tree, ok := New(c, root)
		if !ok {
			continue
		}
		if rng.IntN(3) > 0 {
			tree.Grow()
		} else {
			tree.GrowPair(func(table uint8) bool { return table == X&Y || table == X&^Y })
		}
		sizes[len(tree.inner)]++
		in := [inputs]uint64{1: rng.Uint64() & 0xffff_ffff, 2: rng.Uint64() & 0xffff_ffff, 3: rng.Uint64() & 0xffff_ffff, 5: 0xffff_ffff}
		want, table := c.eval(root.Defs[0], &in), tree.Table()
		for bit := range 32 {
			row := 0
			for n, leaf := range tree.Leaves {
				row |= int(c.eval(leaf, &in)>>bit&1) << (2 - n)
			}
			if uint64(table>>row&1) != want>>bit&1 {
				t.Fatalf("bit %d of %08x is not that of table %#x of %v\n%+v", bit, want, table, tree.Leaves, c.insts)
			}
		}
		for _, leaf := range tree.Leaves {
			reads := int32(0)
			for _, i := range append([]simt.Inst{*root}, c.innerOf(tree)...) {
				for _, a := range i.Args {
					if a == leaf {
						reads++
					}
				}
			}
			if got := tree.Count(leaf); got != reads || got == 0 {
				t.Fatalf("leaf %d is read %d times, not %d", leaf, reads, got)
			}
		}
	}
	if sizes[1] < 100 || sizes[2] < 100 || sizes[3] < 20 {
		t.Errorf("trees have so many inner values: %v", sizes)
	}
}

func (c *code) innerOf(t *Tree) (all []simt.Inst) {
	for _, id := range t.inner {
		all = append(all, *c.Inst(id))
	}
	return all
}
