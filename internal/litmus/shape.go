package litmus

import (
	"fmt"
	"strings"
)

// A shape is what threads of a known litmus test access, in order: "Wx Ry" writes x and reads y.
// The names are those of Alglave, Maranget and Tautschnig, "Herding Cats" (2014), as far as there
// are any.
type shape struct {
	name    string
	threads []string
}

var shapes = []shape{
	{"SB", []string{"Wx Ry", "Wy Rx"}},
	{"MP", []string{"Wx Wy", "Ry Rx"}},
	{"LB", []string{"Rx Wy", "Ry Wx"}},
	{"S", []string{"Wx Wy", "Ry Wx"}},
	{"R", []string{"Wx Wy", "Wy Rx"}},
	{"2+2W", []string{"Wx Wy", "Wy Wx"}},
	{"WRC", []string{"Wx", "Rx Wy", "Ry Rx"}},
	{"RWC", []string{"Wx", "Rx Ry", "Wy Rx"}},
	{"ISA2", []string{"Wx Wy", "Ry Wz", "Rz Rx"}},
	{"IRIW", []string{"Wx", "Rx Ry", "Ry Rx", "Wy"}},
	{"3.SB", []string{"Wx Ry", "Wy Rz", "Wz Rx"}},
	{"CoRR", []string{"Wx", "Rx Rx"}},
	{"CoRR of two", []string{"Wx", "Wx", "Rx Rx", "Rx Rx"}},
	{"reread", []string{"Wx Wy", "Rx Ry Rx"}},
	{"written before", []string{"Wx Wy", "Wx Ry Rx"}},
	{"SB with its own", []string{"Wx Rx Ry", "Wy Ry Rx"}},
	{"neighbours", []string{"Wx Wx Rx", "Wy Wy Ry"}},
	{"counter", []string{"Ax Ax", "Ax Ax"}},
	{"exchanges", []string{"Ax Ay", "Ay Ax"}},
	{"MP by an atomic", []string{"Wx Wy", "Ay", "Ry Rx"}},
}

// accesses returns the accesses of a thread: each a letter and a location.
func accesses(thread string) []string { return strings.Fields(thread) }

// A link is what stands between two accesses of a thread, or makes them ordered.
type link uint8

const (
	nothing link = iota
	releaseAcquire
	fenceAcqRel
	fenceSC
	membar
	links
)

var linkNames = []string{"relaxed", "release and acquire", "fence.acq_rel", "fence.sc", "membar"}

// Named returns the known shapes with each link between all accesses, placed in each way.
func Named() (all []*Program) {
	for _, s := range shapes {
		for l := range links {
			for n, place := range placements {
				p := s.program(l)
				p.Name = s.name + ", " + linkNames[l] + ", " + place.name
				p.Seed = uint64(len(all))
				p.Width = []int{1, 8, 4}[(int(l)+n)%3]
				place.set(p)
				all = append(all, p)
			}
		}
	}
	return all
}

// mixed are programs whose accesses of different sizes are ordered, so that they do not race.
var mixed = []string{
	"st.weak x, 1; st.weak y, 2; st.release.gpu z, 1\nawait.acquire.gpu z; ld.weak.wide2 x",
	"st.weak.wide2 x, 1; fence.acq_rel.gpu; st.relaxed.gpu z, 1\nawait.volatile z; fence.acq_rel.gpu; ld.weak y; ld.weak x",
	"st.weak.wide2 x, 1; st.release.gpu z, 1\nawait.acquire.gpu z; st.weak y, 2; ld.weak.wide2 x; st.weak x, 3",
	"st.weak.wide2 x, 1; ld.weak y; st.weak y, 2; ld.weak.wide2 x\nst.weak.v2 z, 3, 4; fence.sc.gpu; ld.weak.wide2 z",
}

// MixedSizes returns these programs, for locations of each size, placed in each way but as one
// piece of code.
func MixedSizes() (all []*Program) {
	for n, text := range mixed {
		for size := 1; size <= 4; size *= 2 {
			for _, place := range placements[:len(placements)-1] {
				p, err := Parse(text)
				if err != nil {
					panic(err)
				}
				p.Sizes = []int{size, size, size, size}
				place.set(p)
				p.Name = fmt.Sprintf("mixed sizes %d, of %d bytes, %s", n, size, place.name)
				p.Layout, p.Seed, p.Width = Dense, uint64(len(all)), []int{1, 8}[len(all)%2]
				all = append(all, p)
			}
		}
	}
	return all
}

// program returns a shape with a link, without places.
func (s shape) program(l link) *Program {
	p := &Program{}
	locations := 0
	var written uint8
	for _, text := range s.threads {
		var ops []Op
		for n, a := range accesses(text) {
			if n > 0 {
				switch l {
				case fenceAcqRel:
					ops = append(ops, newOp(Fence, AcqRel, GPU, 0))
				case fenceSC, membar:
					fence := newOp(Fence, SC, GPU, 0)
					fence.Membar = l == membar
					ops = append(ops, fence)
				}
			}
			location := strings.Index(locationNames, a[1:])
			locations = max(locations, location+1)
			ops = append(ops, plainAccess(a[0], l, location, &written))
		}
		p.Threads = append(p.Threads, ops)
	}
	for range locations {
		p.Sizes = append(p.Sizes, 4)
	}
	return p
}

// plainAccess is an access of a shape.
func plainAccess(letter byte, l link, location int, written *uint8) Op {
	op := newOp(Load, Relaxed, GPU, location)
	if l == releaseAcquire {
		op.Order = Acquire
	}
	if letter == 'R' {
		return op
	}
	*written++
	op.Value = constant(*written)
	op.Kind = Store
	if letter == 'A' {
		op.Kind, op.Update = Atom, "add.u32"
	}
	if l == releaseAcquire {
		op.Order = map[byte]Order{'W': Release, 'A': AcqRel}[letter]
	}
	return op
}

// placements are where threads may be.
var placements = []struct {
	name string
	set  func(*Program)
}{
	{"in CTAs", func(p *Program) { p.place(func(t int) Place { return Place{CTA: t} }) }},
	{"in CTAs, side by side", func(p *Program) {
		p.place(func(t int) Place { return Place{CTA: t} })
		p.Layout = Dense
		if !p.has(func(op *Op) bool { return op.Kind == Atom }) {
			for l := range p.Sizes {
				p.Sizes[l] = 1
			}
		}
	}},
	{"in warps", func(p *Program) {
		p.place(func(t int) Place { return Place{Warp: t} })
		p.pauseAll()
		p.Meets = true
	}},
	{"in warps, in shared memory", func(p *Program) {
		p.place(func(t int) Place { return Place{Warp: t} })
		p.pauseAll()
		p.Shared, p.Layout = true, Arrays
	}},
	{"in lanes", func(p *Program) {
		p.place(func(int) Place { return Place{} })
		p.pauseAll()
	}},
	{"in lanes, as one", func(p *Program) {
		p.place(func(int) Place { return Place{} })
		p.Merged, p.Layout = true, Arrays
	}},
}

func (p *Program) place(of func(thread int) Place) {
	p.Places = nil
	for t := range p.Threads {
		p.Places = append(p.Places, of(t))
	}
}

// pauseAll has pauses before all instructions but the first.
func (p *Program) pauseAll() {
	for _, ops := range p.Threads {
		for i := range ops {
			ops[i].Pause = i > 0
		}
	}
}
