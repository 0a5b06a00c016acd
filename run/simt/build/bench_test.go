package build_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/simttest"
)

// straightText is one block of n instructions, as compilers unroll loops: every result has a register of its own.
func straightText(n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.visible .entry k(.param .u64 in)\n{\n.reg .b32 %%r<%d>;\n.reg .b64 %%d<2>;\nld.param.u64 %%d1, [in];\nmov.u32 %%r0, %%tid.x;\n", simttest.Header, n+1)
	for i := 1; i <= n; i++ {
		switch a, b := i-1, max(i-7, 0); i % 8 {
		case 0:
			fmt.Fprintf(&s, "ld.global.u32 %%r%d, [%%d1+%d];\n", i, 4*i)
		case 4:
			fmt.Fprintf(&s, "st.global.u32 [%%d1+%d], %%r%d;\nmov.u32 %%r%d, %%r%d;\n", 4*i, a, i, b)
		default:
			fmt.Fprintf(&s, "%s %%r%d, %%r%d, %%r%d;\n", []string{"add.u32", "xor.b32", "mul.lo.u32", "min.s32"}[i%4], i, a, b)
		}
	}
	s.WriteString("ret;\n}\n")
	return s.String()
}

// nestedText is loops in loops, depth deep, of n instructions altogether.
func nestedText(depth, n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.visible .entry k(.param .u64 in)\n{\n.reg .b32 %%r<%d>;\n.reg .pred %%p;\n.reg .b64 %%d<2>;\nld.param.u64 %%d1, [in];\n", simttest.Header, depth+20)
	label := 0
	var loop func(level, n int)
	loop = func(level, n int) {
		if level == depth {
			for i := range n {
				fmt.Fprintf(&s, "add.u32 %%r%d, %%r%d, %%r%d;\n", depth+i%19, depth+(i*7+1)%19, i%depth)
			}
			fmt.Fprintf(&s, "st.global.u32 [%%d1], %%r%d;\n", depth+n%19)
			return
		}
		label++
		l := label
		fmt.Fprintf(&s, "mov.u32 %%r%d, 0;\nl%d:\n", level, l)
		loop(level+1, (n-6)/2)
		loop(level+1, (n-6)/2)
		fmt.Fprintf(&s, "add.u32 %%r%d, %%r%d, 1;\nsetp.lt.u32 %%p, %%r%d, 9;\n@%%p bra l%d;\n", level, level, level, l)
	}
	loop(0, n)
	s.WriteString("ret;\n}\n")
	return s.String()
}

// videoText is n video instructions.
func videoText(n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.visible .entry k(.param .u64 in)\n{\n.reg .b32 %%r<%d>;\n.reg .b64 %%d<2>;\nld.param.u64 %%d1, [in];\nmov.u32 %%r0, %%tid.x;\n", simttest.Header, n+1)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&s, "%s %%r%d, %%r%d, %%r%d, %%r%d;\n", []string{"vadd4.u32.u32.u32.sat", "vabsdiff4.u32.u32.u32.add", "vmax2.s32.s32.s32", "vavrg4.u32.u32.u32"}[i%4], i, i-1, max(i-5, 0), max(i-9, 0))
	}
	fmt.Fprintf(&s, "st.global.u32 [%%d1], %%r%d;\nret;\n}\n", n)
	return s.String()
}

// BenchmarkBuild builds kernels of some sizes and kinds. ns/inst is the time for an instruction of the text.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		for _, kind := range []struct {
			name, text string
		}{
			{"straight", straightText(n)},
			{"loops", nestedText(5, n)},
			{"maze", ptx(randomText(rand.New(rand.NewPCG(1, 2)), n/3, n))},
			{"video", videoText(n / 10)},
		} {
			b.Run(fmt.Sprint(kind.name, n), func(b *testing.B) { benchmarkBuild(b, kind.text) })
		}
	}
	for _, file := range []string{"gotoh/gotoh.nvcc80", "stereo/stereo.nvcc80", "aes/aes.nvcc80"} {
		text, err := os.ReadFile("../../../kernels/" + file + ".ptx")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(file, func(b *testing.B) { benchmarkBuild(b, string(text)) })
	}
}

// BenchmarkPrint, BenchmarkParse and BenchmarkCheck do with a function of 10,000 instructions what their names say.
func BenchmarkPrint(b *testing.B) {
	f := large(b)
	for b.Loop() {
		_ = listing.String(f)
	}
}

func BenchmarkParse(b *testing.B) {
	text := listing.String(large(b))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := listing.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	f := large(b)
	for b.Loop() {
		if err := listing.Check(f); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHomes(b *testing.B) {
	f := large(b)
	for b.Loop() {
		simt.NewHomes(f, nil)
	}
}

func large(b *testing.B) *simt.Function {
	b.Helper()
	p, err := simttest.Load(ptx(randomText(rand.New(rand.NewPCG(1, 2)), 3000, 10_000)), build.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return p.Functions[0]
}

func benchmarkBuild(b *testing.B, text string) {
	p, err := simttest.Load(text, build.Options{})
	if err != nil {
		b.Fatal(err)
	}
	insts := 0
	for _, f := range p.Functions {
		insts += len(f.Decl.Body)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Build()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(insts), "ns/inst")
	b.ReportMetric(float64(insts), "insts")
}
