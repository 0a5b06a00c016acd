package forms

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

var halfEdges = []uint64{0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x401, 0x3bff, 0x3c00, 0x3c01, 0xbc00, 0x3555, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x5678, 0xd123, 0x0203}

// exactHalf computes an operation with big numbers; NaN and infinities are left to the doubles, in which they are right.
func exactHalf(operation string, x []uint64) uint64 {
	a, b := vmtest.Half(x[0]), vmtest.Half(x[1])
	var plain float64
	c := 0.0
	switch operation {
	case "add":
		plain = a + b
	case "sub":
		plain = a - b
	case "mul":
		plain = a * b
	case "fma":
		c = vmtest.Half(x[2])
		plain = math.FMA(a, b, c)
	}
	switch {
	case plain != plain:
		return 0x7fff
	case math.IsInf(plain, 0):
		return vmtest.NearestHalf(big.NewFloat(math.Copysign(1e9, plain)))
	case plain == 0:
		return uint64(bool64(math.Signbit(plain))) << 15
	}
	exact := func() *big.Float { return new(big.Float).SetPrec(300) }
	r, s := exact().SetFloat64(a), exact().SetFloat64(b)
	switch operation {
	case "add":
		r.Add(r, s)
	case "sub":
		r.Sub(r, s)
	default:
		r.Mul(r, s)
		r.Add(r, exact().SetFloat64(c))
	}
	return vmtest.NearestHalf(r)
}

func TestHalfArithmetic(t *testing.T) {
	for _, operation := range []string{"add.f16", "sub.rn.f16", "mul.f16", "fma.rn.f16"} {
		name, _, _ := strings.Cut(operation, ".")
		sources := "u16 u16"
		operands := "%d, %a, %b"
		if name == "fma" {
			sources, operands = "u16 u16 u16", "%d, %a, %b, %c"
		}
		t.Run(operation, func(t *testing.T) {
			testForm(t, formCase{operation + " " + operands + ";", "u16", sources, func(x []uint64) uint64 { return exactHalf(name, x) }})
		})
	}
	// All pairs of edges, which the integers' edges of the cases above are not.
	for _, c := range halfEdges {
		var text strings.Builder
		text.WriteString(vmtest.Header + ".visible .entry test(.param .u64 out) {\n.reg .b16 %h, %a, %b, %c; .reg .b64 %d; ld.param.u64 %d, [out];\n")
		var want []uint64
		for _, a := range halfEdges {
			for _, b := range halfEdges {
				fmt.Fprintf(&text, "mov.b16 %%a, %d; mov.b16 %%b, %d; mov.b16 %%c, %d; fma.rn.f16 %%h, %%a, %%b, %%c; st.global.b16 [%%d+%d], %%h;\n", a, b, c, 2*len(want))
				want = append(want, exactHalf("fma", []uint64{a, b, c}))
			}
		}
		m := vmtest.Load(t, text.String()+"ret; }")
		out, _ := m.Memory().Alloc("out", 2*len(want))
		vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{}, out)
		for i := range want {
			if got := vmtest.Get(out.Bytes(), i, 16); got != want[i] {
				t.Errorf("fma %#x %#x %#x: got %#x, want %#x", halfEdges[i/len(halfEdges)], halfEdges[i%len(halfEdges)], c, got, want[i])
			}
		}
	}
}

// sat32 is a signed word within limits, in size bits.
func sat32(x uint64, least, most int64, size int) uint64 {
	return uint64(min(max(int64(int32(x)), least), most)) & (1<<size - 1)
}

