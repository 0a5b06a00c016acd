package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// copyForms are the asynchronous copies to shared memory, and waiting for them (PTX ISA 9.7.9.25). A copy is made
// at once, in its thread: when it is waited for, it has been made, as the manual allows, and before that nobody may look.
var copyForms = builder.Table{
	{"cp.async.(ca|cg).(shared|shared::cta).global{.L2::cache_hint}{.(L2::64B|L2::128B|L2::256B)}", copyAsync},
	{"cp.async.commit_group", builder.Nothing},
	{"cp.async.wait_group", builder.Nothing},
	{"cp.async.wait_all", builder.Nothing},
}

// copyAsync builds cp.async: to, from, the number of bytes, and perhaps how many of them are read, the rest being zeros, or
// a predicate that says that none are; last a cache policy, if the form has one.
func copyAsync(b *builder.Builder) {
	operands := b.Inst.Operands
	n := len(operands)
	if b.Form.Has("L2::cache_hint") {
		n--
	}
	if n < 3 || n > 4 || operands[2].Kind != check.OpImm {
		b.Fail("its number of bytes is not a constant")
		return
	}
	size := int(operands[2].Imm)
	if size != 4 && size != 8 && size != 16 {
		b.Fail("it copies 4, 8 or 16 bytes")
		return
	}
	c := asyncCopy{b: b, words: size / 4}
	load, store := form.NewAccess(form.Parse(c.spelling("ld", "global"))), form.NewAccess(form.Parse(c.spelling("st", "shared")))
	to, toOK := addressAt(b, 0, store)
	from, fromOK := addressAt(b, 1, load)
	if !toOK || !fromOK {
		return
	}
	var values []simt.ID
	switch {
	case n == 3:
		values = c.load(from, load, 0)
	case isPredicate(b, &operands[3]):
		values = c.load(from, load, b.Named("not.pred", b.Predicate(3)))
	default:
		values = c.part(from, load, b.Source(&operands[3], simt.B32, check.U32), uint64(size))
	}
	b.Effect(simt.Inst{Kind: simt.Store, Args: b.List(append([]simt.ID{to}, values...)...), Aux: store})
}

// isPredicate reports whether an operand is a predicate.
func isPredicate(b *builder.Builder, o *check.Operand) bool {
	return o.Kind == check.OpReg && b.Decl.Registers[o.Reg].Type == check.Pred
}

// addressAt returns the address that an operand is, in the space of an access.
func addressAt(b *builder.Builder, i int, a *simt.Access) (address simt.ID, ok bool) {
	of, address := b.Access(i)
	a.Offset = of.Offset
	return address, !b.Failed()
}

// asyncCopy is a copy of some words.
type asyncCopy struct {
	b     *builder.Builder
	words int
}

// spelling is the access to all words, or their only one.
func (c *asyncCopy) spelling(name, space string) string {
	return name + "." + space + map[int]string{1: ".u32", 2: ".v2.u32", 4: ".v4.u32"}[c.words]
}

// under returns a predicate that holds where the instruction is executed and a condition, if there is one, holds.
func under(b *builder.Builder, condition simt.ID) simt.ID {
	guard := b.Guard
	if guard != 0 && b.Inverse {
		guard = b.Named("not.pred", guard)
	}
	switch {
	case condition == 0:
		return guard
	case guard == 0:
		return condition
	}
	return b.Named("and.pred", guard, condition)
}

// load loads elements where a condition holds; they are zeros elsewhere.
func (c *asyncCopy) load(address simt.ID, a *simt.Access, condition simt.ID) (values []simt.ID) {
	defs := make([]simt.ID, a.Elements)
	for i := range defs {
		defs[i] = c.b.Result(simt.B32)
	}
	c.b.Add(simt.Inst{Kind: simt.Load, Defs: defs, Args: c.b.List(address), Aux: a, Guard: under(c.b, condition)})
	if condition == 0 {
		return defs
	}
	for _, d := range defs {
		values = append(values, c.b.Named("selp.32", d, c.b.Constant(simt.B32, 0), condition))
	}
	return values
}

// part loads so many bytes: all at once where they are all, or else those that there are, word by word, and
// the last ones by themselves.
func (c *asyncCopy) part(address simt.ID, a *simt.Access, count simt.ID, size uint64) []simt.ID {
	if k, ok := c.b.ConstOf(count); ok && k >= size {
		return c.load(address, a, 0)
	}
	all := c.b.Named("setp.ge.u32", count, c.b.Constant(simt.B32, size))
	values := c.load(address, a, all)
	for i := range values {
		at := 4 * uint64(i)
		piece := func(name string, offset uint64, condition simt.ID) simt.ID {
			p := form.NewAccess(form.Parse(name))
			p.Offset = a.Offset + offset
			return c.load(address, p, condition)[0]
		}
		beyond := func(n uint64) simt.ID { return c.b.Named("setp.gt.u32", count, c.b.Constant(simt.B32, n)) }
		full := c.b.Named("and.pred", beyond(at+3), c.b.Named("not.pred", all))
		partly := c.b.Named("not.pred", beyond(at+3))
		values[i] = c.b.Named("or.b32", values[i], piece("ld.global.u32", at, full))
		for n := range uint64(3) {
			one := piece("ld.global.u8", at+n, c.b.Named("and.pred", beyond(at+n), partly))
			values[i] = c.b.Named("or.b32", values[i], c.b.Named("shl.b32", one, c.b.Constant(simt.B32, 8*n)))
		}
	}
	return values
}
