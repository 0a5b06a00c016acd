package machine

import "slices"

// mark is a place in the code between two instructions: where a piece of it begins or ends. Passes
// that insert instructions move it.
type mark struct{ At int }

// insertion is what passes insert while they go through the code.
type insertion struct {
	code []Instr // in the order in which it is to stand
	at   []int32 // of each 2n if it is to stand before instruction n, 2n+1 if behind it
	now  int32   // the instruction that the pass has come to
}

// rewrite calls f for each instruction, in their order. It may change it, and insert others before and behind it.
func (c *Builder) rewrite(f func(i *Instr)) {
	c.inserted.code, c.inserted.at = c.inserted.code[:0], c.inserted.at[:0]
	for n := range c.Code {
		if i := &c.Code[n]; !i.None() {
			c.inserted.now = int32(n)
			f(i)
		}
	}
	c.insert()
}

// before inserts an instruction before the one that rewrite has come to, and behind inserts one behind it. All that stands before
// it comes first.
func (c *Builder) before(i Instr) {
	c.inserted.code, c.inserted.at = append(c.inserted.code, i), append(c.inserted.at, 2*c.inserted.now)
}

func (c *Builder) behind(i Instr) {
	c.inserted.code, c.inserted.at = append(c.inserted.code, i), append(c.inserted.at, 2*c.inserted.now+1)
}

// insert puts what is to be inserted in its places, from the last to the first, and moves the marks.
func (c *Builder) insert() {
	in := &c.inserted
	more := 0
	for n := range c.Marks {
		for m := &c.Marks[n]; ; more++ {
			if more == len(in.at) || in.at[more] >= 2*int32(m.At) {
				m.At += more
				break
			}
		}
	}
	from := len(c.Code) // what stands behind it has its place
	c.Code = slices.Grow(c.Code, len(in.code))[:from+len(in.code)]
	to := len(c.Code)
	for n := len(in.code) - 1; n >= 0; n-- {
		first := int(in.at[n]+1) / 2
		to -= from - first
		copy(c.Code[to:], c.Code[first:from])
		from = first
		to--
		c.Code[to] = in.code[n]
	}
}
