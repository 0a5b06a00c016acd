package model

import (
	"slices"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// WithMatrices makes the kernel of a seed that computes with small matrices, besides all else that those
// of New do: products, and loads, stores and transpositions by a whole warp.
func WithMatrices(seed uint64) *Kernel {
	return newKernel(seed, 0x6d6174726978, subjects{matrices: 0.25})
}

// wholeWarps chooses a block of warps without a lane missing: an instruction on matrices needs all.
func (g *generator) wholeWarps() {
	g.k.Block = pick(g, [3]int{32, 1, 1}, [3]int{32, 1, 1}, [3]int{64, 1, 1}, [3]int{96, 1, 1}, [3]int{128, 1, 1}, [3]int{8, 4, 1}, [3]int{16, 2, 2}, [3]int{32, 2, 1})
	g.k.Grid = [3]int{pick(g, 1, 1, 2, 3), 1, 1}
}

// matrix adds an instruction on matrices, where all threads of the block come to it.
func (g *generator) matrix() {
	if g.shared && !g.apart && g.chance(0.4) {
		g.tiles()
		return
	}
	op := pick(g, ops.All.Matrices...)
	in := &Inst{Op: op, Src: g.sources(op)}
	in.Dst = g.destinations(op.Dst[0], len(op.Dst), true)
	if c := in.Src[len(in.Src)-len(in.Dst):]; g.chance(0.5) && g.writable(c, op.Dst[0]) { // it adds to what is there
		for i, o := range c {
			in.Dst[i] = o.Reg
		}
	}
	g.emit(in)
}

// writable reports whether operands are registers of a class that can be written, each another.
func (g *generator) writable(all []Operand, c ops.Class) bool {
	for i, o := range all {
		if !slices.Contains(g.avail[c], o.Reg) || slices.Contains(all[:i], o) {
			return false
		}
	}
	return true
}

// tiles adds a load or a store of matrices in the slots of a block, whose rows the threads say in any
// order: each writes one, or reads one, with barriers between.
func (g *generator) tiles() {
	defer g.group()()
	meet := func() { *g.list = append(*g.list, &Barrier{"bar.sync 0"}) }
	own := int64(-slotBytes * g.k.Threads()) // from the thread's own shared memory
	row := g.temporary(ops.B32)
	g.do("xor.b32", row, reg(g.tid), imm(uint64(g.rng.IntN(32))))
	g.slotOf(row)
	n, transposed, stores := pick(g, 1, 2, 4), g.chance(0.5), g.chance(0.5)
	in := &Inst{Op: ops.Tiles(n, transposed, stores), Fixed: true}
	in.Src = append(in.Src, reg(row))
	meet()
	t := pick(g, elementTypes...)
	count, vector := g.vector(t.size)
	if stores {
		for range n {
			in.Src = append(in.Src, reg(g.source(ops.B32)))
		}
	} else {
		in.Dst = g.destinations(ops.B32, n, true)
		g.store("st.shared.v4.u32", Shared, 4, g.words(4), reg(g.ownShared), false, own)
		meet()
	}
	g.emit(in)
	meet()
	if stores {
		g.load("ld.shared"+vector+"."+t.name, Shared, t.size, t.signed, g.destinations(pick(g, t.into...), count, true), reg(g.ownShared), false, own, false)
		meet()
	}
}
