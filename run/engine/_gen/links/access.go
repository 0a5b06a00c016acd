package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/link"
)

// access is a link that loads or stores. Threads are taken in groups of as many as there are
// values in a vector register.
type access struct {
	link.Access
	address, bytes int
	signed         bool
}

// wide reports whether the values are of 64 bits.
func (a *access) wide() bool { return a.bytes == 8 }

func (a *access) threads() int {
	if a.wide() {
		return 8
	}
	return 16
}

// The fields of the window, see links.go, in 8 bytes each.
const (
	data = iota
	delta
	allowed   // offsets below are inside
	loadable  // offsets below have 64 bytes to be read after them
	alignment // the bits of an offset that must be clear
	addend    // where a number is that is added to all addresses
)

// The registers of accesses, besides those of all links.
var (
	window   = reg.R13
	atValues = destination
	atWhere  = sources[0]
	atMask   = sources[1]
	atData   = sources[2]
	shift    = reg.R11 // delta and addend
	first    = reg.RSI // the first active thread of the group
	offset   = reg.RDX // its offset; where the spans are is on the stack, too
	where    = reg.R15 // its address

	active = reg.K1
	upper  = reg.K2
	wrong  = reg.K3
	more   = reg.K4
)

// The arguments and the result of runLinks, from which handlers return.
var (
	spansArgument = operand.Mem{Base: reg.StackPointer, Disp: 16}
	result        = operand.Mem{Base: reg.StackPointer, Disp: 24}
)

// The vector registers.
var (
	relative  = reg.Z0 // addresses from that of the first active thread on
	relative2 = reg.Z1 // of the upper half of a group
	base      = reg.Z2
	value     = reg.Z3
	outside   = reg.Z16 // bits of relative that are set where it is not in the 64 bytes or not aligned
	deltas    = reg.Z17
	limits    = reg.Z18
	bitsClear = reg.Z19 // alignment
	evens     = reg.Z20 // numbers of the low words of two vectors
	next      = reg.Z21 // of contiguous accesses: the place of thread i
	increment = reg.Z22 // of the bytes of a half
)

func field(n int) operand.Mem { return operand.Mem{Base: window, Disp: 8 * n} }

// begin begins a handler, and loads the link and its window.
func (a *access) begin(t *target) (name string) {
	name = t.begin(a.String())
	t.loadLink(3)
	build.MOVQ(operand.Mem{Base: thisLink, Disp: 32}, window)
	build.MOVQ(field(data), atData)
	build.MOVQ(field(delta), shift)
	build.MOVQ(field(addend), scratch)
	if a.address == 8 {
		build.ADDQ(operand.Mem{Base: scratch}, shift)
	} else {
		build.ADDL(operand.Mem{Base: scratch}, shift.As32())
	}
	return name
}

// beginVectors loads what all groups need.
func (a *access) beginVectors() {
	if a.address == 8 {
		build.VPBROADCASTQ(shift, deltas)
	} else {
		build.VPBROADCASTD(shift.As32(), deltas)
	}
	a.broadcast(field(allowed), limits)
	a.broadcast(field(alignment), bitsClear)
	if a.halves() {
		t := vector("evenWords", 64, func(i int) byte { return byte(i/4*2) * byte(1-min(i%4, 1)) })
		build.VMOVDQU32(t, evens)
	}
}

// stop returns from runLinks.
func (a *access) stop() {
	build.Label("stop")
	build.MOVQ(thisLink, result)
	build.VZEROUPPER()
	build.RET()
}

// goOn goes on to the next link.
func goOn() {
	build.MOVQ(spansArgument, spans)
	build.ADDQ(operand.Imm(link.Size), thisLink)
	jump()
}

// broadcast fills a register with a number of an address's width.
func (a *access) broadcast(from operand.Op, to reg.VecPhysical) {
	if a.address == 8 {
		build.VPBROADCASTQ(from, to)
		return
	}
	build.VPBROADCASTD(from, to)
}

