package amd64

// mark is a place in the code between two instructions: where a piece of it begins or ends. Passes
// that insert instructions move it.
type mark struct{ at, old int }

// startMarks notes where the marks are before a pass rewrites the code.
func (c *builder) startMarks() {
	for p := range c.marks {
		c.marks[p].old = c.marks[p].at
	}
}

// moveMarks moves the marks at old instruction n, which are the first of those that have not been moved, to the
// current end of the code. It returns the others.
func (c *builder) moveMarks(marks []mark, n int) []mark {
	for len(marks) > 0 && marks[0].old == n {
		marks[0].at = len(c.code)
		marks = marks[1:]
	}
	return marks
}

// rewrite lets f write each instruction anew: what it inserts comes before or behind it.
func (c *builder) rewrite(f func(i instr)) {
	c.startMarks()
	old, marks := c.code, c.marks
	c.code = make([]instr, 0, len(old)+len(old)/2+8)
	for n := range old {
		marks = c.moveMarks(marks, n)
		if !old[n].none() {
			f(old[n])
		}
	}
	c.moveMarks(marks, len(old))
}
