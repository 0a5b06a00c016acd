package inline

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// FuzzInline: every text is read to its end, and all places are in it and in order.
func FuzzInline(f *testing.F) {
	f.Add(`asm volatile("{ .reg .u32 t;\n\t" "vadd4.u32.u32.u32 t, %1, %[x], %1;" X "mov.u32 %0, t; }" : "=r"(d) : "r"(a), [x] "r"(f(b, ")")) : "memory");`)
	f.Add("#define OP(op) \\\n asm(#op \".u32 %0, %1;\" : \"=r\"(d) : P(a))\n#if 0\nasm(R\"x(ret;)x\");\n")
	f.Add("__asm__(\"a\\x3b\\073\\u003b\" :: \"C\"(x)); char c = '\"'; int i = 1'000;// asm(\n/* asm( */")
	f.Add("asm(\"ret;\"\n#if X\n\"}\"\n#endif\n::);")
	f.Add("#define OP(op, ...) asm volatile(#op \".u32 %0, %1;\" :: __VA_ARGS__)\nOP(add, \"r\"(a), \"r\"(b))\n#define V(n) OP_##n\nV(x)(\"ret;\")")
	f.Add("#define A B B\n#define B C C\n#define C A B\n#define F(x, y...) F(x F(x)) #x x##y __VA_OPT__(x)\nasm(A F(F(\"r\"), A) B: \"=r\"(x))")
	f.Add("#if A > 3\n#define X \"a\"\n#elif !defined(B)\n#define X \"b\"\n#else\n#undef X\n#endif\nasm(X\n#ifdef B\n\"c\"\n#else\nX\n#endif\n: \"+r\"(X));\n#define Y asm(\nY \"ret;\")")
	f.Add("# 12 \"a.cu\" 1\n#line 3\n#define E asm(R\"(ret;)\" L\"\\x41\" __LINE__);\nE E\n#if 0\nasm(\"vadd5;\");\n#endif")
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		found, errs := Find(source.New("f.cu", text))
		if d := time.Since(start); d > 5*time.Second {
			t.Fatalf("%d bytes took %v", len(text), d)
		}
		if again, list := Find(source.New("f.cu", text)); len(again) != len(found) || len(list) != len(errs) {
			t.Fatalf("read again, %q gives %d statements and %d messages, not %d and %d", text, len(again), len(list), len(found), len(errs))
		}
		last := source.Pos(0)
		for _, a := range found {
			if a.Span.Start < last || a.Span.End <= a.Span.Start || int(a.Span.End) > len(text) {
				t.Fatalf("statement at %v after %d in %q", a.Span, last, text)
			}
			last = a.Span.Start
			if strings.IndexByte(text, '#') < 0 {
				checkPlaces(t, a)
			}
			for i := range source.Pos(len(a.Text.Text)) {
				_, s := a.Text.Outermost(source.Span{Start: i, End: i + 1})
				if s.Start < 0 || s.End <= s.Start || int(s.End) > len(text) {
					t.Fatalf("byte %d of %q comes from %v of %q", i, a.Text.Text, s, text)
				}
			}
		}
		for _, e := range errs {
			e.AllNotes()
			if _, s := e.File.Outermost(e.Span); s.Start < 0 || s.End < s.Start || int(s.End) > len(text) {
				t.Fatalf("%s at %v in %q", e.Message, s, text)
			}
		}
	})
}

// checkPlaces checks that each byte of the text comes from inside the statement,
// from behind the byte before it.
func checkPlaces(t interface{ Fatalf(string, ...any) }, a Asm) {
	before := a.Span.Start
	for i := range source.Pos(len(a.Text.Text)) {
		_, s := a.Text.Outermost(source.Span{Start: i, End: i + 1})
		if s.Start < before || s.End <= s.Start || s.End > a.Span.End {
			t.Fatalf("byte %d of %q comes from %v, in %v", i, a.Text.Text, s, a.Span)
		}
		before = s.Start
	}
}

// TestEverySpelling: a text is found again, whatever literals it is cut into and
// however its characters are escaped.
func TestEverySpelling(t *testing.T) {
	spell := map[byte][]string{
		'\n': {`\n`, `\012`, `\x0a""`, "\\n\"\n \""},
		'%':  {`%%`},
		'"':  {`\"`, `\042`, `\x22""`},
		'\\': {`\\`, `\134`},
		';':  {`;`, `\073`, `\u003b`, `\x3b""`, `;" /* " */ u8"`, ";\\\n", ";\" // \"\n\""},
		' ':  {" ", `\x20""`, `\t`},
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("add.u32 %r1, \"x\\;\n {}")), 0, 40, -1).Draw(t, "text")
		want := "{" + text
		var c strings.Builder
		for i := range len(want) {
			if ways := spell[want[i]]; ways != nil {
				c.WriteString(rapid.SampledFrom(ways).Draw(t, "spelling"))
			} else {
				c.WriteByte(want[i])
			}
		}
		found, _ := Find(source.New("x.cu", "f(); asm(\""+c.String()+"\" ::); g();"))
		if len(found) != 1 {
			t.Fatalf("%d statements", len(found))
		}
		got := found[0]
		if strings.ReplaceAll(got.Text.Text, "\t", " ") != want {
			t.Fatalf("%q, want %q", got.Text.Text, want)
		}
		checkPlaces(t, got)
		if got.File == nil || got.Holes != 0 || strings.IndexByte(want, syntax.Hole) >= 0 {
			t.Fatalf("%+v", got)
		}
	})
}
