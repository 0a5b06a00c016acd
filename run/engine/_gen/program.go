package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// writeRun writes the function that starts a program. It is the same for all
// targets: what is particular to one are the handlers that the steps name.
func writeRun() {
	build.Function("runSteps")
	build.Attributes(attr.NOSPLIT)
	build.SignatureExpr("func(steps, constants, slots, a, b, c, dst *byte, bytes uintptr)")
	build.Doc("runSteps runs a program over arrays of so many bytes, a multiple of its block.")
	for i, r := range []reg.GPPhysical{
		thisStep, constants, slots, sources[0], sources[1], sources[2], destination, end,
	} {
		build.Load(build.ParamIndex(i), r)
	}
	build.MOVQ(thisStep, firstStep)
	build.XORL(position.As32(), position.As32())
	next()
}

// writeHandlers writes all handlers of a target, and the table of their addresses.
func writeHandlers(t *target) {
	table := make([]string, machine.NumHandlers+machine.NumPairs)
	table[machine.Handler(machine.Finish, onAccumulator[0])] = t.writeFinish(machine.Finish)
	table[machine.Handler(machine.FinishFar, onAccumulator[0])] = t.writeFinish(machine.FinishFar)
	for _, op := range slices.Sorted(maps.Keys(t.steps)) {
		s := t.steps[op]
		for _, m := range s.modes {
			if len(t.regs) < 4*machine.Registers && (reads(m, machine.Second) || reads(m, machine.Third)) {
				continue
			}
			h := &handler{target: t, step: s, op: op, mode: m}
			table[machine.Handler(op, m)] = h.write()
		}
	}
	for i, p := range machine.Pairs {
		table[machine.NumHandlers+i] = t.writePair(p)
	}
	t.writeTable(table)
	t.writeRunEnd()
}

// writeFinish writes a step that only finishes.
func (t *target) writeFinish(op machine.Op) string {
	name := fmt.Sprintf("step%s%v<>", t.name, op)
	build.Function(name)
	build.Attributes(attr.NOSPLIT | attr.NOFRAME)
	for i := range machine.Registers {
		if op == machine.FinishFar {
			t.far(t.accumulator(i), t.result(i))
		} else {
			t.store(i)
		}
	}
	t.finish(op == machine.FinishFar)
	return name
}

// result returns the place of vector i in the destination.
func (t *target) result(i int) operand.Mem {
	return operand.Mem{Base: destination, Index: position, Scale: 1, Disp: i * t.width}
}

// store stores vector i of the accumulator.
func (t *target) store(i int) { t.load(t.accumulator(i), t.result(i)) }

// finish goes on to the next block, or returns from the function that started the
// program. Stores past the caches are in no order with others until then.
func (t *target) finish(far bool) {
	t.advance()
	build.JAE(operand.LabelRef("done"))
	build.MOVQ(firstStep, thisStep)
	next()
	build.Label("done")
	if far {
		build.SFENCE()
	}
	build.VZEROUPPER()
	build.RET()
}

// advance goes to the place of the next block and compares it with the end.
func (t *target) advance() {
	build.ADDQ(operand.U32(t.column()), position)
	build.CMPQ(position, end)
}

// writeTable writes the addresses of the handlers and the function that says
// where they are.
func (t *target) writeTable(names []string) {
	global := build.GLOBL("handlers"+t.name, attr.NOPTR)
	for i, name := range names {
		if name != "" {
			build.DATA(i*8, address{Constant: operand.U64(0), function: name})
		}
	}
	build.DATA(len(names)*8, operand.U64(0)) // gives the table its size
	build.Function("table" + t.name)
	build.Attributes(attr.NOSPLIT)
	build.SignatureExpr("func() *byte")
	build.Doc("table" + t.name + " returns the table of handlers.")
	at := build.GP64()
	build.LEAQ(global, at)
	build.Store(at, build.ReturnIndex(0))
	build.RET()
}

// address is the address of a function as a constant of a DATA section.
type address struct {
	operand.Constant
	function string
}

func (a address) Asm() string { return "$·" + a.function + "(SB)" }
