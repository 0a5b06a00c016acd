package peer

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/internal/cputime"
)

// single is an instruction that is measured, or a few that stand for themselves only together. I is replaced by 0 to 7, the
// number of a chain of dependent instructions, and J by that of the next chain.
type single struct {
	name string
	text string
	each int // instructions that text counts as
}

var singles = []single{
	{"add.f32", "add.rn.f32 %fI, %fI, %f8;", 1},
	{"mul.f32", "mul.rn.f32 %fI, %fI, %f8;", 1},
	{"fma.f32", "fma.rn.f32 %fI, %fI, %f8, %f9;", 1},
	{"mul.ftz.f32", "mul.rn.ftz.f32 %fI, %fI, %f8;", 1},
	{"fma.ftz.f32", "fma.rn.ftz.f32 %fI, %fI, %f8, %f9;", 1},
	{"min.f32", "min.f32 %fI, %fI, %fJ;", 1},
	{"max.f32", "max.f32 %fI, %fI, %fJ;", 1},
	{"compare.f32", "setp.lt.f32 %p1, %fI, %fJ; selp.f32 %fI, %f8, %fJ, %p1;", 2},
	{"convert.s32", "cvt.rzi.s32.f32 %rI, %fI; cvt.rn.f32.s32 %fI, %rI;", 2},
	{"convert.u32", "cvt.rzi.u32.f32 %rI, %fI; cvt.rn.f32.u32 %fI, %rI;", 2},
	{"convert.s64.f64", "cvt.rn.f64.s64 %rdI, %rdI; cvt.rzi.s64.f64 %rdI, %rdI;", 2},
	{"convert.u64.f32", "cvt.rn.f32.u64 %fI, %rdI; cvt.rzi.u64.f32 %rdI, %fI;", 2},
	{"convert.u32.f64", "cvt.rni.u32.f64 %rI, %rdI; cvt.rn.f64.u32 %rdI, %rI;", 2},
	{"convert.rz.f32", "cvt.rz.f32.f64 %fI, %rdI; cvt.f64.f32 %rdI, %fI;", 2},
	{"convert.rz.f64", "cvt.rz.f64.s64 %rdI, %rdI;", 1},
	{"convert.rz.f32.s32", "cvt.rz.f32.s32 %rI, %rI;", 1},
	{"saturate.s64", "cvt.sat.s32.s64 %rI, %rdI; cvt.s64.s32 %rdI, %rI;", 2},
	{"slct.64.f32", "slct.b64.f32 %rdI, %rdI, %rdJ, %fI;", 1},
	{"div.f32", "div.rn.f32 %fI, %fI, %f8;", 1},
	{"sqrt.f32", "sqrt.rn.f32 %fI, %fI;", 1},
	{"ex2.approx.f32", "ex2.approx.f32 %fI, %fI;", 1},
	{"lg2.approx.f32", "lg2.approx.f32 %fI, %fI;", 1},
	{"sin.approx.f32", "sin.approx.f32 %fI, %fI;", 1},
	{"tanh.approx.f32", "tanh.approx.f32 %fI, %fI;", 1},
	{"rcp.approx.f32", "rcp.approx.f32 %fI, %fI;", 1},
	{"rsqrt.approx.f32", "rsqrt.approx.f32 %fI, %fI;", 1},
	{"add.f16x2", "add.rn.f16x2 %rI, %rI, %r8;", 1},
	{"mul.f16x2", "mul.rn.f16x2 %rI, %rI, %r8;", 1},
	{"fma.f16x2", "fma.rn.f16x2 %rI, %rI, %r8, %r9;", 1},
	{"fma.oob.f16x2", "fma.rn.oob.f16x2 %rI, %rI, %r8, %r9;", 1},
	{"min.f16x2", "min.f16x2 %rI, %rI, %r8;", 1},
	{"add.ftz.sat.f16x2", "add.ftz.sat.f16x2 %rI, %rI, %r8;", 1},
	{"fma.f16", "fma.rn.f16 %hI, %hI, %h8, %hJ;", 1},
	{"convert.f16", "cvt.rn.f16.f32 %hI, %fI; cvt.f32.f16 %fI, %hI;", 2},
	{"ex2.approx.f16x2", "ex2.approx.f16x2 %rI, %rI;", 1},
	{"add.rz.f32", "add.rz.f32 %fI, %fI, %f8;", 1},
	{"mul.rm.f32", "mul.rm.f32 %fI, %fI, %f8;", 1},
	{"fma.rp.f32", "fma.rp.f32 %fI, %fI, %f8, %f9;", 1},
	{"sqrt.rz.f32", "sqrt.rz.f32 %fI, %fI;", 1},
	{"div.rz.f64", "div.rz.f64 %rdI, %rdI, %rd8;", 1},
	{"div.rz.f32", "div.rz.f32 %fI, %fI, %f8;", 1},
	{"fma.rz.f64", "or.b64 %rdI, %rdI, 0x3ff0000000000000; fma.rz.f64 %rdI, %rdI, %rdI, %rdJ;", 1},
	{"fns.b32", "fns.b32 %r10, %rI, 3, 2; xor.b32 %rI, %rI, %r10;", 1},
	{"div.s32", "div.s32 %rI, %rJ, %r9;", 1},
	{"rem.u32", "rem.u32 %rI, %rJ, %r20;", 1},
	{"div.u64", "div.u64 %rdI, %rdJ, %rd9;", 1},
	{"rem.u64", "rem.u64 %rdI, %rdJ, %rd9;", 1},
	{"rem.s64", "rem.s64 %rdI, %rdJ, %rd9;", 1},
	{"add.u32", "add.u32 %rI, %rI, %rJ;", 1},
	{"mad.lo.u32", "mad.lo.u32 %rI, %rI, %r8, %r9;", 1},
	{"lop3.b32", "lop3.b32 %rI, %rI, %rJ, %r9, 0x96;", 1},
	{"add.u64", "add.u64 %rdI, %rdI, %rdJ;", 1},
	{"vadd4.sat", "vadd4.s32.s32.s32.sat %rI, %rI, %rJ, %r8;", 1},
	{"shfl.bfly", "shfl.sync.bfly.b32 %rI, %rI, 5, 31, -1;", 1},
	{"redux.add", "redux.sync.add.u32 %rI, %rI, -1;", 1},
	{"redux.add.two", "and.b32 %r10, %rJ, 1; neg.s32 %r10, %r10; xor.b32 %r10, %r10, 0x55555555; redux.sync.add.u32 %rI, %rI, %r10;", 1},
	{"match.any.8", "and.b32 %r10, %r20, 7; add.u32 %r10, %r10, %rJ; and.b32 %r10, %r10, 7; match.any.sync.b32 %rI, %r10, -1;", 1},
	{"match.any.32", "add.u32 %r10, %r20, %r9; match.any.sync.b32 %rI, %r10, -1;", 1},
	{"add.bf16x2", "add.rn.bf16x2 %rI, %rI, %r8;", 1},
	{"fma.bf16x2", "fma.rn.bf16x2 %rI, %rI, %r8, %r9;", 1},
	{"min.bf16x2", "min.bf16x2 %rI, %rI, %r8;", 1},
	{"cvt.bf16x2", "cvt.rn.bf16x2.f32 %rI, %fI, %f8; mov.b32 %fI, %rI;", 1},
	{"convert.e4m3x2", "cvt.rn.satfinite.e4m3x2.f32 %hI, %fI, %f8; cvt.rn.f16x2.e4m3x2 %rI, %hI; mov.b32 %fI, %rI;", 2},
	{"convert.e5m2x2", "cvt.rn.satfinite.e5m2x2.f32 %hI, %fI, %f8; cvt.rn.f16x2.e5m2x2 %rI, %hI; mov.b32 %fI, %rI;", 2},
	{"convert.e2m1x2", "cvt.rn.satfinite.e2m1x2.f32 %bI, %fI, %f8; cvt.rn.f16x2.e2m1x2 %rI, %bI; mov.b32 %fI, %rI;", 2},
	{"convert.ue8m0x2", "cvt.rp.satfinite.ue8m0x2.f32 %hI, %fI, %f8; cvt.rn.bf16x2.ue8m0x2 %rI, %hI; mov.b32 %fI, %rI;", 2},
	{"cvt.rs.e4m3x4", "cvt.rs.satfinite.e4m3x4.f32 %rI, {%fI, %f8, %fJ, %f9}, %r8; mov.b32 %fI, %rI;", 1},
	{"tex.2d.point", "and.b32 %rI, %rI, 63; tex.2d.v4.u32.s32 {%rI, %r10, %r11, %r12}, [%rd8, {%rI, %r9}];", 1},
	{"ld.shared", "and.b32 %rI, %rI, 1020; ld.shared.u32 %rI, [%rI];", 1},
	{"ld.global.gather", "and.b32 %rI, %rI, 4092; cvt.u64.u32 %rdI, %rI; add.u64 %rdI, %rdI, %rd9; ld.global.u32 %rI, [%rdI];", 1},
	{"red.shared", "xor.b32 %rI, %rI, %rJ; and.b32 %r10, %rI, 1020; red.shared.add.u32 [%r10], 1;", 1},
	{"atom.shared", "and.b32 %r10, %rI, 1020; atom.shared.add.u32 %rI, [%r10], %rJ;", 1},
	{"red.global", "xor.b32 %rI, %rI, %rJ; and.b32 %r10, %rI, 4092; cvt.u64.u32 %rdI, %r10; add.u64 %rdI, %rdI, %rd9; red.global.add.u32 [%rdI], 1;", 1},
	{"atom.global", "and.b32 %r10, %rI, 4092; cvt.u64.u32 %rdI, %r10; add.u64 %rdI, %rdI, %rd9; atom.global.add.u32 %rI, [%rdI], %rJ;", 1},
	{"atom.global.max", "and.b32 %r10, %rI, 4092; cvt.u64.u32 %rdI, %r10; add.u64 %rdI, %rdI, %rd9; atom.global.max.s32 %rI, [%rdI], %rJ;", 1},
	{"red.global.f32", "xor.b32 %rI, %rI, %rJ; and.b32 %r10, %rI, 4092; cvt.u64.u32 %rdI, %r10; add.u64 %rdI, %rdI, %rd9; red.global.add.f32 [%rdI], %f8;", 1},
	{"red.global.f16x2", "xor.b32 %rI, %rI, %rJ; and.b32 %r10, %rI, 4092; cvt.u64.u32 %rdI, %r10; add.u64 %rdI, %rdI, %rd9; red.global.add.noftz.f16x2 [%rdI], %r8;", 1},
	{"red.global.bf16x2", "xor.b32 %rI, %rI, %rJ; and.b32 %r10, %rI, 4092; cvt.u64.u32 %rdI, %r10; add.u64 %rdI, %rdI, %rd9; red.global.add.noftz.bf16x2 [%rdI], %r8;", 1},
	{"red.global.one", "xor.b32 %rI, %rI, %rJ; red.global.add.u32 [%rd9], %rI;", 1},
	{"atom.global.one", "atom.global.add.u32 %rI, [%rd9], %rI;", 1},
}

