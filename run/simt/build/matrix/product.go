package matrix

import (
	"slices"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// productForms are the products of small matrices (PTX ISA 9.7.14.5.14), and of fragments (9.7.14.4.5).
var productForms = builder.Table{
	{"mma.sync.aligned.(m16n8k8|m16n8k16).row.col.(f32|f16).f16.f16.(f32|f16)", multiplyMatrices},
	{"mma.sync.aligned.(m16n8k8|m16n8k16).row.col.f32.bf16.bf16.f32", multiplyMatrices},
	{"mma.sync.aligned.(m16n8k4|m16n8k8).row.col.f32.tf32.tf32.f32", multiplyMatrices},
	{"mma.sync.aligned.(m8n8k4|m16n8k4|m16n8k8|m16n8k16).row.col{.<round>}.f64.f64.f64.f64", multiplyMatrices},
	{"mma.sync.aligned.(m16n8k16|m16n8k32).row.col.f32.(e4m3|e5m2).(e4m3|e5m2).f32", multiplyMatrices},
	{"mma.sync.aligned.(m16n8k16|m16n8k32).row.col.f16.(e4m3|e5m2).(e4m3|e5m2).f16", multiplyMatrices},
	{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.<f8f6f4>.<f8f6f4>.f32", multiplyMatrices},
	{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.<f8f6f4>.<f8f6f4>.f16", multiplyMatrices},
	{"mma.sync.aligned.(m8n8k16|m16n8k16|m16n8k32).row.col{.satfinite}.s32.(u8|s8).(u8|s8).s32", multiplyMatrices},
	{"mma.sync.aligned.(m8n8k32|m16n8k32|m16n8k64).row.col{.satfinite}.s32.(u4|s4).(u4|s4).s32", multiplyMatrices},
	{"mma.sync.aligned.(m8n8k128|m16n8k128|m16n8k256).row.col.s32.b1.b1.s32.(xor|and).popc", multiplyMatrices},
	{"wmma.mma.sync{.aligned}.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).(f32|f16).(f32|f16){.satfinite}", multiplyFragments},
	{"wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).f32.bf16.bf16.f32", multiplyFragments},
	{"wmma.mma.sync.aligned.(row|col).(row|col).m16n16k8.f32.tf32.tf32.f32", multiplyFragments},
	{"wmma.mma.sync.aligned.(row|col).(row|col).m8n8k4{.<round>}.f64.f64.f64.f64", multiplyFragments},
	{"wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).s32.(u8|s8).(u8|s8).s32{.satfinite}", multiplyFragments},
	{"wmma.mma.sync.aligned.row.col.m8n8k32.s32.(u4|s4).(u4|s4).s32{.satfinite}", multiplyFragments},
	{"wmma.mma.(xor|and).popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", multiplyFragments},
}

// product is d = a*b + c. A lane has, of each eight rows of d, two neighbouring columns of each eight in its group's row. A register of a
// has neighbours in k of such a row, one of b of the column that is the number of the group: the manual's figures of mma say so, and
// fragments of wmma, whose places it leaves open, have them in the same way (ruling O14).
type product struct {
	*matrices
	tiling
	left, right   element // of a and b
	added, result string  // the types of c and d
	clamped       bool    // .satfinite, of integers
	fused         string  // the operation that adds a product of numbers
	bitwise       string  // that which multiplies single bits
}

// multiplyMatrices builds mma.
func multiplyMatrices(b *builder.Builder) { multiply(b, b.Form.Modifiers[2]) }

// multiplyFragments builds wmma.mma. The layouts are those that the fragments were loaded by, and say no more here.
func multiplyFragments(b *builder.Builder) { multiply(b, shapeOf(b.Form)) }

func multiply(b *builder.Builder, shape string) {
	types := elementTypes(b.Form)
	if len(types) == 2 { // wmma: those of d and c
		types = []string{types[0], "f16", "f16", types[1]}
	}
	p := &product{
		matrices: newMatrices(b), tiling: tilingOf(shape, types[1]), left: elements[types[1]], right: elements[types[2]],
		added: types[3], result: types[0], clamped: b.Form.Has("satfinite") && elements[types[0]].whole,
	}
	p.fused = "fma." + roundingOf(b.Form) + "." + p.result
	if p.result != "f64" {
		p.fused = "fma.rn.f32"
	}
	p.bitwise = map[bool]string{true: "and.b32", false: "xor.b32"}[b.Form.Has("and")]
	x, okA := p.registers(1, p.held(b.Form, 'a', types[1]), p.left.register())
	y, okB := p.registers(2, p.held(b.Form, 'b', types[2]), p.right.register())
	c, okC := p.registers(3, p.held(b.Form, 'c', p.added), elements[p.added].register())
	d := b.Elements(b.Operand(0))
	if okA && okB && okC && len(d) != p.held(b.Form, 'c', p.result) {
		b.Fail("its result has %s", diag.Count(len(d), "element"))
	}
	if b.Failed() {
		return
	}
	if p.added == "f16" {
		c = p.opened(c)
	}
	sums := p.sums(x, y, c)
	if b.Form.Has("satfinite") && !p.clamped {
		p.makeFinite(sums)
	}
	if p.result == "f16" {
		sums = p.packed(sums)
	}
	for i := range d {
		b.Set(&d[i], sums[i])
	}
}

// makeFinite puts 0 in the place of NaNs, and the largest number of the result's type in that of what is, or would become, infinite (ruling O29).
func (p *product) makeFinite(sums []simt.ID) {
	largest := map[string]uint32{"f32": 0x7f7fffff, "f16": 0x477fe000}[p.result]
	for i, x := range sums {
		x = p.b.Named("selp.32", x, p.word(0), p.b.Named("setp.num.f32", x, x))
		sums[i] = p.b.Operation("min.f32", p.b.Operation("max.f32", x, p.mask(largest|1<<31)), p.mask(largest))
	}
}

// opened returns the halves of words as f32.
func (m *matrices) opened(words []simt.ID) (values []simt.ID) {
	for _, w := range words {
		values = append(values, m.b.Operation("cvt.f32.f16", w), m.b.Operation("cvt.f32.f16", m.b.Named("high.16", w)))
	}
	return values
}

// packed returns numbers as halves, two in a word.
func (m *matrices) packed(values []simt.ID) (words []simt.ID) {
	for pair := range slices.Chunk(values, 2) {
		words = append(words, m.b.Named("pack.32", m.b.Operation("cvt.rn.f16.f32", pair[0]), m.b.Operation("cvt.rn.f16.f32", pair[1])))
	}
	return words
}

// sums returns the elements of d: products are added to c one after the other, in the order of k (ruling O15). Sums of integers that may
// have to be scaled or clamped begin with 0, and c is added in the end.
func (p *product) sums(x, y, c []simt.ID) []simt.ID {
	sums := slices.Clone(c)
	apart := p.clamped || p.left.scale() > 0
	if apart {
		for i := range sums {
			sums[i] = p.word(0)
		}
	}
	first := p.b.Named("shl.b32", p.group, p.word(2)) // of the four lanes that have the row
	for step := range p.steps {
		for member := range 4 {
			lane := p.b.Named("add.u32", first, p.word(member))
			var factors []simt.ID
			for r := range p.rows {
				factors = append(factors, p.from(x[r+p.rows*step], lane))
			}
			for column := range 2 * p.columns {
				// The lanes that have column 2*member+column%2 of these eight of b.
				lane := p.b.Named("add.u32", p.b.Named("shl.b32", p.member, p.word(3)), p.word(4*(column%2)+member))
				other := p.from(y[step+p.steps*(column/2)], lane)
				for r := range p.rows {
					sum := &sums[2*(r+p.rows*(column/2))+column%2]
					*sum = p.addProduct(*sum, factors[r], other)
				}
			}
		}
	}
	if !apart {
		return sums
	}
	add := map[bool]string{true: "add.sat.s32", false: "add.u32"}[p.clamped]
	for i := range sums {
		if n := p.left.scale() + p.right.scale(); n > 0 {
			sums[i] = p.b.Operation("shr.s32", sums[i], p.word(n))
		}
		sums[i] = p.b.Operation(add, c[i], sums[i])
	}
	return sums
}

// addProduct adds the products of the elements of two registers.
func (p *product) addProduct(sum, x, y simt.ID) simt.ID {
	switch {
	case p.left.bits == 1:
		return p.b.Named("add.u32", sum, p.b.Named("popc.b32", p.b.Named(p.bitwise, x, y)))
	case p.left.whole:
		dot := "dp4a." + p.left.sign() + "." + p.right.sign()
		xs, ys := p.bytes(x, p.left), p.bytes(y, p.right)
		for i := range xs {
			sum = p.b.Operation(dot, xs[i], ys[i], sum)
		}
		return sum
	}
	xs, ys := p.numbers(x, p.left), p.numbers(y, p.right)
	for i := range xs {
		sum = p.b.Operation(p.fused, xs[i], ys[i], sum)
	}
	return sum
}

// bytes returns the integers of a register as bytes in words. Those of four bits are in the upper halves of bytes, which are 16 times as much.
func (p *product) bytes(v simt.ID, e element) []simt.ID {
	if e.bits == 8 {
		return []simt.ID{v}
	}
	upper := p.mask(0xf0f0f0f0)
	return []simt.ID{p.b.Named("and.b32", p.b.Named("shl.b32", v, p.word(4)), upper), p.b.Named("and.b32", v, upper)}
}

// numbers returns the numbers of a register as f32, or as the f64 that it is.
func (p *product) numbers(v simt.ID, e element) (values []simt.ID) {
	switch {
	case e.bits == 64:
		return []simt.ID{v}
	case e.name == "tf32": // 19 bits count (ruling O16)
		return []simt.ID{p.b.Named("and.b32", v, p.mask(0xffffe000))}
	}
	for i := range e.each() {
		part := v
		if shift := i*e.bits + e.offset; shift > 0 {
			part = p.b.Named("shr.u32", v, p.word(shift))
		}
		values = append(values, p.b.Operation("cvt.f32."+e.name, part))
	}
	return values
}