// group begins the loop over groups, and finds the first active thread and its offset.
func (a *access) group() {
	build.Label("group")
	build.MOVQ(thread, scratch)
	build.SHRQ(operand.U8(3), scratch)
	at := operand.Mem{Base: atMask, Index: scratch, Scale: 1}
	if a.threads() == 8 {
		build.KMOVB(at, active)
	} else {
		build.KMOVW(at, active)
	}
	build.KMOVW(active, scratch.As32())
	build.TESTL(scratch.As32(), scratch.As32())
	build.JZ(operand.LabelRef("next"))
	build.BSFL(scratch.As32(), first.As32())
	a.offsetOf(first)
}

// offsetOf finds the address and the offset of a thread of the group.
func (a *access) offsetOf(number reg.GPPhysical) {
	build.LEAQ(operand.Mem{Base: thread, Index: number, Scale: 1}, where)
	if a.address == 8 {
		build.MOVQ(operand.Mem{Base: atWhere, Index: where, Scale: 8}, where)
		build.LEAQ(operand.Mem{Base: where, Index: shift, Scale: 1}, offset)
		return
	}
	build.MOVL(operand.Mem{Base: atWhere, Index: where, Scale: 4}, where.As32())
	build.MOVL(where.As32(), offset.As32())
	build.ADDL(shift.As32(), offset.As32())
}

// next goes on to the next group.
func (a *access) next() {
	build.Label("next")
	build.ADDQ(operand.Imm(uint64(a.threads())), thread)
	build.CMPQ(thread, end)
	build.JB(operand.LabelRef("group"))
	goOn()
	a.stop()
}

// halves reports whether the addresses of a group are two vectors.
func (a *access) halves() bool { return a.address == 8 && !a.wide() }

// loadAddresses loads the addresses of a group.
func (a *access) loadAddresses() {
	at := operand.Mem{Base: atWhere, Index: thread, Scale: uint8(a.address)}
	switch {
	case a.halves():
		build.VMOVDQU64(at, relative)
		at.Disp = 64
		build.VMOVDQU64(at, relative2)
		build.KSHIFTRW(operand.U8(8), active, upper)
	case a.address == 4 && a.wide():
		build.VMOVDQU32(at, relative.AsY())
	case a.address == 4:
		build.VMOVDQU32(at, relative)
	default:
		build.VMOVDQU64(at, relative)
	}
}

// each calls f for each vector of addresses, with the mask of its active threads and
// that for the outcome.
func (a *access) each(f func(v, k, outcome reg.Register)) {
	f(relative, active, wrong)
	if a.halves() {
		f(relative2, upper, more)
	}
}

// jumpIf goes to a label if any outcome is set.
func (a *access) jumpIf(label string) {
	if a.halves() {
		build.KORTESTB(wrong, more)
	} else {
		build.KORTESTW(wrong, wrong)
	}
	build.JNE(operand.LabelRef(label))
}

// lanes calls the instruction for the width of addresses.
func (a *access) lanes(d, q func(...operand.Op)) func(...operand.Op) {
	if a.address == 8 {
		return q
	}
	return d
}

// relate makes addresses relative to the first active thread's.
func (a *access) relate() {
	if a.address == 8 {
		build.VPBROADCASTQ(where, base)
	} else {
		build.VPBROADCASTD(where.As32(), base)
	}
	a.each(func(v, _, _ reg.Register) { a.lanes(build.VPSUBD, build.VPSUBQ)(base, v, v) })
}

// join makes one vector of words of the addresses, which are small.
func (a *access) join() {
	if a.halves() {
		build.VPERMT2D(relative2, evens, relative)
	}
	if a.wide() && a.address == 4 {
		build.VPMOVZXDQ(relative.AsY(), relative)
	}
}

// offsets makes offsets of addresses, and leaves if one is not inside or not aligned.
func (a *access) offsets() {
	a.loadAddresses()
	a.each(func(v, k, outcome reg.Register) {
		a.lanes(build.VPADDD, build.VPADDQ)(deltas, v, v)
		const notLess = operand.U8(5)
		a.lanes(build.VPCMPUD, build.VPCMPUQ)(notLess, limits, v, k, outcome)
	})
	a.jumpIf("stop")
	a.each(func(v, k, outcome reg.Register) { a.lanes(build.VPTESTMD, build.VPTESTMQ)(bitsClear, v, k, outcome) })
	a.jumpIf("stop")
	a.join()
}

