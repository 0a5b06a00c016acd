package vm

import (
	"math/bits"
	"slices"
)

// makeBlocks divides the operations of a function into basic blocks and finds where
// they lead.
func makeBlocks(operations []operation) []block {
	targets := map[int]bool{} // instructions that are jumped to
	for _, op := range operations {
		if op.control != nil {
			for _, t := range op.control.targets {
				targets[t] = true
			}
		}
	}
	var blocks []block
	blockAt := map[int]int{} // block that begins with an instruction
	current := block{}
	started := false
	begin, at := 0, -1
	finish := func(end int) {
		current.begin, current.end = begin, end
		begin = end
		current.next = len(blocks) + 1
		blocks = append(blocks, current)
		current, started = block{}, false
	}
	for _, op := range operations {
		for at < op.at { // labels may stand before instructions without operations
			at++
			if targets[at] {
				if started || begin < at {
					finish(at)
				}
				blockAt[at] = len(blocks)
			}
		}
		started = true
		if op.control == nil {
			current.operations = append(current.operations, op)
			continue
		}
		current.control = op.control
		current.control.at = op.at
		finish(at + 1)
	}
	if started {
		finish(at + 1)
	}
	// The end of the body is a return; labels there, and a body that runs off its end, lead to it.
	end := len(blocks)
	current.control = &transfer{at: -1, leaves: true, bind: bindLeave}
	finish(at + 1)
	for i := range blocks {
		if c := blocks[i].control; c != nil {
			for _, t := range c.targets {
				b, ok := blockAt[t]
				if !ok {
					b = end
				}
				blocks[i].targets = append(blocks[i].targets, b)
			}
		}
	}
	findMeetings(blocks)
	return blocks
}

// successors returns the blocks that can follow, exitBlock included.
func (b *block) successors() []int {
	if b.control == nil {
		return []int{b.next}
	}
	next := slices.Clone(b.targets)
	if b.control.falls {
		next = append(next, b.next)
	}
	if b.control.leaves {
		next = append(next, exitBlock)
	}
	return next
}

// findMeetings computes the immediate post-dominator of every block: the dominator in the
// flow graph reversed. Blocks from which the exit cannot be reached meet at the exit.
func findMeetings(blocks []block) {
	exit := len(blocks) // stands for exitBlock
	after := make([][]int, exit+1)
	before := make([][]int, exit+1)
	for i := range blocks {
		for _, s := range blocks[i].successors() {
			if s == exitBlock {
				s = exit
			}
			after[i] = append(after[i], s)
			before[s] = append(before[s], i)
		}
	}
	dominator := dominators(exit, before, after)
	for i := range blocks {
		blocks[i].meet = exitBlock
		if d := dominator[i]; d >= 0 && d != exit {
			blocks[i].meet = d
		}
	}
}

// placeRegisters finds out which registers are private to a block and which may be
// read unset, and gives every register a column.
func placeRegisters(fn *function) {
	lives := findExposed(fn)
	for r := range fn.registers {
		info := &fn.registers[r]
		info.private = !info.fixed && len(lives[register(r)]) == 0
	}
	findUnset(fn, lives)
	free := [3]*columnPool{{}, {}, {}}
	for r := range fn.registers {
		if info := &fn.registers[r]; !info.private {
			info.column = free[info.class].take()
		}
	}
	for i := range fn.blocks {
		placePrivate(fn, &fn.blocks[i], free)
	}
	for c := range fn.columns {
		fn.columns[c] = free[c].count
	}
}

// columnPool hands out the numbers of columns.
type columnPool struct {
	free  []int
	count int
}

func (p *columnPool) take() int {
	if n := len(p.free); n > 0 {
		c := p.free[n-1]
		p.free = p.free[:n-1]
		return c
	}
	p.count++
	return p.count - 1
}