const chains, repeats, turns, microThreads = 8, 8, 64, 8192

// microText is a kernel that executes an instruction in a loop, on values that differ from thread to thread.
func microText(s single) string {
	var t strings.Builder
	t.WriteString(`.version 8.7
.target sm_100a
.address_size 64
.visible .entry micro(.param .u64 out, .param .u64 picture)
{
	.reg .pred %p<4>;
	.reg .f32 %f<12>;
	.reg .b8 %b<12>;
	.reg .b16 %h<12>;
	.reg .b32 %r<24>;
	.reg .b64 %rd<12>;
	.shared .align 4 .b8 table[1024];
	mov.u32 %r20, %tid.x;
	mov.u32 %r21, %ctaid.x;
	mov.u32 %r22, %ntid.x;
	mad.lo.u32 %r20, %r21, %r22, %r20;
	ld.param.u64 %rd9, [out];
	ld.param.u64 %rd8, [picture];
	mov.f32 %f8, 0f3F800347;
	mov.f32 %f9, 0f3DCCCCCD;
	mov.u32 %r8, 0x3c013c02;
	mov.u32 %r9, 5;
	mov.b16 %h8, 0x3c01;
	mov.u32 %r23, 0;
`)
	for i := range chains {
		fmt.Fprintf(&t, "\tmad.lo.u32 %%r%d, %%r20, %d, %d;\n\tcvt.rn.f32.u32 %%f%[1]d, %%r%[1]d;\n\tcvt.u64.u32 %%rd%[1]d, %%r%[1]d;\n\tcvt.u16.u32 %%h%[1]d, %%r%[1]d;\n", i, 2*i+3, i)
	}
	t.WriteString("TURN:\n")
	for range repeats {
		for i := range chains {
			line := strings.ReplaceAll(s.text, "I", fmt.Sprint(i))
			fmt.Fprintf(&t, "\t%s\n", strings.ReplaceAll(line, "J", fmt.Sprint((i+1)%chains)))
		}
	}
	fmt.Fprintf(&t, "\tadd.u32 %%r23, %%r23, 1;\n\tsetp.lt.u32 %%p0, %%r23, %d;\n\t@%%p0 bra TURN;\n", turns)
	for i := range chains { // all of them are read
		fmt.Fprintf(&t, "\tmov.b32 %%r10, %%f%d;\n\tcvt.u32.u64 %%r11, %%rd%[1]d;\n\txor.b32 %%r9, %%r9, %%r10;\n\txor.b32 %%r9, %%r9, %%r11;\n\tcvt.u32.u16 %%r11, %%h%[1]d;\n\txor.b32 %%r9, %%r9, %%r11;\n\txor.b32 %%r9, %%r9, %%r%[1]d;\n", i)
	}
	t.WriteString(`	mul.wide.u32 %rd10, %r20, 4;
	add.u64 %rd10, %rd9, %rd10;
	st.global.u32 [%rd10], %r9;
	ret;
}
`)
	return t.String()
}

