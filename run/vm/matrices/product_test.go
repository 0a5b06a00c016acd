package matrices

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/model/matrix"
)

// mmaCase is a form of mma: its shape, its types in the order of the text, and what else is written.
type mmaCase struct {
	shape      string
	d, a, b, c string
	before     string // of the types
	after      string
}

// mmaCases are all forms of mma that run.
func mmaCases() (all []mmaCase) {
	for _, shape := range []string{"m16n8k8", "m16n8k16"} {
		for _, d := range []string{"f16", "f32"} {
			for _, c := range []string{"f16", "f32"} {
				if shape == "m16n8k16" || c == d {
					all = append(all, mmaCase{shape, d, "f16", "f16", c, "", ""})
				}
			}
		}
		all = append(all, mmaCase{shape, "f32", "bf16", "bf16", "f32", "", ""})
	}
	for _, shape := range []string{"m16n8k4", "m16n8k8"} {
		all = append(all, mmaCase{shape, "f32", "tf32", "tf32", "f32", "", ""})
	}
	for _, shape := range []string{"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"} {
		for _, mode := range []string{"", ".rn", ".rz", ".rm", ".rp"} {
			all = append(all, mmaCase{shape, "f64", "f64", "f64", "f64", "", mode})
		}
	}
	for _, a := range []string{"e4m3", "e5m2"} {
		for _, b := range []string{"e4m3", "e5m2"} {
			for _, shape := range []string{"m16n8k16", "m16n8k32"} {
				all = append(all, mmaCase{shape, "f32", a, b, "f32", "", ""}, mmaCase{shape, "f16", a, b, "f16", "", ""})
			}
		}
	}
	for _, a := range []string{"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"} {
		for _, b := range []string{"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"} {
			all = append(all, mmaCase{"m16n8k32", "f32", a, b, "f32", ".kind::f8f6f4", ""}, mmaCase{"m16n8k32", "f16", a, b, "f16", ".kind::f8f6f4", ""})
		}
	}
	for bits, shapes := range map[string][]string{"8": {"m8n8k16", "m16n8k16", "m16n8k32"}, "4": {"m8n8k32", "m16n8k32", "m16n8k64"}} {
		for _, shape := range shapes {
			for _, types := range []string{"ss", "su", "us", "uu"} {
				for _, limit := range []string{"", ".satfinite"} {
					all = append(all, mmaCase{shape, "s32", types[:1] + bits, types[1:] + bits, "s32", limit, ""})
				}
			}
		}
	}
	for _, shape := range []string{"m8n8k128", "m16n8k128", "m16n8k256"} {
		all = append(all, mmaCase{shape, "s32", "b1", "b1", "s32", "", ".xor.popc"}, mmaCase{shape, "s32", "b1", "b1", "s32", "", ".and.popc"})
	}
	return all
}

// spelling is what stands behind mma.sync.aligned.
func (c mmaCase) spelling() string {
	return fmt.Sprintf("%s.row.col%s.%s.%s.%s.%s%s", c.shape, c.before, c.d, c.a, c.b, c.c, c.after)
}

func (c mmaCase) form() string { return "mma.sync.aligned." + c.spelling() }

// words are the registers of elements, as words.
func words(typ string, elements []uint64) (words []uint32) {
	t := matrix.Types[typ]
	for _, r := range t.Registers(elements) {
		for at := 0; at < t.Register(); at += 32 {
			words = append(words, uint32(r>>at))
		}
	}
	return words
}

func appendWords(to []byte, all ...[]uint32) []byte {
	for _, words := range all {
		for _, w := range words {
			to = binary.LittleEndian.AppendUint32(to, w)
		}
	}
	return to
}

// registersOf lists the registers of a fragment, and declares them.
func registersOf(prefix, typ string, words int) (list, declaration string) {
	n, width := words, "b32"
	if typ == "f64" {
		n, width = words/2, "f64"
	}
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%%%s%d", prefix, i))
	}
	return "{" + strings.Join(all, ", ") + "}", fmt.Sprintf(".reg .%s %%%s<%d>;", width, prefix, n)
}

// transferred writes loads or stores of the registers of a fragment, at an offset from a register.
func transferred(op, prefix, typ, base string, offset, words int) string {
	var s strings.Builder
	size := 4
	if typ == "f64" {
		size = 8
	}
	for i := range 4 * words / size {
		register, address := fmt.Sprintf("%%%s%d", prefix, i), fmt.Sprintf("[%%%s+%d]", base, offset+size*i)
		if op == "st" {
			register, address = address, register
		}
		fmt.Fprintf(&s, "%s.global.b%d %s, %s;\n", op, 8*size, register, address)
	}
	return s.String()
}

// TestMatrixProducts holds every form of mma that runs to products of whole matrices, in warps with numbers of three styles: whole numbers,
// any numbers, and those at the ends of the types.
func TestMatrixProducts(t *testing.T) {
	for _, c := range mmaCases() {
		p, err := matrix.Form(c.spelling())
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, uint64(p.M*p.K)))
		count := func(typ string, of func(lane int) []matrix.Place) int {
			return len(of(0)) * matrix.Types[typ].Bits / 32
		}
		na, nb, nc, nd := count(c.a, p.OfA), count(c.b, p.OfB), count(c.c, p.OfC), count(c.d, p.OfC)
		from, to := 4*(na+nb+nc), 4*nd
		var in, want []byte
		for style := range matrix.Styles {
			x, y, z := matrix.Draw(rng, c.a, p.M, p.K, style), matrix.Draw(rng, c.b, p.K, p.N, style), matrix.Draw(rng, c.c, p.M, p.N, style)
			d := p.Of(x, y, z)
			for lane := range matrix.Lanes {
				in = appendWords(in, words(c.a, x.At(p.OfA(lane))), words(c.b, y.At(p.OfB(lane))), words(c.c, z.At(p.OfC(lane))))
				want = appendWords(want, words(c.d, d.At(p.OfC(lane))))
			}
		}
		a, declareA := registersOf("a", c.a, na)
		b, declareB := registersOf("b", c.b, nb)
		third, declareC := registersOf("c", c.c, nc)
		result, declareD := registersOf("d", c.d, nd)
		text := ".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n" +
			".reg .b32 %i; .reg .b64 %in, %out;" + declareA + declareB + declareC + declareD +
			"mov.u32 %i, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n" + fmt.Sprintf("mad.wide.u32 %%in, %%i, %d, %%in; mad.wide.u32 %%out, %%i, %d, %%out;\n", from, to) +
			transferred("ld", "a", c.a, "in", 0, na) + transferred("ld", "b", c.b, "in", 4*na, nb) + transferred("ld", "c", c.c, "in", 4*(na+nb), nc) +
			fmt.Sprintf("%s %s, %s, %s, %s;\n", c.form(), result, a, b, third) + transferred("st", "d", c.d, "out", 0, nd) + "ret; }"
		holdMatrices(t, c.form(), text, matrix.Styles, in, want)
	}
}