func (a *access) valueAt() operand.Mem {
	if a.wide() {
		return operand.Mem{Base: atValues, Index: thread, Scale: 8}
	}
	return operand.Mem{Base: atValues, Index: thread, Scale: 4}
}

// extend makes a word of the low bytes of each.
func (a *access) extend() {
	left := operand.U8(32 - 8*a.bytes)
	switch {
	case a.bytes >= 4:
	case a.signed:
		build.VPSLLD(left, value, value)
		build.VPSRAD(left, value, value)
	default:
		build.VPSLLD(left, value, value)
		build.VPSRLD(left, value, value)
	}
}

// writeGather writes a gather. If all accesses of a group are within 64 bytes, those are
// loaded and permuted, which takes a few cycles; contiguous accesses are such.
func (a *access) writeGather(t *target) (name string) {
	name = a.begin(t)
	a.beginVectors()
	build.MOVQ(field(alignment), scratch)
	build.ORQ(operand.I32(^63), scratch)
	if a.address == 8 {
		build.VPBROADCASTQ(scratch, outside)
	} else {
		build.VPBROADCASTD(scratch.As32(), outside)
	}
	if a.bytes == 2 {
		build.MOVL(operand.U32(0x0100), scratch.As32())
		build.VPBROADCASTD(scratch.As32(), increment)
	}
	a.group()
	build.CMPQ(offset, field(loadable))
	build.JAE(operand.LabelRef("apart"))
	build.TESTQ(offset, field(alignment))
	build.JNZ(operand.LabelRef("stop"))
	a.loadAddresses()
	a.relate()
	a.each(func(v, k, outcome reg.Register) { a.lanes(build.VPTESTMD, build.VPTESTMQ)(outside, v, k, outcome) })
	a.jumpIf("apart")
	a.join()
	window := operand.Mem{Base: atData, Index: offset, Scale: 1}
	switch a.bytes {
	case 1:
		build.VMOVDQU64(window, value)
		build.VPERMB(value, relative, value)
	case 2:
		build.VMOVDQU64(window, value)
		build.VPSLLD(operand.U8(8), relative, base)
		build.VPORD(base, relative, relative)
		build.VPADDD(increment, relative, relative)
		build.VPERMB(value, relative, value)
	case 4:
		build.VPSRLD(operand.U8(2), relative, relative)
		build.VPERMD(window, relative, value)
	case 8:
		build.VPSRLQ(operand.U8(3), relative, relative)
		build.VPERMQ(window, relative, value)
	}
	build.Label("store")
	a.extend()
	if a.wide() {
		build.VMOVDQU64(value, active, a.valueAt())
	} else {
		build.VMOVDQU32(value, active, a.valueAt())
	}
	a.next()

	build.Label("apart")
	a.offsets()
	build.KMOVW(active, wrong)
	build.VPXORD(value, value, value)
	at := operand.Mem{Base: atData, Index: relative, Scale: 1}
	if a.wide() {
		build.VPGATHERQQ(at, wrong, value)
	} else {
		build.VPGATHERDD(at, wrong, value)
	}
	build.JMP(operand.LabelRef("store"))
	return name
}

