package matrices

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/model/matrix"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// wmmaCase is a form of wmma.mma.
type wmmaCase struct {
	shape      string
	d, a, c    string
	limit      string // .satfinite
	mode       string // .rz
	op         string // .xor.popc
	registers  [2]int // of a and b, as the tables of 9.7.14.4.1 tell
	byRowByCol bool   // the only layouts of a and b
}

// wmmaCases are all that run.
func wmmaCases() (all []wmmaCase) {
	eights := map[string][2]int{"m16n16k16": {8, 8}, "m8n32k16": {8, 8}, "m32n8k16": {8, 8}}
	bytes := map[string][2]int{"m16n16k16": {2, 2}, "m8n32k16": {1, 4}, "m32n8k16": {4, 1}}
	for _, shape := range []string{"m16n16k16", "m8n32k16", "m32n8k16"} {
		for _, d := range []string{"f16", "f32"} {
			for _, c := range []string{"f16", "f32"} {
				for _, limit := range []string{"", ".satfinite"} {
					all = append(all, wmmaCase{shape: shape, d: d, a: "f16", c: c, limit: limit, registers: eights[shape]})
				}
			}
		}
		all = append(all, wmmaCase{shape: shape, d: "f32", a: "bf16", c: "f32", registers: [2]int{2 * bytes[shape][0], 2 * bytes[shape][1]}})
		for _, typ := range []string{"u8", "s8"} {
			for _, limit := range []string{"", ".satfinite"} {
				all = append(all, wmmaCase{shape: shape, d: "s32", a: typ, c: "s32", limit: limit, registers: bytes[shape]})
			}
		}
	}
	all = append(all, wmmaCase{shape: "m16n16k8", d: "f32", a: "tf32", c: "f32", registers: [2]int{4, 4}})
	for _, mode := range []string{"", ".rn", ".rz", ".rm", ".rp"} {
		all = append(all, wmmaCase{shape: "m8n8k4", d: "f64", a: "f64", c: "f64", mode: mode, registers: [2]int{1, 1}})
	}
	for _, typ := range []string{"u4", "s4"} {
		for _, limit := range []string{"", ".satfinite"} {
			all = append(all, wmmaCase{shape: "m8n8k32", d: "s32", a: typ, c: "s32", limit: limit, registers: [2]int{1, 1}, byRowByCol: true})
		}
	}
	for _, op := range []string{".xor.popc", ".and.popc"} {
		all = append(all, wmmaCase{shape: "m8n8k128", d: "s32", a: "b1", c: "s32", op: op, registers: [2]int{1, 1}, byRowByCol: true})
	}
	return all
}

func (c wmmaCase) product() matrix.Product {
	p := matrix.Product{
		A: c.a, B: c.a, C: c.c, D: c.d,
		Saturating: c.limit != "", Conjunct: strings.HasPrefix(c.op, ".and"), Mode: matrix.Modes[strings.TrimPrefix(c.mode, ".")],
	}
	fmt.Sscanf(c.shape, "m%dn%dk%d", &p.M, &p.N, &p.K)
	return p
}

// outdated reports whether later versions of PTX do not have the form.
func (c wmmaCase) outdated() bool { return c.limit != "" && c.a == "f16" }

// header is a version and a target that have the form.
func (c wmmaCase) header() string {
	if c.outdated() {
		return ".version 6.4\n.target sm_70\n"
	}
	return ".version 8.7\n.target sm_120a\n"
}

// types of the text.
func (c wmmaCase) types() string {
	if c.a == "f16" {
		return "." + c.d + "." + c.c
	}
	return "." + c.d + "." + c.a + "." + c.a + "." + c.c
}

// storedMatrix is how a matrix lies in memory.
type storedMatrix struct {
	typ           string
	rows, columns int
	byRow         bool
	stride        int // in elements; the default one is not written
	space         string
}

func (s storedMatrix) layout() string { return map[bool]string{true: "row", false: "col"}[s.byRow] }

// least is the default stride.
func (s storedMatrix) least() int {
	if s.byRow {
		return s.columns
	}
	return s.rows
}

// size is how many bytes it takes.
func (s storedMatrix) size() int {
	lines := s.rows + s.columns - s.least()
	return (lines*s.stride*matrix.Types[s.typ].Bits/8 + 63) &^ 63
}

// put writes the elements into memory.
func (s storedMatrix) put(memory []byte, m matrix.Matrix) {
	for i := range m {
		for j, x := range m[i] {
			at := i*s.stride + j
			if !s.byRow {
				at = j*s.stride + i
			}
			matrix.Types[s.typ].Store(memory, at, x)
		}
	}
}

// suffix is what an instruction says of the stride.
func (s storedMatrix) suffix(rng *rand.Rand) string {
	switch {
	case s.stride == s.least() && rng.IntN(2) == 0:
		return ""
	case rng.IntN(2) == 0:
		return fmt.Sprintf(", %d", s.stride)
	}
	return ", %s" // a register
}

