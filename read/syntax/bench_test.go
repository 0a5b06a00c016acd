package syntax

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

// synthetic returns a module of about so many bytes: many kernels of the
// instructions, declarations and comments that compilers write.
func synthetic(size int) string {
	var b strings.Builder
	b.WriteString(".version 7.8\n.target sm_80\n.address_size 64\n\n")
	for k := 0; b.Len() < size; k++ {
		fmt.Fprintf(&b, ".visible .entry kernel_%d(\n\t.param .u64 kernel_%[1]d_param_0,\n\t.param .u32 kernel_%[1]d_param_1\n)\n{\n", k)
		b.WriteString("\t.reg .pred \t%p<2>;\n\t.reg .b32 \t%r<400>;\n\t.reg .b64 \t%rd<5>;\n\n")
		fmt.Fprintf(&b, "\tld.param.u64 \t%%rd1, [kernel_%d_param_0];\n\tcvta.to.global.u64 \t%%rd2, %%rd1;\n", k)
		for i := range 100 {
			fmt.Fprintf(&b, "\t// begin inline asm\n\tvadd4.s32.s32.s32.sat %%r%d, %%r%d, %%r%d, %%r3;\n\t// end inline asm\n", i+4, i+3, i+2)
			fmt.Fprintf(&b, "\tld.global.u32 \t%%r%d, [%%rd2+%d];\n\tadd.s32 \t%%r%d, %%r%d, -%d;\n", i+200, 4*i, i+201, i+200, i)
			fmt.Fprintf(&b, "\tsetp.gt.s32 \t%%p1, %%r%d, 63;\n\t@%%p1 bra \t$L__BB%d_%d;\n$L__BB%[2]d_%[3]d:\n", i, k, i)
		}
		b.WriteString("\tst.global.v2.u32 \t[%rd2], {%r1, %r2};\n\tret;\n\n}\n")
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	bench := func(name, text string) {
		src := source.New(name, text)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, errs := Parse(src); errs != nil {
					b.Fatal(errs[0].Message)
				}
			}
		})
	}
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		bench(filepath.Base(file), string(text))
	}
	bench("initialiser-5MB", ".global .align 1 .b8 data[] = {0"+strings.Repeat(", 255", 1<<20)+"};")
	bench("initialiser-floats-5MB", ".global .align 4 .b32 data[] = {0f00000000"+strings.Repeat(", 0f3f800000", 5<<20/12)+"};")
	bench("initialiser-rows-5MB", ".global .align 1 .b8 data[][4] = {{0}"+strings.Repeat(", {1, 22, 255, -1}", 5<<20/18)+"};")
	bench("initialiser-commented-5MB", ".global .align 1 .b8 data[] = {0"+strings.Repeat(", 1, 22, 255, -1 // four\n", 5<<20/25)+"};")
	bench("initialiser-names-5MB", ".global .align 8 .b64 data[] = {0"+strings.Repeat(", table + 8", 5<<20/11)+"};")
	bench("comments-5MB", strings.Repeat("// a comment of some length, as in listings\n", 5<<20/44))
	for _, megabytes := range []int{1, 5, 25} {
		bench(fmt.Sprintf("synthetic-%dMB", megabytes), synthetic(megabytes<<20))
	}
}

func BenchmarkParseInstruction(b *testing.B) {
	for _, text := range []string{"vadd4.s32.s32.s32.sat d, a, b, c;", "@!%p1 vmad.u32.s32.u32.sat.shr7 %r4, -%r1.h0, %r2.b3, %r3;"} {
		src := source.New("", text)
		all := source.Span{End: source.Pos(len(text))}
		b.Run("alone/"+text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if i, _ := ParseInstruction(src); i == nil {
					b.Fatal("not parsed")
				}
			}
		})
		b.Run("reuse/"+text, func(b *testing.B) {
			b.ReportAllocs()
			var p Parser
			for b.Loop() {
				if i, _ := p.Instruction(src, all); i == nil {
					b.Fatal("not parsed")
				}
			}
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	text := synthetic(1 << 20)
	f, _ := Parse(source.New("", text))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Print(io.Discard, f)
	}
}
