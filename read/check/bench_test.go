package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// compiled returns about n bytes of PTX of the kind that compilers emit: one
// module of many kernels, one instruction in eight a video instruction.
func compiled(n int) string {
	var s strings.Builder
	s.WriteString(".version 7.8\n.target sm_80\n.address_size 64\n\n.global .align 4 .u32 table[4] = {1, 2, 3, 4};\n")
	for k := 0; s.Len() < n; k++ {
		fmt.Fprintf(&s, `
.visible .entry kernel_%d(
	.param .u64 kernel_%[1]d_param_0,
	.param .u64 kernel_%[1]d_param_1,
	.param .u32 kernel_%[1]d_param_2
)
{
	.reg .pred 	%%p<3>;
	.reg .b32 	%%r<402>;
	.reg .b64 	%%rd<205>;

	ld.param.u64 	%%rd1, [kernel_%[1]d_param_0];
	ld.param.u64 	%%rd2, [kernel_%[1]d_param_1];
	ld.param.u32 	%%r1, [kernel_%[1]d_param_2];
	cvta.to.global.u64 	%%rd3, %%rd2;
	mov.u32 	%%r2, %%ctaid.x;
	mov.u32 	%%r3, %%tid.x;
	setp.ge.u32 	%%p1, %%r3, %%r1;
	@%%p1 bra 	$L__BB%[1]d_2;
	.loc	1 %[1]d 5
`, k)
		for i := range 100 {
			r := 4 + 4*i%396
			fmt.Fprintf(&s, `	mul.wide.u32 	%%rd%d, %%r%d, 4;
	add.s64 	%%rd%[3]d, %%rd3, %%rd%[1]d;
	ld.global.u32 	%%r%[2]d, [%%rd%[3]d+%[4]d];
	vadd4.s32.s32.s32.sat 	%%r%[5]d, %%r%[2]d, %%r%[6]d, %%r3;
	xor.b32  	%%r%[6]d, %%r%[5]d, -2139062144;
	shr.u32 	%%r%[7]d, %%r%[6]d, 7;
	and.b32  	%%r%[5]d, %%r%[7]d, 16843009;
	st.global.u32 	[%%rd%[3]d], %%r%[5]d;
`, 4+2*i, r, 5+2*i, 16*i, r+1, r+2, r+3)
		}
		fmt.Fprintf(&s, "$L__BB%d_2:\n\tret;\n\n}\n", k)
	}
	return s.String()
}

// BenchmarkParseCheck is what vop check costs; its figure is in docs/performance.md.
func BenchmarkParseCheck(b *testing.B) {
	for _, size := range []int{20_000, 200_000, 2_000_000} {
		text := compiled(size)
		b.Run(fmt.Sprintf("%dkB", size/1000), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tree, findings := syntax.Parse(source.New("bench.ptx", text))
				module, more := check.Check(tree)
				if len(findings)+len(more) > 0 || len(module.Functions) == 0 {
					b.Fatal(messages(findings), messages(more))
				}
			}
		})
	}
}

// BenchmarkCheck is the part of it that is this package's.
func BenchmarkCheck(b *testing.B) {
	text := compiled(200_000)
	tree, _ := syntax.Parse(source.New("bench.ptx", text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		check.Check(tree)
	}
}

// BenchmarkInstruction is one line of vop eval --tsv.
func BenchmarkInstruction(b *testing.B) {
	for _, text := range []string{
		"vadd4.s32.s32.s32.sat d, a, b, c;",
		"vset4.u32.s32.lt.add d.b10, a.b3333, b.b7654, c;",
		"vadd.u32.s32.u32.sat d.b1, a.h0, b.b3, c;",
		"vmad.s32.s32.u32.sat.shr7 d, a.h0, -b, c;",
	} {
		src := source.New("line", text)
		tree, _ := syntax.ParseInstruction(src)
		b.Run(text[:5], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, findings := check.Instruction(tree, src); findings != nil {
					b.Fatal(messages(findings))
				}
			}
		})
	}
}
