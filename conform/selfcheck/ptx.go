package selfcheck

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// The verdicts: what the first of the four words holds after the launch.
const (
	AsManual   = 1 // every value is the manual's
	AsCompiled = 2 // every value is the one that ptxas compiles for sm_86, and some are not the manual's
	Neither    = 3
)

// The kernel of every file, and how many words it writes.
const (
	Kernel = "selfcheck"
	Words  = 4
)

// Verdict returns the verdict on an implementation that follows a reading.
func Verdict(vectors []conform.Tagged, r sem.Reading) uint32 {
	if r == sem.SM86 {
		for _, v := range vectors {
			if v.Want[sem.ISA] != v.Want[sem.SM86] {
				return AsCompiled
			}
		}
	}
	return AsManual
}

// Name returns the name of a form's file, without its ending. It is that of the function that vop emit writes for the
// form: the mnemonic with its modifiers, then n for a sign, the operand's letter and its selector.
func Name(f isa.Form) string {
	parts := strings.Split(f.Mnemonic(), ".")
	operands := strings.TrimSuffix(strings.TrimPrefix(f.String(), f.Mnemonic()), ";")
	for operand := range strings.SplitSeq(operands, ",") {
		if operand = strings.TrimSpace(operand); len(operand) > 1 {
			parts = append(parts, strings.NewReplacer("-", "n", ".", "").Replace(operand))
		}
	}
	return strings.Join(parts, "_")
}

// File returns the PTX file of vectors, all of one form.
func File(vectors []conform.Tagged) []byte {
	f := vectors[0].Form
	var s bytes.Buffer
	fmt.Fprintf(&s, `// A self-check of %v
// Launch %s with one thread and the address of four words. The first holds then:
//   1  every value is the manual's
//   2  every value is as compiled for sm_86, and some are not the manual's
//   3  neither; the others hold the number of a vector, the value, and the manual's
//      (or the number %d: each value is the one or the other, but not all are the same one's)
.version 6.0
.target sm_50
.address_size 64

// a, b, c, the manual's value, the value as compiled for sm_86
.visible .const .align 4 .u32 vectors[%d] = {
`, f, Kernel, len(vectors), 5*len(vectors))
	for i, v := range vectors {
		end := ","
		if i == len(vectors)-1 {
			end = ""
		}
		fmt.Fprintf(&s, "\t0x%08x, 0x%08x, 0x%08x, 0x%08x, 0x%08x%s", v.A, v.B, v.C, v.Want[sem.ISA], v.Want[sem.SM86], end)
		if len(v.Separates) > 0 {
			fmt.Fprintf(&s, " // %s", strings.Join(v.Separates, " "))
		}
		s.WriteByte('\n')
	}
	fmt.Fprintf(&s, `};

.visible .entry %s(.param .u64 verdict)
{
	.reg .pred %%p<5>;
	.reg .b32 %%r<12>;
	.reg .b64 %%rd<3>;

	ld.param.u64 %%rd1, [verdict];
	cvta.to.global.u64 %%rd1, %%rd1;
	mov.u64 %%rd2, vectors;
	mov.u32 %%r7, 0;  // the number of the vector
	mov.u32 %%r8, 1;  // the verdict
	mov.u32 %%r9, 0;  // 1: a value is not the manual's
	mov.u32 %%r10, 0; // 1: a value is not as compiled
next:
	ld.const.u32 %%r1, [%%rd2];
	ld.const.u32 %%r2, [%%rd2+4];
	ld.const.u32 %%r3, [%%rd2+8];
	ld.const.u32 %%r5, [%%rd2+12];
	ld.const.u32 %%r6, [%%rd2+16];
	%s
	setp.ne.u32 %%p1, %%r4, %%r5;
	setp.ne.u32 %%p2, %%r4, %%r6;
	@%%p1 mov.u32 %%r9, 1;
	@%%p2 mov.u32 %%r10, 1;
	and.pred %%p3, %%p1, %%p2;
	@%%p3 bra wrong;
	add.u64 %%rd2, %%rd2, 20;
	add.u32 %%r7, %%r7, 1;
	setp.lt.u32 %%p4, %%r7, %d;
	@%%p4 bra next;
	add.u32 %%r8, %%r9, 1;
	and.b32 %%r11, %%r9, %%r10;
	setp.eq.u32 %%p4, %%r11, 0;
	@%%p4 bra done;
wrong:
	mov.u32 %%r8, 3;
done:
	st.global.u32 [%%rd1], %%r8;
	st.global.u32 [%%rd1+4], %%r7;
	st.global.u32 [%%rd1+8], %%r4;
	st.global.u32 [%%rd1+12], %%r5;
	ret;
}
`, Kernel, f.Spell("%r4", "%r1", "%r2", "%r3"), len(vectors))
	return s.Bytes()
}
