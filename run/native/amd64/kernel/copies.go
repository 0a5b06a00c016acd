package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// The copies that phis ask for on edges.

// phiCopy is a copy between registers of one class.
type phiCopy struct {
	to     machine.VReg
	from   machine.Operand
	class  machine.Class
	masked bool
	of     *group // whose lanes at work are meant
	wide   bool   // elements have 64 bits: those of a half of the group
	half   int
	back   bool // on the edge back to the header of a loop
}

// copies makes the copies of an edge, as if all at once.
func (k *compiler) copies(b simt.BlockID, n int) {
	moves := k.Moves(b, n)
	if len(moves) == 0 {
		return
	}
	to := k.Blocks[b].End.To[n]
	masked := k.MustMask(b, to, k.parting)
	// What is brought into registers here is for this edge only: the others have not passed it.
	k.noKeep = true
	k.saveCaches(func() {
		var all []phiCopy
		for _, m := range moves {
			all = append(all, k.copiesOf(m, masked, to <= b)...)
		}
		k.inOrder(all)
	})
	k.noKeep = false
}

// saveCaches lets f bring values into registers that are forgotten behind it.
func (k *compiler) saveCaches(f func()) {
	var before [maxGroups][]simt.ID
	for g, s := range k.groups {
		before[g] = s.Cached
		s.Cached = nil
	}
	borrowed := k.borrowed
	k.borrowed = nil
	f()
	k.forget()
	for g, s := range k.groups {
		s.Cached = before[g]
	}
	k.borrowed = borrowed
}

// phi returns the registers of a phi, which are made when they are first wanted.
func (k *compiler) phi(id simt.ID) {
	typ := k.Values[id].Type
	if k.scalar[id] {
		if k.generals[id].None() {
			k.generals[id] = machine.Virtual(k.NewRegister(machine.General))
		}
		return
	}
	if a := k.affines[id]; a != nil {
		if of, ok := k.same.aliases[id]; ok {
			k.phi(of)
			k.apart[id], k.same.used = k.apart[of], true
			return
		}
		if !a.None && k.apart[id][0].None() {
			x := machine.Virtual(k.NewRegister(machine.General))
			k.apart[id] = [2]machine.Operand{x, x}
			if a.Split {
				k.apart[id][1] = machine.Virtual(k.NewRegister(machine.General))
			}
		}
		return
	}
	for _, s := range k.groups {
		v := &s.Vectors[id]
		if !v.Parts[0].None() {
			continue
		}
		switch typ {
		case simt.Pred:
			v.Parts[0] = machine.Virtual(k.NewRegister(k.laneClass()))
		case simt.B64:
			v.Parts[0], v.Parts[1] = machine.Virtual(k.NewRegister(machine.Vector)), machine.Virtual(k.NewRegister(machine.Vector))
		default:
			v.Parts[0] = machine.Virtual(k.NewRegister(machine.Vector))
		}
	}
}

// copiesOf returns the copies for one phi.
func (k *compiler) copiesOf(m simt.Move, masked, back bool) (all []phiCopy) {
	k.phi(m.To)
	if k.scalar[m.To] {
		from := k.general(m.From)
		return []phiCopy{{to: k.generals[m.To].Reg, from: from, class: machine.General, back: back}}
	}
	if a := k.affines[m.To]; a != nil {
		return k.copiesOfAffine(m, a, back)
	}
	for _, s := range k.groups {
		to, from := &s.Vectors[m.To], s.Value(m.From)
		switch k.Values[m.To].Type {
		case simt.Pred:
			all = append(all, phiCopy{to: to.Parts[0].Reg, from: from.Parts[0], class: k.laneClass(), masked: masked, of: s, back: back})
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

// copiesOfAffine returns the copies of an affine phi's scalars. The constants of the lanes may be another number apart.
func (k *compiler) copiesOfAffine(m simt.Move, a *affine.Value, back bool) (all []phiCopy) {
	if _, alias := k.same.aliases[m.To]; alias || a.None {
		return nil
	}
	from := k.termOf(m.From)
	r := k.rules(m.To, &scalarEmitter{compiler: k})
	for half, to := range k.apart[m.To] {
		if half == 1 && !a.Split {
			break
		}
		x := r.Plus(from, half, from.C[0]-a.C[0])
		all = append(all, phiCopy{to: to.Reg, from: x, class: machine.General, back: back})
	}
	return all
}

// inOrder emits copies so that none overwrites what another reads; where they go in a circle, one is kept aside.
func (k *compiler) inOrder(all []phiCopy) {
	all = slices.DeleteFunc(all, func(c phiCopy) bool { return c.from.Reg == c.to })
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(c phiCopy) bool {
			return !slices.ContainsFunc(all, func(other phiCopy) bool { return other.to != c.to && other.from.Reg == c.to })
		})
		if n < 0 {
			n = 0
			c := all[0]
			aside := k.groups[0].Put(c.class, machine.Instr{Op: k.moveBetween(c.class), Move: true}, []machine.Operand{machine.Virtual(c.to)})
			for m := range all {
				if all[m].from.Reg == c.to {
					all[m].from = aside
				}
			}
		}
		k.copy1(all[n])
		all = slices.Delete(all, n, n+1)
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
	s, to := k.groups[0], machine.Virtual(c.to)
	if !c.masked {
		i := machine.Instr{Op: k.moveBetween(c.class), Args: [4]machine.Operand{to, c.from}, N: 2, Defines: true, Move: true}
		k.Code = append(k.Code, i)
		if c.back {
			k.backCopies = append(k.backCopies, machine.BackCopy{Phi: c.to, Next: c.from.Reg})
		}
		return
	}
	lanes := c.of.atWork()
	if c.wide {
		lanes = c.of.lanesOfHalf(lanes, c.half)
	}
	switch {
	case c.class == machine.Mask:
		kept, new := s.Test(encode.KANDNW, lanes, to), s.Test(encode.KANDW, lanes, c.from)
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
	if len(renamed) == 0 {
		return
	}
	rename := func(x *machine.Operand) {
		if to, ok := renamed[x.Reg]; ok {
			x.Reg = to
		}
	}
	for id := range k.Values {
		rename(&k.generals[id])
		rename(&k.apart[id][0])
		rename(&k.apart[id][1])
		for _, s := range k.groups {
			rename(&s.Vectors[id].Parts[0])
			rename(&s.Vectors[id].Parts[1])
		}
	}
}
