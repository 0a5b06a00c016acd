package matrices

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/model/matrix"
)

// quadFragment is where the elements of a lane are in one of the four products of mma.m8n8k4, as the formulas of the manual say (PTX ISA 9.7.14.5.1).
func quadFragment(of byte, layout, typ string, lane int) (places []matrix.Place) {
	at := func(row, column int) matrix.Place { return matrix.Place{Row: row, Column: column} }
	upper := lane / 16 * 4
	for i := range map[byte]int{'a': 4, 'b': 4, 'c': 8}[of] {
		place := at(lane%4+upper, i)
		switch {
		case of == 'a' && layout == "col":
			place = at(i%4+upper, lane%4)
		case of == 'b' && layout == "row":
			place = at(lane%4, i+upper)
		case of == 'b':
			place = at(i, lane%4+upper)
		case of == 'c' && typ == "f32":
			place = at(lane&1+i&2+upper, i&4+lane&2+i&1)
		}
		places = append(places, place)
	}
	return places
}

// TestQuadProducts holds mma.m8n8k4 of f16 to four products of whole matrices.
func TestQuadProducts(t *testing.T) {
	for _, types := range [][2]string{{"f16", "f16"}, {"f32", "f16"}, {"f32", "f32"}} {
		for _, layouts := range [][2]string{{"row", "col"}, {"row", "row"}, {"col", "row"}, {"col", "col"}} {
			rng := rand.New(rand.NewPCG(10, 11))
			p := matrix.Product{M: 8, N: 8, K: 4, A: "f16", B: "f16", C: types[1], D: types[0]}
			count := map[string]int{"f16": 4, "f32": 8}
			var in, want []byte
			for style := range matrix.Styles {
				var a, b, c, d [4]matrix.Matrix
				for i := range 4 {
					a[i], b[i], c[i] = matrix.Draw(rng, "f16", 8, 4, style), matrix.Draw(rng, "f16", 4, 8, style), matrix.Draw(rng, p.C, 8, 8, style)
					d[i] = p.Of(a[i], b[i], c[i])
				}
				for lane := range matrix.Lanes {
					quad := lane % 16 / 4
					part := func(of byte, layout, typ string, m matrix.Matrix) []uint32 {
						return words(typ, m.At(quadFragment(of, layout, typ, lane)))
					}
					in = appendWords(in, part('a', layouts[0], "f16", a[quad]), part('b', layouts[1], "f16", b[quad]), part('c', "", p.C, c[quad]))
					want = appendWords(want, part('c', "", p.D, d[quad]))
				}
			}
			ra, declareA := registersOf("a", "f16", 2)
			rb, declareB := registersOf("b", "f16", 2)
			rc, declareC := registersOf("c", p.C, count[p.C])
			rd, declareD := registersOf("d", p.D, count[p.D])
			form := fmt.Sprintf("mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s", layouts[0], layouts[1], p.D, p.C)
			text := matrixHeader + ".visible .entry k(.param .u64 in, .param .u64 out) {\n.reg .b32 %i; .reg .b64 %in, %out;" + declareA + declareB + declareC + declareD +
				"mov.u32 %i, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n" +
				fmt.Sprintf("mad.wide.u32 %%in, %%i, %d, %%in; mad.wide.u32 %%out, %%i, %d, %%out;\n", 4*(4+count[p.C]), 4*count[p.D]) +
				transferred("ld", "a", "f16", "in", 0, 2) + transferred("ld", "b", "f16", "in", 8, 2) + transferred("ld", "c", p.C, "in", 16, count[p.C]) +
				fmt.Sprintf("%s %s, %s, %s, %s;\n", form, rd, ra, rb, rc) + transferred("st", "d", p.D, "out", 0, count[p.D]) + "ret; }"
			holdMatrices(t, form, text, matrix.Styles, in, want)
		}
	}
}