// wmmaKernel is a kernel of one warp that loads a, b and c, multiplies them and stores d; the matrices lie one behind the other, first in global
// memory, and from there on in shared memory as well.
func wmmaKernel(c wmmaCase, rng *rand.Rand, a, b, third, d storedMatrix) (text string, at [3]int, size int) {
	var s strings.Builder
	offset := 0
	for i, m := range []storedMatrix{a, b, third} {
		at[i] = offset
		offset += m.size()
	}
	total := max(offset, d.size())
	count := func(typ string) int { // of registers of c and d
		n := a.rows * b.columns / 32
		if typ == "f16" {
			n /= 2
		}
		return n
	}
	wide := func(typ string, n int) int { return n * map[bool]int{true: 2, false: 1}[typ == "f64"] }
	ra, declareA := registersOf("a", c.a, wide(c.a, c.registers[0]))
	rb, declareB := registersOf("b", c.a, wide(c.a, c.registers[1]))
	rc, declareC := registersOf("c", c.c, wide(c.c, count(c.c)))
	rd, declareD := registersOf("d", c.d, wide(c.d, count(c.d)))
	s.WriteString(c.header() + ".address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n" +
		".reg .b32 %i, %n, %x, %s, %t; .reg .b64 %in, %out, %p, %q; .reg .pred %more;" + declareA + declareB + declareC + declareD +
		fmt.Sprintf(".shared .align 128 .b8 copy[%d];\n", total) + "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, copy;\n" +
		fmt.Sprintf("mov.u32 %%i, %%tid.x; shl.b32 %%i, %%i, 2; mov.u32 %%n, %d;\n", total) + `
	COPY: setp.lt.u32 %more, %i, %n; @!%more bra COPIED;
	cvt.u64.u32 %p, %i; add.u64 %p, %in, %p; ld.global.b32 %x, [%p]; add.u32 %s, %t, %i; st.shared.b32 [%s], %x; add.u32 %i, %i, 128; bra COPY;
	COPIED: bar.sync 0;
	`)
	access := func(m storedMatrix, offset int, base string) (space, address string) {
		switch m.space {
		case ".shared", ".shared::cta":
			return m.space, fmt.Sprintf("[%%t+%d]", offset)
		case "generic":
			fmt.Fprintf(&s, "cvt.u64.u32 %%q, %%t; cvta.shared.u64 %%q, %%q; add.u64 %%q, %%q, %d;\n", offset)
			return "", "[%q]"
		}
		return m.space, fmt.Sprintf("[%%%s+%d]", base, offset)
	}
	for i, part := range []struct {
		name, list string
		m          storedMatrix
	}{{"a", ra, a}, {"b", rb, b}, {"c", rc, third}} {
		space, address := access(part.m, at[i], "in")
		fmt.Fprintf(&s, "mov.u32 %%s, %d;\n", part.m.stride)
		fmt.Fprintf(&s, "wmma.load.%s.sync.aligned.%s.%s%s.%s %s, %s%s;\n",
			part.name, part.m.layout(), c.shape, space, part.m.typ, part.list, address, part.m.suffix(rng))
	}
	fmt.Fprintf(&s, "wmma.mma%s.sync.aligned.%s.%s.%s%s%s%s %s, %s, %s, %s;\n", c.op, a.layout(), b.layout(), c.shape, c.mode, c.types(), c.limit, rd, ra, rb, rc)
	space, address := access(d, 0, "out")
	fmt.Fprintf(&s, "bar.sync 0; mov.u32 %%s, %d;\nwmma.store.d.sync.aligned.%s.%s%s.%s %s, %s%s;\n", d.stride, d.layout(), c.shape, space, d.typ, address, rd, d.suffix(rng))
	if space == "" || strings.HasPrefix(space, ".shared") { // what has been stored there goes to the buffer, but not what lies between
		fmt.Fprintf(&s, "bar.sync 0; mov.u32 %%i, %%tid.x; shl.b32 %%i, %%i, 2; mov.u32 %%n, %d;\n", d.size())
		s.WriteString(`
	BACK: setp.lt.u32 %more, %i, %n; @!%more bra DONE;
	cvt.u64.u32 %p, %i; add.u64 %p, %out, %p; add.u32 %s, %t, %i; ld.shared.b32 %x, [%s]; st.global.b32 [%p], %x; add.u32 %i, %i, 128; bra BACK;
	DONE:
	`)
	}
	s.WriteString("ret; }")
	return s.String(), at, total
}

