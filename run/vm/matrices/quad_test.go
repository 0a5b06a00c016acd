package matrices

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// quadFragment is where the elements of a lane are in one of the four products of mma.m8n8k4, as the formulas of the manual say (PTX ISA 9.7.14.5.1).
func quadFragment(matrix byte, layout, typ string, lane int) (places [][2]int) {
	upper := lane / 16 * 4
	for i := range map[byte]int{'a': 4, 'b': 4, 'c': 8}[matrix] {
		place := [2]int{lane%4 + upper, i}
		switch {
		case matrix == 'a' && layout == "col":
			place = [2]int{i%4 + upper, lane % 4}
		case matrix == 'b' && layout == "row":
			place = [2]int{lane % 4, i + upper}
		case matrix == 'b':
			place = [2]int{i, lane%4 + upper}
		case matrix == 'c' && typ == "f32":
			place = [2]int{lane&1 + i&2 + upper, i&4 + lane&2 + i&1}
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
			p := matrixProduct{m: 8, n: 8, k: 4, da: "f16", db: "f16", dc: types[1], dd: types[0]}
			count := map[string]int{"f16": 4, "f32": 8}
			var in, want []byte
			for style := range 3 {
				var a, b, c, d [4]matrix
				for i := range 4 {
					a[i], b[i], c[i] = drawMatrix(rng, "f16", 8, 4, style), drawMatrix(rng, "f16", 4, 8, style), drawMatrix(rng, p.dc, 8, 8, style)
					d[i] = p.of(a[i], b[i], c[i])
				}
				for lane := range 32 {
					quad := lane % 16 / 4
					words := func(matrix byte, layout, typ string, of matrix) []uint32 {
						var elements []uint64
						for _, place := range quadFragment(matrix, layout, typ, lane) {
							elements = append(elements, of[place[0]][place[1]])
						}
						return matrixTypes[typ].words(elements)
					}
					for _, part := range [][]uint32{words('a', layouts[0], "f16", a[quad]), words('b', layouts[1], "f16", b[quad]), words('c', "", p.dc, c[quad])} {
						for _, w := range part {
							in = binary.LittleEndian.AppendUint32(in, w)
						}
					}
					for _, w := range words('c', "", p.dd, d[quad]) {
						want = binary.LittleEndian.AppendUint32(want, w)
					}
				}
			}
			ra, declareA := registersOf("a", "f16", 2)
			rb, declareB := registersOf("b", "f16", 2)
			rc, declareC := registersOf("c", p.dc, count[p.dc])
			rd, declareD := registersOf("d", p.dd, count[p.dd])
			form := fmt.Sprintf("mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s", layouts[0], layouts[1], p.dd, p.dc)
			text := matrixHeader + ".visible .entry k(.param .u64 in, .param .u64 out) {\n.reg .b32 %i; .reg .b64 %in, %out;" + declareA + declareB + declareC + declareD +
				"mov.u32 %i, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n" +
				fmt.Sprintf("mad.wide.u32 %%in, %%i, %d, %%in; mad.wide.u32 %%out, %%i, %d, %%out;\n", 4*(4+count[p.dc]), 4*count[p.dd]) +
				transferred("ld", "a", "f16", "in", 0, 2) + transferred("ld", "b", "f16", "in", 8, 2) + transferred("ld", "c", p.dc, "in", 16, count[p.dc]) +
				fmt.Sprintf("%s %s, %s, %s, %s;\n", form, rd, ra, rb, rc) + transferred("st", "d", p.dd, "out", 0, count[p.dd]) + "ret; }"
			holdMatrices(t, form, text, 3, in, want)
		}
	}
}
