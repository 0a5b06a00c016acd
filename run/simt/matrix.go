package simt

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
)

// matrixForms are the products of small matrices, and the instructions that move their parts (PTX ISA 9.7.14.5). Each
// lane has a few elements of each matrix; what it needs of other lanes' comes by shuffles.
var matrixForms = []row{
	{"mma.sync.aligned.(m16n8k8|m16n8k16).row.col.(f32|f16).f16.f16.(f32|f16)", multiplyMatrices},
	{"mma.sync.aligned.(m16n8k8|m16n8k16).row.col.f32.bf16.bf16.f32", multiplyMatrices},
	{"mma.sync.aligned.(m8n8k16|m16n8k16|m16n8k32).row.col.s32.(u8|s8).(u8|s8).s32", multiplyMatrices},
	{"ldmatrix.sync.aligned.m8n8.(x1|x2|x4){.trans}{.(shared|shared::cta)}.b16", loadMatrices},
	{"stmatrix.sync.aligned.m8n8.(x1|x2|x4){.trans}{.(shared|shared::cta)}.b16", storeMatrices},
	{"movmatrix.sync.aligned.m8n8.trans.b16", transposeMatrix},
}

// matrices builds instructions on matrices. In the manual's terms group is groupID, the number of four lanes, and member
// is threadID_in_group.
type matrices struct {
	b             *builder
	group, member ID
}

func newMatrices(b *builder) *matrices {
	lane := b.special("%laneid")
	return &matrices{b, b.named("shr.u32", lane, b.Constant(B32, 2)), b.named("and.b32", lane, b.Constant(B32, 3))}
}

// word is a constant.
func (m *matrices) word(x int) ID { return m.b.Constant(B32, uint64(x)) }

// from returns what a lane has of a value.
func (m *matrices) from(v, lane ID) ID {
	d := m.b.result(B32)
	m.b.effect(Inst{Kind: Exchange, Defs: m.b.list(d), Args: m.b.list(v, lane, m.word(WarpSize-1)), Aux: &ExchangeOp{Name: "shfl.idx", D: true}})
	return d
}

// registers returns the values of an operand, a vector of so many elements or one register, as words.
func (m *matrices) registers(i, count int) (values []ID, ok bool) {
	elems := m.b.vectorElements(m.b.operand(i))
	if len(elems) != count {
		m.b.fail("operand %d has %s, and needs %d", i, diag.Count(len(elems), "element"), count)
		return nil, false
	}
	for k := range elems {
		values = append(values, m.b.source(&elems[k], B32, check.B32))
	}
	return values, true
}

// multiplyMatrices builds mma: d = a*b + c. A lane has two neighbouring columns of d in its group's row, and of shapes of 16 rows
// in the row eight further down. A register of a has elements of such a row, neighbours in k; a register of b elements of the
// column that is the number of the group.
func multiplyMatrices(b *builder) {
	m := newMatrices(b)
	types := b.inst.types()
	shape := b.inst.modifiers[2]
	rows, steps := 2, 1 // of eight rows; of registers along k
	switch {
	case shape == "m8n8k16":
		rows = 1
	case shape == "m16n8k32", shape == "m16n8k16" && types[1].IsFloat():
		steps = 2
	}
	results := 2 * rows
	single := func(t check.Type) bool { return t != check.F16 }
	count := func(t check.Type) int { return map[bool]int{true: results, false: results / 2}[single(t)] }
	x, okA := m.registers(1, rows*steps)
	y, okB := m.registers(2, steps)
	c, okC := m.registers(3, count(types[3]))
	d := b.vectorElements(b.operand(0))
	if !okA || !okB || !okC || len(d) != count(types[0]) {
		b.fail("its result has %s", diag.Count(len(d), "element"))
		return
	}
	if !single(types[3]) {
		c = m.opened(c)
	}
	sums := m.products(x, y, c, rows, steps, types[1], types[2])
	if !single(types[0]) {
		for i := range len(sums) / 2 {
			low, high := b.operation("cvt.rn.f16.f32", sums[2*i]), b.operation("cvt.rn.f16.f32", sums[2*i+1])
			sums[i] = b.operation("pack.32", low, high)
		}
	}
	for i := range d {
		b.set(&d[i], sums[i])
	}
}