// writeScatter writes a scatter. Contiguous accesses are stored as one vector.
func (a *access) writeScatter(t *target) (name string) {
	name = a.begin(t)
	a.beginVectors()
	// The places of the threads of a group, from the first one's on.
	places := vector(fmt.Sprintf("places%dAt%d", a.bytes, 8*a.address), 16*a.address, func(i int) byte {
		return byte(i / a.address * a.bytes * (1 - min(i%a.address, 1)))
	})
	build.VMOVDQU64(places, next)
	if a.halves() {
		build.VMOVDQU64(places.Offset(64), increment)
	}
	a.group()
	build.CMPQ(offset, field(allowed))
	build.JAE(operand.LabelRef("stop"))
	build.TESTQ(offset, field(alignment))
	build.JNZ(operand.LabelRef("stop"))
	// Elements of vectors that lie side by side belong to vectors that overlap, of which only
	// the first is known to be aligned.
	build.CMPQ(field(alignment), operand.Imm(uint64(a.bytes-1)))
	build.JNE(operand.LabelRef("apart"))
	// Relative to where thread 0 of the group would be, active or not.
	build.IMUL3Q(operand.Imm(uint64(a.bytes)), first, first)
	build.SUBQ(first, where)
	build.SUBQ(first, offset)
	a.loadAddresses()
	a.relate()
	a.each(func(v, k, outcome reg.Register) {
		places := next
		if v == reg.Register(relative2) {
			places = increment
		}
		const different = operand.U8(4)
		a.lanes(build.VPCMPUD, build.VPCMPUQ)(different, places, v, k, outcome)
	})
	a.jumpIf("apart")
	// The last active access must be inside, too.
	build.KMOVW(active, scratch.As32())
	build.BSRL(scratch.As32(), scratch.As32())
	build.IMUL3Q(operand.Imm(uint64(a.bytes)), scratch, scratch)
	build.ADDQ(offset, scratch)
	build.CMPQ(scratch, field(allowed))
	build.JAE(operand.LabelRef("stop"))
	at := operand.Mem{Base: atData, Index: offset, Scale: 1}
	switch a.bytes {
	case 1:
		build.VMOVDQU32(a.valueAt(), value)
		build.VPMOVDB(value, active, at)
	case 2:
		build.VMOVDQU32(a.valueAt(), value)
		build.VPMOVDW(value, active, at)
	case 4:
		build.VMOVDQU32(a.valueAt(), value)
		build.VMOVDQU32(value, active, at)
	case 8:
		build.VMOVDQU64(a.valueAt(), value)
		build.VMOVDQU64(value, active, at)
	}
	a.next()

	build.Label("apart")
	if a.bytes < 4 {
		build.JMP(operand.LabelRef("stop"))
		return name
	}
	a.offsets()
	build.KMOVW(active, wrong)
	to := operand.Mem{Base: atData, Index: relative, Scale: 1}
	if a.wide() {
		build.VMOVDQU64(a.valueAt(), value)
		build.VPSCATTERQQ(value, wrong, to)
	} else {
		build.VMOVDQU32(a.valueAt(), value)
		build.VPSCATTERDD(value, wrong, to)
	}
	build.JMP(operand.LabelRef("next"))
	return name
}

// writeOne writes the load of one value, from the address of the first thread.
func (a *access) writeOne(t *target) (name string) {
	name = a.begin(t)
	if a.address == 8 {
		build.MOVQ(operand.Mem{Base: atWhere}, offset)
		build.ADDQ(shift, offset)
	} else {
		build.MOVL(operand.Mem{Base: atWhere}, offset.As32())
		build.ADDL(shift.As32(), offset.As32())
	}
	build.CMPQ(offset, field(allowed))
	build.JAE(operand.LabelRef("stop"))
	build.TESTQ(offset, field(alignment))
	build.JNZ(operand.LabelRef("stop"))
	from, to := operand.Mem{Base: atData, Index: offset, Scale: 1}, operand.Mem{Base: atValues}
	switch {
	case a.bytes == 1 && a.signed:
		build.MOVBLSX(from, scratch.As32())
	case a.bytes == 1:
		build.MOVBLZX(from, scratch.As32())
	case a.bytes == 2 && a.signed:
		build.MOVWLSX(from, scratch.As32())
	case a.bytes == 2:
		build.MOVWLZX(from, scratch.As32())
	case a.bytes == 4:
		build.MOVL(from, scratch.As32())
	default:
		build.MOVQ(from, scratch)
		build.MOVQ(scratch, to)
	}
	if a.bytes < 8 {
		build.MOVL(scratch.As32(), to)
	}
	goOn()
	a.stop()
	return name
}

// writeAccess writes the handler of an access.
func writeAccess(t *target, access_ link.Access) (name string) {
	a := &access{access_, access_.Address, access_.Element.Bytes, access_.Element.Signed}
	switch a.Kind {
	case link.Gather:
		return a.writeGather(t)
	case link.Scatter:
		return a.writeScatter(t)
	}
	return a.writeOne(t)
}
