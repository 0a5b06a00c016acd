package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// copyForms are the asynchronous copies to shared memory, and waiting for them (PTX ISA 9.7.9.25). A copy is made
// at once, in its thread: when it is waited for, it has been made, as the manual allows, and before that nobody may look.
var copyForms = []row{
	{"cp.async.(ca|cg).(shared|shared::cta).global{.L2::cache_hint}{.(L2::64B|L2::128B|L2::256B)}", copyAsync},
	{"cp.async.commit_group", nothing},
	{"cp.async.wait_group", nothing},
	{"cp.async.wait_all", nothing},
}

// copyAsync builds cp.async: to, from, the number of bytes, and perhaps how many of them are read, the rest being zeros, or
// a predicate that says that none are; last a cache policy, if the form has one.
func copyAsync(b *builder) {
	operands := b.current.Operands
	n := len(operands)
	if b.inst.has("L2::cache_hint") {
		n--
	}
	if n < 3 || n > 4 || operands[2].Kind != check.OpImm {
		b.fail("its number of bytes is not a constant")
		return
	}
	size := int(operands[2].Imm)
	if size != 4 && size != 8 && size != 16 {
		b.fail("it copies 4, 8 or 16 bytes")
		return
	}
	c := asyncCopy{b: b, words: size / 4}
	load, store := newAccess(formOf(c.spelling("ld", "global"))), newAccess(formOf(c.spelling("st", "shared")))
	to, toOK := b.addressAt(0, store)
	from, fromOK := b.addressAt(1, load)
	if !toOK || !fromOK {
		return
	}
	var values []simt.ID
	switch {
	case n == 3:
		values = c.load(from, load, 0)
	case b.isPredicate(&operands[3]):
		values = c.load(from, load, b.named("not.pred", b.predicate(3)))
	default:
		values = c.part(from, load, b.source(&operands[3], simt.B32, check.U32), uint64(size))
	}
	b.effect(simt.Inst{Kind: simt.Store, Args: b.list(append([]simt.ID{to}, values...)...), Aux: store})
}

// isPredicate reports whether an operand is a predicate.
func (b *builder) isPredicate(o *check.Operand) bool {
	return o.Kind == check.OpReg && b.decl.Registers[o.Reg].Type == check.Pred
}

// addressAt returns the address that an operand is, in the space of an access.
func (b *builder) addressAt(i int, a *simt.Access) (address simt.ID, ok bool) {
	of, address := b.accessOf(i)
	a.Offset = of.Offset
	return address, b.failed == ""
}

// asyncCopy is a copy of some words.
type asyncCopy struct {
	b     *builder
	words int
}

// spelling is the access to all words, or their only one.
func (c *asyncCopy) spelling(name, space string) string {
	return name + "." + space + map[int]string{1: ".u32", 2: ".v2.u32", 4: ".v4.u32"}[c.words]
}

// under returns a predicate that holds where the instruction is executed and a condition, if there is one, holds.
func (c *asyncCopy) under(condition simt.ID) simt.ID {
	guard := c.b.guard
	if guard != 0 && c.b.inverse {
		guard = c.b.named("not.pred", guard)
	}
	switch {
	case condition == 0:
		return guard
	case guard == 0:
		return condition
	}
	return c.b.named("and.pred", guard, condition)
}

// load loads elements where a condition holds; they are zeros elsewhere.
func (c *asyncCopy) load(address simt.ID, a *simt.Access, condition simt.ID) (values []simt.ID) {
	defs := make([]simt.ID, a.Elements)
	for i := range defs {
		defs[i] = c.b.result(simt.B32)
	}
	c.b.add(simt.Inst{Kind: simt.Load, Defs: defs, Args: c.b.list(address), Aux: a, Guard: c.under(condition)})
	if condition == 0 {
		return defs
	}
	for _, d := range defs {
		values = append(values, c.b.named("selp.32", d, c.b.Constant(simt.B32, 0), condition))
	}
	return values
}

// part loads so many bytes: all at once where they are all, or else those that there are, word by word, and
// the last ones by themselves.
func (c *asyncCopy) part(address simt.ID, a *simt.Access, count simt.ID, size uint64) []simt.ID {
	if k, ok := c.b.ConstOf(count); ok && k >= size {
		return c.load(address, a, 0)
	}
	all := c.b.named("setp.ge.u32", count, c.b.Constant(simt.B32, size))
	values := c.load(address, a, all)
	for i := range values {
		at := 4 * uint64(i)
		piece := func(name string, offset uint64, condition simt.ID) simt.ID {
			p := newAccess(formOf(name))
			p.Offset = a.Offset + offset
			return c.load(address, p, condition)[0]
		}
		beyond := func(n uint64) simt.ID { return c.b.named("setp.gt.u32", count, c.b.Constant(simt.B32, n)) }
		full := c.b.named("and.pred", beyond(at+3), c.b.named("not.pred", all))
		partly := c.b.named("not.pred", beyond(at+3))
		values[i] = c.b.named("or.b32", values[i], piece("ld.global.u32", at, full))
		for n := range uint64(3) {
			one := piece("ld.global.u8", at+n, c.b.named("and.pred", beyond(at+n), partly))
			values[i] = c.b.named("or.b32", values[i], c.b.named("shl.b32", one, c.b.Constant(simt.B32, 8*n)))
		}
	}
	return values
}
