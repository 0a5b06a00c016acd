package matrix

import (
	"fmt"
	"math/bits"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// fragmentForms load and store the fragments of wmma (PTX ISA 9.7.14.4.3 and 4).
var fragmentForms = builder.Table{
	{"wmma.load.(a|b).sync{.aligned}.(row|col).(m16n16k16|m8n32k16|m32n8k16){.<matrix>}.f16", loadFragment},
	{"wmma.load.(a|b).sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16){.<matrix>}.(bf16|u8|s8)", loadFragment},
	{"wmma.load.(a|b).sync.aligned.(row|col).m16n16k8{.<matrix>}.tf32", loadFragment},
	{"wmma.load.(a|b|c).sync.aligned.(row|col).m8n8k4{.<matrix>}.f64", loadFragment},
	{"wmma.load.a.sync.aligned.row.m8n8k32{.<matrix>}.(u4|s4)", loadFragment},
	{"wmma.load.b.sync.aligned.col.m8n8k32{.<matrix>}.(u4|s4)", loadFragment},
	{"wmma.load.a.sync.aligned.row.m8n8k128{.<matrix>}.b1", loadFragment},
	{"wmma.load.b.sync.aligned.col.m8n8k128{.<matrix>}.b1", loadFragment},
	{"wmma.load.c.sync{.aligned}.(row|col).(m16n16k16|m8n32k16|m32n8k16|m16n16k8){.<matrix>}.(f16|f32)", loadFragment},
	{"wmma.load.c.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16|m8n8k32|m8n8k128){.<matrix>}.s32", loadFragment},
	{"wmma.store.d.sync{.aligned}.(row|col).(m16n16k16|m8n32k16|m32n8k16|m16n16k8){.<matrix>}.(f16|f32)", storeFragment},
	{"wmma.store.d.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16|m8n8k32|m8n8k128){.<matrix>}.s32", storeFragment},
	{"wmma.store.d.sync.aligned.(row|col).m8n8k4{.<matrix>}.f64", storeFragment},
}

// fragment is the part that a lane has of a matrix in memory. It has the elements that it would have of mma, of which product tells: the
// manual leaves open which (ruling O14).
type fragment struct {
	*matrices
	tiling
	element
	matrix byte // 'a', 'b' or 'c'
	byRow  bool // rows are contiguous, or else columns
	at     *simt.Access
	base   simt.ID
	stride simt.ID // from one row or column to the next, in elements
	starts map[simt.ID]simt.ID
}

// newFragment reads a form whose address is operand i, and whose stride comes after n operands.
func newFragment(b *builder.Builder, matrix byte, i, n int) *fragment {
	types := elementTypes(b.Form)
	f := &fragment{
		matrices: newMatrices(b), tiling: tilingOf(shapeOf(b.Form), types[0]), element: elements[types[0]],
		matrix: matrix, byRow: b.Form.Has("row"), starts: map[simt.ID]simt.ID{},
	}
	f.at, f.base = b.Access(i)
	if n < len(b.Inst.Operands) {
		f.stride = b.Source(b.Operand(n), simt.B32, check.U32)
	} else {
		f.stride = f.word(f.length())
	}
	return f
}

// length is how many elements a row has, or a column if these are contiguous.
func (f *fragment) length() int {
	rows, columns := f.m, f.n
	switch f.matrix {
	case 'a':
		columns = f.k
	case 'b':
		rows = f.k
	}
	if f.byRow {
		return columns
	}
	return rows
}

// spot is the row and the column of an element, which depend on the lane.
type spot struct{ row, column coordinate }

// coordinate is so many times the number of the group, and of the lane in it, and a constant more.
type coordinate struct{ group, member, more int }

// spots returns where the elements of register i are, the lowest first.
func (f *fragment) spots(i int) (all []spot) {
	along := func(step, e int) coordinate { return coordinate{member: f.each(), more: 4*f.each()*step + e} }
	switch f.matrix {
	case 'a':
		for e := range f.each() {
			all = append(all, spot{coordinate{group: 1, more: 8 * (i % f.rows)}, along(i/f.rows, e)})
		}
	case 'b':
		for e := range f.each() {
			all = append(all, spot{along(i%f.steps, e), coordinate{group: 1, more: 8 * (i / f.steps)}})
		}
	default:
		for e := range f.each() {
			n := i*f.each() + e // the number of the element of d, as product counts them
			tile := n / 2
			all = append(all, spot{coordinate{group: 1, more: 8 * (tile % f.rows)}, coordinate{member: 2, more: 8*(tile/f.rows) + n%2}})
		}
	}
	return all
}

// number returns the number of a row or column.
func (f *fragment) number(c coordinate) simt.ID {
	v := f.word(c.more)
	for _, part := range []struct {
		of    simt.ID
		times int
	}{{f.group, c.group}, {f.member, c.member}} {
		if part.times > 0 {
			v = f.b.Named("add.u32", f.b.Named("shl.b32", part.of, f.word(bits.Len(uint(part.times))-1)), v)
		}
	}
	return v
}

// address returns where an element is in memory. Those of less than a byte begin at a byte.
func (f *fragment) address(s spot) simt.ID {
	if !f.byRow {
		s.row, s.column = s.column, s.row
	}
	row := f.number(s.row)
	start, known := f.starts[row]
	if !known {
		start = f.plus(f.base, f.inBytes(f.b.Named("mul.wide.u32", row, f.stride)))
		f.starts[row] = start
	}
	return f.plus(start, f.inBytes(f.b.Named("widen.64", f.number(s.column))))
}

// inBytes returns how many bytes so many elements are.
func (f *fragment) inBytes(count simt.ID) simt.ID {
	if f.bits >= 8 {
		return f.b.Named("shl.b64", count, f.word(bits.Len(uint(f.bits/8))-1))
	}
	return f.b.Named("shr.u64", count, f.word(bits.Len(uint(8/f.bits))-1))
}

// plus returns an address and a number of bytes.
func (f *fragment) plus(address, count simt.ID) simt.ID {
	t := f.b.Values[address].Type
	if t == simt.B32 {
		count = f.b.Named("narrow.32", count)
	}
	return f.b.Compute(builder.Addition[t], address, count)
}

// contiguous reports whether the elements of a register are side by side in memory.
func (f *fragment) contiguous() bool {
	return f.each() == 1 || f.byRow == (f.matrix != 'b')
}

// access is an access to so many bits.
func (f *fragment) access(name string, size int) *simt.Access {
	if f.at.Space == check.Global || f.at.Space == check.Shared {
		name += f.at.Space.String()
	}
	a := form.NewAccess(form.Parse(fmt.Sprintf("%s.b%d", name, size)))
	a.Space, a.Offset = f.at.Space, f.at.Offset
	return a
}

// loadFragment builds wmma.load. Registers that the elements do not need have the same as the first ones.
func loadFragment(b *builder.Builder) {
	f := newFragment(b, b.Form.Modifiers[1][0], 1, 2)
	d := b.Elements(b.Operand(0))
	typ := elementTypes(b.Form)[0]
	if len(d) != f.held(b.Form, f.matrix, typ) {
		b.Fail("its result has %d registers", len(d))
	}
	if b.Failed() {
		return
	}
	values := make([]simt.ID, f.distinct(typ))
	for i := range values {
		values[i] = f.load(f.spots(i))
	}
	for i := range d {
		b.Set(&d[i], values[i%len(values)])
	}
}

// distinct is how many registers the elements need.
func (f *fragment) distinct(typ string) int { return f.held(form.Form{}, f.matrix, typ) }

// load returns a register of elements.
func (f *fragment) load(spots []spot) simt.ID {
	if f.contiguous() {
		v := f.b.Result(f.register())
		f.b.Effect(simt.Inst{Kind: simt.Load, Defs: f.b.List(v), Args: f.b.List(f.address(spots[0])), Aux: f.access("ld", max(f.bits, 32))})
		return v
	}
	parts := make([]simt.ID, len(spots))
	for i, s := range spots {
		parts[i] = f.b.Result(simt.B32)
		f.b.Effect(simt.Inst{Kind: simt.Load, Defs: f.b.List(parts[i]), Args: f.b.List(f.address(s)), Aux: f.access("ld", f.bits)})
	}
	return f.b.Joined(f.bits, parts...)
}

// storeFragment builds wmma.store.
func storeFragment(b *builder.Builder) {
	f := newFragment(b, 'c', 0, 2)
	values, ok := f.registers(1, f.held(b.Form, 'c', elementTypes(b.Form)[0]), f.register())
	if !ok || b.Failed() {
		return
	}
	for i, v := range values {
		spots := f.spots(i)
		if f.contiguous() {
			spots = spots[:1]
		}
		for e, s := range spots {
			if e > 0 {
				v = f.b.Named("shr.u32", v, f.word(f.bits))
			}
			size := f.bits
			if f.contiguous() {
				size = max(f.bits, 32)
			}
			b.Effect(simt.Inst{Kind: simt.Store, Args: b.List(f.address(s), v), Aux: f.access("st", size)})
		}
	}
}