// findExposed returns, for each register, the blocks that read it before they
// have written it in all threads.
func findExposed(fn *function) (exposed map[register][]int) {
	exposed = map[register][]int{}
	written := make([]int, len(fn.registers)) // 1 + the block that has written it
	for i := range fn.blocks {
		b := &fn.blocks[i]
		read := func(r register) {
			if r == noRegister || fn.registers[r].fixed || written[r] == i+1 {
				return
			}
			if at := exposed[r]; len(at) == 0 || at[len(at)-1] != i {
				exposed[r] = append(at, i)
			}
		}
		for _, op := range b.operations {
			for _, r := range op.uses {
				read(r)
			}
			read(op.guard)
			for _, r := range op.defs {
				if op.guard != noRegister {
					read(r) // what is not written stays
				}
				written[r] = i + 1
			}
		}
		if b.control != nil {
			for _, r := range b.control.uses {
				read(r)
			}
		}
	}
	return exposed
}

// unsetEffort is how many blocks findUnset looks at for each block and register of a function.
const unsetEffort = 16

// findUnset marks the registers of which some use can be reached from the entry
// without passing a write. To look at all ways to all uses would take long in large functions; what is not
// looked at counts as reached, which costs no more than setting a register to zero.
func findUnset(fn *function, exposed map[register][]int) {
	effort := unsetEffort * (len(fn.blocks) + len(fn.registers))
	before := make([][]int, len(fn.blocks))
	for i := range fn.blocks {
		for _, s := range fn.blocks[i].successors() {
			if s != exitBlock {
				before[s] = append(before[s], i)
			}
		}
	}
	writers := map[register]map[int]bool{}
	for i := range fn.blocks {
		for _, op := range fn.blocks[i].operations {
			if op.guard != noRegister {
				continue
			}
			for _, r := range op.defs {
				if len(exposed[r]) == 0 {
					continue
				}
				if writers[r] == nil {
					writers[r] = map[int]bool{}
				}
				writers[r][i] = true
			}
		}
	}
	seen := make([]register, len(fn.blocks)) // 1 + the register last looked at
	for r := range fn.registers {
		r := register(r)
		pending := slices.Clone(exposed[r])
		for len(pending) > 0 && !fn.registers[r].unset {
			b := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			if seen[b] == r+1 {
				continue
			}
			seen[b] = r + 1
			if effort--; b == 0 || effort < 0 {
				fn.registers[r].unset = true
			}
			for _, p := range before[b] {
				if !writers[r][p] {
					pending = append(pending, p)
				}
			}
		}
	}
}

// placePrivate gives columns to the registers that are private to a block. Two whose
// lives do not overlap share one.
func placePrivate(fn *function, b *block, free [3]*columnPool) {
	lastUse := map[register]int{}
	note := func(r register, at int) {
		if r != noRegister && fn.registers[r].private {
			lastUse[r] = at
		}
	}
	for i, op := range b.operations {
		for _, r := range op.uses {
			note(r, i)
		}
		for _, r := range op.defs {
			note(r, i)
		}
		note(op.guard, i)
	}
	if b.control != nil {
		for _, r := range b.control.uses {
			note(r, len(b.operations))
		}
	}
	ends := make([][]register, len(b.operations)+1)
	for r, at := range lastUse {
		ends[at] = append(ends[at], r)
	}
	placed := map[register]bool{}
	for i, op := range b.operations {
		for _, r := range op.defs {
			if info := &fn.registers[r]; info.private && !placed[r] {
				placed[r] = true
				info.column = free[info.class].take()
				b.private = append(b.private, placement{r, info.column})
			}
		}
		release(fn, ends[i], free)
	}
	release(fn, ends[len(b.operations)], free)
}

// release frees the columns of registers, in the order of their numbers, so that
// the same function is always built the same way.
func release(fn *function, registers []register, free [3]*columnPool) {
	slices.Sort(registers)
	for _, r := range registers {
		pool := free[fn.registers[r].class]
		pool.free = append(pool.free, fn.registers[r].column)
	}
}

// roundUp returns the next multiple of a power of two.
func roundUp(n, multiple int) int { return (n + multiple - 1) &^ (multiple - 1) }

// isPowerOfTwo reports whether exactly one bit is set.
func isPowerOfTwo(n int) bool { return bits.OnesCount(uint(n)) == 1 }
