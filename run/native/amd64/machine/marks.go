package machine

import "slices"

// mark is a place in the code between two instructions: where a piece of it begins or ends. Passes
// that insert instructions move it.
type mark struct{ At int }

// insertion is what passes insert while they go through the code.
type insertion struct {
	code  []Instr // in the order in which it is to stand
	at    []int32 // of each 2n if it is to stand before instruction n, 2n+1 if behind it
	now   int32   // the instruction that the pass has come to
	moved []int32 // by instruction: where it stands when all has been inserted
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

// before inserts an instruction before the one that rewrite has come to, which reads what it defines: nothing else does. behind
// inserts one behind it, which is the only one that reads what it reads.
func (c *Builder) before(i Instr) {
	c.inserted.code, c.inserted.at = append(c.inserted.code, i), append(c.inserted.at, 2*c.inserted.now)
}

func (c *Builder) behind(i Instr) {
	c.inserted.code, c.inserted.at = append(c.inserted.code, i), append(c.inserted.at, 2*c.inserted.now+1)
}

// insert puts what is to be inserted in its places, from the last to the first, and moves the marks and the intervals.
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
	c.moveIntervals()
	from := len(c.Code) // what stands behind it has its place
	c.Code = slices.Grow(c.Code, len(in.code))[:from+len(in.code)]
	to := len(c.Code)
	for n := len(in.code) - 1; n >= 0; n-- {
		first := int(in.at[n]+1) / 2
		to -= from - first
		copy(c.Code[to:], c.Code[first:from])
		from = first
		to--
		i, by := &in.code[n], in.moved[in.at[n]/2]
		c.Code[to] = *i
		if i.Defines {
			r := c.register(i.Args[0].Reg)
			r.Start, r.End = int32(to), by
		} else {
			r := c.register(i.Args[1].Reg)
			r.Start, r.End = by, int32(to)
		}
	}
}

// moveIntervals lets intervals begin and end where the instructions will stand at which they do.
func (c *Builder) moveIntervals() {
	in := &c.inserted
	in.moved = in.moved[:0]
	more := int32(0)
	for n := range int32(len(c.Code)) {
		for int(more) < len(in.at) && in.at[more] <= 2*n {
			more++
		}
		in.moved = append(in.moved, n+more)
	}
	for v := range c.Registers {
		r := &c.Registers[v]
		if r.Start >= 0 {
			r.Start = in.moved[r.Start]
		}
		if r.End >= 0 {
			r.End = in.moved[r.End]
		}
	}
}
