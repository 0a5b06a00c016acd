package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// matrixForms are the instructions that move parts of small matrices (PTX ISA 9.7.14.5.15 to 17). Each lane has a few
// elements of each matrix; what it needs of other lanes' comes by shuffles.
var matrixForms = []row{
	{"ldmatrix.sync.aligned.m8n8.(x1|x2|x4){.trans}{.(shared|shared::cta)}.b16", loadMatrices},
	{"stmatrix.sync.aligned.m8n8.(x1|x2|x4){.trans}{.(shared|shared::cta)}.b16", storeMatrices},
	{"movmatrix.sync.aligned.m8n8.trans.b16", transposeMatrix},
}

// matrices builds instructions on matrices. In the manual's terms group is groupID, the number of four lanes, and member
// is threadID_in_group.
type matrices struct {
	b             *builder
	group, member simt.ID
}

func newMatrices(b *builder) *matrices {
	lane := b.special("%laneid")
	return &matrices{b, b.named("shr.u32", lane, b.Constant(simt.B32, 2)), b.named("and.b32", lane, b.Constant(simt.B32, 3))}
}

// word is a constant, and mask one of bits.
func (m *matrices) word(x int) simt.ID { return m.mask(uint32(x)) }

func (m *matrices) mask(x uint32) simt.ID { return m.b.Constant(simt.B32, uint64(x)) }

// from returns what a lane has of a value.
func (m *matrices) from(v, lane simt.ID) simt.ID {
	if m.b.Values[v].Type == simt.B64 {
		low, high := m.from(m.b.named("narrow.32", v), lane), m.from(m.b.named("high.32", v), lane)
		return m.b.named("pack.64", low, high)
	}
	d := m.b.result(simt.B32)
	m.b.effect(simt.Inst{Kind: simt.Exchange, Defs: m.b.list(d), Args: m.b.list(v, lane, m.word(simt.WarpSize-1)), Aux: &simt.ExchangeOp{Name: "shfl.idx", D: true}})
	return d
}

// registers returns the values of an operand, a vector of so many elements or one register, as words, or long words.
func (m *matrices) registers(i, count int, t simt.Type) (values []simt.ID, ok bool) {
	elems := m.b.vectorElements(m.b.operand(i))
	if len(elems) != count {
		m.b.fail("operand %d has %s, and needs %d", i, diag.Count(len(elems), "element"), count)
		return nil, false
	}
	as := map[simt.Type]check.Type{simt.B32: check.B32, simt.B64: check.B64}[t]
	for k := range elems {
		values = append(values, m.b.source(&elems[k], t, as))
	}
	return values, true
}

// count is how many matrices a form is about.
func (m *matrices) count() int {
	return map[string]int{"x1": 1, "x2": 2, "x4": 4}[m.b.inst.modifiers[3]]
}

// row returns the address of a row of matrix n, which lane 8*n+row has.
func (m *matrices) row(address simt.ID, n int, row simt.ID) simt.ID {
	return m.from(address, m.b.named("add.u32", row, m.word(8*n)))
}

// place returns the address of so many bytes from the beginning of a row.
func (m *matrices) place(row, bytes simt.ID) simt.ID {
	if m.b.Values[row].Type == simt.B64 {
		bytes = m.b.named("widen.64", bytes)
	}
	return m.b.compute(addition[m.b.Values[row].Type], row, bytes)
}

// rowAccess is an access to an element of a row, or two.
func (m *matrices) rowAccess(name, typ string, at *simt.Access) *simt.Access {
	a := newAccess(formOf(name + m.b.inst.spaceWord() + "." + typ))
	a.Space, a.Offset = at.Space, at.Offset
	return a
}

// loadMatrices builds ldmatrix: a lane gets two neighbours of its group's row, or with .trans of its group's column.
func loadMatrices(b *builder) {
	m := newMatrices(b)
	at, address := b.accessOf(1)
	d := b.vectorElements(b.operand(0))
	if len(d) != m.count() {
		b.fail("its result has %s", diag.Count(len(d), "element"))
		return
	}
	load := func(typ string, address simt.ID) simt.ID {
		v := b.result(simt.B32)
		b.effect(simt.Inst{Kind: simt.Load, Defs: b.list(v), Args: b.list(address), Aux: m.rowAccess("ld", typ, at)})
		return v
	}
	values := make([]simt.ID, len(d))
	for n := range d {
		if !b.inst.has("trans") {
			values[n] = load("b32", m.place(m.row(address, n, m.group), b.named("shl.b32", m.member, m.word(2))))
			continue
		}
		column := b.named("shl.b32", m.group, m.word(1))
		first := b.named("shl.b32", m.member, m.word(1))
		low := load("b16", m.place(m.row(address, n, first), column))
		high := load("b16", m.place(m.row(address, n, b.named("add.u32", first, m.word(1))), column))
		values[n] = b.named("pack.32", low, high)
	}
	for n := range d {
		b.set(&d[n], values[n])
	}
}

// storeMatrices builds stmatrix.
func storeMatrices(b *builder) {
	m := newMatrices(b)
	at, address := b.accessOf(0)
	values, ok := m.registers(1, m.count(), simt.B32)
	if !ok {
		return
	}
	store := func(typ string, address, v simt.ID) {
		b.effect(simt.Inst{Kind: simt.Store, Args: b.list(address, v), Aux: m.rowAccess("st", typ, at)})
	}
	for n, v := range values {
		if !b.inst.has("trans") {
			store("b32", m.place(m.row(address, n, m.group), b.named("shl.b32", m.member, m.word(2))), v)
			continue
		}
		column := b.named("shl.b32", m.group, m.word(1))
		first := b.named("shl.b32", m.member, m.word(1))
		store("b16", m.place(m.row(address, n, first), column), v)
		store("b16", m.place(m.row(address, n, b.named("add.u32", first, m.word(1))), column), b.named("high.16", v))
	}
}

// transposeMatrix builds movmatrix: element (r, c) is in lane 4*r+c/2, in the half that c is odd or even for.
func transposeMatrix(b *builder) {
	if !b.count(2) {
		return
	}
	m := newMatrices(b)
	v := b.source(b.operand(1), simt.B32, check.B32)
	odd := b.named("setp.ne.u32", b.named("and.b32", m.group, m.word(1)), m.word(0))
	pair := b.named("shr.u32", m.group, m.word(1))
	element := func(row int) simt.ID { // of two rows of the group's column
		lane := b.named("add.u32", b.named("add.u32", b.named("shl.b32", m.member, m.word(3)), m.word(4*row)), pair)
		x := m.from(v, lane)
		return b.named("selp.32", b.named("high.16", x), x, odd)
	}
	low, high := element(0), element(1)
	b.set(b.operand(0), b.named("pack.32", low, high))
}
