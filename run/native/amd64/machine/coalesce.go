package machine

// BackCopy is a copy at the end of a loop: the register of a phi gets the value that it has in the next turn.
type BackCopy struct{ Phi, Next VReg }

// span is where a register is first and last written and read, -1 if it is not.
type span struct{ firstDef, lastDef, firstUse, lastUse int32 }

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
	c.Intervals()
	spans := c.spans()
	renamed = make([]VReg, len(c.Registers))
	taken := make([]bool, len(c.Registers))
	some := false
	for _, b := range copies {
		if taken[b.Phi] || taken[b.Next] || !c.canCoalesce(b, spans) {
			continue
		}
		renamed[b.Next] = b.Phi
		taken[b.Phi], taken[b.Next], some = true, true, true
	}
	if !some {
		return nil
	}
	c.rename(renamed)
	return renamed
}

// canCoalesce reports whether a value can have the phi's register: it is computed and used in the loop, between its header
// and the copy, and the phi is not read after that.
func (c *Builder) canCoalesce(b BackCopy, spans []span) bool {
	if b.Next == 0 || c.Registers[b.Next].IsConstant() {
		return false
	}
	p, x := spans[b.Phi], spans[b.Next]
	if x.firstDef < 0 || x.firstDef != x.lastDef || c.Registers[b.Next].Start != x.firstDef {
		return false
	}
	if x.firstUse <= x.firstDef || p.lastDef < x.lastUse || p.lastUse > x.firstDef || p.firstDef >= x.firstDef {
		return false
	}
	// A tie would be copied over what the instruction reads.
	i := &c.Code[x.firstDef]
	return i.Tie == 0 || i.Tie == b.Phi || !i.Reads(b.Phi)
}

// spans finds the spans of all registers.
func (c *Builder) spans() []span {
	all := make([]span, len(c.Registers))
	for v := range all {
		all[v] = span{-1, -1, -1, -1}
	}
	var read readRegisters
	for n := range c.Code {
		i := &c.Code[n]
		if i.None() {
			continue
		}
		for _, v := range i.reads(&read) {
			all[v].use(int32(n))
		}
		for _, v := range c.usesOf(i) {
			all[v].use(int32(n))
		}
		if i.Defines {
			d := &all[i.Args[0].Reg]
			if d.firstDef < 0 {
				d.firstDef = int32(n)
			}
			d.lastDef = int32(n)
		}
	}
	return all
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
