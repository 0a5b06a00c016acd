package selfcheck

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// The verdicts: what the first of the words holds after the launch.
const (
	AsManual   = 1 // every value is the manual's
	AsCompiled = 2 // every value is the one that ptxas compiles for sm_86, and some are not the manual's
	Neither    = 3
)

// The kernel of every file, and how many words it writes.
const (
	Kernel = "selfcheck"
	Words  = 5
)

// Hash returns the hash that an implementation leaves that follows a reading: FNV-1a, by words, of all values.
func Hash(vectors []conform.Tagged, r sem.Reading) uint32 {
	h := uint32(hashBasis)
	for _, v := range vectors {
		h = (h ^ v.Want[r]) * hashPrime
	}
	return h
}

const (
	hashBasis = 0x811c9dc5
	hashPrime = 0x01000193
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
// Launch %s with one thread and the address of five words. The first holds then:
//   1  every value is the manual's
//   2  every value is as compiled for sm_86, and some are not the manual's
//   3  neither; the next three hold the number of a vector, the value, and the manual's
//      (or the number %d: each value is the one or the other, but not all are the same one's)
// The fifth is the hash of all values, FNV-1a by words.
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

.visible .entry %[5]s(.param .u64 verdict)
{
	.reg .pred %%p<5>;
	.reg .b32 %%r<16>;
	.reg .b64 %%rd<3>;

	ld.param.u64 %%rd1, [verdict];
	cvta.to.global.u64 %%rd1, %%rd1;
	mov.u64 %%rd2, vectors;
	mov.u32 %%r7, 0;  // the number of the vector
	mov.u32 %%r8, %[1]d;  // the number of the first that is neither
	mov.u32 %%r9, 0;  // 1: a value is not the manual's
	mov.u32 %%r10, 0; // 1: a value is not as compiled
	mov.u32 %%r12, 0; // the value of the vector r8
	mov.u32 %%r13, 0; // and the manual's
	mov.u32 %%r14, 0x%[2]x; // the hash
next:
	ld.const.u32 %%r1, [%%rd2];
	ld.const.u32 %%r2, [%%rd2+4];
	ld.const.u32 %%r3, [%%rd2+8];
	ld.const.u32 %%r5, [%%rd2+12];
	ld.const.u32 %%r6, [%%rd2+16];
	%[3]s
	xor.b32 %%r14, %%r14, %%r4;
	mul.lo.u32 %%r14, %%r14, 0x%[4]x;
	setp.ne.u32 %%p1, %%r4, %%r5;
	setp.ne.u32 %%p2, %%r4, %%r6;
	@%%p1 mov.u32 %%r9, 1;
	@%%p2 mov.u32 %%r10, 1;
	and.pred %%p3, %%p1, %%p2;
	setp.eq.u32 %%p4, %%r8, %[1]d;
	and.pred %%p3, %%p3, %%p4;
	@%%p3 mov.u32 %%r8, %%r7;
	@%%p3 mov.u32 %%r12, %%r4;
	@%%p3 mov.u32 %%r13, %%r5;
	add.u64 %%rd2, %%rd2, 20;
	add.u32 %%r7, %%r7, 1;
	setp.lt.u32 %%p4, %%r7, %[1]d;
	@%%p4 bra next;
	add.u32 %%r11, %%r9, 1;
	and.b32 %%r15, %%r9, %%r10;
	setp.ne.u32 %%p4, %%r15, 0;
	@%%p4 mov.u32 %%r11, 3;
	st.global.u32 [%%rd1], %%r11;
	st.global.u32 [%%rd1+4], %%r8;
	st.global.u32 [%%rd1+8], %%r12;
	st.global.u32 [%%rd1+12], %%r13;
	st.global.u32 [%%rd1+16], %%r14;
	ret;
}
`, len(vectors), uint32(hashBasis), f.Spell("%r4", "%r1", "%r2", "%r3"), hashPrime, Kernel)
	return s.Bytes()
}
