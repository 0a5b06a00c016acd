package litmus

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator makes a random program.
type generator struct {
	*rand.Rand
	*Program
	written  uint8 // the bytes that have been given to writes
	scope    Scope // what most operations have
	strength int   // of ten operations so many are strong, and of ten pairs so many are linked
	fences   int   // fence.sc so far: their orders are all tried
	barriers bool
}

// New returns the program of a seed: half of them are known shapes whose accesses and links are
// drawn, the others are any accesses.
func New(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x766f70)), Program: &Program{Seed: seed, Name: fmt.Sprintf("seed %d", seed)}}
	g.strength = 3 + g.IntN(8)
	var threads []string
	if g.IntN(4) > 0 {
		threads = shapes[g.IntN(len(shapes))].threads
	} else {
		threads = g.anyShape()
	}
	g.memory(threads)
	g.places(len(threads))
	for _, text := range threads {
		g.Threads = append(g.Threads, g.thread(text))
	}
	g.style()
	return g.Program
}

func (g *generator) chance(of10 int) bool { return g.IntN(10) < of10 }

// anyShape draws what each thread accesses.
func (g *generator) anyShape() (threads []string) {
	locations := 1 + g.IntN(3)
	for range 2 + g.IntN(3) {
		var s []string
		for range 1 + g.IntN(4) {
			s = append(s, string("RRRWWWA"[g.IntN(7)])+locationName(g.IntN(locations)))
		}
		threads = append(threads, strings.Join(s, " "))
	}
	return threads
}

// memory draws the locations.
func (g *generator) memory(threads []string) {
	locations := 0
	for _, text := range threads {
		for _, a := range accesses(text) {
			locations = max(locations, strings.Index(locationNames, a[1:])+1)
		}
	}
	g.Layout = []Layout{Lines, Lines, Dense, Dense, Arrays}[g.IntN(5)]
	size := func() int { return []int{1, 2, 4, 4, 4, 4, 8, 8}[g.IntN(8)] }
	first := size()
	if g.Layout == Dense {
		locations = (locations + 1) &^ 1
	}
	for range locations {
		if g.Sizes = append(g.Sizes, first); g.Layout != Dense {
			first = size()
		}
	}
}

// places draws where the threads are, and for which scope most operations are.
func (g *generator) places(n int) {
	kind := g.IntN(8)
	for t := range n {
		at := Place{CTA: g.IntN(2), Warp: g.IntN(2)}
		switch {
		case kind < 3:
			at = Place{CTA: t}
		case kind == 3:
			at = Place{Warp: t}
		case kind < 6:
			at = Place{}
		}
		g.Places = append(g.Places, at)
	}
	g.scope = []Scope{GPU, System}[g.IntN(2)]
	if g.CTAs() == 1 {
		g.scope = []Scope{CTA, Cluster, GPU, System}[g.IntN(4)]
		g.Shared = g.chance(4)
	}
	g.barriers = g.sharing() > 1 && g.chance(2) || g.warps() > 1 && g.chance(2)
}

// thread draws the instructions of a thread that accesses what a text says.
func (g *generator) thread(text string) (ops []Op) {
	number := len(g.Threads)
	g.Threads = append(g.Threads, nil) // for the sizes of registers
	barrier := NoRegister
	list := accesses(text)
	if g.barriers {
		barrier = g.IntN(len(list) + 1)
	}
	registers := 0
	for n, a := range list {
		if n == barrier {
			ops = append(ops, newOp(Barrier, Weak, CTA, 0))
		}
		if n > 0 && g.chance(g.strength-3) && !g.linked(&ops[len(ops)-1]) {
			ops = append(ops, g.fence())
		}
		op := g.access(a[0], strings.Index(locationNames, a[1:]))
		g.depend(&op, registers)
		registers += op.defines()
		ops = append(ops, op)
	}
	if barrier == len(list) {
		ops = append(ops, newOp(Barrier, Weak, CTA, 0))
	}
	g.Threads = g.Threads[:number]
	return ops
}

// linked draws whether an operation that may acquire does so, instead of a fence behind it.
func (g *generator) linked(op *Op) bool {
	if op.Order == Weak || op.Order == Volatile || op.Kind != Load && op.Kind != Atom || g.chance(5) {
		return false
	}
	op.Order = Acquire
	if op.Kind == Atom && g.chance(5) {
		op.Order = AcqRel
	}
	return true
}

// anyScope is the scope of the program in most cases.
func (g *generator) anyScope() Scope {
	if g.chance(9) {
		return g.scope
	}
	return Scope(g.IntN(4))
}

func (g *generator) fence() Op {
	op := newOp(Fence, AcqRel, g.anyScope(), 0)
	if g.fences < 5 && g.chance(6) {
		g.fences++
		op.Order = SC
		op.Membar = op.Scope != Cluster && g.chance(4)
	}
	return op
}

