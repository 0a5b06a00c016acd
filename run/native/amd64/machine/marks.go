package machine

import "slices"

// mark is a place in the code between two instructions: where a piece of it begins or ends. Passes
// that insert instructions move it.
type mark struct{ At, old int }

// startMarks notes where the marks are before a pass rewrites the code.
func (c *Builder) startMarks() {
	for p := range c.Marks {
		c.Marks[p].old = c.Marks[p].At
	}
}

// moveMarks moves the marks at old instruction n, which are the first of those that have not been moved, to the
// current end of the code. It returns the others.
func (c *Builder) moveMarks(marks []mark, n int) []mark {
	for len(marks) > 0 && marks[0].old == n {
		marks[0].At = len(c.Code)
		marks = marks[1:]
	}
	return marks
}

// rewrite lets f change each instruction and add it to the code anew: what f inserts, about so many instructions, comes before
// or behind it.
func (c *Builder) rewrite(inserted int, f func(i *Instr)) {
	c.startMarks()
	old, marks := c.Code, c.Marks
	c.Code, c.Registers = slices.Grow(c.spare[:0], len(old)+inserted), slices.Grow(c.Registers, inserted)
	for n := range old {
		marks = c.moveMarks(marks, n)
		if !old[n].None() {
			f(&old[n])
		}
	}
	c.moveMarks(marks, len(old))
	c.spare = old
}
