package syntax

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/read/source"
)

// statementsOfEveryKind has each construct of the grammar once.
var statementsOfEveryKind = []string{
	".version 7.8",
	".target sm_80, debug",
	".address_size 64",
	".file 1 \"a.cu\", 1, 2",
	".pragma \"nounroll\", \"x\";",
	".alias f, g;",
	".extern .shared .align 16 .b8 sm[];",
	".visible .global .align 4 .u32 t[2][2+1] = {{1, -2}, {generic(a)+4, 0xff(b)}}, u = 3;",
	".global .samplerref s = {addr_mode_0 = clamp_to_edge, filter_mode = linear};",
	".global .attribute(.managed, .unified(19, 95)) .s32 g;",
	".reg .v4 .b32 %v<5>, %w;",
	".func (.reg .u32 %res) inc_ptr (.reg .u32 ptr, .reg .u32 inc) { add.u32 %res, ptr, inc; ret; }",
	".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b) .noreturn .maxnreg 3;",
	".visible .entry k (.param .u64 .ptr .global .align 4 p) .maxntid 16, 8*2, 1 .minnctapersm 2 { }",
	".entry nothing { L: { M: ret; } }",
	"P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .u64 _) .noreturn;",
	"T: .branchtargets a, b<3>, c;",
	".loc 1 2 3, function_name $x, inlined_at 1 2 3",
	"@!%p1 bra $L1;",
	"@p add.s32 %r1, -%r2.h0, %r3.b3;",
	"vadd4.sat.s32.s32.s32 %r1.b10, %r2.b7654, %r3, %r4;",
	"vshl.u32.u32.u32.add.clamp %r1, %r2, 32, %r4;",
	"call.uni (r), f, (a, 1, _), P;",
	"call (), f, ();",
	"setp.eq.and.s32 p|q, a, b, !c;",
	"tex.2d.v4.f32.s32 {%f1, %f2, _, %f3}, [t, {x, y}];",
	"ld.global.nc.L2::128B.u32 %r1, [%rd1+-4].unified;",
	"st.shared::cta.u32 [a + 4 * (2 + 1)], a[3];",
	"mov.b32 x, (1 + 2) * 3 % 4 << 5 | ~-6 & !7 == (.s64) 8 ? 9 : - - 1;",
	"mov.f64 d, 0d3ff0000000000000; mov.f32 f, 1.5e-3;",
	"shfl.up.b32 a|p, b, %laneid + 31, 0x0;",
	"ret;",
}

// joints are what may stand between two tokens instead of a blank.
var joints = []string{" ", "\t", "\n", "\r\n", "\n\n\n", " /* c */ ", "// c\n", "\n// c \n", "\n\n/* c\n  d */\n", " // c\r\n", "/**/", "/* e\n */", "\f"}

// relaid draws a layout of a text: comments, blanks and ends of lines between any two tokens.
func relaid(t *rapid.T, text string) string {
	var b strings.Builder
	l := lexer{src: source.New("", text), text: text}
	for l.next(); l.kind != endOfFile; l.next() {
		if l.start > l.lastEnd || rapid.IntRange(0, 4).Draw(t, "break") == 0 {
			b.WriteString(rapid.SampledFrom(joints).Draw(t, "joint"))
		}
		b.WriteString(text[l.start:l.end])
	}
	b.WriteString(rapid.SampledFrom(joints).Draw(t, "end"))
	return b.String()
}

// TestEveryLayout: the layout of a text changes neither its tree nor what the
// formatter makes of its tokens, and no comment is lost.
func TestEveryLayout(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chosen := rapid.SliceOfN(rapid.SampledFrom(statementsOfEveryKind), 1, 5).Draw(rt, "statements")
		text := relaid(rt, strings.Join(chosen, "\n"))
		checkFormat(rt, text)

		plain, _ := Parse(source.New("", strings.Join(chosen, "\n")))
		laid, errs := Parse(source.New("", text))
		if errs != nil {
			rt.Fatal(errs[0].Message)
		}
		plain.Comments, laid.Comments = nil, nil
		if d := treeDiff(plain, laid); d != "" {
			rt.Fatal(d)
		}
	})
}
