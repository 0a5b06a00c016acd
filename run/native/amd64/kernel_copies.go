package amd64

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// The copies that phis ask for on edges.

// phiCopy is a copy between registers of one class.
type phiCopy struct {
	to     vreg
	from   operand
	class  class
	masked bool
	of     *group // whose lanes at work are meant
	wide   bool   // elements have 64 bits: those of a half of the group
	half   int
	back   bool // on the edge back to the header of a loop
}

// copies makes the copies of an edge, as if all at once.
func (k *kernelCompiler) copies(b simt.BlockID, n int) {
	moves := k.Moves(b, n)
	if len(moves) == 0 {
		return
	}
	to := k.Blocks[b].End.To[n]
	masked := k.masked(b, to)
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
func (k *kernelCompiler) saveCaches(f func()) {
	var before [maxGroups][]simt.ID
	for g, s := range k.groups {
		before[g] = s.cached
		s.cached = nil
	}
	borrowed := k.borrowed
	k.borrowed = nil
	f()
	k.forget()
	for g, s := range k.groups {
		s.cached = before[g]
	}
	k.borrowed = borrowed
}

// masked reports whether an edge must leave what other lanes have in the phis that it writes. It need not if no lane
// can have anything there: all lanes of a loop go back together, and where they come from only one block
// first, all that come from there come together, unless they leave a loop in different turns.
func (k *kernelCompiler) masked(b, to simt.BlockID) bool {
	if to <= b {
		return false
	}
	if b != slices.Min(k.Blocks[to].Preds) {
		return true
	}
	for l := k.Blocks[b].Loop; l != simt.NoBlock && !k.InLoop(to, l); l = k.Outer(l) {
		if slices.Contains(k.parting[l:k.LoopLast(l)+1], true) {
			return true
		}
	}
	return false
}

// phi returns the registers of a phi, which are made when they are first wanted.
func (k *kernelCompiler) phi(id simt.ID) {
	typ := k.Values[id].Type
	if k.scalar[id] {
		if k.generals[id].none() {
			k.generals[id] = virtual(k.newRegister(general))
		}
		return
	}
	if a := k.affines[id]; a != nil {
		if !a.none && k.apart[id][0].none() {
			x := virtual(k.newRegister(general))
			k.apart[id] = [2]operand{x, x}
			if a.split {
				k.apart[id][1] = virtual(k.newRegister(general))
			}
		}
		return
	}
	for _, s := range k.groups {
		v := &s.values[id]
		if !v.parts[0].none() {
			continue
		}
		switch typ {
		case simt.Pred:
			v.parts[0] = virtual(k.newRegister(k.laneClass()))
		case simt.B64:
			v.parts[0], v.parts[1] = virtual(k.newRegister(vector)), virtual(k.newRegister(vector))
		default:
			v.parts[0] = virtual(k.newRegister(vector))
		}
	}
}

// copiesOf returns the copies for one phi.
func (k *kernelCompiler) copiesOf(m simt.Move, masked, back bool) (all []phiCopy) {
	k.phi(m.To)
	if k.scalar[m.To] {
		from := k.general(m.From)
		return []phiCopy{{to: k.generals[m.To].v, from: from, class: general, back: back}}
	}
	if a := k.affines[m.To]; a != nil {
		return k.copiesOfAffine(m, a, back)
	}
	for _, s := range k.groups {
		to, from := &s.values[m.To], s.value(m.From)
		switch k.Values[m.To].Type {
		case simt.Pred:
			all = append(all, phiCopy{to: to.parts[0].v, from: from.parts[0], class: k.laneClass(), masked: masked, of: s, back: back})
		case simt.B32:
			all = append(all, phiCopy{to: to.parts[0].v, from: from.parts[0], masked: masked, of: s, back: back})
		default:
			for p := range to.parts {
				all = append(all, phiCopy{to: to.parts[p].v, from: from.parts[p], masked: masked, of: s, wide: true, half: p, back: back})
			}
		}
	}
	return all
}

// copiesOfAffine returns the copies of an affine phi's scalars. The constants of the lanes may be another number apart.
func (k *kernelCompiler) copiesOfAffine(m simt.Move, a *affine, back bool) (all []phiCopy) {
	if a.none {
		return nil
	}
	from := k.affineValue(m.From)
	e := affiner{kernelCompiler: k, emits: true, wide: k.Values[m.To].Type == simt.B64}
	for g, to := range k.apart[m.To] {
		if g == 1 && !a.split {
			break
		}
		x := e.plus(from.s[g], from.c[0]-a.c[0])
		if x.none() {
			x = k.loadImmediate(0)
		}
		all = append(all, phiCopy{to: to.v, from: x, class: general, back: back})
	}
	return all
}

// inOrder emits copies so that none overwrites what another reads; where they go in a circle, one is kept aside.
func (k *kernelCompiler) inOrder(all []phiCopy) {
	all = slices.DeleteFunc(all, func(c phiCopy) bool { return c.from.v == c.to })
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(c phiCopy) bool {
			return !slices.ContainsFunc(all, func(other phiCopy) bool { return other.to != c.to && other.from.v == c.to })
		})
		if n < 0 {
			n = 0
			c := all[0]
			aside := k.groups[0].put(c.class, instr{op: k.moveBetween(c.class), move: true}, []operand{virtual(c.to)})
			for m := range all {
				if all[m].from.v == c.to {
					all[m].from = aside
				}
			}
		}
		k.copy1(all[n])
		all = slices.Delete(all, n, n+1)
	}
}