// TestFragmentProducts loads, multiplies and stores matrices of every shape and type that wmma has, in all layouts, with strides of their own, in
// global and shared memory and by generic addresses, and holds what is stored to the product.
func TestFragmentProducts(t *testing.T) {
	turns := 12
	if testing.Short() {
		turns = 3
	}
	for _, c := range wmmaCases() {
		p := c.product()
		rng := rand.New(rand.NewPCG(8, uint64(p.M)))
		for turn := range turns {
			layout := func(typ string, rows, columns int, byRow bool, spaces ...string) storedMatrix {
				s := storedMatrix{typ: typ, rows: rows, columns: columns, byRow: byRow, space: spaces[rng.IntN(len(spaces))]}
				s.stride = s.least() + rng.IntN(2)*max(32/matrix.Types[typ].Bits, 4)*8
				return s
			}
			everywhere := []string{".global", ".shared", ".shared::cta", "generic"}
			if c.outdated() {
				everywhere[2] = ".shared"
			}
			a := layout(c.a, p.M, p.K, turn%2 == 0 || c.byRowByCol, everywhere...)
			b := layout(c.a, p.K, p.N, turn/2%2 == 0 && !c.byRowByCol, everywhere...)
			third := layout(c.c, p.M, p.N, rng.IntN(2) == 0, everywhere...)
			d := layout(c.d, p.M, p.N, turn%3 == 0, everywhere...)
			text, at, size := wmmaKernel(c, rng, a, b, third, d)
			style := turn % matrix.Styles
			x, y, z := matrix.Draw(rng, c.a, p.M, p.K, style), matrix.Draw(rng, c.a, p.K, p.N, style), matrix.Draw(rng, c.c, p.M, p.N, style)
			in, want := make([]byte, size), make([]byte, d.size())
			a.put(in[at[0]:], x)
			b.put(in[at[1]:], y)
			third.put(in[at[2]:], z)
			if d.space != ".global" { // what lies between is what the shared memory had
				copy(want, in)
			}
			d.put(want, p.Of(x, y, z))
			name := fmt.Sprintf("wmma %s%s%s%s%s, a %s, b %s, c %s, d %s %s",
				c.shape, c.mode, c.types(), c.limit, c.op, a.layout(), b.layout(), third.layout(), d.layout(), d.space)
			holdMatrices(t, name, text, 1, in, want)
		}
	}
}

// TestFragmentsAreManipulated: each register of a fragment may be changed alike in all lanes (PTX ISA 9.7.14.4.1), and a matrix that is loaded by
// rows and stored by columns is the transposed one.
func TestFragmentsAreManipulated(t *testing.T) {
	p := matrix.Product{M: 8, N: 32}
	rng := rand.New(rand.NewPCG(9, 9))
	from := storedMatrix{typ: "f32", rows: p.M, columns: p.N, byRow: true, stride: p.N}
	to := storedMatrix{typ: "f32", rows: p.M, columns: p.N, stride: p.M}
	m := matrix.Draw(rng, "f32", p.M, p.N, 0)
	in, want := make([]byte, from.size()), make([]byte, to.size())
	from.put(in, m)
	doubled := make(matrix.Matrix, p.M)
	for i := range m {
		for _, x := range m[i] {
			doubled[i] = append(doubled[i], matrix.Types["f32"].Nearest(2*matrix.Types["f32"].Number(x)))
		}
	}
	to.put(want, doubled)
	var s strings.Builder
	s.WriteString(matrixHeader + ".visible .entry k(.param .u64 in, .param .u64 out) { .reg .f32 %c<8>; .reg .b64 %in, %out; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n" +
		"wmma.load.c.sync.aligned.m8n32k16.row.global.f32 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, [%in];\n")
	for i := range 8 {
		fmt.Fprintf(&s, "add.f32 %%c%d, %%c%[1]d, %%c%[1]d;\n", i)
	}
	s.WriteString("wmma.store.d.sync.aligned.m8n32k16.col.global.f32 [%out], {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}; ret; }")
	holdMatrices(t, "scaled", s.String(), 1, in, want)
}

// TestFragmentsAreGuarded: a warp whose predicate is false loads and stores nothing, and one that goes beyond its memory is told the line.
func TestFragmentsAreGuarded(t *testing.T) {
	const text = matrixHeader + `.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .pred %p; .reg .b32 %i; .reg .f64 %c<2>; .reg .b64 %in, %out; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
	mov.u32 %i, %ctaid.x; setp.ne.u32 %p, %i, 0; mov.f64 %c0, 0d0000000000000000; mov.f64 %c1, %c0;
	@%p wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%c0, %c1}, [%in];
	wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%out], {%c0, %c1};
	ret; }
`
	for _, l := range level.Levels() {
		for _, blocks := range []int{1, 2} {
			k := vmtest.Trial{
				Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: 32}},
				Args: []any{make([]byte, 8), slices.Repeat([]byte{1}, 512)},
			}
			m, err := k.Checked()
			if err != nil {
				t.Fatal(err)
			}
			e, err := k.Run(m, vmtest.Way{Level: l, Workers: 1})
			switch {
			case blocks == 1 && (err != nil || slices.Max(e.Buffers[1]) != 0):
				t.Errorf("%v: %v", l, err)
			case blocks == 2 && (err == nil || !strings.Contains(err.Error(), "test.ptx:7:2: kernel k: ld.global.b64 of 8 bytes out of bounds")):
				t.Errorf("%v: %v", l, err)
			}
		}
	}
}