// loaded returns the module of a text, and a kernel of it.
func loaded(b *testing.B, text, name string) (*vop.Module, *vop.Kernel) {
	b.Helper()
	module, err := vop.Load(name, text)
	if err != nil {
		b.Fatal(err)
	}
	kernel, err := module.Kernel(name)
	if err != nil {
		b.Fatal(err)
	}
	return module, kernel
}

// BenchmarkInstructions measures what an instruction takes per thread, in processor time.
func BenchmarkInstructions(b *testing.B) {
	for _, s := range singles {
		b.Run(s.name, func(b *testing.B) {
			if s.name == "fma.rz.f64" && os.Getenv("VOP_ENGINE") == "portable" {
				b.Skip("a launch takes minutes: as a step it computes with numbers of any length")
			}
			module, kernel := loaded(b, microText(s), "micro")
			d := &device{module: module}
			out, picture := d.upload(make([]uint32, microThreads)), d.texture(make([]byte, 64*64), 64, 64)
			if d.err != nil {
				b.Fatal(d.err)
			}
			kernel = kernel.With(vop.LaunchOptions{Workers: 1})
			launch := func() {
				if err := kernel.Launch(context.Background(), vop.Grid{X: microThreads / 256}, vop.Block{X: 256}, out, picture); err != nil {
					b.Fatal(err)
				}
			}
			launch() // builds machine code
			var each []float64
			for b.Loop() {
				before := cputime.Now()
				launch()
				each = append(each, float64(cputime.Now()-before)/float64(microThreads*turns*repeats*chains*s.each))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(middle(each), "ns/thread-instruction")
		})
	}
}

// BenchmarkEmptyLaunch measures a launch of a kernel that does nothing, with a warp and with a thousand blocks.
func BenchmarkEmptyLaunch(b *testing.B) {
	_, kernel := loaded(b, ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n", "empty")
	kernel = kernel.With(vop.LaunchOptions{Workers: 1})
	for blocks, threads := range map[int]int{1: 32, 1000: 256} {
		b.Run(fmt.Sprintf("%dx%d", blocks, threads), func(b *testing.B) {
			for b.Loop() {
				if err := kernel.Launch(context.Background(), vop.Grid{X: blocks}, vop.Block{X: threads}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// gridBarriers is a kernel whose threads meet over all blocks, again and again.
const gridBarriers = `.version 7.0
.target sm_80
.address_size 64
.visible .entry meet(.param .u64 count, .param .u32 rounds)
{
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [count];
	ld.param.u32 %r1, [rounds];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %nctaid.x;
	mov.u32 %r4, 0;
ROUND:
	add.u32 %r4, %r4, %r3;
	bar.sync 0;
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra MET;
	fence.acq_rel.gpu;
	red.global.add.u32 [%rd1], 1;
WAIT:
	ld.relaxed.gpu.global.u32 %r5, [%rd1];
	setp.lt.u32 %p2, %r5, %r4;
	@%p2 bra WAIT;
	fence.acq_rel.gpu;
MET:
	bar.sync 0;
	sub.u32 %r1, %r1, 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra ROUND;
	ret;
}
`

// BenchmarkGridBarrier measures a barrier of all blocks, as cooperative launches have it, with a worker for each block:
// as many as the processor has cores, and four times as many.
func BenchmarkGridBarrier(b *testing.B) {
	module, kernel := loaded(b, gridBarriers, "meet")
	for _, each := range []int{1, 4} {
		b.Run(fmt.Sprintf("%d to a core", each), func(b *testing.B) {
			blocks := each * runtime.GOMAXPROCS(0)
			kernel := kernel.With(vop.LaunchOptions{Workers: blocks})
			d := &device{module: module}
			const rounds = 100
			for b.Loop() {
				count := d.upload(make([]uint32, 1))
				if d.err != nil {
					b.Fatal(d.err)
				}
				if err := kernel.Launch(context.Background(), vop.Grid{X: blocks}, vop.Block{X: 128}, count, uint32(rounds)); err != nil {
					b.Fatal(err)
				}
				count.Free()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*rounds), "µs/barrier")
		})
	}
}

// sized is a kernel with so many instructions of different kinds, some of them in loops.
func sized(instructions int) string {
	text := microText(single{})
	begin, end, _ := strings.Cut(text, "TURN:\n")
	_, end, _ = strings.Cut(end, "bra TURN;\n")
	kinds := []string{
		"add.u32 %rI, %rI, %rJ;", "fma.rn.f32 %fI, %fI, %f8, %fJ;", "vmax4.s32.s32.s32 %rI, %rI, %rJ, %r8;", "shl.b32 %rI, %rJ, 3;",
		"vabsdiff4.u32.u32.u32.add %rI, %rI, %rJ, %r8;", "min.f32 %fI, %fI, %fJ;", "add.u64 %rdI, %rdI, %rdJ;", "lop3.b32 %rI, %rI, %rJ, %r9, 0x96;",
		"setp.lt.u32 %p1, %rI, %rJ;", "selp.b32 %rI, %rI, %rJ, %p1;",
	}
	var t strings.Builder
	t.WriteString(begin)
	const others = 60 // instructions besides
	for n := range instructions - others {
		if n%100 == 0 {
			fmt.Fprintf(&t, "L%d:\n", n)
		}
		line := strings.ReplaceAll(kinds[n%len(kinds)], "I", fmt.Sprint(n%chains))
		t.WriteString("\t" + strings.ReplaceAll(line, "J", fmt.Sprint((n+1)%chains)) + "\n")
		if n%100 == 99 {
			fmt.Fprintf(&t, "\tadd.u32 %%r23, %%r23, 1;\n\tsetp.lt.u32 %%p0, %%r23, %d;\n\t@%%p0 bra L%d;\n", n/25, n-99)
		}
	}
	return t.String() + end
}

// BenchmarkBuild measures what it takes from text to machine code, which is made when a kernel is first launched.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000} {
		text := sized(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var load, build, launch []float64
			for b.Loop() {
				at := cputime.Now()
				lap := func(to *[]float64) {
					now := cputime.Now()
					*to = append(*to, float64(now-at)/1e6)
					at = now
				}
				module, err := vop.Load("sized", text)
				if err != nil {
					b.Fatal(err)
				}
				lap(&load)
				kernel, err := module.Kernel("micro")
				if err != nil {
					b.Fatal(err)
				}
				lap(&build)
				out, err := vop.NewBuffer(module, "out", make([]uint32, 32))
				if err != nil {
					b.Fatal(err)
				}
				if err := kernel.With(vop.LaunchOptions{Workers: 1}).Launch(context.Background(), vop.Grid{X: 1}, vop.Block{X: 32}, out, uint64(0)); err != nil {
					b.Fatal(err)
				}
				lap(&launch)
			}
			b.ReportMetric(middle(load), "load-ms")
			b.ReportMetric(middle(build), "build-ms")
			b.ReportMetric(middle(launch), "launch-ms")
		})
	}
}