// opened returns the halves of words as f32.
func (m *matrices) opened(words []ID) (values []ID) {
	for _, w := range words {
		values = append(values, m.b.operation("cvt.f32.f16", w), m.b.operation("cvt.f32.f16", m.b.named("high.16", w)))
	}
	return values
}

// products adds the products of rows of a and columns of b to c, k after k.
func (m *matrices) products(x, y, c []ID, rows, steps int, left, right check.Type) []ID {
	sums := append([]ID(nil), c...)
	first := m.b.named("shl.b32", m.group, m.word(2)) // of the four lanes that have the row
	for step := range steps {
		for member := range 4 {
			row := m.b.named("add.u32", first, m.word(member))
			var factors []ID
			for r := range rows {
				factors = append(factors, m.from(x[r+rows*step], row))
			}
			for column := range 2 {
				// The lanes that have column 2*member+column of b.
				lane := m.b.named("add.u32", m.b.named("shl.b32", m.member, m.word(3)), m.word(4*column+member))
				other := m.from(y[step], lane)
				for r := range rows {
					sum := &sums[2*r+column]
					*sum = m.addProduct(*sum, factors[r], other, left, right)
				}
			}
		}
	}
	return sums
}

// addProduct adds the products of the elements of two words.
func (m *matrices) addProduct(sum, x, y ID, left, right check.Type) ID {
	if !left.IsFloat() {
		return m.b.operation("dp4a."+dotType(left)+"."+dotType(right), x, y, sum)
	}
	for _, upper := range []bool{false, true} {
		a, b := x, y
		if upper {
			a, b = m.b.named("high.16", x), m.b.named("high.16", y)
		}
		sum = m.b.operation("fma.rn.f32", m.b.operation("cvt.f32"+left.String(), a), m.b.operation("cvt.f32"+right.String(), b), sum)
	}
	return sum
}

// dotType is the type that dp4a calls bytes by.
func dotType(t check.Type) string {
	if t == check.S8 {
		return "s32"
	}
	return "u32"
}

// count is how many matrices a form is about.
func (m *matrices) count() int {
	return map[string]int{"x1": 1, "x2": 2, "x4": 4}[m.b.inst.modifiers[3]]
}

// row returns the address of a row of matrix n, which lane 8*n+row has.
func (m *matrices) row(address ID, n int, row ID) ID {
	lane := m.b.named("add.u32", row, m.word(8*n))
	if m.b.Values[address].Type == B32 {
		return m.from(address, lane)
	}
	low, high := m.from(m.b.named("narrow.32", address), lane), m.from(m.b.named("high.32", address), lane)
	return m.b.named("pack.64", low, high)
}

// place returns the address of so many bytes from the beginning of a row.
func (m *matrices) place(row, bytes ID) ID {
	if m.b.Values[row].Type == B64 {
		bytes = m.b.named("widen.64", bytes)
	}
	return m.b.compute(addition[m.b.Values[row].Type], row, bytes)
}

// rowAccess is an access to an element of a row, or two.
func (m *matrices) rowAccess(name, typ string, at *Access) *Access {
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
	load := func(typ string, address ID) ID {
		v := b.result(B32)
		b.effect(Inst{Kind: Load, Defs: b.list(v), Args: b.list(address), Aux: m.rowAccess("ld", typ, at)})
		return v
	}
	values := make([]ID, len(d))
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
	values, ok := m.registers(1, m.count())
	if !ok {
		return
	}
	store := func(typ string, address, v ID) {
		b.effect(Inst{Kind: Store, Args: b.list(address, v), Aux: m.rowAccess("st", typ, at)})
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
	v := b.source(b.operand(1), B32, check.B32)
	odd := b.named("setp.ne.u32", b.named("and.b32", m.group, m.word(1)), m.word(0))
	pair := b.named("shr.u32", m.group, m.word(1))
	element := func(row int) ID { // of two rows of the group's column
		lane := b.named("add.u32", b.named("add.u32", b.named("shl.b32", m.member, m.word(3)), m.word(4*row)), pair)
		x := m.from(v, lane)
		return b.named("selp.32", b.named("high.16", x), x, odd)
	}
	low, high := element(0), element(1)
	b.set(b.operand(0), b.named("pack.32", low, high))
}
