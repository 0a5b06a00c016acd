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
// or behind it. The code as it was stands at the end of the same memory meanwhile. If so much is inserted that what is written
// would come to what has not been read, append moves it elsewhere.
func (c *Builder) rewrite(inserted int, f func(i *Instr)) {
	c.startMarks()
	memory := c.Code[:cap(c.Code)]
	if len(memory) < len(c.Code)+inserted {
		memory = make([]Instr, len(c.Code)+inserted)
	}
	gap := len(memory) - len(c.Code)
	old, marks := memory[gap:], c.Marks
	copy(old, c.Code)
	c.Code, c.Registers = memory[:0], slices.Grow(c.Registers, inserted)
	inPlace := func() bool { return len(c.Code) == 0 || &c.Code[0] == &memory[0] }
	var i Instr
	for n := range old {
		marks = c.moveMarks(marks, n)
		if i = old[n]; i.None() {
			continue
		}
		if inPlace() {
			c.Code = memory[: len(c.Code) : gap+n+1]
		}
		f(&i)
	}
	if inPlace() {
		c.Code = memory[:len(c.Code)]
	}
	c.moveMarks(marks, len(old))
}
