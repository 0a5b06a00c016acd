package portable

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
)

// Reads is what the lanes of a warp read from one texture.
type Reads struct {
	Op     *simt.TextureOp
	Handle uint64
	Lanes  uint32
	At     [3]*[simt.WarpSize]uint32 // the coordinates, as many as Op has
	// To gets the components, in Lanes. It is nil where nobody reads one.
	To [4]*[simt.WarpSize]uint32
}

// texture makes the step of a texture instruction.
func (c *Code) texture(i *simt.Inst) step {
	one := c.textureByLane(i)
	op := i.Aux.(*simt.TextureOp)
	if !op.Read || op.Layered || op.Cube || op.Gather > 0 || op.Half || op.Offset {
		return one
	}
	args, defs := c.homesOf(i.Args), c.homesOf(i.Defs)
	used := c.used(i.Defs)
	return func(w *Warp) bool {
		handles, first := w.wides(args[0]), w.firstLane()
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			if handles[bits.TrailingZeros32(rest)] != handles[first] {
				return one(w)
			}
		}
		r := &w.reads
		*r = Reads{Op: op, Handle: handles[first], Lanes: w.mask}
		for k, a := range args[1:] {
			r.At[k] = w.words(a)
		}
		for k, d := range defs {
			if used[k] {
				r.To[k] = w.words(d)
			}
		}
		return w.cta.host.Texels(r) || one(w)
	}
}

// textureByLane makes the step that executes a texture instruction one lane after the other.
func (c *Code) textureByLane(i *simt.Inst) step {
	op := i.Aux.(*simt.TextureOp)
	args, defs := c.homesOf(i.Args), c.homesOf(i.Defs)
	argTypes, defTypes := c.typesOf(i.Args), c.typesOf(i.Defs)
	return func(w *Warp) bool {
		from, to := make([]uint64, len(args)), make([]uint64, len(defs))
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			for k, a := range args {
				from[k] = w.lane(a, argTypes[k], lane)
			}
			if f := w.cta.host.Texture(op, from, to); f != nil {
				f.Lane, f.Texture = lane, op
				return w.fail(f, rest)
			}
			for k, d := range defs {
				w.setLane(d, defTypes[k], lane, to[k])
			}
		}
		return true
	}
}

// used tells which of some values anything reads.
func (c *Code) used(values []simt.ID) []bool {
	used := make([]bool, len(values))
	mark := func(read ...simt.ID) {
		for _, r := range read {
			for k, v := range values {
				used[k] = used[k] || r == v && v != 0
			}
		}
	}
	for b := range c.Function.Blocks {
		block := &c.Function.Blocks[b]
		for p := range block.Phis {
			mark(block.Phis[p].Args...)
		}
		for n := range block.Insts {
			mark(block.Insts[n].Guard)
			mark(block.Insts[n].Args...)
		}
		mark(block.End.Cond)
		mark(block.End.Args...)
	}
	return used
}
