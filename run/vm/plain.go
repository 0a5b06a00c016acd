package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/engine"
)

// plain builds an instruction that is one operation of package engine of the same name.
// The shape gives the kinds of the destination and the sources: i for a word,
// l for a wide value, w for whichever the form's last type is.
func plain(shape string) func(b *builder) { return named(shape, form.String) }

// named is plain for operations whose name is not quite that of the form.
func named(shape string, name func(form) string) func(b *builder) {
	return func(b *builder) {
		t := b.inst.lastType()
		kind := func(letter byte) class {
			if letter == 'l' || letter == 'w' && t.Bits() == 64 {
				return wide
			}
			return narrow
		}
		d := b.destination(b.operand(0), kind(shape[0]))
		var sources []register
		for i := 2; i < len(shape); i++ {
			sources = append(sources, b.source(b.operand(i-1), kind(shape[i]), t))
		}
		if extra := len(b.current.Operands) - (len(shape) - 1); extra > 0 {
			b.fail("it has %s", diag.Count(len(b.current.Operands), "operand"))
		}
		b.emitPlain(name(b.inst), d, sources...)
	}
}

// emitPlain adds an operation of package engine, under the current guard. Its shape
// is that of the registers.
func (b *builder) emitPlain(name string, d register, sources ...register) {
	shape := b.shape(d, sources)
	build, ok := shapes[shape]
	if !ok || !build(b, name, d, sources) {
		b.fail("")
		return
	}
	b.operations[len(b.operations)-1].pure = true
	b.link(name, shape, d, sources...)
}

// shape spells the classes of registers: "l:ii".
func (b *builder) shape(d register, sources []register) string {
	letters := []byte{"ilp"[b.registers[d].class], ':'}
	for _, s := range sources {
		letters = append(letters, "ilp"[b.registers[s].class])
	}
	return string(letters)
}

type emitter func(b *builder, name string, d register, s []register) bool

// shapes has what adds an operation of each shape.
var shapes = map[string]emitter{
	"i:i":    emit1[uint32, uint32],
	"l:l":    emit1[uint64, uint64],
	"i:l":    emit1[uint32, uint64],
	"l:i":    emit1[uint64, uint32],
	"i:ii":   emit2[uint32, uint32, uint32],
	"l:ll":   emit2[uint64, uint64, uint64],
	"l:li":   emit2[uint64, uint64, uint32],
	"l:ii":   emit2[uint64, uint32, uint32],
	"i:iii":  emit3[uint32, uint32, uint32, uint32],
	"l:lll":  emit3[uint64, uint64, uint64, uint64],
	"l:iil":  emit3[uint64, uint32, uint32, uint64],
	"l:lii":  emit3[uint64, uint64, uint32, uint32],
	"l:lli":  emit3[uint64, uint64, uint64, uint32],
	"i:iiii": emit4[uint32, uint32, uint32, uint32, uint32],
	"l:llii": emit4[uint64, uint64, uint64, uint32, uint32],
	"p:i":    emitTest[uint32],
	"p:l":    emitTest[uint64],
	"p:ii":   emitCompare[uint32, uint32],
	"p:ll":   emitCompare[uint64, uint64],
	"i:iip":  emitChoose[uint32],
	"l:llp":  emitChoose[uint64],
}

func emit1[D, A engine.Word](b *builder, name string, d register, s []register) bool {
	f, ok := engine.Plain[engine.Map1[D, A]](name)
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &map1[D, A]{f, columnOf[D](fr, d), columnOf[A](fr, s[0]), private}
	})
	return ok
}

func emit2[D, A, B engine.Word](b *builder, name string, d register, s []register) bool {
	f, ok := engine.Plain[engine.Map2[D, A, B]](name)
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &map2[D, A, B]{f, columnOf[D](fr, d), columnOf[A](fr, s[0]), columnOf[B](fr, s[1]), private}
	})
	return ok
}

func emit3[D, A, B, C engine.Word](b *builder, name string, d register, s []register) bool {
	f, ok := engine.Plain[engine.Map3[D, A, B, C]](name)
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &map3[D, A, B, C]{f, columnOf[D](fr, d), columnOf[A](fr, s[0]), columnOf[B](fr, s[1]), columnOf[C](fr, s[2]), private}
	})
	return ok
}

func emit4[D, A, B, C, E engine.Word](b *builder, name string, d register, s []register) bool {
	f, ok := engine.Plain[engine.Map4[D, A, B, C, E]](name)
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &map4[D, A, B, C, E]{f, columnOf[D](fr, d), columnOf[A](fr, s[0]), columnOf[B](fr, s[1]), columnOf[C](fr, s[2]), columnOf[E](fr, s[3]), private}
	})
	return ok
}

func emitTest[A engine.Word](b *builder, name string, d register, s []register) bool {
	f, ok := engine.Plain[engine.Test[A]](name)
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &test[A]{f, fr.predicate(d), columnOf[A](fr, s[0]), private}
	})
	return ok
}

func emitCompare[A, B engine.Word](b *builder, name string, d register, s []register) bool {
	f, ok := engine.Plain[engine.Compare[A, B]](name)
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &compare[A, B]{f, fr.predicate(d), columnOf[A](fr, s[0]), columnOf[B](fr, s[1]), private}
	})
	return ok
}

func emitChoose[W engine.Word](b *builder, name string, d register, s []register) bool {
	f, ok := engine.Plain[engine.Choose[W]](name)
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &choose[W]{f, columnOf[W](fr, d), columnOf[W](fr, s[0]), columnOf[W](fr, s[1]), fr.predicate(s[2]), private}
	})
	return ok
}

// logic are the operations on predicates, 64 at a time.
var (
	logic1s = map[string]func(a uint64) uint64{
		"mov": func(a uint64) uint64 { return a },
		"not": func(a uint64) uint64 { return ^a },
	}
	logic2s = map[string]func(a, b uint64) uint64{
		"and": func(a, b uint64) uint64 { return a & b },
		"or":  func(a, b uint64) uint64 { return a | b },
		"xor": func(a, b uint64) uint64 { return a ^ b },
	}
)

// emitLogic1 and emitLogic2 add operations on predicates.
func (b *builder) emitLogic1(name string, d, a register) {
	f := logic1s[name]
	b.emit([]register{d}, []register{a}, func(fr *frame, private bool) step {
		return &logic1{f, fr.predicate(d), fr.predicate(a), private}
	})
	b.operations[len(b.operations)-1].pure = true
	b.link(name+".pred", "p:p", d, a)
}

func (b *builder) emitLogic2(name string, d, x, y register) {
	f := logic2s[name]
	b.emit([]register{d}, []register{x, y}, func(fr *frame, private bool) step {
		return &logic2{f, fr.predicate(d), fr.predicate(x), fr.predicate(y), private}
	})
	b.operations[len(b.operations)-1].pure = true
	b.link(name+".pred", "p:pp", d, x, y)
}

// sources returns registers with the operands from the given one on, all of one class.
func (b *builder) sources(from int, c class, t check.Type) (registers []register) {
	for i := from; i < len(b.current.Operands); i++ {
		registers = append(registers, b.source(&b.current.Operands[i], c, t))
	}
	return registers
}
