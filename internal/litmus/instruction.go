package litmus

import (
	"fmt"
	"strings"
)

// instruction writes an instruction of a thread, which defines registers from next on.
func (w *writer) instruction(thread, next int, op *Op) {
	if op.Pause {
		w.pause()
	}
	before, done := w.guard, ""
	if g := op.Guard; g.Register != NoRegister {
		done = w.guarded(thread, g)
	}
	switch op.Kind {
	case Barrier:
		w.effectf("barrier.sync 0;")
	case Fence:
		w.effectf("%s;", op.mnemonic())
	case Await:
		turn := w.label()
		fmt.Fprintf(w, "%s:\n", turn)
		w.load(thread, next, op)
		w.linef("setp.eq.u%d %%q, %%%s, 0; @%%q bra %s;", w.bits(thread, next), register(thread, next), turn)
	case Load:
		w.load(thread, next, op)
	case Store:
		w.store(thread, op)
	case Atom, Red:
		w.atomic(thread, next, op)
	}
	if w.guard = before; done != "" {
		fmt.Fprintf(w, "%s:\n", done)
	}
}

// pause lets a thread wait for nothing, in one of four rounds, and so long that others of its CTA
// get their turn.
func (w *writer) pause() {
	turn, done := w.label(), w.label()
	w.linef("mul.lo.u32 %%t, %%round, %d; and.b32 %%t, %%t, 12; setp.ne.u32 %%q, %%t, 0; @%%q bra %s;", 2*w.rng.IntN(16)+1, done)
	w.linef("mov.u32 %%t, %%pause;")
	fmt.Fprintf(w, "%s:\n", turn)
	w.linef("ld.relaxed.gpu.global.u32 %%u, [%%meet+%d]; add.u32 %%t, %%t, %%u;", 64*w.launch.CTAs()) // which stays 0
	w.linef("sub.u32 %%t, %%t, 1; setp.gt.s32 %%q, %%t, 0; @%%q bra %s;", turn)
	fmt.Fprintf(w, "%s:\n", done)
}

// guarded begins what is executed under a guard. If that is a branch, it returns the label behind
// it.
func (w *writer) guarded(thread int, g Guard) (done string) {
	is, isNot := "ne", "eq"
	if g.Zero {
		is, isNot = isNot, is
	}
	name, bits := register(thread, g.Register), w.bits(thread, g.Register)
	switch {
	case w.Merged:
		w.linef("setp.%s.and.u%d %%p, %%%s, 0, %%is%d;", is, bits, name, thread)
	case g.Branch:
		done = w.label()
		w.linef("setp.%s.u%d %%q, %%%s, 0; @%%q bra %s;", isNot, bits, name, done)
		return done
	default:
		w.linef("setp.%s.u%d %%p, %%%s, 0;", is, bits, name)
	}
	w.guard = "@%p "
	return ""
}

// bits is the width of a register of a thread.
func (w *writer) bits(thread, r int) int { return registerBits(w.widths(thread)[r]) }

// place is the address of an access, as an operand.
func (w *writer) place(thread int, op *Op) string {
	base, offset := w.address(op.Location, op.Generic)
	if op.Depends == NoRegister {
		return fmt.Sprintf("[%s+%d]", base, offset)
	}
	other, otherOffset := w.address(op.Else, op.Generic)
	w.linef("setp.ne.u%d %%q, %%%s, 0;", w.bits(thread, op.Depends), register(thread, op.Depends))
	w.linef("add.u64 %%a, %s, %d; add.u64 %%b, %s, %d; selp.b64 %%a, %%a, %%b, %%q;", base, offset, other, otherOffset)
	return "[%a]"
}

// modifiers are the order, the scope and the space of an access, and the elements of a vector.
func (w *writer) modifiers(op *Op) string {
	s := "." + op.Order.String()
	if op.Order != Weak && op.Order != Volatile {
		s += "." + op.Scope.String()
	}
	switch {
	case op.Generic:
	case w.Shared:
		s += ".shared"
	default:
		s += ".global"
	}
	if op.Elements > 1 {
		s += fmt.Sprintf(".v%d", op.Elements)
	}
	return s
}

// size is how many bytes an element of an access has.
func (p *Program) size(op *Op) int { return p.Sizes[op.Location] * op.Wide }

// load writes a load. What is loaded with its sign has the bits above taken away.
func (w *writer) load(thread, next int, op *Op) {
	var names []string
	for e := range op.Elements {
		names = append(names, "%"+register(thread, next+e))
	}
	to := strings.Join(names, ", ")
	if op.Elements > 1 {
		to = "{" + to + "}"
	}
	size := w.size(op)
	at := w.place(thread, op)
	w.effectf("ld%s.%c%d %s, %s;", w.modifiers(op), op.Letter, 8*size, to, at)
	if op.Letter == 's' && size < 4 {
		for _, name := range names {
			w.linef("and.b32 %s, %s, %d;", name, name, onesOf(size))
		}
	}
}

// store writes a store.
func (w *writer) store(thread int, op *Op) {
	size := w.size(op)
	var values []string
	for _, v := range append([]Value{op.Value}, op.More...) {
		values = append(values, w.value(thread, v, size))
	}
	from := strings.Join(values, ", ")
	if op.Elements > 1 {
		from = "{" + from + "}"
	}
	at := w.place(thread, op)
	w.effectf("st%s.%c%d %s, %s;", w.modifiers(op), op.Letter, 8*size, at, from)
}

// value is what is written, as an operand.
func (w *writer) value(thread int, v Value, size int) string {
	if v.Register == NoRegister {
		return fmt.Sprintf("%#x", repeated(v.Byte, size))
	}
	name, bits := "%"+register(thread, v.Register), w.bits(thread, v.Register)
	switch {
	case bits == 32 && size == 8:
		w.linef("cvt.u64.u32 %%v, %s;", name)
		return "%v"
	case bits == 64 && size < 8:
		w.linef("cvt.u32.u64 %%t, %s;", name)
		return "%t"
	}
	return name
}

// atomic writes atom or red. A cas of 16 bits takes registers of that width.
func (w *writer) atomic(thread, next int, op *Op) {
	size := w.size(op)
	at := w.place(thread, op)
	x := w.value(thread, op.Value, size)
	to := "%" + register(thread, next)
	if size == 2 {
		w.linef("mov.b16 %%h0, 0; mov.b16 %%h1, %#x; mov.b16 %%h2, %#x;", repeated(op.Compare, 2), repeated(op.Value.Byte, 2))
		w.effectf("atom%s.%s %%h0, %s, %%h1, %%h2;", w.modifiers(op), op.Update, at)
		w.linef("cvt.u32.u16 %s, %%h0;", to)
		return
	}
	if strings.HasPrefix(op.Update, "cas") {
		x = fmt.Sprintf("%#x, %s", repeated(op.Compare, size), x)
	}
	if op.Kind == Red {
		w.effectf("red%s.%s %s, %s;", w.modifiers(op), op.Update, at, x)
		return
	}
	w.effectf("atom%s.%s %s, %s, %s;", w.modifiers(op), op.Update, to, at, x)
}
