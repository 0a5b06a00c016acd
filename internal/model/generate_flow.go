package model

import (
	"fmt"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// control adds a statement that has others in it, or that leaves them.
func (g *generator) control(at place) {
	inner := place{at.depth - 1, false, at.warps}
	size := 1 + g.rng.IntN(4)
	switch n := g.rng.IntN(20); {
	case n < 7:
		g.branch(inner, size)
	case n < 12:
		g.loop(at, inner, size)
	case n == 12:
		g.table(inner, size)
	case n == 13:
		inner.warps = false
		g.maze(inner)
	case n < 16 && at.converged && g.shared && !g.returns && !g.inFunction:
		g.exchange()
	case n == 16 && at.converged && !g.returns && !g.inFunction && !g.apart:
		*g.list = append(*g.list, &Barrier{pick(g, "bar.sync 0", "barrier.sync 1", "bar.cta.sync 2", "barrier.cta.sync.aligned 0")})
	case n == 17 && g.returns && !g.inFunction:
		*g.list = append(*g.list, &Return{Guard{true, g.source(ops.Pred), g.chance(0.5)}, g.chance(0.5)})
	case n < 19 && g.inLoop:
		*g.list = append(*g.list, &Leave{Guard{true, g.source(ops.Pred), g.chance(0.5)}, g.chance(0.4)})
	default:
		g.branch(inner, size)
	}
}

// condition returns a predicate for a branch: one that is there, or a new one that compares with the thread's
// number, with what is the same in all threads, or with data.
func (g *generator) condition() Guard {
	if g.chance(0.5) {
		return Guard{true, g.source(ops.Pred), g.chance(0.5)}
	}
	p := g.destination(ops.Pred, true)
	what := pick(g, reg(g.tid), reg(g.gtid), reg(g.source(ops.B32)))
	if g.inFunction {
		what = reg(g.source(ops.B32))
	}
	with := imm(uint64(g.rng.IntN(70)))
	if len(g.uniform[ops.B32]) > 0 && g.chance(0.3) {
		with = reg(pick(g, g.uniform[ops.B32]...))
	}
	g.emit(&Inst{Op: ops.Named("setp." + pick(g, "lt", "ge", "eq", "ne") + "." + pick(g, "u32", "s32")), Dst: []Reg{p}, Src: []Operand{what, with}})
	return Guard{true, p, g.chance(0.5)}
}

func (g *generator) branch(inner place, size int) {
	n := &If{Cond: g.condition(), Uniform: g.chance(0.3)}
	*g.list = append(*g.list, n)
	g.scope(&n.Then, func() { g.statements(inner, size) })
	if g.chance(0.5) {
		g.scope(&n.Else, func() { g.statements(inner, size) })
	}
}

func (g *generator) loop(at, inner place, size int) {
	n := g.newLoop(pick(g, uint64(1), 3, 3, 7))
	same := g.chance(0.5)
	switch {
	case same:
		n.Count = imm(uint64(1 + g.rng.IntN(5)))
		if len(g.uniform[ops.B32]) > 0 && g.chance(0.4) {
			n.Count = reg(pick(g, g.uniform[ops.B32]...))
		}
	default:
		n.Count = reg(g.source(ops.B32))
	}
	g.repeat(n, at, inner, same, func(at place) {
		if g.inStep && !g.inFunction && g.chance(0.5) {
			g.look()
		}
		g.statements(at, size)
	})
}

// longLoops adds a loop of up to thousands of turns, and exchanges before or behind it, which wait for those that are still in it; or a loop of a few
// turns that has these in it, so that lanes meet at an exchange again that others have not come from yet.
func (g *generator) longLoops(at place) {
	g.parted = true
	sum := g.copyOf(g.tid)
	g.avail[ops.B32] = append(g.avail[ops.B32], sum)
	if g.chance(0.6) {
		n := g.newLoop(3)
		n.Count = imm(uint64(2 + g.rng.IntN(2)))
		g.repeat(n, at, place{0, false, at.warps}, true, func(at place) { g.longLoop(at, sum, 0x7ff, false) })
		return
	}
	g.longLoop(at, sum, pick[uint64](g, 0x7ff, 0x1fff), at.warps && g.chance(0.4))
}

// longLoop adds one of them, of at most most turns, which adds to the sum that the lanes exchange. It may have exchanges in it itself if lanes
// that are behind it never come back to it.
func (g *generator) longLoop(at place, sum Reg, most uint64, exchanges bool) {
	exchange := func() {
		if !at.warps {
			return
		}
		if in := g.across(); len(in.Op.Src) > 1 && in.Op.Src[0] == ops.B32 { // the last one is its members
			in.Src[0] = reg(sum)
		}
	}
	before := g.chance(0.6)
	if before {
		exchange()
	}
	n := g.newLoop(most)
	n.Count = reg(g.source(ops.B32))
	same := g.chance(0.2)
	switch {
	case same:
		n.Count = imm(most)
	case g.chance(0.5): // the lanes come out of it one after the other
		count := g.newReg(ops.B32)
		g.do("mul.lo.u32", count, reg(g.tid), imm(most/uint64(pick(g, 2, 7, 31))))
		n.Count = reg(count)
	}
	g.repeat(n, at, place{0, false, exchanges}, same, func(at place) {
		if g.chance(0.7) {
			g.look()
		}
		g.emit(&Inst{Op: ops.Named("add.u32"), Dst: []Reg{sum}, Src: []Operand{reg(sum), reg(g.source(ops.B32))}})
		g.statements(at, 1+g.rng.IntN(2))
	})
	if !before || g.chance(0.4) {
		exchange()
	}
}

func (g *generator) newLoop(mask uint64) *Loop {
	return &Loop{Counter: g.newReg(ops.B32), Test: g.newReg(ops.Pred), Mask: mask, AtEnd: g.chance(0.5)}
}

// repeat fills a loop, and says whether its count is the same in all threads.
func (g *generator) repeat(n *Loop, at, inner place, same bool, body func(place)) {
	*g.list = append(*g.list, n)
	inner.converged = at.converged && same
	outer := g.inLoop
	// A loop that threads may leave is not one in which all meet.
	g.inLoop = !inner.converged || g.chance(0.5)
	if g.inLoop {
		inner.converged = false
	}
	g.scope(&n.Body, func() {
		// The counter is the same in all threads in some loops, and not in others.
		g.avail[ops.B32] = append(g.avail[ops.B32][:len(g.avail[ops.B32]):len(g.avail[ops.B32])], g.copyOf(n.Counter))
		if g.chance(0.5) {
			g.emit(&Inst{Op: ops.Named("setp." + pick(g, "eq", "lt", "gt") + ".u32"), Dst: []Reg{g.destination(ops.Pred, true)},
				Src: []Operand{reg(n.Counter), pick(g, imm(uint64(g.rng.IntN(4))), reg(g.source(ops.B32)))}})
		}
		body(inner)
	})
	g.inLoop = outer
}

// copyOf copies a register, so that the copy can be written.
func (g *generator) copyOf(r Reg) Reg {
	c := g.newReg(r.Class)
	g.emit(&Inst{Op: ops.Named("mov.u32"), Dst: []Reg{c}, Src: []Operand{reg(r)}})
	return c
}

func (g *generator) table(inner place, size int) {
	n := &Switch{Index: g.newReg(ops.B32), Of: reg(g.source(ops.B32)), Arms: make([][]Node, pick(g, 2, 4, 4, 8))}
	n.Falls = make([]bool, len(n.Arms))
	inner.warps = false // which threads come together where one arm goes on into the next is not said
	*g.list = append(*g.list, n)
	for i := range n.Arms {
		n.Falls[i] = g.chance(0.3)
		g.scope(&n.Arms[i], func() { g.statements(inner, 1+size/2) })
	}
}

func (g *generator) maze(inner place) {
	n := &Maze{Counter: g.newReg(ops.B32), Test: g.newReg(ops.Pred), Rounds: uint64(2 + g.rng.IntN(7)), Blocks: make([][]Node, 2+g.rng.IntN(3))}
	*g.list = append(*g.list, n)
	inner.depth = 0
	for i := range n.Blocks {
		g.scope(&n.Blocks[i], func() { g.statements(inner, 2) })
		n.Next = append(n.Next, Way{Guard{true, g.source(ops.Pred), g.chance(0.5)}, g.rng.IntN(len(n.Blocks)), g.rng.IntN(len(n.Blocks))})
	}
}

// function makes a function of some parameters.
func (g *generator) function() {
	f := &Func{Name: fmt.Sprintf("f%d", len(g.k.Funcs)+1)}
	g.k.Funcs = append(g.k.Funcs, f)
	outer := *g
	defer func() {
		rng := g.rng
		*g = outer
		g.rng = rng
	}()
	g.frame, g.list, g.inFunction, g.returns = &f.counts, &f.Body, true, false
	g.avail, g.uniform, g.spare = [ops.Classes][]Reg{}, [ops.Classes][]Reg{}, [ops.Classes][]Reg{}
	for c := ops.B16; c < ops.Classes; c++ {
		for range 1 + g.rng.IntN(2) {
			r := g.newReg(c)
			g.avail[c] = append(g.avail[c], r)
			f.Params = append(f.Params, r)
		}
	}
	p := g.newReg(ops.Pred)
	g.emit(&Inst{Op: ops.Named("setp.lt.s32"), Dst: []Reg{p}, Src: []Operand{reg(g.source(ops.B32)), imm(3)}})
	g.avail[ops.Pred] = []Reg{p}
	size := 2 + g.rng.IntN(5)
	g.statements(place{1, false, false}, size)
	f.Result = g.source(pick(g, ops.B16, ops.B32, ops.B64, ops.F32, ops.F64))
}

// call adds a call.
func (g *generator) call(at place) {
	n := &Call{Func: pick(g, g.k.Funcs...), Direct: g.chance(0.3), Uniform: at.converged && !g.returns}
	for _, p := range n.Func.Params {
		n.Args = append(n.Args, reg(g.source(p.Class)))
	}
	sure := true
	if n.Direct && !n.Uniform {
		n.Guard, sure = g.guard()
	}
	n.Result = g.destination(n.Func.Result.Class, sure)
	*g.list = append(*g.list, n)
}
