package machine

import (
	"cmp"
	"fmt"
	"slices"
)

// checkIntervals returns an error if intervals are not what they are when they are found anew, when the options ask for that to
// be checked.
func (c *Builder) checkIntervals() error {
	if !c.Options.CheckRegisters {
		return nil
	}
	before := slices.Clone(c.Registers)
	c.Intervals()
	for v := range c.Registers {
		b, r := &before[v], &c.Registers[v]
		if r.IsConstant() || r.Start < 0 && b.Start < 0 {
			continue
		}
		if b.Start != r.Start || b.End != r.End || b.early != r.early || r.late && !b.late || b.weight != r.weight && !b.fresh {
			return fmt.Errorf("amd64: the interval of value %d was thought to be from %d to %d, and is from %d to %d", v, b.Start, b.End, r.Start, r.End)
		}
	}
	return nil
}

// checkRegisters returns an error if two values have a machine register at the same time, when the options ask for that
// to be checked. A wrong register need not show in what a kernel computes.
func (c *Builder) checkRegisters() error {
	if !c.Options.CheckRegisters {
		return nil
	}
	var in [NumClasses][32][]VReg
	for v := range c.Registers {
		if r := &c.Registers[v]; r.Machine >= 0 && r.Start >= 0 && !r.IsConstant() {
			in[r.Class][r.Machine] = append(in[r.Class][r.Machine], VReg(v))
		}
	}
	for class := range in {
		for machine, all := range in[class] {
			slices.SortFunc(all, func(a, b VReg) int { return cmp.Compare(c.Registers[a].Start, c.Registers[b].Start) })
			last := VReg(0) // of those so far the one that ends last
			for _, v := range all {
				r := &c.Registers[v]
				if last != 0 && r.Start < c.Registers[last].End {
					l := &c.Registers[last]
					return fmt.Errorf("amd64: register %d of class %d holds value %d from %d to %d and value %d from %d to %d", machine, class, last, l.Start, l.End, v, r.Start, r.End)
				}
				if last == 0 || r.End > c.Registers[last].End {
					last = v
				}
			}
		}
	}
	return nil
}

// ReadBefore changes a set of registers, by number, from those that are read behind instruction n before they are written to
// those that are from it on. What it reads of the register that it writes, it leaves there.
func (c *Builder) ReadBefore(n int, set []bool) {
	i := &c.Code[n]
	if i.None() {
		return
	}
	written := VReg(0)
	if i.Defines {
		written = i.Args[0].Reg
		set[written] = false
	}
	if i.Merges {
		written = i.Args[i.N-1].Reg
	}
	for _, v := range i.reads(&readRegisters{}) {
		if v != written {
			set[v] = true
		}
	}
	for _, v := range c.usesOf(i) {
		set[v] = true
	}
}
