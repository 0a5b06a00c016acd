package ops

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/internal/model/matrix"
)

// matrices enters the instructions on small matrices that a whole warp executes: some of each kind of
// products, as the model's exact sums take long, and the transposition in registers.
func (t *Table) matrices() {
	var forms []string
	for _, shape := range []string{"m8n8k16", "m16n8k16", "m16n8k32"} {
		for _, types := range []string{"s8.s8", "u8.s8", "s8.u8", "u8.u8"} {
			forms = append(forms, shape+".row.col.s32."+types+".s32", shape+".row.col.satfinite.s32."+types+".s32")
		}
	}
	forms = append(forms,
		"m8n8k32.row.col.s32.s4.u4.s32", "m16n8k32.row.col.satfinite.s32.u4.s4.s32",
		"m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "m16n8k128.row.col.s32.b1.b1.s32.and.popc",
		"m16n8k8.row.col.f32.f16.f16.f32", "m16n8k8.row.col.f16.f16.f16.f16", "m16n8k8.row.col.f32.bf16.bf16.f32",
		"m16n8k4.row.col.f32.tf32.tf32.f32", "m8n8k4.row.col.f64.f64.f64.f64")
	for _, form := range forms {
		t.Matrices = append(t.Matrices, newProduct(form))
	}
	turn := NewOp("movmatrix.sync.aligned.m8n8.trans.b16 r, R", nil)
	turn.Whole, turn.Warp = true, func(w *Warp) { putTile(&w.D[0], tile(&w.S[0]).Transposed()) }
	t.Matrices = append(t.Matrices, turn)
}

// newProduct makes an mma.
func newProduct(form string) *Op {
	p, err := matrix.Form(form)
	if err != nil {
		panic("ops: " + err.Error())
	}
	a := fragment{p.A, p.OfA}
	b := fragment{p.B, p.OfB}
	c := fragment{p.C, p.OfC}
	d := fragment{p.D, p.OfC}
	op := NewOp(fmt.Sprintf("mma.sync.aligned.%s %s, %s, %s, %s", form, d.operands(), strings.ToUpper(a.operands()), strings.ToUpper(b.operands()), strings.ToUpper(c.operands())), nil)
	op.Whole = true
	op.Warp = func(w *Warp) {
		s := w.S
		x, y, z := matrix.Empty(p.M, p.K), matrix.Empty(p.K, p.N), matrix.Empty(p.M, p.N)
		s = a.gather(x, s)
		s = b.gather(y, s)
		c.gather(z, s)
		d.scatter(p.Of(x, y, z), w.D[:])
	}
	return op
}

// fragment is what each lane has of a matrix.
type fragment struct {
	typ    string
	places func(lane int) []matrix.Place
}

// registers is how many registers of a lane it takes.
func (f fragment) registers() int { return len(f.places(0)) / matrix.Types[f.typ].Per() }

// operands are letters for its registers.
func (f fragment) operands() string {
	letter := map[string]string{"f32": "f", "f64": "e"}[f.typ]
	if letter == "" {
		letter = "r"
	}
	return "{" + strings.Repeat(letter+",", f.registers()-1) + letter + "}"
}

// gather puts the elements of all lanes into a matrix, and returns the sources behind them.
func (f fragment) gather(m matrix.Matrix, from [][32]uint64) (behind [][32]uint64) {
	n := f.registers()
	for lane := range matrix.Lanes {
		var registers []uint64
		for _, r := range from[:n] {
			registers = append(registers, r[lane])
		}
		m.Put(f.places(lane), matrix.Types[f.typ].Elements(registers))
	}
	return from[n:]
}

// scatter gives the elements of a matrix to the lanes.
func (f fragment) scatter(m matrix.Matrix, to [][32]uint64) {
	for lane := range matrix.Lanes {
		for i, r := range matrix.Types[f.typ].Registers(m.At(f.places(lane))) {
			to[i][lane] = r
		}
	}
}

// halfTile is a matrix of 8 x 8 halves, of which each lane has two.
var halfTile = fragment{"f16", matrix.OfTile}

func tile(of *[32]uint64) matrix.Matrix {
	m := matrix.Empty(8, 8)
	halfTile.gather(m, [][32]uint64{*of})
	return m
}

func putTile(to *[32]uint64, m matrix.Matrix) {
	var all [1][32]uint64
	halfTile.scatter(m, all[:])
	*to = all[0]
}

// Tiles makes the instruction that loads so many matrices of 8 x 8 halves from shared memory, or stores
// them: the rows of the first stand where the first eight lanes say, and so on (PTX ISA 9.7.14.5.15, 16).
func Tiles(n int, transposed, stores bool) *Op {
	name, turned := "ldmatrix", ""
	if stores {
		name = "stmatrix"
	}
	if transposed {
		turned = ".trans"
	}
	op := &Op{Name: fmt.Sprintf("%s.sync.aligned.m8n8.x%d%s.shared.b16", name, n, turned), Whole: true}
	list := "{" + strings.Repeat("$,", n-1) + "$}"
	op.Src, op.Only = []Class{B32}, []bool{true}
	if stores {
		op.Text = op.Name + " [$], " + list
	} else {
		op.Text = op.Name + " " + list + ", [$]"
	}
	for range n {
		if stores {
			op.Src, op.Only = append(op.Src, B32), append(op.Only, true)
		} else {
			op.Dst = append(op.Dst, B32)
		}
	}
	turn := func(m matrix.Matrix) matrix.Matrix {
		if transposed {
			return m.Transposed()
		}
		return m
	}
	op.Warp = func(w *Warp) {
		for i := range n {
			if stores {
				w.storeTile(i, turn(tile(&w.S[1+i])))
			} else {
				putTile(&w.D[i], turn(w.loadTile(i)))
			}
		}
	}
	return op
}

// rowOfTile is the shared memory from a row of tile i on, whose address a lane has as its first source.
func (w *Warp) rowOfTile(i, row int) []byte { return w.Shared[w.S[0][8*i+row]:] }

func (w *Warp) loadTile(i int) matrix.Matrix {
	m := matrix.Empty(8, 8)
	for r, row := range m {
		at := w.rowOfTile(i, r)
		for column := range row {
			row[column] = uint64(at[2*column]) | uint64(at[2*column+1])<<8
		}
	}
	return m
}

func (w *Warp) storeTile(i int, m matrix.Matrix) {
	for r, row := range m {
		at := w.rowOfTile(i, r)
		for column, x := range row {
			matrix.Types["f16"].Store(at, column, x)
		}
	}
}
