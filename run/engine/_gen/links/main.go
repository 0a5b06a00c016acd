// Command links writes the assembly of the links of package engine. The script generate in
// the folder of package engine runs it.
//
//	links -part run|avx2|avx512 -out FILE
package main

import (
	"flag"
	"fmt"
	"log"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/link"
)

func main() {
	part := flag.String("part", "", "run, avx2 or avx512")
	flag.Parse()

	build.ConstraintExpr("!purego")
	switch *part {
	case "run":
		writeRun()
	case "avx2":
		writeHandlers(avx2())
	case "avx512":
		writeHandlers(avx512())
	default:
		log.Fatalf("links: part %q, want run, avx2 or avx512", *part)
	}
	build.Generate()
}

// The general registers while links run. R14 and R15 are Go's own.
var (
	thisLink    = reg.R12
	spans       = reg.RDX
	destination = reg.RDI
	sources     = [3]reg.GPPhysical{reg.R8, reg.R9, reg.R10}
	thread      = reg.RBX // the first of the group
	end         = reg.RCX // the thread after the last
	bits        = reg.RSI // thread / 8: the place of the group in masks
	scratch     = reg.RAX
)

// writeRun writes the function that starts a chain. It is the same for all targets.
func writeRun() {
	build.Function("runLinks")
	build.Attributes(attr.NOSPLIT)
	build.SignatureExpr("func(first, spans *byte) (stopped *byte)")
	build.Doc("runLinks runs links up to one that ends them, or to an access that cannot be done, which it returns.")
	build.Load(build.ParamIndex(0), thisLink)
	build.Load(build.ParamIndex(1), spans)
	build.XORL(scratch.As32(), scratch.As32())
	build.Store(scratch, build.ReturnIndex(0))
	jump()
}

// jump goes on to the handler of the link that is now thisLink.
func jump() {
	at := operand.Mem{Base: thisLink}
	build.Instruction(&ir.Instruction{
		Opcode:     "JMP",
		Operands:   []operand.Op{at},
		Inputs:     []operand.Op{at},
		IsTerminal: true, // as far as avo can see
	})
}

// target is a vector instruction set.
type target struct {
	name     string
	width    int // of a vector register, in bytes
	register []reg.VecPhysical
	// temporaries is the number of registers for values. Those after them are for constants.
	temporaries int
	handlers    map[string]emitter // by name of a row
	setups      map[string]func()  // what loads constants, of those rows that need some
	load        func(from, to operand.Op)
	accesses    bool // whether it has links that load and store
}

// emitter writes the operation for one vector of a group.
type emitter func(u *unit)

// unit is a vector of each column of a group: as many threads as there are in a
// vector of the widest kind that the operation has.
type unit struct {
	*target
	row     link.Row
	n       int // number in the group
	threads int
	used    *int // temporaries, by all units of the handler
}

// mem is the unit's part of the column at a register.
func (u *unit) mem(column reg.Register, kind byte) operand.Mem {
	switch kind {
	case 'i':
		return operand.Mem{Base: column, Index: thread, Scale: 4, Disp: u.n * u.threads * 4}
	case 'l':
		return operand.Mem{Base: column, Index: thread, Scale: 8, Disp: u.n * u.threads * 8}
	case 'k':
		return operand.Mem{Base: column}
	}
	return operand.Mem{Base: column, Index: bits, Scale: 1, Disp: u.n * u.threads / 8}
}

// d and s are the destination and the sources in memory.
func (u *unit) d() operand.Mem      { return u.mem(destination, u.row.Shape[0]) }
func (u *unit) s(n int) operand.Mem { return u.mem(sources[n], u.row.Shape[2+n]) }

// temporary returns a register. They are handed out in turn, so that one unit need not
// wait for the one before it.
func (u *unit) temporary() reg.VecPhysical {
	*u.used++
	return u.register[*u.used%u.temporaries]
}

// constant returns register n of those for constants.
func (t *target) constant(n int) reg.VecPhysical { return t.register[t.temporaries+n] }

// value loads a source whose kind is as wide as the unit.
func (u *unit) value(n int) reg.VecPhysical {
	t := u.temporary()
	u.load(u.s(n), t)
	return t
}

// writeHandlers writes all handlers of a target, and the table of their addresses.
func writeHandlers(t *target) {
	var table []string
	for _, row := range link.Rows {
		emit := t.handlers[row.Name]
		switch {
		case row.Name == link.End:
			table = append(table, t.begin(row.Name))
			build.VZEROUPPER()
			build.RET()
		case emit == nil:
			table = append(table, "")
		default:
			table = append(table, t.write(row, emit))
		}
	}
	for _, access := range link.Accesses {
		name := ""
		if t.accesses {
			name = writeAccess(t, access)
		}
		table = append(table, name)
	}
	writeTable(t, table)
}

// begin begins a handler.
func (t *target) begin(link string) (name string) {
	name = fmt.Sprintf("link%s_%s<>", t.name, strings.ReplaceAll(link, ".", "_"))
	build.Function(name)
	build.Attributes(attr.NOSPLIT | attr.NOFRAME)
	return name
}

// write writes the handler of an operation and returns the name of its function.
func (t *target) write(row link.Row, emit emitter) string {
	name := t.begin(row.Name)
	t.loadLink(len(row.Shape) - 2)
	hasBits := strings.Contains(row.Shape, "p")
	if hasBits {
		build.MOVQ(thread, bits)
		build.SHRQ(operand.U8(3), bits)
	}
	if setup := t.setups[row.Name]; setup != nil {
		setup()
	}
	build.Label("group")
	threads := t.width / 4
	switch {
	case strings.Contains(row.Shape, "l"):
		threads = t.width / 8
	case strings.Trim(row.Shape, "kp:") == "":
		threads = link.Group
	}
	used := 0
	for n := range link.Group / threads {
		emit(&unit{target: t, row: row, n: n, threads: threads, used: &used})
	}
	if hasBits {
		build.ADDQ(operand.Imm(link.Group/8), bits)
	}
	build.ADDQ(operand.Imm(link.Group), thread)
	build.CMPQ(thread, end)
	build.JB(operand.LabelRef("group"))
	build.ADDQ(operand.Imm(link.Size), thisLink)
	jump()
	return name
}

// loadLink loads what is in a link: the destination, so many sources and the span.
func (t *target) loadLink(count int) {
	field := func(n int) operand.Mem { return operand.Mem{Base: thisLink, Disp: 8 * n} }
	build.MOVQ(field(1), destination)
	for i := range count {
		build.MOVQ(field(2+i), sources[i])
	}
	build.MOVQ(field(5), scratch)
	build.MOVQ(operand.Mem{Base: spans, Index: scratch, Scale: 1}, thread)
	build.MOVQ(operand.Mem{Base: spans, Index: scratch, Scale: 1, Disp: 8}, end)
}

// writeTable writes the addresses of the handlers and the function that says where
// they are.
func writeTable(t *target, names []string) {
	global := build.GLOBL("links"+t.name, attr.NOPTR)
	for i, name := range names {
		if name != "" {
			build.DATA(i*8, address{Constant: operand.U64(0), function: name})
		}
	}
	build.DATA(len(names)*8, operand.U64(0)) // gives the table its size
	build.Function("table" + t.name + "Links")
	build.Attributes(attr.NOSPLIT)
	build.SignatureExpr("func() *byte")
	build.Doc("table" + t.name + "Links returns the table of handlers.")
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
