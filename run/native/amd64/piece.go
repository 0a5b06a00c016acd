package amd64

// mark is a place in the code between two instructions: where a piece of it begins or ends. Passes
// that insert instructions move it.
type mark struct{ at, old int }

// startMarks notes where the marks are before a pass rewrites the code.
func (c *compiler) startMarks() {
	for p := range c.marks {
		c.marks[p].old = c.marks[p].at
	}
}

// moveMarks moves the marks at old instruction n to the current end of the code.
func (c *compiler) moveMarks(n int) {
	for p := range c.marks {
		if c.marks[p].old == n {
			c.marks[p].at = len(c.code)
		}
	}
}

// rewrite lets f write each instruction anew: what it inserts comes before or behind it.
func (c *compiler) rewrite(f func(i instr)) {
	c.startMarks()
	old := c.code
	c.code = make([]instr, 0, len(old)+len(old)/2+8)
	for n := range old {
		c.moveMarks(n)
		if old[n].op != 0 {
			f(old[n])
		}
	}
	c.moveMarks(len(old))
}
