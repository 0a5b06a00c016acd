package machine

// BackCopy is a copy at the end of a loop: the register of a phi gets the value that it has in the next turn.
type BackCopy struct{ Phi, Next VReg }

// span is where a register is first and last written and read, -1 if it is not, and whether it has been given another one's place.
type span struct {
	firstDef, lastDef, firstUse, lastUse int32
	taken                                bool
}

// use notes that instruction n reads the register.
func (s *span) use(n int32) {
	if s.firstUse < 0 {
		s.firstUse = n
	}
	s.lastUse = n
}

// Coalesce gives the values that phis have in the next turn the phis' registers, where nothing reads a phi
// after its value has been computed: then the copy at the loop's end is none. It returns by register
// which other one it has become, 0 if none, or nil if all are as they were.
func (c *Builder) Coalesce(copies []BackCopy) (renamed []VReg) {
	if len(copies) == 0 {
		return nil
	}
	c.findLoops()
	of, spans := c.spans(copies)
	defer spanOfMemory.Leave(of)
	renamed = make([]VReg, len(c.Registers))
	some := false
	for _, b := range copies {
		p, x := &spans[of[b.Phi]], &spans[of[b.Next]]
		if p.taken || x.taken || !c.canCoalesce(b, p, x) {
			continue
		}
		renamed[b.Next] = b.Phi
		p.taken, x.taken, some = true, true, true
	}
	if !some {
		return nil
	}
	c.rename(renamed)
	return renamed
}

// canCoalesce reports whether a value can have the phi's register, given their spans: it is computed and used in the loop, between
// its header and the copy, and the phi is not read after that.
func (c *Builder) canCoalesce(b BackCopy, p, x *span) bool {
	if b.Next == 0 || c.Registers[b.Next].IsConstant() {
		return false
	}
	if x.firstDef < 0 || x.firstDef != x.lastDef || c.isReadBehind(x) {
		return false
	}
	if x.firstUse <= x.firstDef || p.lastDef < x.lastUse || p.lastUse > x.firstDef || p.firstDef >= x.firstDef {
		return false
	}
	// A tie would be copied over what the instruction reads.
	i := &c.Code[x.firstDef]
	return i.Tie == 0 || i.Tie == b.Phi || !i.Reads(b.Phi)
}

// isReadBehind reports whether something behind the loop reads a value that the loop defines: then it lives from the loop's
// beginning.
func (c *Builder) isReadBehind(x *span) bool {
	in := c.loopAt(x.firstDef)
	return in != 0 && c.loops[in-1].Last < x.lastUse
}

var spanOfMemory Memory[int32]

// spans finds the spans of the registers of some copies, and by register which of the spans it has. The first is for all others.
func (c *Builder) spans(copies []BackCopy) (of []int32, all []span) {
	of, all = spanOfMemory.Take(len(c.Registers)), make([]span, 1, 1+2*len(copies))
	for _, b := range copies {
		for _, v := range [...]VReg{b.Phi, b.Next} {
			if of[v] == 0 && v != 0 {
				of[v] = int32(len(all))
				all = append(all, span{firstDef: -1, lastDef: -1, firstUse: -1, lastUse: -1})
			}
		}
	}
	var read readRegisters
	for n := range c.Code {
		i := &c.Code[n]
		if i.None() {
			continue
		}
		for _, v := range i.reads(&read) {
			all[of[v]].use(int32(n))
		}
		for _, v := range c.usesOf(i) {
			all[of[v]].use(int32(n))
		}
		if i.Defines {
			d := &all[of[i.Args[0].Reg]]
			if d.firstDef < 0 {
				d.firstDef = int32(n)
			}
			d.lastDef = int32(n)
		}
	}
	return of, all
}

// rename replaces registers in all instructions.
func (c *Builder) rename(renamed []VReg) {
	rename := func(v *VReg) {
		if to := renamed[*v]; to != 0 {
			*v = to
		}
	}
	for n := range c.Code {
		i := &c.Code[n]
		rename(&i.Tie)
		rename(&i.Mask.Reg)
		for a := range i.Args[:i.N] {
			rename(&i.Args[a].Reg)
			rename(&i.Args[a].Index)
		}
		uses := c.usesOf(i)
		for u := range uses {
			rename(&uses[u])
		}
	}
}
