package matrix

import (
	"math"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// matrixForms are the instructions that move parts of small matrices (PTX ISA 9.7.14.5.15 to 17). Each lane has a few
// elements of each matrix; what it needs of other lanes' comes by shuffles.
var matrixForms = builder.Table{
	{"ldmatrix.sync.aligned.m8n8.(x1|x2|x4){.trans}{.(shared|shared::cta)}.b16", loadMatrices},
	{"stmatrix.sync.aligned.m8n8.(x1|x2|x4){.trans}{.(shared|shared::cta)}.b16", storeMatrices},
	{"movmatrix.sync.aligned.m8n8.trans.b16", transposeMatrix},
}

// matrices builds instructions on matrices. In the manual's terms group is groupID, the number of four lanes, and member
// is threadID_in_group.
type matrices struct {
	b             *builder.Builder
	group, member simt.ID
}

func newMatrices(b *builder.Builder) *matrices {
	lane := b.SpecialRegister("%laneid")
	return &matrices{b, b.Named("shr.u32", lane, b.Constant(simt.B32, 2)), b.Named("and.b32", lane, b.Constant(simt.B32, 3))}
}

// word is a constant, and mask one of bits.
func (m *matrices) word(x int) simt.ID { return m.mask(uint32(x)) }

func (m *matrices) mask(x uint32) simt.ID { return m.b.Constant(simt.B32, uint64(x)) }

// from returns what a lane has of a value. All lanes of the warp take part, and wait for each other: an instruction on matrices
// waits "until all threads in the warp execute the same" one, as the manual says of each. For memory they do not wait, so that
// this is no bar.warp.sync, by which lanes would see what others have stored.
func (m *matrices) from(v, lane simt.ID) simt.ID {
	if m.b.Values[v].Type == simt.B64 {
		low, high := m.from(m.b.Named("narrow.32", v), lane), m.from(m.b.Named("high.32", v), lane)
		return m.b.Named("pack.64", low, high)
	}
	d := m.b.Result(simt.B32)
	m.b.Effect(simt.Inst{Kind: simt.Exchange, Defs: m.b.List(d), Args: m.b.List(v, lane, m.word(simt.WarpSize-1), m.mask(math.MaxUint32)), Aux: &simt.ExchangeOp{Name: "shfl.idx", D: true, Members: true}})
	return d
}

// registers returns the values of an operand, a vector of so many elements or one register, as words, or long words.
func (m *matrices) registers(i, count int, t simt.Type) (values []simt.ID, ok bool) {
	elems := m.b.Elements(m.b.Operand(i))
	if len(elems) != count {
		m.b.Fail("operand %d has %s, and needs %d", i, diag.Count(len(elems), "element"), count)
		return nil, false
	}
	as := map[simt.Type]check.Type{simt.B32: check.B32, simt.B64: check.B64}[t]
	for k := range elems {
		values = append(values, m.b.Source(&elems[k], t, as))
	}
	return values, true
}

// count is how many matrices a form is about.
func (m *matrices) count() int {
	return map[string]int{"x1": 1, "x2": 2, "x4": 4}[m.b.Form.Modifiers[3]]
}

// row returns the address of a row of matrix n, which lane 8*n+row has.
func (m *matrices) row(address simt.ID, n int, row simt.ID) simt.ID {
	return m.from(address, m.b.Named("add.u32", row, m.word(8*n)))
}

// place returns the address of so many bytes from the beginning of a row.
func (m *matrices) place(row, bytes simt.ID) simt.ID {
	if m.b.Values[row].Type == simt.B64 {
		bytes = m.b.Named("widen.64", bytes)
	}
	return m.b.Compute(builder.Addition[m.b.Values[row].Type], row, bytes)
}

// rowAccess is an access to an element of a row, or two.
func (m *matrices) rowAccess(name, typ string, at *simt.Access) *simt.Access {
	a := form.NewAccess(form.Parse(name + m.b.Form.SpaceWord() + "." + typ))
	a.Space, a.Offset = at.Space, at.Offset
	return a
}

// loadMatrices builds ldmatrix: a lane gets two neighbours of its group's row, or with .trans of its group's column.
func loadMatrices(b *builder.Builder) {
	m := newMatrices(b)
	at, address := b.Access(1)
	d := b.Elements(b.Operand(0))
	if len(d) != m.count() {
		b.Fail("its result has %s", diag.Count(len(d), "element"))
		return
	}
	load := func(typ string, address simt.ID) simt.ID {
		v := b.Result(simt.B32)
		b.Effect(simt.Inst{Kind: simt.Load, Defs: b.List(v), Args: b.List(address), Aux: m.rowAccess("ld", typ, at)})
		return v
	}
	values := make([]simt.ID, len(d))
	for n := range d {
		if !b.Form.Has("trans") {
			values[n] = load("b32", m.place(m.row(address, n, m.group), b.Named("shl.b32", m.member, m.word(2))))
			continue
		}
		column := b.Named("shl.b32", m.group, m.word(1))
		first := b.Named("shl.b32", m.member, m.word(1))
		low := load("b16", m.place(m.row(address, n, first), column))
		high := load("b16", m.place(m.row(address, n, b.Named("add.u32", first, m.word(1))), column))
		values[n] = b.Named("pack.32", low, high)
	}
	for n := range d {
		b.Set(&d[n], values[n])
	}
}

// storeMatrices builds stmatrix.
func storeMatrices(b *builder.Builder) {
	m := newMatrices(b)
	at, address := b.Access(0)
	values, ok := m.registers(1, m.count(), simt.B32)
	if !ok {
		return
	}
	store := func(typ string, address, v simt.ID) {
		b.Effect(simt.Inst{Kind: simt.Store, Args: b.List(address, v), Aux: m.rowAccess("st", typ, at)})
	}
	for n, v := range values {
		if !b.Form.Has("trans") {
			store("b32", m.place(m.row(address, n, m.group), b.Named("shl.b32", m.member, m.word(2))), v)
			continue
		}
		column := b.Named("shl.b32", m.group, m.word(1))
		first := b.Named("shl.b32", m.member, m.word(1))
		store("b16", m.place(m.row(address, n, first), column), v)
		store("b16", m.place(m.row(address, n, b.Named("add.u32", first, m.word(1))), column), b.Named("high.16", v))
	}
}

// transposeMatrix builds movmatrix: element (r, c) is in lane 4*r+c/2, in the half that c is odd or even for.
func transposeMatrix(b *builder.Builder) {
	if !b.Count(2) {
		return
	}
	m := newMatrices(b)
	v := b.Source(b.Operand(1), simt.B32, check.B32)
	odd := b.Named("setp.ne.u32", b.Named("and.b32", m.group, m.word(1)), m.word(0))
	pair := b.Named("shr.u32", m.group, m.word(1))
	element := func(row int) simt.ID { // of two rows of the group's column
		lane := b.Named("add.u32", b.Named("add.u32", b.Named("shl.b32", m.member, m.word(3)), m.word(4*row)), pair)
		x := m.from(v, lane)
		return b.Named("selp.32", b.Named("high.16", x), x, odd)
	}
	low, high := element(0), element(1)
	b.Set(b.Operand(0), b.Named("pack.32", low, high))
}
