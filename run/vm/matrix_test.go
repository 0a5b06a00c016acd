package vm_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

const matrixHeader = ".version 8.3\n.target sm_90\n.address_size 64\n"

// matrixCase is a form of mma: d = a*b + c of an m x k, a k x 8 and an m x 8 matrix.
type matrixCase struct {
	form       string
	m, k       int
	da, db, dc string // types of elements: of a, of b, of c and d
	dd         string
}

var matrixCases = []matrixCase{
	{"m16n8k16", 16, 16, "f16", "f16", "f32", "f32"}, {"m16n8k8", 16, 8, "f16", "f16", "f32", "f32"},
	{"m16n8k16", 16, 16, "f16", "f16", "f16", "f16"}, {"m16n8k8", 16, 8, "f16", "f16", "f16", "f16"},
	{"m16n8k16", 16, 16, "f16", "f16", "f32", "f16"}, {"m16n8k16", 16, 16, "f16", "f16", "f16", "f32"},
	{"m16n8k16", 16, 16, "bf16", "bf16", "f32", "f32"}, {"m16n8k8", 16, 8, "bf16", "bf16", "f32", "f32"},
	{"m16n8k32", 16, 32, "s8", "s8", "s32", "s32"}, {"m16n8k32", 16, 32, "u8", "s8", "s32", "s32"}, {"m16n8k32", 16, 32, "s8", "u8", "s32", "s32"}, {"m16n8k32", 16, 32, "u8", "u8", "s32", "s32"},
	{"m16n8k16", 16, 16, "s8", "s8", "s32", "s32"}, {"m8n8k16", 8, 16, "u8", "s8", "s32", "s32"},
}

// element is the bits of a small whole number in a type.
func element(typ string, x int) uint32 {
	switch typ {
	case "f16":
		return uint32(nearestHalf(big.NewFloat(float64(x))))
	case "bf16":
		return math.Float32bits(float32(x)) >> 16
	case "f32":
		return math.Float32bits(float32(x))
	}
	return uint32(x)
}

// bitsOfElement is the width of a type.
func bitsOfElement(typ string) int {
	return map[string]int{"f16": 16, "bf16": 16, "f32": 32, "s32": 32, "u8": 8, "s8": 8}[typ]
}

// pack makes words of elements, the first lowest.
func packElements(typ string, elements []int) (words []uint32) {
	bits := bitsOfElement(typ)
	for i, x := range elements {
		if i*bits%32 == 0 {
			words = append(words, 0)
		}
		words[len(words)-1] |= element(typ, x) & (1<<bits - 1) << (i * bits % 32)
	}
	return words
}

// fragment is where the elements of a lane are, as the manual's formulas say (9.7.14.5.4 and following): of a by row and k, of b by
// k and column, of c by row and column.
func (c matrixCase) fragment(matrix byte, lane int) (places [][2]int) {
	group, member := lane>>2, lane%4
	per := 32 / bitsOfElement(c.da) // elements of a register of a and b
	switch matrix {
	case 'a':
		for i := range c.m * c.k / 32 {
			row := group
			if c.m == 16 && i/per%2 == 1 {
				row += 8
			}
			k := member*per + i%per
			if i >= per*c.m/8 {
				k += 4 * per
			}
			places = append(places, [2]int{row, k})
		}
	case 'b':
		for i := range c.k * 8 / 32 {
			k := member*per + i%per
			if i >= per {
				k += 4 * per
			}
			places = append(places, [2]int{k, group})
		}
	case 'c':
		for i := range c.m * 8 / 32 {
			places = append(places, [2]int{group + i/2*8, member*2 + i%2})
		}
	}
	return places
}

// random is an element of a matrix.
func (c matrixCase) random(rng *rand.Rand, typ string) int {
	switch typ {
	case "u8":
		return rng.IntN(256)
	case "s8":
		return rng.IntN(256) - 128
	case "s32":
		return int(int32(rng.Uint32()))
	}
	return rng.IntN(17) - 8
}

