package readings_test

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/sem"
)

// found returns the warnings about statements of a kernel.
func found(t testing.TB, statements string) diag.List {
	t.Helper()
	tree, list := syntax.Parse(source.New("k.ptx", diag.Doc{}.Source(statements)))
	module, more := check.Check(tree)
	for _, d := range append(list, more...) {
		if d.Severity == diag.Error {
			t.Fatalf("%s: %s", statements, d.Message)
		}
	}
	return readings.NewFinder().Module(module)
}

// TestWarnings lists instructions with the causes that are named, in order; "" is silence.
func TestWarnings(t *testing.T) {
	for _, test := range []struct{ statement, causes string }{
		{"vadd.s32.s32.s32 %r4.h1, %r1, %r2, %r3;", "Q1"},
		{"vadd.s32.s32.s32 %r4.h0, %r1, %r2, %r3;", ""},
		{"vadd.s32.s32.s32 %r4, %r1, %r2;", ""},
		{"vadd.u32.u32.u32.sat.max %r4, %r1, %r2, %r3;", "Q4 Q5 Q9"},
		{"vadd4.s32.s32.s32.sat %r4, %r1, %r2, %r3;", ""},
		{"@%p1 vadd.u32.u32.u32.sat %r4, %r1, %r2;", "Q4"},

		// Selectors and constants keep the sum from reaching 2^32.
		{"vadd.u32.u32.u32.sat %r4, %r1, %r2.b0;", "Q4"},
		{"vadd.u32.u32.u32.sat %r4, %r1.h0, %r2.b0;", ""},
		{"vadd.u32.u32.u32.sat %r4, %r1, 1;", "Q4"},
		{"vadd.u32.u32.u32.sat %r4, %r1, 0;", ""},
		{"vadd.u32.u32.u32.sat %r4, 7, 8;", ""},
		{"vadd.u32.u32.u32.sat %r4, 0xffffffff, 1;", "Q4"},
		{"vset.s32.u32.eq.max %r4, %r1, %r2, %r3;", "Q7"},
		{"vset.s32.u32.eq.max %r4, %r1, %r2, 5;", ""},
		{"vset.s32.u32.eq.max %r4, %r1, %r2, -5;", "Q7"},
		{"vshl.u32.u32.u32.clamp.max %r4, %r1, %r2, %r3;", "Q5 Q10"},
		{"vshl.u32.u32.u32.clamp.max %r4, %r1.b0, 4, %r3;", ""},
		{"vmad.u32.u32.u32.shr7 %r4, 5, 5, 5;", ""},

		// The difference of a register and itself is not negative.
		{"vsub.s32.s32.s32.sat %r4.b1, %r1, %r2, %r3;", "Q3"},
		{"vsub.s32.s32.s32.sat %r4.b1, %r1, %r1, %r3;", ""},
		{"vsub.s32.s32.s32.sat %r4.b1, %r1.b0, %r1.b1, %r3;", "Q3"},
		{"vmin.u32.s32.s32.max %r4, %r1, %r2, %r1;", "Q5"},

		// Ruling R16: c has no effect.
		{"vadd.u32.u32.u32.sat %r4, %r1, %r2, %r3;", "Q4"},
		{"vadd.u32.u32.u32 %r4, %r1, %r2, %r3;", ""},
	} {
		list := found(t, test.statement)
		if test.causes == "" {
			for _, d := range list {
				t.Errorf("%s: %s", test.statement, d.Message)
			}
			continue
		}
		if len(list) != 1 {
			t.Errorf("%s: %d warnings, want 1", test.statement, len(list))
			continue
		}
		d := list[0]
		var causes []string
		for _, rule := range sem.Rules() {
			if strings.Contains(d.Message, "("+rule.Name+")") {
				causes = append(causes, rule.Name)
			}
		}
		if got := strings.Join(causes, " "); got != test.causes || d.Severity != diag.Warning || d.Code != diag.ReadingsDiffer {
			t.Errorf("%s: %v %s because of %s, want %s", test.statement, d.Severity, d.Code, got, test.causes)
		}
	}
}

// TestEveryRule warns about the instruction of every rule, and gives operands with the
// values that sem computes, and what to write instead.
func TestEveryRule(t *testing.T) {
	for _, rule := range sem.Rules() {
		f, err := conform.ParseForm(rule.Form)
		if err != nil {
			t.Fatal(err)
		}
		list := found(t, f.Spell("%r4", "%r1", "%r2", "%r3"))
		if len(list) != 1 {
			t.Fatalf("%s: %d warnings", rule.Name, len(list))
		}
		text := list[0].Message + "\n" + strings.Join(list[0].Notes, "\n")
		for _, part := range []string{rule.Title + " (" + rule.Name + ")", "the same in both: " + rule.Instead, " by the manual, 0x"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is missing in\n%s", rule.Name, part, text)
			}
		}
	}
}

// TestAsm warns at the place in the C source, operands of unknown value included.
func TestAsm(t *testing.T) {
	src := source.New("k.cu", `int f(int a) { int d; asm("vadd.u32.u32.u32.sat %0, %1, %2;\n\tvadd.u32.u32.u32.sat %0, %1, 0;" : "=r"(d) : "r"(a), "n"(7)); return d; }`)
	statements, list := inline.Find(src)
	if len(list) > 0 || len(statements) != 1 {
		t.Fatalf("%d statements, %v", len(statements), list)
	}
	body, _ := check.AsmBody(&statements[0])
	warnings := readings.NewFinder().Body(statements[0].Text, body)
	if len(warnings) != 1 {
		t.Fatalf("%d warnings, want 1", len(warnings))
	}
	file, at := warnings[0].File.Outermost(warnings[0].Span)
	if got := file.Text[at.Start:at.End]; file != src || got != "vadd" || int(at.Start) != strings.Index(src.Text, "vadd") {
		t.Errorf("the warning is at %q in %s", got, file.Name)
	}
}

// BenchmarkSearch asks about forms that take the longest: those with a rule, but no
// operands for it.
func BenchmarkSearch(b *testing.B) {
	var body []check.Inst
	for _, statement := range []string{
		"vshl.u32.u32.u32.clamp.max %r4, %r1.b0, 4, %r3;",
		"vset.s32.u32.eq.max %r4, %r1, %r2, 5;",
		"vadd.u32.u32.u32.sat %r4, %r1.h0, %r2.b0;",
	} {
		tree, _ := syntax.Parse(source.New("k.ptx", diag.Doc{}.Source(statement)))
		module, _ := check.Check(tree)
		for _, in := range module.Functions[0].Body {
			if in.Video != nil && in.Video.Form != (isa.Form{}) {
				body = append(body, in)
			}
		}
	}
	src := source.New("k.ptx", "")
	for b.Loop() {
		if list := readings.NewFinder().Body(src, body); len(list) > 0 {
			b.Fatal(list[0].Message)
		}
	}
}
