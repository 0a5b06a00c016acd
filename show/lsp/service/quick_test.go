package service

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/show/lsp/text"
)

const oneFunction = `.version 7.8
.target sm_80
.address_size 64
.global .u32 table[4];
.func (.reg .u32 %out) helper(.reg .u32 %in);
.visible .entry a(.param .u64 p)
{
	.reg .b32 %r<9>;
	.reg .pred %p<3>;
	.reg .u64 %rd<4>;
	.loc 1 5 0
	vadd4.s32.s32.s32.sat %r1, %r2, %r3, %r4;
	vadd.s32.s32.s32 %r1.h1, %r2, %r3, %r4;
	.loc 1 6 0
	call (%r2), helper, (%r1);
	ld.global.u32 %r4, [table+4];
	add.u32 %r99, %q, %r1;
	{
		.reg .b32 %x;
		vadd.s32.s32.s32 %x.h1, %r2, %r3, %r4; // a comment
		mov.u32 %x, 7;
	inner:
		@%p1 bra inner;
		sub.u32 %x, %rd1, %q;
		{ add.u32 %x, %x, 1;
		mul.lo.u32 %x, %x, %x; }
		ret;
	}
	.shared .b8 data[100];
targets:
	.branchtargets L, M;
	.reg .b32 %late;
L:
	@%p2 bra L;
	@%r1 bra M;
	/* a
	   comment */
	brx.idx %r1, targets;
	st.global.u32 [between], %late;
	mov.u32 %r3, data;
M:	ret;
}
.global .u32 between;
.func (.reg .u32 %out) helper(.reg .u32 %in)
{
	mov.u32 %out, %nothing;
	ret;
}
`

// placesTold lists what is said, as far as it does not depend on which of several statements comes
// first: what a name that is not declared may have been meant to be is told at one of them.
func placesTold(a *Analysis) string {
	d := NewDocument("file:///k.ptx", 1, text.New(a.text, text.UTF16), a)
	var s strings.Builder
	for i := range d.findings {
		f := d.diagnostic(&d.findings[i])
		message := f.Message
		if f.Code == string(diag.UndeclaredName) {
			message, _, _ = strings.Cut(message, " is not declared")
			message, _, _ = strings.Cut(message, "\n")
		}
		fmt.Fprintf(&s, "%d:%d-%d:%d %s %s\n", f.Range.Start.Line, f.Range.Start.Character, f.Range.End.Line, f.Range.End.Character, f.Code, message)
	}
	return s.String()
}

// TestQuick holds what is told at once of a change in a function against the analysis of the whole.
func TestQuick(t *testing.T) {
	if all := told(Analyse("k.ptx", oneFunction)); strings.Contains(all, "syntax-") || strings.Count(all, "\n") < 8 {
		t.Fatal(all)
	}
	quick, whole := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := Analyse("k.ptx", oneFunction)
		content := oneFunction
		first := strings.Index(content, "{") // of the body
		at := rapid.IntRange(first, len(content)).Draw(t, "at")
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			// Near each other, as a person types.
			start := min(len(content), at+rapid.IntRange(0, 12).Draw(t, "start"))
			end := min(len(content), start+rapid.SampledFrom([]int{0, 0, 1, 1, 3, 12}).Draw(t, "length"))
			fresh := rapid.SampledFrom([]string{
				"", "", " ", "\n", "x", ";", "%r1", "{", "}", "/*", "*/", "//", "\"", ".", ",", ":", "L:", ".entry z(){ret;}\n", "\tvsub4.u32.u32.u32 %r1, %r2, %r3, %r4;\n", "mov.u32 %r1, 1;", ".reg .u32 %y;", "\U0001d54f", "\xff", "\x00", "\r\n", "@", "(",
			}).Draw(t, "fresh")
			content = content[:start] + fresh + content[end:]
			got, ok := a.Quick(content)
			if !ok {
				whole++
				continue
			}
			quick++
			want := Analyse("k.ptx", content)
			if got.text != content || got.version != want.version || got.sm != want.sm {
				t.Fatal("the text is not that of the change")
			}
			// Text that could not be parsed silences names in its function, in the whole analysis.
			if strings.Contains(told(want), "syntax-") || strings.Contains(told(a), "syntax-") {
				continue
			}
			if placesTold(got) != placesTold(want) {
				t.Fatalf("after %q at %d:\n%s\nof the whole:\n%s\ntext:\n%s", fresh, start, placesTold(got), placesTold(want), content)
			}
		}
	})
	t.Logf("%d changes were told at once, %d not", quick, whole)
	if quick < whole/20 {
		t.Error("hardly any change is told at once")
	}
}