// names lists registers.
func names(prefix string, from, count int) string {
	var all []string
	for i := range count {
		all = append(all, fmt.Sprintf("%%%s%d", prefix, from+i))
	}
	if count == 1 {
		return all[0]
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// TestMatrixProducts holds mma to products of whole matrices, of which each sum is exact whatever its order.
func TestMatrixProducts(t *testing.T) {
	const warps = 3
	for _, c := range matrixCases {
		rng := rand.New(rand.NewPCG(5, uint64(len(c.form))))
		count := func(matrix byte, typ string) int { return len(c.fragment(matrix, 0)) * bitsOfElement(typ) / 32 }
		na, nb, nc, nd := count('a', c.da), count('b', c.db), count('c', c.dc), count('c', c.dd)
		in, want := make([]byte, warps*32*64), make([]byte, warps*32*16)
		for warp := range warps {
			var x, y, z [32][32]int
			for i := range 32 {
				for j := range 32 {
					x[i][j], y[i][j], z[i][j] = c.random(rng, c.da), c.random(rng, c.db), c.random(rng, c.dc)
				}
			}
			for lane := range 32 {
				var words, results []uint32
				for _, part := range []struct {
					matrix byte
					typ    string
					of     *[32][32]int
				}{{'a', c.da, &x}, {'b', c.db, &y}, {'c', c.dc, &z}} {
					var elements []int
					for _, p := range c.fragment(part.matrix, lane) {
						elements = append(elements, part.of[p[0]][p[1]])
					}
					words = append(words, packElements(part.typ, elements)...)
				}
				var sums []int
				for _, p := range c.fragment('c', lane) {
					sum := z[p[0]][p[1]]
					for k := range c.k {
						sum += x[p[0]][k] * y[k][p[1]]
					}
					sums = append(sums, sum)
				}
				results = packElements(c.dd, sums)
				for i, w := range words {
					binary.LittleEndian.PutUint32(in[(warp*32+lane)*64+4*i:], w)
				}
				for i, w := range results {
					binary.LittleEndian.PutUint32(want[(warp*32+lane)*16+4*i:], w)
				}
			}
		}
		form := fmt.Sprintf("mma.sync.aligned.%s.row.col.%s.%s.%s.%s", c.form, c.dd, c.da, c.db, c.dc)
		var s strings.Builder
		s.WriteString(matrixHeader + ".visible .entry k(.param .u64 in, .param .u64 out) { .reg .b32 %r<16>, %d<4>, %i; .reg .b64 %in, %out; mov.u32 %i, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mad.wide.u32 %in, %i, 64, %in; mad.wide.u32 %out, %i, 16, %out;\n")
		for i := range na + nb + nc {
			fmt.Fprintf(&s, "ld.global.b32 %%r%d, [%%in+%d];\n", i, 4*i)
		}
		third, first := names("r", na+nb, nc), names("d", 0, nd)
		fmt.Fprintf(&s, "%s %s, %s, %s, %s;\n", form, first, names("r", 0, na), names("r", na, nb), third)
		for i := range nd {
			fmt.Fprintf(&s, "st.global.b32 [%%out+%d], %%d%d;\n", 4*i, i)
		}
		s.WriteString("ret; }")
		holdMatrices(t, form, s.String(), warps, in, want)
	}
}

// holdMatrices runs a kernel of whole warps on all levels, plain and watched.
func holdMatrices(t *testing.T, name, text string, warps int, in, want []byte) {
	t.Helper()
	k := trial{text: text, kernel: "k", grid: vm.Grid{Block: vm.Dim{X: 32 * warps}}, args: []any{in, make([]byte, len(want))}}
	m, err := k.checked()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	all := []way{{level: level.Best(), workers: 1, check: true}}
	for _, l := range level.Levels() {
		all = append(all, way{level: l, workers: 1})
	}
	for _, w := range all {
		e, err := k.run(m, w)
		if err != nil {
			t.Fatalf("%s, %v: %v", name, w, err)
		}
		if at := firstDifference(e.buffers[1], want); at >= 0 {
			t.Errorf("%s, %v: byte %d is %#x, want %#x", name, w, at, e.buffers[1][at], want[at])
		}
	}
}

// TestMatrixMoves loads and stores matrices of 8 x 8 halves in shared memory, as they are and transposed, and transposes one in
// registers.
func TestMatrixMoves(t *testing.T) {
	in := make([]byte, 4*8*16)
	rng := rand.New(rand.NewPCG(6, 7))
	for i := range in {
		in[i] = byte(rng.Uint32())
	}
	at := func(matrix, row, column int) uint16 {
		return binary.LittleEndian.Uint16(in[matrix*128+row*16+2*column:])
	}
	const begin = matrixHeader + `.visible .entry k(.param .u64 in, .param .u64 out) {
	.shared .align 16 .b8 s[1024]; .reg .b32 %i, %a, %r<8>; .reg .b64 %in, %out, %q<3>; mov.u32 %i, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
	mad.wide.u32 %out, %i, 16, %out; mad.wide.u32 %in, %i, 16, %in; mul.lo.u32 %a, %i, 32; mov.u32 %r0, s; add.u32 %a, %a, %r0;
	ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%in]; st.shared.v4.b32 [%a], {%r1, %r2, %r3, %r4}; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0; bar.sync 0;
`
	const end = "\nst.global.v4.b32 [%out], {%r1, %r2, %r3, %r4}; ret; }"
	both := func(low, high uint16) uint32 { return uint32(low) | uint32(high)<<16 }
	plain := func(n, lane int) uint32 { return both(at(n, lane/4, lane%4*2), at(n, lane/4, lane%4*2+1)) }
	turned := func(n, lane int) uint32 { return both(at(n, lane%4*2, lane/4), at(n, lane%4*2+1, lane/4)) }
	for _, c := range []struct {
		code string
		want func(n, lane int) uint32
	}{
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%a];", plain},
		{"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, [%a];", turned},
		{"ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%r1, %r2}, [%a];", func(n, lane int) uint32 {
			if n > 1 {
				return 0
			}
			return plain(n, lane)
		}},
		{"cvt.u64.u32 %q1, %a; cvta.shared.u64 %q1, %q1; ldmatrix.sync.aligned.m8n8.x1.trans.b16 {%r3}, [%q1];", func(n, lane int) uint32 {
			if n != 2 {
				return 0
			}
			return turned(0, lane)
		}},
		{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%a]; movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r5; movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;", func(n, lane int) uint32 {
			return []uint32{turned(0, lane), plain(0, lane), 0, 0}[n]
		}},
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%a]; bar.sync 0; stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%a], {%r3, %r4}; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%a+512], {%r2}; bar.sync 0; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%a];",
			func(n, lane int) uint32 {
				switch n {
				case 0:
					return turned(2, lane)
				case 1:
					return turned(3, lane)
				case 2:
					return plain(1, lane)
				}
				return plain(3, lane)
			}},
	} {
		want := make([]byte, 32*16)
		for lane := range 32 {
			for n := range 4 {
				binary.LittleEndian.PutUint32(want[16*lane+4*n:], c.want(n, lane))
			}
		}
		holdMatrices(t, c.code, begin+c.code+end, 1, in, want)
	}
}