// moveBetween returns the instruction that moves between registers of a class.
func (k *kernelCompiler) moveBetween(c class) encode.Op {
	switch c {
	case mask:
		return encode.KMOVW
	case general:
		return encode.MOV | encode.S64
	}
	return k.t.move
}

// copy1 emits one copy.
func (k *kernelCompiler) copy1(c phiCopy) {
	s, to := k.groups[0], virtual(c.to)
	if !c.masked {
		i := instr{op: k.moveBetween(c.class), args: [4]operand{to, c.from}, n: 2, defines: true, move: true}
		k.code = append(k.code, i)
		if c.back {
			k.backCopies = append(k.backCopies, [2]vreg{c.to, c.from.v})
		}
		return
	}
	lanes := c.of.atWork()
	if c.wide {
		lanes = c.of.lanesOfHalf(lanes, c.half)
	}
	switch {
	case c.class == mask:
		kept, new := s.test(encode.KANDNW, lanes, to), s.test(encode.KANDW, lanes, c.from)
		k.code = append(k.code, instr{op: encode.KORW, args: [4]operand{to, kept, new}, n: 3, defines: true})
	case !k.hasMasks():
		k.code = append(k.code, instr{op: s.sized(encode.VPBLENDVB), args: [4]operand{to, to, c.from, lanes}, n: 4, defines: true})
	case c.wide:
		k.code = append(k.code, instr{op: s.sized(encode.VMOVDQA64), args: [4]operand{to, c.from}, n: 2, defines: true, tie: c.to, mask: lanes})
	default:
		k.code = append(k.code, instr{op: s.sized(encode.VMOVDQA32), args: [4]operand{to, c.from}, n: 2, defines: true, tie: c.to, mask: lanes})
	}
}

// readsOf reports whether an instruction reads a register.
func (i *instr) readsOf(v vreg) (reads bool) {
	i.each(func(other vreg) { reads = reads || other == v })
	return reads
}

// coalesce gives the value that a loop's phi has in the next turn the phi's registers, where nothing reads the phi
// after the value has been computed: then the copy at the loop's end is none.
func (k *kernelCompiler) coalesce() {
	if len(k.backCopies) == 0 || k.o.Without&FuseCopies != 0 {
		return
	}
	k.intervals()
	type span struct{ firstDef, lastDef, firstUse, lastUse int32 }
	spans := make([]span, len(k.registers))
	for v := range spans {
		spans[v] = span{-1, -1, -1, -1}
	}
	for n := range k.code {
		i := &k.code[n]
		if i.none() {
			continue
		}
		use := func(v vreg) {
			if spans[v].firstUse < 0 {
				spans[v].firstUse = int32(n)
			}
			spans[v].lastUse = int32(n)
		}
		i.each(use)
		for _, v := range i.uses {
			use(v)
		}
		if i.defines {
			d := &spans[i.args[0].v]
			if d.firstDef < 0 {
				d.firstDef = int32(n)
			}
			d.lastDef = int32(n)
		}
	}
	renamed := map[vreg]vreg{}
	taken := map[vreg]bool{}
	for _, c := range k.backCopies {
		phi, next := c[0], c[1]
		p, x := spans[phi], spans[next]
		_, already := renamed[next]
		if next == 0 || taken[phi] || taken[next] || already || k.registers[next].isConstant() || x.firstDef < 0 || x.firstDef != x.lastDef {
			continue
		}
		// The value is computed and used in the loop, between its header and the copy, and the phi is not read
		// after that.
		if x.firstUse <= x.firstDef || p.lastDef < x.lastUse || p.lastUse > x.firstDef || k.registers[next].start != x.firstDef || p.firstDef >= x.firstDef {
			continue
		}
		if i := &k.code[x.firstDef]; i.tie != 0 && i.tie != phi && i.readsOf(phi) {
			continue // the tie would be copied over what the instruction reads
		}
		renamed[next] = phi
		taken[phi], taken[next] = true, true
	}
	if len(renamed) == 0 {
		return
	}
	rename := func(v *vreg) {
		if to, ok := renamed[*v]; ok {
			*v = to
		}
	}
	for n := range k.code {
		i := &k.code[n]
		rename(&i.tie)
		rename(&i.mask.v)
		for a := range i.args[:i.n] {
			rename(&i.args[a].v)
			rename(&i.args[a].index)
		}
		for u := range i.uses {
			rename(&i.uses[u])
		}
	}
	for id := range k.Values {
		rename(&k.generals[id].v)
		rename(&k.apart[id][0].v)
		rename(&k.apart[id][1].v)
		for _, s := range k.groups {
			rename(&s.values[id].parts[0].v)
			rename(&s.values[id].parts[1].v)
		}
	}
}
