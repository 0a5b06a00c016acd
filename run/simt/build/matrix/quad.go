package matrix

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// quadForms are the products of which a warp makes four at once, each in four lanes of its lower half and the same four of its upper half (PTX ISA
// 9.7.14.5.1).
var quadForms = builder.Table{
	{"mma.sync.aligned.m8n8k4.(row|col).(row|col).f16.f16.f16.f16", multiplyQuads},
	{"mma.sync.aligned.m8n8k4.(row|col).(row|col).f32.f16.f16.(f16|f32)", multiplyQuads},
}

// quad builds one of these products.
type quad struct {
	*matrices
	lane  simt.ID
	first simt.ID // of the four lanes in the lower half
	half  simt.ID // 16 in the upper half
	x, y  []simt.ID
	parts map[quadPart]simt.ID
}

// quadPart is a register of another lane.
type quadPart struct{ register, lane simt.ID }

func multiplyQuads(b *builder.Builder) {
	types := elementTypes(b.Form)
	m := newMatrices(b)
	lane := b.SpecialRegister("%laneid")
	q := &quad{matrices: m, lane: lane, first: b.Named("and.b32", lane, m.word(12)), half: b.Named("and.b32", lane, m.word(16)), parts: map[quadPart]simt.ID{}}
	count := map[string]int{"f16": 4, "f32": 8}
	var okA, okB, okC bool
	q.x, okA = m.registers(1, 2, simt.B32)
	q.y, okB = m.registers(2, 2, simt.B32)
	c, okC := m.registers(3, count[types[3]], simt.B32)
	d := b.Elements(b.Operand(0))
	if okA && okB && okC && len(d) != count[types[0]] {
		b.Fail("its result has %d registers", len(d))
	}
	if b.Failed() {
		return
	}
	var sums []simt.ID
	if types[3] == "f32" {
		sums = slices.Clone(c)
	}
	for i := range 8 {
		row, column := q.place(types[0], i)
		switch {
		case types[3] == "f32":
		case types[0] == "f16":
			sums = append(sums, q.element(c, lane, m.word(i)))
		default: // c has other places than d
			sums = append(sums, q.element(c, q.holder(row), column))
		}
		for k := range 4 {
			sums[i] = b.Operation("fma.rn.f32", q.left(row, m.word(k)), q.right(m.word(k), column), sums[i])
		}
	}
	if types[0] == "f16" {
		sums = m.packed(sums)
	}
	for i := range d {
		b.Set(&d[i], sums[i])
	}
}

// place returns the row and the column of element i of d.
func (q *quad) place(typ string, i int) (row, column simt.ID) {
	bits := func(mask int) simt.ID { return q.b.Named("and.b32", q.lane, q.word(mask)) }
	upper := q.b.Named("shr.u32", q.half, q.word(2))
	if typ == "f16" {
		return q.b.Named("add.u32", bits(3), upper), q.word(i)
	}
	row = q.b.Named("add.u32", q.b.Named("add.u32", bits(1), upper), q.word(i&2))
	return row, q.b.Named("add.u32", bits(2), q.word(i&5))
}

// holder returns the lane that has row or column x of eight.
func (q *quad) holder(x simt.ID) simt.ID {
	return q.b.Named("add.u32", q.sharer(q.b.Named("and.b32", x, q.word(3))), q.upperOf(x))
}

// sharer returns lane k of the four in the lower half.
func (q *quad) sharer(k simt.ID) simt.ID { return q.b.Named("add.u32", q.first, k) }

// upperOf returns 16 if the upper half has row or column x of eight, or else 0.
func (q *quad) upperOf(x simt.ID) simt.ID {
	return q.b.Named("shl.b32", q.b.Named("and.b32", x, q.word(4)), q.word(2))
}

// across returns the lane that has the elements k of four rows or columns, x among them.
func (q *quad) across(k, x simt.ID) simt.ID { return q.b.Named("add.u32", q.sharer(k), q.upperOf(x)) }

// left returns an element of a.
func (q *quad) left(row, k simt.ID) simt.ID {
	if q.b.Form.Modifiers[3] == "row" {
		return q.element(q.x, q.holder(row), k)
	}
	return q.element(q.x, q.across(k, row), q.b.Named("and.b32", row, q.word(3)))
}

// right returns an element of b.
func (q *quad) right(k, column simt.ID) simt.ID {
	if q.b.Form.Modifiers[4] == "col" {
		return q.element(q.y, q.holder(column), k)
	}
	return q.element(q.y, q.across(k, column), q.b.Named("and.b32", column, q.word(3)))
}

// element returns the number i of the halves that a lane has in registers.
func (q *quad) element(registers []simt.ID, lane, i simt.ID) simt.ID {
	word := q.chosen(registers, lane, q.b.Named("shr.u32", i, q.word(1)))
	if n, constant := q.b.ConstOf(i); constant && n&1 == 0 {
		return q.b.Operation("cvt.f32.f16", word)
	} else if constant {
		return q.b.Operation("cvt.f32.f16", q.b.Named("high.16", word))
	}
	odd := q.b.Named("setp.ne.u32", q.b.Named("and.b32", i, q.word(1)), q.word(0))
	return q.b.Operation("cvt.f32.f16", q.b.Named("selp.32", q.b.Named("high.16", word), word, odd))
}

// chosen returns register n that a lane has, of several.
func (q *quad) chosen(registers []simt.ID, lane, n simt.ID) simt.ID {
	if i, constant := q.b.ConstOf(n); constant {
		return q.part(registers[i], lane)
	}
	word := q.part(registers[0], lane)
	for i := 1; i < len(registers); i++ {
		word = q.b.Named("selp.32", q.part(registers[i], lane), word, q.b.Named("setp.eq.u32", n, q.word(i)))
	}
	return word
}

// part returns a register of another lane.
func (q *quad) part(register, lane simt.ID) simt.ID {
	if lane == q.lane {
		return register
	}
	key := quadPart{register, lane}
	if _, known := q.parts[key]; !known {
		q.parts[key] = q.from(register, lane)
	}
	return q.parts[key]
}