func TestMoreForms(t *testing.T) {
	testForms(t, []formCase{
		{"add.f16x2 %d, %a, %b;", "u32", "u32 u32", func(x []uint64) uint64 {
			return exactHalf("add", []uint64{x[0] & 0xffff, x[1] & 0xffff}) | exactHalf("add", []uint64{x[0] >> 16, x[1] >> 16})<<16
		}},
		{"mul.sat.f16 %d, %a, %b;", "u16", "u16 u16", func(x []uint64) uint64 {
			r := exactHalf("mul", x)
			switch v := vmtest.Half(r); {
			case v > 1:
				return 0x3c00
			case v > 0:
				return r
			}
			return 0
		}},
		{"add.ftz.f16 %d, %a, %b;", "u16", "u16 u16", func(x []uint64) uint64 {
			flush := func(h uint64) uint64 {
				if h&0x7c00 == 0 {
					return h & 0x8000
				}
				return h
			}
			return flush(exactHalf("add", []uint64{flush(x[0]), flush(x[1])}))
		}},
		{"neg.f16x2 %d, %a;", "u32", "u32", func(x []uint64) uint64 { return x[0] ^ 0x80008000 }},
		{"abs.f16 %d, %a;", "u16", "u16", func(x []uint64) uint64 { return x[0] &^ 0x8000 }},
		{"min.f16 %d, %a, %b;", "u16", "u16 u16", func(x []uint64) uint64 {
			a, b := vmtest.Half(x[0]), vmtest.Half(x[1])
			switch {
			case a != a && b != b:
				return 0x7fff
			case b != b || a < b || a == b && math.Signbit(a):
				return x[0]
			}
			return x[1]
		}},
		{"max.NaN.f16 %d, %a, %b;", "u16", "u16 u16", func(x []uint64) uint64 {
			a, b := vmtest.Half(x[0]), vmtest.Half(x[1])
			switch {
			case a != a || b != b:
				return 0x7fff
			case a > b || a == b && !math.Signbit(a):
				return x[0]
			}
			return x[1]
		}},
		{"setp.lt.f16 %q, %a, %b; selp.u32 %d, 1, 2, %q;", "u32", "u16 u16", func(x []uint64) uint64 { return 2 - bool64(vmtest.Half(x[0]) < vmtest.Half(x[1])) }},
		{"setp.neu.f16 %q, %a, %b; selp.u32 %d, 1, 2, %q;", "u32", "u16 u16", func(x []uint64) uint64 {
			return 2 - bool64(vmtest.Half(x[0]) != vmtest.Half(x[1]))
		}},
		{"cvt.pack.sat.u16.s32 %d, %a, %b;", "u32", "u32 u32", func(x []uint64) uint64 {
			return sat32(x[0], 0, 65535, 16)<<16 | sat32(x[1], 0, 65535, 16)
		}},
		{"cvt.pack.sat.s8.s32.b32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 {
			return x[2]<<16 | sat32(x[0], -128, 127, 8)<<8 | sat32(x[1], -128, 127, 8)
		}},
		{"cvt.pack.sat.u2.s32.b32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 {
			return x[2]<<4 | sat32(x[0], 0, 3, 2)<<2 | sat32(x[1], 0, 3, 2)
		}},
	})
}

// Generic addresses are in exactly one space.
func TestIsSpace(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.const .u32 c[4]; .global .u32 g[4];
.visible .entry test(.param .u64 out) {
	.reg .b64 %d<4>; .reg .pred %p<4>; .reg .b32 %r<4>; .shared .u32 s[4]; .local .u32 l[4];
	ld.param.u64 %d0, [out];
`+strings.Join(func() (lines []string) {
		for i, space := range []string{"global", "shared", "local", "const"} {
			lines = append(lines, "cvta."+space+".u64 %d1, "+string("gslc"[i])+"; add.u64 %d1, %d1, 12;")
			for j, asked := range []string{"global", "shared", "local", "const"} {
				lines = append(lines, fmt.Sprintf("isspacep.%s %%p1, %%d1; selp.u32 %%r1, 1, 0, %%p1; st.global.u8 [%%d0+%d], %%r1;", asked, 4*i+j))
			}
		}
		return lines
	}(), "\n")+"\nret; }")
	out, _ := m.Memory().Alloc("out", 16)
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{}, out)
	for i, got := range out.Bytes() {
		if want := byte(bool64(i%4 == i/4)); got != want {
			t.Errorf("address of space %d, asked for %d: got %d", i/4, i%4, got)
		}
	}
}

// What a kernel says of the size of its blocks is held.
func TestBlockLimits(t *testing.T) {
	for _, test := range []struct {
		directive string
		block     vm.Dim
		wrong     string
	}{
		{".maxntid 64, 2, 1", vm.Dim{X: 128}, ""},
		{".maxntid 64, 2, 1", vm.Dim{X: 43, Y: 3}, "has 129 threads; its .maxntid allows at most 128"},
		{".maxntid 32", vm.Dim{X: 33}, "at most 32"},
		{".reqntid 16, 4", vm.Dim{X: 16, Y: 4}, ""},
		{".reqntid 16, 4", vm.Dim{X: 64}, "its .reqntid asks for (16, 4, 1)"},
		{".minnctapersm 4", vm.Dim{X: 1024}, ""},
	} {
		err := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+".visible .entry test() "+test.directive+" { ret; }"), "test").Launch(context.Background(), vm.Grid{Block: test.block})
		if (err != nil) != (test.wrong != "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s with %v: got %v, want %q", test.directive, test.block, err, test.wrong)
		}
	}
}
