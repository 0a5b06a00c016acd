package model

import (
	"fmt"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// region is memory that a thread may access.
type region struct {
	space Space
	base  Operand // a register, or a name in the space
	wide  bool    // the register is 64 bits
	bytes int
	// generic is a register with the generic address, if there is one.
	generic    Reg
	hasGeneric bool
	constant   bool // nothing is stored there while the kernel runs
}

// prologue computes where a thread's memory is, and sets registers of all classes.
func (g *generator) prologue() {
	k := g.k
	g.tid, g.gtid = g.newReg(ops.B32), g.newReg(ops.B32)
	part := g.newReg(ops.B32)
	linear := func(d Reg, at, size string) {
		g.do("mov.u32", d, named(at+".z"))
		for _, axis := range []string{".y", ".x"} {
			g.do("mov.u32", part, named(size+axis))
			g.do("mul.lo.u32", d, reg(d), reg(part))
			g.do("mov.u32", part, named(at+axis))
			g.do("add.u32", d, reg(d), reg(part))
		}
	}
	if k.Block[1]*k.Block[2]*k.Grid[1]*k.Grid[2] == 1 {
		g.do("mov.u32", g.tid, named("%tid.x"))
		g.do("mov.u32", g.gtid, named("%ctaid.x"))
	} else {
		linear(g.tid, "%tid", "%ntid")
		linear(g.gtid, "%ctaid", "%nctaid")
	}
	block := g.newReg(ops.B32)
	g.do("mov.u32", block, reg(g.gtid))
	g.do("mad.lo.u32", g.gtid, reg(block), imm(uint64(k.Threads())), reg(g.tid))
	own := func(name string, per int, index Reg) Reg {
		r := g.newReg(ops.B64)
		g.load("ld.param.u64", Param, 8, false, []Reg{r}, named(name), true, 0, true)
		if per > 0 {
			g.do("mad.wide.u32", r, reg(index), imm(uint64(per)), reg(r))
		}
		return r
	}
	g.in0, g.in1, g.sums = own("in0", 0, block), own("in1", 0, block), own("sums", 0, block)
	g.ownA, g.ownB = own("own0", ownBytes, g.gtid), own("own1", ownBytes, g.gtid)
	g.cta = own("cta", ctaBytes, block)
	if g.share > 0 {
		g.handles()
	}
	g.registers(block)
	if g.shared {
		g.ownShared, g.ownSharedWide, g.genericShared = g.newReg(ops.B32), g.newReg(ops.B64), g.newReg(ops.B64)
		g.do("mov.u32", g.ownShared, named("sh"))
		g.do("mad.lo.u32", g.ownShared, reg(g.tid), imm(slotBytes), reg(g.ownShared))
		slot := g.ownShared
		end := g.group()
		g.store("st.shared.v4.u32", Shared, 4, g.words(4), reg(slot), false, 0)
		g.store("st.shared.v2.u64", Shared, 8, []Operand{reg(g.source(ops.B64)), reg(g.source(ops.B64))}, reg(slot), false, int64(slotBytes*k.Threads()))
		*g.list = append(*g.list, &Barrier{"bar.sync 0"})
		end()
		g.do("add.u32", g.ownShared, reg(slot), imm(uint64(slotBytes*k.Threads())))
		g.do("cvt.u64.u32", g.ownSharedWide, reg(g.ownShared))
		g.cvta("shared", g.genericShared, reg(g.ownSharedWide))
	}
	if g.local {
		g.genericLocal = g.newReg(ops.B64)
		end := g.group()
		for i := range int64(ownBytes / 16) {
			g.store("st.local.v4.u32", Local, 4, g.words(4), named("loc"), true, 16*i)
		}
		end()
		g.do("mov.u64", g.genericLocal, named("loc"))
		g.cvta("local", g.genericLocal, reg(g.genericLocal))
	}
}

// cvta adds the conversion to a generic address.
func (g *generator) cvta(space string, d Reg, address Operand) {
	window := map[string]uint64{"shared": sharedWindow, "local": localWindow, "param": paramWindow}[space]
	op := ops.NewOp("cvta."+space+".u64 d, D", func(d, s []uint64) { d[0] = s[0] + window })
	g.emit(&Inst{Op: op, Dst: []Reg{d}, Src: []Operand{address}, Fixed: true})
}

func (g *generator) words(n int) (all []Operand) {
	for range n {
		all = append(all, reg(g.source(ops.B32)))
	}
	return all
}

// registers sets some registers of all classes: some the same in all threads, some not.
func (g *generator) registers(block Reg) {
	keep := func(r Reg) { g.uniform[r.Class] = append(g.uniform[r.Class], r) }
	param := func(name, typ string, c ops.Class, size int) {
		r := g.newReg(c)
		g.load("ld.param."+typ, Param, size, typ[0] == 's', []Reg{r}, named(name), true, 0, false)
		keep(r)
	}
	param("s32", "u32", ops.B32, 4)
	param("s16", pick(g, "u16", "s16"), ops.B16, 2)
	param("s8", pick(g, "u8", "s8"), ops.B32, 1)
	param("s64", "u64", ops.B64, 8)
	param("sf", "f32", ops.F32, 4)
	param("se", "f64", ops.F64, 8)
	copied := g.newReg(ops.B32)
	g.emit(&Inst{Op: ops.Named("mov.u32"), Dst: []Reg{copied}, Src: []Operand{reg(block)}})
	keep(copied)
	r := g.newReg(ops.B32)
	g.load("ld.global.u32", Global, 4, false, []Reg{r}, reg(g.in0), true, int64(4*g.rng.IntN(64)), false)
	keep(r)
	// Values of the thread.
	from := g.newReg(ops.B64)
	g.do("mad.wide.u32", from, reg(g.tid), imm(uint64(pick(g, 8, 8, 16, 24))), reg(g.in0))
	for _, v := range []struct {
		typ  string
		c    ops.Class
		size int
	}{{"u32", ops.B32, 4}, {"u64", ops.B64, 8}, {"u16", ops.B16, 2}, {"f32", ops.F32, 4}, {"f64", ops.F64, 8}, {"s32", ops.B32, 4}, {"f32", ops.F32, 4}} {
		for range pick(g, 1, 1, 2) {
			r := g.newReg(v.c)
			g.load("ld.global."+v.typ, Global, v.size, v.typ[0] == 's', []Reg{r}, reg(from), true, int64(v.size*g.rng.IntN(16)), false)
			g.avail[v.c] = append(g.avail[v.c], r)
		}
	}
	tid := g.newReg(ops.B32)
	g.emit(&Inst{Op: ops.Named("mov.u32"), Dst: []Reg{tid}, Src: []Operand{pick(g, reg(g.tid), reg(g.gtid), named("%laneid"), named("%tid.x"))}})
	g.avail[ops.B32] = append(g.avail[ops.B32], tid)
	// A predicate that always holds, one that holds for all or none, and some that threads differ in.
	for i, test := range []struct {
		op   string
		a, b Operand
	}{
		{"setp.eq.u32", reg(tid), reg(tid)}, {"setp.lt.s32", reg(copied), imm(1)},
		{"setp.lt.u32", reg(g.tid), imm(uint64(g.rng.IntN(g.k.Threads() + 1)))}, {"setp.lt.s32", reg(g.source(ops.B32)), reg(g.source(ops.B32))},
	} {
		if i < 2 && g.chance(0.5) {
			continue
		}
		p := g.newReg(ops.Pred)
		g.emit(&Inst{Op: ops.Named(test.op), Dst: []Reg{p}, Src: []Operand{test.a, test.b}})
		g.avail[ops.Pred] = append(g.avail[ops.Pred], p)
	}
	if g.unset {
		for c := range g.avail {
			g.avail[c] = append(g.avail[c], g.newReg(ops.Class(c)))
		}
	}
}

// load adds a load without a guard.
func (g *generator) load(name string, space Space, size int, signed bool, d []Reg, base Operand, wide bool, offset int64, fixed bool) {
	op := &ops.Op{Name: name}
	g.emit(&Inst{Op: op, Dst: d, Fixed: fixed, Mem: &Access{Name: name, Space: space, Size: size, Signed: signed, Base: base, Wide: wide, Offset: offset}})
}

// store adds a store without a guard.
func (g *generator) store(name string, space Space, size int, values []Operand, base Operand, wide bool, offset int64) *Inst {
	op := &ops.Op{Name: name}
	for _, v := range values {
		op.Src = append(op.Src, v.Reg.Class)
	}
	return g.emit(&Inst{Op: op, Src: values, Mem: &Access{Name: name, Space: space, Size: size, Base: base, Wide: wide, Offset: offset, Writes: true}})
}

// regions returns the memory that anything may be loaded from.
func (g *generator) regions() []region {
	all := []region{
		{space: Global, base: named("gtab"), bytes: tableBytes, constant: true},
		{space: Const, base: named("ctab"), bytes: tableBytes},
	}
	if g.inFunction {
		return all
	}
	all = append(all,
		region{space: Global, base: reg(g.in0), wide: true, bytes: inBytes, generic: g.in0, hasGeneric: true, constant: true},
		region{space: Global, base: reg(g.in0), wide: true, bytes: inBytes, generic: g.in0, hasGeneric: true, constant: true},
		region{space: Global, base: reg(g.in1), wide: true, bytes: in1Bytes, generic: g.in1, hasGeneric: true, constant: true},
		region{space: Param, base: named("blob"), bytes: blobBytes},
	)
	if g.shared && !g.returns {
		all = append(all, region{space: Shared, base: named("sh"), bytes: slotBytes * g.k.Threads()})
	}
	return append(all, g.owned()...)
}

// owned returns the memory that is a thread's own.
func (g *generator) owned() []region {
	all := []region{
		{space: Global, base: reg(g.ownA), wide: true, bytes: ownBytes, generic: g.ownA, hasGeneric: true},
		{space: Global, base: reg(g.ownB), wide: true, bytes: ownBytes, generic: g.ownB, hasGeneric: true},
	}
	if g.shared {
		all = append(all, region{space: Shared, base: reg(g.ownShared), bytes: slotBytes, generic: g.genericShared, hasGeneric: true},
			region{space: Shared, base: reg(g.ownSharedWide), wide: true, bytes: slotBytes, generic: g.genericShared, hasGeneric: true})
	}
	if g.local {
		all = append(all, region{space: Local, base: named("loc"), bytes: ownBytes, generic: g.genericLocal, hasGeneric: true})
	}
	return all
}

// where is an address that has been computed.
type where struct {
	space    Space
	base     Operand
	wide     bool
	offset   int64
	constant bool
}

// index adds the computation of a number below n, a power of two: the same for all threads, one that grows with the
// thread, any, or some of both.
func (g *generator) index(n int) Operand {
	mask := imm(uint64(n - 1))
	masked := func(of Reg) Operand {
		t := g.temporary(ops.B32)
		g.do("and.b32", t, reg(of), mask)
		return reg(t)
	}
	kind := g.rng.IntN(7)
	if g.inFunction && kind < 5 {
		kind = 5
	}
	switch kind {
	case 0:
		return imm(uint64(g.rng.IntN(n)))
	case 1:
		return masked(pick(g, g.uniform[ops.B32]...))
	case 2:
		if g.k.Threads() <= n {
			return reg(g.tid)
		}
		return masked(g.tid)
	case 3:
		t := g.temporary(ops.B32)
		g.do("mul.lo.u32", t, reg(g.tid), imm(pick(g, 2, 3, 5, 32, uint64(0xffffffff))))
		g.do("and.b32", t, reg(t), mask)
		return reg(t)
	case 4: // uniform or not, as a predicate says: often in some rounds only
		a, b := masked(pick(g, g.uniform[ops.B32]...)), masked(pick(g, g.tid, g.source(ops.B32)))
		t := g.temporary(ops.B32)
		g.do("selp.b32", t, a, b, reg(g.source(ops.Pred)))
		return reg(t)
	}
	return masked(g.source(ops.B32))
}

// powerBelow returns the greatest power of two that is not greater.
func powerBelow(n int) int {
	p := 1
	for p*2 <= n {
		p *= 2
	}
	return p
}

// address adds the computation of the address of span bytes in one of some regions, or now in the one and now in
// the other.
func (g *generator) address(from []region, span int) where {
	r := pick(g, from...)
	for r.bytes < span {
		r = pick(g, from...)
	}
	generic := g.chance(0.3)
	if generic || r.hasGeneric && g.chance(0.2) {
		if !r.hasGeneric {
			r.generic, r.hasGeneric = g.temporary(ops.B64), true
			g.do("mov.u64", r.generic, r.base)
			switch r.space {
			case Shared:
				g.cvta("shared", r.generic, reg(r.generic))
			case Const:
				g.cvta("const", r.generic, reg(r.generic))
			case Param:
				g.cvta("param", r.generic, reg(r.generic))
			}
		}
		if other := pick(g, from...); other.hasGeneric && other.bytes >= span && g.chance(0.5) {
			t := g.temporary(ops.B64)
			g.do("selp.b64", t, reg(r.generic), reg(other.generic), reg(g.source(ops.Pred)))
			r = region{space: r.space, bytes: min(r.bytes, other.bytes), generic: t, constant: r.constant && other.constant}
			if r.space != other.space || r.space != Global {
				r.space = Generic
			}
		}
		if generic {
			r.space = Generic
		}
		if r.space != Global {
			r.space, r.constant = Generic, false
		}
		r.base, r.wide = reg(r.generic), true
	}
	w := where{space: r.space, base: r.base, wide: r.wide || r.base.Kind == NameOperand, constant: r.constant && r.space == Global}
	n := powerBelow(r.bytes / span)
	if n >= 2 && g.chance(0.5) { // a part of it is in the offset
		n /= 2
		w.offset = int64(g.rng.IntN(n+1) * span)
	}
	index := g.bad(&w, g.index(n), span)
	if index.Kind == ImmOperand {
		w.offset += int64(index.Imm) * int64(span)
		return w
	}
	base := r.base
	if w.space == Shared && r.hasGeneric && r.base.Kind == RegOperand && g.chance(0.2) {
		t := g.temporary(ops.B64)
		op := ops.NewOp("cvta.to.shared.u64 d, D", func(d, s []uint64) { d[0] = s[0] - sharedWindow })
		g.emit(&Inst{Op: op, Dst: []Reg{t}, Src: []Operand{reg(r.generic)}, Fixed: true})
		base, w.wide = reg(t), true
	}
	if base.Kind == NameOperand {
		// Addresses of shared and local memory may be words.
		w.wide = !(w.space == Shared || w.space == Local) || g.chance(0.5)
		c, move := ops.B64, "mov.u64"
		if !w.wide {
			c, move = ops.B32, "mov.u32"
		}
		t := g.temporary(c)
		g.do(move, t, r.base)
		base = reg(t)
	}
	w.base = g.sum(base, w.wide, index, span)
	return w
}

// sum adds a base and an index times a span.
func (g *generator) sum(base Operand, wide bool, index Operand, span int) Operand {
	if !wide {
		t, d := g.temporary(ops.B32), g.temporary(ops.B32)
		g.do("mul.lo.u32", t, index, imm(uint64(span)))
		g.do("add.u32", d, base, reg(t))
		return reg(d)
	}
	t, d := g.temporary(ops.B64), g.temporary(ops.B64)
	switch g.rng.IntN(3) {
	case 0:
		g.do("mad.wide.u32", d, index, imm(uint64(span)), base)
		return reg(d)
	case 1:
		g.do("mul.wide.u32", t, index, imm(uint64(span)))
	default:
		g.do("cvt.u64.u32", t, index)
		g.do("mul.lo.u64", t, reg(t), imm(uint64(span)))
	}
	g.do("add."+pick(g, "s64", "u64"), d, base, reg(t))
	return reg(d)
}

// bad makes an address wrong when its turn has come: for all threads, or for some.
func (g *generator) bad(w *where, index Operand, span int) Operand {
	if g.faults < 0 {
		return index
	}
	if g.faults--; g.faults >= 0 {
		return index
	}
	switch g.rng.IntN(4) {
	case 0:
		w.offset += int64(span / 2) // of bytes, none is misaligned
	case 1:
		w.offset += farAway
	case 2:
		w.offset -= farAway
	default:
		t := g.temporary(ops.B32)
		g.do("selp.b32", t, imm(uint64(farAway/span)), index, reg(g.source(ops.Pred)))
		return reg(t)
	}
	return index
}

// farAway is more bytes than memory and the gaps in it have, and fewer than from one window of generic addresses to
// the next.
const farAway = 1 << 20

// element is a type that memory has.
type elementType struct {
	name   string
	size   int
	signed bool
	into   []ops.Class
}

var elementTypes = []elementType{
	{"u8", 1, false, []ops.Class{ops.B16, ops.B32, ops.B64}}, {"s8", 1, true, []ops.Class{ops.B16, ops.B32, ops.B64}}, {"b8", 1, false, []ops.Class{ops.B16, ops.B32}},
	{"u16", 2, false, []ops.Class{ops.B16, ops.B32, ops.B64}}, {"s16", 2, true, []ops.Class{ops.B16, ops.B32, ops.B64}}, {"b16", 2, false, []ops.Class{ops.B16}},
	{"u32", 4, false, []ops.Class{ops.B32, ops.B64}}, {"s32", 4, true, []ops.Class{ops.B32, ops.B64}}, {"b32", 4, false, []ops.Class{ops.B32, ops.F32}}, {"f32", 4, false, []ops.Class{ops.F32}},
	{"u64", 8, false, []ops.Class{ops.B64}}, {"s64", 8, true, []ops.Class{ops.B64}}, {"b64", 8, false, []ops.Class{ops.B64, ops.F64}}, {"f64", 8, false, []ops.Class{ops.F64}},
	{"u32", 4, false, []ops.Class{ops.B32}}, {"u16", 2, false, []ops.Class{ops.B32}}, {"u8", 1, false, []ops.Class{ops.B32}},
}

// vector returns how many elements an access has, and how it says so.
func (g *generator) vector(size int) (n int, name string) {
	n = pick(g, 1, 1, 1, 2, 4)
	if n*size > 16 {
		n = 2
	}
	if n == 1 {
		return 1, ""
	}
	return n, fmt.Sprintf(".v%d", n)
}

// access adds an access to memory.
func (g *generator) access(at place) {
	switch n := g.rng.IntN(20); {
	case g.inFunction || n < 11:
		g.read()
	case n < 15:
		g.write()
	case n == 15 && !g.apart:
		g.sum2()
	case n == 16 && !g.apart:
		g.update()
	case n == 17:
		g.writeForBlock()
	default: // what is stored is loaded
		g.write()
		g.read()
	}
}

// read adds a load.
func (g *generator) read() {
	t := pick(g, elementTypes...)
	n, vector := g.vector(t.size)
	w := g.address(g.regions(), n*t.size)
	guard, sure := g.guard()
	name := "ld"
	switch {
	case w.space == Global && w.constant && g.chance(0.2):
		name = "ld.global.nc"
	case (w.space == Global || w.space == Generic || w.space == Shared) && !g.apart && g.chance(0.15):
		name = g.spelled(pick(g, "ld.volatile", "ld.relaxed.gpu")) + w.space.String()
	case w.space == Global && g.chance(0.1):
		name = "ld.global.ca"
	default:
		name += w.space.String()
	}
	name += vector + "." + t.name
	c := pick(g, t.into...)
	d := g.destinations(c, n, sure)
	if n > 1 && g.chance(0.15) {
		d[g.rng.IntN(n)] = Reg{c, -1}
	}
	// An address may be overwritten by what is loaded from it.
	if sure && c == ops.B64 && w.base.Kind == RegOperand && w.wide && g.scratch(w.base.Reg) && g.chance(0.2) {
		d[0] = w.base.Reg
	}
	in := &Inst{Guard: guard, Op: &ops.Op{Name: name}, Dst: d, Mem: &Access{Name: name, Space: w.space, Size: t.size, Signed: t.signed, Base: w.base, Wide: w.wide, Offset: w.offset}}
	g.emit(in)
}

// look loads the same word again and again, as threads do that wait for others to change it.
func (g *generator) look() {
	name := g.spelled(pick(g, "ld.volatile.global.u32", "ld.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32"))
	g.emit(&Inst{Op: &ops.Op{Name: name}, Dst: []Reg{g.destination(ops.B32, true)},
		Mem: &Access{Name: name, Space: Global, Size: 4, Base: reg(g.in0), Wide: true, Offset: int64(4 * g.rng.IntN(64))}})
}

// scratch reports whether a register is one of those for addresses.
func (g *generator) scratch(r Reg) bool {
	for _, s := range g.spare[r.Class] {
		if s == r {
			return true
		}
	}
	return false
}

// write adds a store to the thread's own memory.
func (g *generator) write() {
	t := pick(g, elementTypes...)
	n, vector := g.vector(t.size)
	w := g.address(g.owned(), n*t.size)
	guard, _ := g.guard()
	name := "st"
	if w.space != Local && !g.apart && g.chance(0.15) {
		name = g.spelled(pick(g, "st.volatile", "st.relaxed.gpu"))
	}
	name += w.space.String() + vector + "." + t.name
	in := g.store(name, w.space, t.size, g.values(t, n), w.base, w.wide, w.offset)
	in.Guard = guard
}

func (g *generator) values(t elementType, n int) (all []Operand) {
	c := pick(g, t.into...)
	for range n {
		all = append(all, reg(g.source(c)))
	}
	return all
}

// atomic is an operation on memory.
type atomic struct {
	name  string
	sizes []string
	f     func(old uint64, s []uint64, i ops.Integer) uint64
}

var atomics = []atomic{
	{"add", []string{"u32", "s32", "u64"}, func(old uint64, s []uint64, _ ops.Integer) uint64 { return old + s[0] }},
	{"min", []string{"u32", "s32", "u64", "s64"}, func(old uint64, s []uint64, i ops.Integer) uint64 {
		return ops.Choose(i.Less(i.Extend(old), i.Extend(s[0])), old, s[0])
	}},
	{"max", []string{"u32", "s32", "u64", "s64"}, func(old uint64, s []uint64, i ops.Integer) uint64 {
		return ops.Choose(i.Less(i.Extend(old), i.Extend(s[0])), s[0], old)
	}},
	{"and", []string{"b32", "b64"}, func(old uint64, s []uint64, _ ops.Integer) uint64 { return old & s[0] }},
	{"or", []string{"b32", "b64"}, func(old uint64, s []uint64, _ ops.Integer) uint64 { return old | s[0] }},
	{"xor", []string{"b32", "b64"}, func(old uint64, s []uint64, _ ops.Integer) uint64 { return old ^ s[0] }},
	{"inc", []string{"u32"}, func(old uint64, s []uint64, _ ops.Integer) uint64 { return ops.Choose(old >= s[0], 0, old+1) }},
	{"dec", []string{"u32"}, func(old uint64, s []uint64, _ ops.Integer) uint64 {
		return ops.Choose(old == 0 || old > s[0], s[0], old-1)
	}},
	{"exch", []string{"b32", "b64"}, func(old uint64, s []uint64, _ ops.Integer) uint64 { return s[0] }},
	{"cas", []string{"b32", "b64"}, func(old uint64, s []uint64, _ ops.Integer) uint64 { return ops.Choose(old == s[0], s[1], old) }},
}

// integerOf is a type by its name.
func integerOf(name string) ops.Integer {
	i := ops.Integer{Bits: 32, Signed: name[0] == 's'}
	if name[1:] == "64" {
		i.Bits = 64
	}
	return i
}

func (g *generator) atom(a *atomic, typ string, w where, red bool) *Inst {
	i := integerOf(typ)
	c := map[int]ops.Class{32: ops.B32, 64: ops.B64}[i.Bits]
	name := "atom"
	if red {
		name = "red"
	}
	name = g.spelled(name+pick(g, "", "", ".relaxed.gpu")) + w.space.String() + "." + a.name + "." + typ
	op := &ops.Op{Name: name, Src: []ops.Class{c}}
	in := &Inst{Op: op, Src: []Operand{reg(g.source(c))}}
	if a.name == "cas" {
		op.Src, in.Src = append(op.Src, c), append(in.Src, reg(g.source(c)))
	}
	in.Mem = &Access{Name: name, Space: w.space, Size: i.Bits / 8, Base: w.base, Wide: w.wide, Offset: w.offset, Writes: true,
		Atomic: func(old uint64, s []uint64) uint64 { return a.f(old, s, i) }}
	return in
}

// sum2 adds an atomic operation of all threads on the sums, without its result. Each operation and type has words of
// its own, so that the order does not matter.
func (g *generator) sum2() {
	at := g.rng.IntN(6) // add to xor
	a := &atomics[at]
	n := g.rng.IntN(len(a.sizes))
	bytes := 32
	from := region{space: Global, wide: true, bytes: bytes, generic: g.newReg(ops.B64), hasGeneric: true}
	g.do("add.u64", from.generic, reg(g.sums), imm(uint64((at*4+n)*bytes)))
	from.base = reg(from.generic)
	w := g.address([]region{from}, integerOf(a.sizes[n]).Bits/8)
	in := g.atom(a, a.sizes[n], w, true)
	in.Guard, _ = g.guard()
	g.emit(in)
}

// update adds an atomic operation on the thread's own memory, with its result.
func (g *generator) update() {
	a := &atomics[g.rng.IntN(len(atomics))]
	typ := pick(g, a.sizes...)
	var from []region
	for _, r := range g.owned() {
		if r.space != Local {
			from = append(from, r)
		}
	}
	w := g.address(from, integerOf(typ).Bits/8)
	red := g.chance(0.2) && a.name != "exch" && a.name != "cas"
	in := g.atom(a, typ, w, red)
	var sure bool
	in.Guard, sure = g.guard()
	if !red {
		in.Dst = []Reg{g.destination(in.Op.Src[0], sure)}
	}
	g.emit(in)
}

// writeForBlock adds a store by the block's writer to a place that is the same for all threads.
func (g *generator) writeForBlock() {
	t := pick(g, elementTypes...)
	n, vector := g.vector(t.size)
	p := g.newReg(ops.Pred)
	g.do("setp.eq.u32", p, reg(g.tid), imm(uint64(g.writer)))
	in := g.store("st.global"+vector+"."+t.name, Global, t.size, g.values(t, n), reg(g.cta), true, int64(g.rng.IntN(ctaBytes/(n*t.size))*n*t.size))
	in.Guard, in.Fixed = holds(p), true
}

// slotOf makes the address of a thread's slot in shared memory of its number.
func (g *generator) slotOf(thread Reg) {
	begin := g.newReg(ops.B32)
	g.do("mov.u32", begin, named("sh"))
	g.do("mad.lo.u32", thread, reg(thread), imm(slotBytes), reg(begin))
}

// exchange adds an exchange of the slots in shared memory between barriers.
func (g *generator) exchange() {
	defer g.group()()
	t := pick(g, elementTypes...)
	n, vector := g.vector(t.size)
	threads := g.k.Threads()
	other := g.temporary(ops.B32)
	*g.list = append(*g.list, &Barrier{"bar.sync 0"})
	g.store("st.shared"+vector+"."+t.name, Shared, t.size, g.values(t, n), reg(g.ownShared), false, int64(-slotBytes*threads))
	*g.list = append(*g.list, &Barrier{"bar.sync 0"})
	if g.chance(0.5) {
		g.do("add.u32", other, reg(g.tid), imm(uint64(g.rng.IntN(threads))))
	} else {
		g.do("mov.u32", other, reg(g.source(ops.B32)))
	}
	g.do("rem.u32", other, reg(other), imm(uint64(threads)))
	g.slotOf(other)
	g.load("ld.shared"+vector+"."+t.name, Shared, t.size, t.signed, g.destinations(pick(g, t.into...), n, true), reg(other), false, 0, false)
	*g.list = append(*g.list, &Barrier{"bar.sync 0"})
}

// maxDumped is how many registers of a class are stored at the end.
const maxDumped = 12

// dump stores registers at the end, 8 bytes for each.
func (g *generator) dump() {
	var all []Reg
	for c := range g.avail {
		from := g.avail[c]
		all = append(all, from[max(0, len(from)-maxDumped):]...)
		all = append(all, g.uniform[c]...)
	}
	if g.share > 0 {
		all = append(all, g.readSum)
	}
	size := 8 * len(all)
	g.k.Args[len(g.k.Args)-1].Data = make([]byte, size*g.k.Threads()*g.k.Blocks())
	base := g.newReg(ops.B64)
	g.load("ld.param.u64", Param, 8, false, []Reg{base}, named("out"), true, 0, true)
	g.do("mad.wide.u32", base, reg(g.gtid), imm(uint64(size)), reg(base))
	for i, r := range all {
		value := r
		if r.Class == ops.Pred {
			value = g.newReg(ops.B32)
			g.emit(&Inst{Op: ops.Named("selp.b32"), Dst: []Reg{value}, Src: []Operand{imm(1), imm(0), reg(r)}})
		}
		g.store(fmt.Sprintf("st.global%v", value.Class), Global, value.Class.Bytes(), []Operand{reg(value)}, reg(base), true, int64(8*i))
	}
}
