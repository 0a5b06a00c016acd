package litmus

import "encoding/binary"

// A Launch is a kernel of one program, or of several that are for as many CTAs.
type Launch struct {
	Programs []*Program
	Rounds   int
}

// Joins reports whether a program may be in a launch with others: those for one warp of each of
// several CTAs, without barriers.
func (p *Program) Joins() bool {
	return p.CTAs() > 1 && p.warps() == 1 && !p.has(func(op *Op) bool { return op.Kind == Barrier })
}

// places says where the memory of a program is, in that of the launch, and how far its arrays are
// apart.
type places struct{ cells, results, apart int }

// place returns the place of a program; that of the one behind the last is the size of the memory.
func (l *Launch) place(n int) (at places) {
	for i, p := range l.Programs[:min(n+1, len(l.Programs))] {
		at.apart = 0
		for _, pitch := range p.pitches() {
			at.apart = max(at.apart, (pitch*l.Rounds*p.Width+63)&^63)
		}
		if i < n {
			at.cells += at.apart * len(p.pitches())
			at.results += l.Rounds * p.Width * p.slot()
		}
	}
	return at
}

// Size returns how many bytes the cells have, be they global or shared, the results, and the words
// by which CTAs meet.
func (l *Launch) Size() (cells, results, meet int) {
	at := l.place(len(l.Programs))
	return at.cells, at.results, 64 * (l.CTAs() + 1)
}

// CTAs and Block are the size of the grid and of a block.
func (l *Launch) CTAs() int { return l.Programs[0].CTAs() }

// Block is the number of threads of a block.
func (l *Launch) Block() (threads int) {
	for _, p := range l.Programs {
		threads = max(threads, p.Block())
	}
	return threads
}

// slot is how many bytes the results of an instance have.
func (p *Program) slot() int {
	n := 0
	for t := range p.Threads {
		n += p.registers(t)
	}
	if p.Shared {
		n += len(p.Sizes)
	}
	return 8 * max(1, n)
}

// Outcome returns what an instance of a program has left in the results, and in the cells if these
// are not shared.
func (l *Launch) Outcome(program, instance int, results, cells []byte) (o Outcome) {
	p, place := l.Programs[program], l.place(program)
	at := place.results + instance*p.slot()
	next := func() uint64 {
		at += 8
		return binary.LittleEndian.Uint64(results[at-8:])
	}
	for t := range p.Threads {
		registers := make([]uint64, p.registers(t))
		for r := range registers {
			registers[r] = next()
		}
		o.Registers = append(o.Registers, registers)
	}
	for location, size := range p.Sizes {
		if p.Shared {
			o.Final = append(o.Final, next())
			continue
		}
		cell := place.cells + instance*p.pitches()[0]
		switch p.Layout {
		case Lines:
			cell += 64 * location
		case Dense:
			cell += location * size
		case Arrays:
			cell = place.cells + location*place.apart + instance*size
		}
		var x uint64
		for i := range size {
			x |= uint64(cells[cell+i]) << (8 * i)
		}
		o.Final = append(o.Final, x)
	}
	return o
}
