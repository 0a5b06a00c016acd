package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// partial is how a target reads and writes the first words of a vector only. The words
// are chosen by choose, for what follows.
type partial struct {
	choose func(words reg.GPPhysical)
	load   func(at operand.Mem, to reg.VecPhysical)
	store  func(from reg.VecPhysical, at operand.Mem)
}

// writeRunEnd writes the function that runs a program over less than a block. Steps read
// and write whole blocks, so they work on copies, which are in the frame.
//
// The copies are made of whole vectors, since steps load whole vectors, and a load of
// what was just stored in smaller parts takes long.
func (t *target) writeRunEnd() {
	enter := "enter" + t.name + "<>"
	build.Function(enter)
	build.Attributes(attr.NOSPLIT | attr.NOFRAME)
	next()

	build.Function("runEnd" + t.name)
	build.SignatureExpr("func(steps, constants, slots, a, b, c, dst *byte, words uintptr)")
	build.Doc("runEnd" + t.name + " runs a program over so many words, fewer than a block. Arrays may be nil.")
	noLocalPointers()
	from, to, words := reg.RSI, reg.RDI, reg.RCX
	copies := build.AllocLocal(4*t.column() + t.width)

	first := sources[0] // of the copies
	build.LEAQ(copies, first)
	build.ADDQ(operand.U8(t.width-1), first)
	build.ANDQ(operand.I8(-t.width), first)
	for i := range 3 {
		skip := fmt.Sprintf("none%d", i)
		build.Load(build.ParamIndex(3+i), from)
		build.TESTQ(from, from)
		build.JZ(operand.LabelRef(skip))
		build.Load(build.ParamIndex(7), words)
		build.LEAQ(operand.Mem{Base: first, Disp: i * t.column()}, to)
		t.copyWords(fmt.Sprint(i), from, to, words, func(to operand.Mem) {
			t.partial.load(operand.Mem{Base: from}, t.accumulator(0))
			t.load(t.accumulator(0), to)
		})
		build.Label(skip)
	}

	build.LEAQ(operand.Mem{Base: first, Disp: t.column()}, sources[1])
	build.LEAQ(operand.Mem{Base: first, Disp: 2 * t.column()}, sources[2])
	build.LEAQ(operand.Mem{Base: first, Disp: 3 * t.column()}, destination)
	for i, r := range []reg.GPPhysical{thisStep, constants, slots} {
		build.Load(build.ParamIndex(i), r)
	}
	build.MOVQ(thisStep, firstStep)
	build.XORL(position.As32(), position.As32())
	build.MOVL(operand.U32(t.column()), end.As32())
	build.Instruction(&ir.Instruction{Opcode: "CALL", Operands: []operand.Op{operand.LabelRef("·" + enter + "(SB)")}})

	build.MOVQ(destination, from)
	build.Load(build.ParamIndex(6), to)
	build.Load(build.ParamIndex(7), words)
	t.copyWords("Result", from, to, words, func(to operand.Mem) {
		t.load(operand.Mem{Base: from}, t.accumulator(0))
		t.partial.store(t.accumulator(0), to)
	})
	build.VZEROUPPER()
	build.RET()
}

// copyWords copies words; those that make no vector as last says.
func (t *target) copyWords(name string, from, to, words reg.GPPhysical, last func(to operand.Mem)) {
	perVector := t.width / 4
	whole, rest, done := "whole"+name, "rest"+name, "done"+name
	build.Label(whole)
	build.SUBQ(operand.U8(perVector), words)
	build.JB(operand.LabelRef(rest))
	t.load(operand.Mem{Base: from}, t.accumulator(0))
	t.load(t.accumulator(0), operand.Mem{Base: to})
	build.ADDQ(operand.U8(t.width), from)
	build.ADDQ(operand.U8(t.width), to)
	build.JMP(operand.LabelRef(whole))
	build.Label(rest)
	build.ADDQ(operand.U8(perVector), words)
	build.JZ(operand.LabelRef(done))
	t.partial.choose(words)
	last(operand.Mem{Base: to})
	build.Label(done)
}

// noLocalPointers says that the frame holds no pointers, as NO_LOCAL_POINTERS of funcdata.h
// does: the runtime wants to know of functions that call others.
func noLocalPointers() {
	const localsPointerMaps = 1
	build.Instruction(&ir.Instruction{Opcode: "FUNCDATA", Operands: []operand.Op{
		operand.U8(localsPointerMaps), operand.LabelRef("no_pointers_stackmap(SB)"),
	}})
}
