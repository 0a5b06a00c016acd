package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// The copies that phis ask for on edges.

// phiCopy is a copy between registers of one class.
type phiCopy struct {
	to     machine.VReg
	from   machine.Operand
	class  machine.Class
	masked bool
	of     *warp.Group // whose lanes at work are meant
	wide   bool        // elements have 64 bits: those of a half of the group
	half   int
	back   bool // on the edge back to the header of a loop
}

// moves returns the copies that an edge asks for, but for those to phis that nothing reads.
func (k *compiler) moves(b simt.BlockID, n int) []simt.Move {
	read := k.Entered[k.Blocks[b].End.To[n]]
	return slices.DeleteFunc(k.Moves(b, n), func(m simt.Move) bool { return !simt.Has(read, m.To) })
}

// copies makes the copies of an edge, as if all at once.
func (k *compiler) copies(b simt.BlockID, n int) {
	moves := k.moves(b, n)
	if len(moves) == 0 {
		return
	}
	to := k.Blocks[b].End.To[n]
	masked := k.MustMask(b, to, k.parting)
	// What is brought into registers here is for this edge only: the others have not passed it.
	k.Briefly(func() {
		all := k.copyList[:0]
		for _, m := range moves {
			all = k.copiesOf(all, m, masked, to <= b)
		}
		k.copyList = all
		k.inOrder(all)
	})
}

// phi returns the registers of a phi, which are made when they are first wanted.
func (k *compiler) phi(id simt.ID) {
	if k.InGenerals(id) {
		k.MakePhi(id)
		return
	}
	for _, s := range k.Groups {
		v := &s.Vectors[id]
		if !v.Parts[0].None() {
			continue
		}
		switch k.Values[id].Type {
		case simt.Pred:
			v.Parts[0] = machine.Virtual(k.NewRegister(k.LaneClass()))
		case simt.B64:
			v.Parts[0], v.Parts[1] = machine.Virtual(k.NewRegister(machine.Vector)), machine.Virtual(k.NewRegister(machine.Vector))
		default:
			v.Parts[0] = machine.Virtual(k.NewRegister(machine.Vector))
		}
	}
}

// copiesOf adds the copies for one phi.
func (k *compiler) copiesOf(all []phiCopy, m simt.Move, masked, back bool) []phiCopy {
	k.phi(m.To)
	if k.InGenerals(m.To) {
		k.MovesTo(m, func(to machine.VReg, from machine.Operand) {
			all = append(all, phiCopy{to: to, from: from, class: machine.General, back: back})
		})
		return all
	}
	for _, s := range k.Groups {
		to, from := &s.Vectors[m.To], s.Value(m.From)
		switch k.Values[m.To].Type {
		case simt.Pred:
			all = append(all, phiCopy{to: to.Parts[0].Reg, from: from.Parts[0], class: k.LaneClass(), masked: masked, of: s, back: back})
		case simt.B32:
			all = append(all, phiCopy{to: to.Parts[0].Reg, from: from.Parts[0], masked: masked, of: s, back: back})
		default:
			for p := range to.Parts {
				all = append(all, phiCopy{to: to.Parts[p].Reg, from: from.Parts[p], masked: masked, of: s, wide: true, half: p, back: back})
			}
		}
	}
	return all
}

// inOrder emits copies so that none overwrites what another reads; where they go in a circle, one is kept aside.
func (k *compiler) inOrder(all []phiCopy) {
	all = slices.DeleteFunc(all, func(c phiCopy) bool { return c.from.Reg == c.to })
	k.countReaders()
	for _, c := range all {
		k.readers[c.from.Reg]++
	}
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(c phiCopy) bool { return k.readers[c.to] == 0 })
		if n < 0 {
			n = 0
			c := all[0]
			aside := k.Groups[0].Put(c.class, machine.Instr{Op: k.moveBetween(c.class), Move: true}, []machine.Operand{machine.Virtual(c.to)})
			for m := range all {
				if all[m].from.Reg == c.to {
					all[m].from = aside
				}
			}
			k.countReaders()
			k.readers[aside.Reg], k.readers[c.to] = k.readers[c.to], 0
		}
		k.readers[all[n].from.Reg]--
		k.copy1(all[n])
		if n == 0 {
			all = all[1:]
		} else {
			all = slices.Delete(all, n, n+1)
		}
	}
}

// countReaders makes room for the readers of all registers that there are by now.
func (k *compiler) countReaders() {
	if len(k.Registers) > len(k.readers) {
		more := readersMemory.Take(max(cap(k.Registers), 2*len(k.Registers)))
		copy(more, k.readers)
		k.readers = more
	}
}

// moveBetween returns the instruction that moves between registers of a class.
func (k *compiler) moveBetween(c machine.Class) encode.Op {
	switch c {
	case machine.Mask:
		return encode.KMOVW
	case machine.General:
		return encode.MOV | encode.S64
	}
	return k.Target.Move
}

// copy1 emits one copy.
func (k *compiler) copy1(c phiCopy) {
	s, to := k.Groups[0], machine.Virtual(c.to)
	if !c.masked {
		i := machine.Instr{Op: k.moveBetween(c.class), Args: [4]machine.Operand{to, c.from}, N: 2, Defines: true, Move: true}
		k.Code = append(k.Code, i)
		if c.back {
			k.backCopies = append(k.backCopies, machine.BackCopy{Phi: c.to, Next: c.from.Reg})
		}
		return
	}
	lanes := c.of.AtWork()
	if c.wide {
		lanes = c.of.LanesOfHalf(lanes, c.half)
	}
	switch {
	case c.class == machine.Mask:
		kept := s.Test(encode.KANDNW, lanes, to)
		k.Code[len(k.Code)-1].Merges = true
		new := s.Test(encode.KANDW, lanes, c.from)
		k.Code = append(k.Code, machine.Instr{Op: encode.KORW, Args: [4]machine.Operand{to, kept, new}, N: 3, Defines: true})
	case !k.HasMasks():
		k.Code = append(k.Code, machine.Instr{Op: s.Sized(encode.VPBLENDVB), Args: [4]machine.Operand{to, to, c.from, lanes}, N: 4, Defines: true})
	case c.wide:
		k.Code = append(k.Code, machine.Instr{Op: s.Sized(encode.VMOVDQA64), Args: [4]machine.Operand{to, c.from}, N: 2, Defines: true, Tie: c.to, Mask: lanes})
	default:
		k.Code = append(k.Code, machine.Instr{Op: s.Sized(encode.VMOVDQA32), Args: [4]machine.Operand{to, c.from}, N: 2, Defines: true, Tie: c.to, Mask: lanes})
	}
}

// coalesce gives the values that loops' phis have in the next turn the phis' registers, where that can be.
func (k *compiler) coalesce() {
	if k.Options.Without&amd64.FuseCopies != 0 {
		return
	}
	renamed := k.Coalesce(k.backCopies)
	if renamed == nil {
		return
	}
	rename := func(x *machine.Operand) {
		if to := renamed[x.Reg]; to != 0 {
			x.Reg = to
		}
	}
	k.Rename(rename)
	for id := range k.Values {
		for _, s := range k.Groups {
			rename(&s.Vectors[id].Parts[0])
			rename(&s.Vectors[id].Parts[1])
		}
	}
}
