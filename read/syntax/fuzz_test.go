package syntax

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

// FuzzParse holds what the formatter promises, on every text without errors, and
// that the parser gets to the end of every text.
func FuzzParse(f *testing.F) {
	f.Add(".visible .entry k(.param .u64 p)\n.maxntid 256, 1, 1\n{\n.reg .b32 %r<5>;\nL: @!%p1 bra L;\n{ // x\n call (r), f, (a, b), proto; }\n}")
	f.Add(".global .align 4 .u32 t[2][2] = {{1, -2}, {generic(a)+4, 0xff(b)}};\n.section .debug_info { .b8 0 }\n.loc 1 2 3, function_name $x, inlined_at 1 2 3")
	f.Add("vset4.s32.s32.ne%r9, %r8.b0000, -%r1, (1+2)*3, 1?2:3, p|q, a[3], [tex, {x, y}], _, 0f3f800000, 1.5e3;")
	f.Add(".extern .func (.param .b32 r) f(.param .b64 a, // first\n .param .b64 b) .noreturn;\nL: .branchtargets a, b<3>;\nM: .callprototype (.reg .u32 r) _ (.param .b32 _);")
	f.Add("/* a */ add /* b */ .s32 // c\n %r1, // d\n %r2 /* e */, /* f\n */ %r3 // g\n ; // h\n.unknown a b, c\n.global .u32 x[] = {\n1, // i\n2 // j\n};")
	files, _ := filepath.Glob("testdata/*.ptx")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && len(text) < 8<<10 {
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := source.New("fuzz.ptx", text)
		file, errs := Parse(src)
		for _, e := range errs {
			if e.Span.Start < 0 || e.Span.End < e.Span.Start || int(e.Span.End) > len(text) {
				t.Fatalf("%q: span %v of %q", e.Message, e.Span, text)
			}
		}
		if !errs.HasErrors() {
			checkFormat(t, text)
		}
		appendFile(nil, file) // a tree with errors can be printed too
		ParseAsm(src)
	})
}

// FuzzInstruction: one instruction is the same alone, in a file, and in memory used before.
func FuzzInstruction(f *testing.F) {
	for _, s := range statementsOfEveryKind {
		f.Add(s)
	}
	f.Add("@ ! %p1 vset4.s32.s32.ne%r9, %r8.b0000, -%r1.h0, 5")
	f.Fuzz(func(t *testing.T, text string) {
		src := source.New("fuzz.ptx", text)
		alone, errs := ParseInstruction(src)
		if (alone == nil) != errs.HasErrors() {
			t.Fatalf("%v with %v", alone, errs)
		}
		for _, e := range errs {
			if e.Span.Start < 0 || e.Span.End < e.Span.Start || int(e.Span.End) > len(text) {
				t.Fatalf("%q: span %v of %q", e.Message, e.Span, text)
			}
		}
		if alone == nil {
			return
		}
		var p Parser
		used := source.New("", "@p call.uni.b32.x.y.z (r), {f, g}, -1 + 2, [a, {b, c}], d|e")
		if i, errs := p.Instruction(used, source.Span{End: source.Pos(len(used.Text))}); i == nil {
			t.Fatal(errs)
		}
		again, _ := p.Instruction(src, source.Span{End: source.Pos(len(text))})
		if !reflect.DeepEqual(alone, again) {
			t.Fatalf("another tree in memory used before:\n%+v\n%+v", alone, again)
		}
		if !strings.HasSuffix(strings.TrimSpace(text), ";") {
			text += "\n;"
		}
		file, errs := Parse(source.New("fuzz.ptx", text))
		if errs != nil || len(file.Stmts) != 1 {
			return // a comment swallowed the semicolon, or it ends with ; in a comment
		}
		inFile := file.Stmts[0].(*Instruction)
		inFile.End = alone.End
		if !reflect.DeepEqual(alone, inFile) {
			t.Fatalf("another tree in a file:\n%+v\n%+v", alone, inFile)
		}
		checkFormat(t, text)
	})
}