// access draws an access: a read, a write, or an atomic operation that is both.
func (g *generator) access(letter byte, location int) Op {
	orders := map[byte][]Order{'R': {Relaxed, Relaxed, Acquire, Volatile}, 'W': {Relaxed, Relaxed, Release, Volatile}}[letter]
	op := newOp(Load, Weak, g.anyScope(), location)
	if letter == 'W' {
		op.Kind = Store
	}
	op.Letter = "uuusb"[g.IntN(5)]
	op.Generic = g.chance(2)
	size := g.Sizes[location]
	if size > 1 && (letter == 'A' || g.chance(2)) {
		g.atomic(&op, letter, size)
		return op
	}
	if letter == 'A' {
		op.Kind, orders = Store, []Order{Relaxed, Release}
	}
	if g.chance(g.strength) {
		op.Order = orders[g.IntN(len(orders))]
	}
	if elements := 2 << (g.IntN(4) / 3); g.Layout == Dense && g.chance(2) && len(g.Sizes) >= elements && elements*size <= 16 {
		op.Elements, op.Location = elements, location&^(elements-1)
		if op.Location+elements > len(g.Sizes) {
			op.Elements, op.Location = 2, location&^1
		}
	}
	if op.Kind == Store {
		op.Value = g.newValue()
		for range op.Elements - 1 {
			op.More = append(op.More, g.newValue())
		}
	}
	return op
}

func (g *generator) newValue() Value {
	g.written++
	return constant(g.written)
}

// atomic makes an access an atomic operation. One in place of a read mostly leaves what there is.
func (g *generator) atomic(op *Op, letter byte, size int) {
	op.Kind, op.Order = Atom, []Order{Relaxed, Relaxed, Acquire, Release, AcqRel}[g.IntN(5)]
	op.Value = g.newValue()
	bits := 8 * size
	if size == 2 {
		op.Update = "cas.b16"
		return
	}
	typed := func(names ...string) string { return fmt.Sprintf(names[g.IntN(len(names))], bits) }
	switch letter {
	case 'R':
		if op.Update = typed("or.b%d", "add.u%d", "cas.b%d", "max.u%d", "xor.b%d"); g.chance(8) {
			op.Value = constant(0)
		}
		return
	case 'W':
		op.Update = typed("exch.b%d", "exch.b%d", "add.u%d", "or.b%d", "max.s%d")
	default:
		op.Update = typed("add.u%d", "add.u%d", "exch.b%d", "cas.b%d", "and.b%d", "min.s%d", "xor.b%d", "or.b%d")
		if size == 4 && g.chance(1) {
			op.Update = typed("inc.u%d", "dec.u%d")
		}
	}
	if name, _, _ := strings.Cut(op.Update, "."); name != "exch" && name != "cas" && g.chance(4) {
		op.Kind, op.Order = Red, []Order{Relaxed, Release}[g.IntN(2)]
	}
	if strings.HasPrefix(op.Update, "cas") && g.chance(3) && g.written > 1 {
		op.Compare = g.written - 1
	}
}

// depend draws whether an access depends on what the thread has read before.
func (g *generator) depend(op *Op, registers int) {
	if registers == 0 || g.chance(7) {
		return
	}
	r := g.IntN(registers)
	switch {
	case g.chance(4):
		op.Guard = Guard{Register: r, Zero: g.chance(3), Branch: g.chance(5)}
	case op.Kind == Store && op.Elements == 1 && g.chance(5):
		op.Value = Value{Register: r}
	case op.Elements == 1:
		if other := g.IntN(len(g.Sizes)); g.Sizes[other] == g.Sizes[op.Location] {
			op.Depends, op.Else = r, other
		}
	}
}

// style draws how the program is written, once its threads are known.
func (g *generator) style() {
	together := g.sharing() == len(g.Threads)
	branches := g.has(func(op *Op) bool { return op.Guard.Branch })
	g.Merged = together && !g.barriers && !branches && g.chance(5)
	g.Meets = g.warps() > 1 && g.chance(5)
	g.Width = []int{1, 1, 2, 4, 8, 32}[g.IntN(6)]
	g.Width = max(1, min(g.Width, 32/g.sharing()))
	if g.Merged {
		return
	}
	if !g.barriers && g.chance(3) {
		g.await()
	}
	if g.chance(map[bool]int{true: 7, false: 2}[g.CTAs() == 1]) {
		for _, ops := range g.Threads {
			for i := range ops {
				ops[i].Pause = g.chance(3)
			}
		}
	}
}

// await makes some loads wait until they find something. A thread waits only for what one before it
// writes in any case, and which nobody makes zero, so that all come to their end.
func (g *generator) await() {
	for t, ops := range g.Threads {
		for i := range ops {
			op := &ops[i]
			plain := op.Elements == 1 && op.Guard.Register == NoRegister && op.Depends == NoRegister
			if op.Kind == Load && op.Order != Weak && plain && g.isWritten(t, op.Location) && g.chance(5) {
				op.Kind = Await
			}
		}
	}
}

// isWritten reports whether a thread before one certainly writes to a location, and none makes it
// zero.
func (g *generator) isWritten(thread, location int) bool {
	certain := false
	for t, ops := range g.Threads {
		for i := range ops {
			op := &ops[i]
			touches := op.Location <= location && location < op.Location+op.Elements || op.Depends != NoRegister && op.Else == location
			if !touches || op.Kind != Store && op.Kind != Atom && op.Kind != Red {
				continue
			}
			constant := op.Kind == Store && op.Value.Register == NoRegister
			if !constant && !strings.HasPrefix(op.Update, "or") && !strings.HasPrefix(op.Update, "exch") {
				return false
			}
			certain = certain || constant && t < thread && op.Guard.Register == NoRegister && op.Depends == NoRegister
		}
	}
	return certain
}
