package waiting

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/internal/model/ops"
)

const warp = 32 // threads

// operand is a variable, a number, or what a thread is told of itself.
type operand struct {
	kind operandKind
	n    uint32
}

type operandKind uint8

const (
	number operandKind = iota
	variable
	laneNumber
	threadNumber
	warpNumber
	ctaNumber
)

// of is the value that an operand has for a thread.
func (o operand) of(t *thread) uint32 {
	switch o.kind {
	case variable:
		return t.v[o.n]
	case laneNumber:
		return uint32(t.number % warp)
	case threadNumber:
		return uint32(t.number)
	case warpNumber:
		return uint32(t.number / warp)
	case ctaNumber:
		return uint32(t.cta)
	}
	return o.n
}

// value is an operand as an instruction has it.
func (w *writer) value(o operand) string {
	switch o.kind {
	case variable:
		return w.v[o.n]
	case laneNumber:
		return w.lane
	case threadNumber:
		return w.thread
	case warpNumber:
		return w.warp
	case ctaNumber:
		return w.cta
	}
	return fmt.Sprintf("%#x", o.n)
}

// register is an operand in a register.
func (w *writer) register(o operand) string {
	v := w.value(o)
	if !strings.HasPrefix(v, "%") {
		r := w.new('r')
		w.line("mov.u32 %s, %s;", r, v)
		return r
	}
	return v
}

// copied is an operand in a register that nothing else is in.
func (w *writer) copied(o operand) string {
	r := w.new('r')
	w.line("mov.u32 %s, %s;", r, w.value(o))
	return r
}

// comparison is what a branch depends on.
type comparison struct {
	op   string
	a, b operand
	mask uint32 // of a, if not 0
}

var comparisons = map[string]func(a, b uint32) bool{
	"lt.u32": func(a, b uint32) bool { return a < b },
	"ge.s32": func(a, b uint32) bool { return int32(a) >= int32(b) },
	"eq.u32": func(a, b uint32) bool { return a == b },
	"ne.u32": func(a, b uint32) bool { return a != b },
}

var comparisonNames = []string{"lt.u32", "ge.s32", "eq.u32", "ne.u32"}

func (c comparison) holds(t *thread) bool {
	a := c.a.of(t)
	if c.mask != 0 {
		a &= c.mask
	}
	return comparisons[c.op](a, c.b.of(t))
}

// compare writes a comparison, and returns the predicate.
func (w *writer) compare(c comparison) string {
	p, a := w.new('p'), w.register(c.a)
	if c.mask != 0 {
		r := w.new('r')
		w.line("and.b32 %s, %s, %d;", r, a, c.mask)
		a = r
	}
	w.line("setp.%s %s, %s, %s;", c.op, p, a, w.value(c.b))
	return p
}

// operations are those of words.
var operations = func() (all []*ops.Op) {
	for _, op := range ops.All.Plain {
		words := len(op.Dst) == 1 && !op.Nonzero && !op.Number && !op.Reads && !op.Writes && op.Positions == 0
		for _, class := range append(op.Dst, op.Src...) {
			words = words && class == ops.B32
		}
		if words {
			all = append(all, op)
		}
	}
	return all
}()

// assign sets a variable to what an operation makes of others.
type assign struct {
	op   *ops.Op
	d    uint32
	from []operand
}

func (s *assign) run(_ *machine, who []*thread) {
	for _, t := range who {
		var args [4]uint64
		for n, o := range s.from {
			args[n] = uint64(o.of(t))
		}
		var d [1]uint64
		s.op.Eval(d[:], args[:len(s.from)])
		t.v[s.d] = uint32(d[0])
	}
}

func (s *assign) write(w *writer) {
	text := strings.Replace(s.op.Text, "$", w.v[s.d], 1)
	for n, o := range s.from {
		v := w.value(o)
		if s.op.Only[n] {
			v = w.register(o)
		}
		text = strings.Replace(text, "$", v, 1)
	}
	w.line("%s;", text)
}
