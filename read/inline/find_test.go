package inline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// TestFind shows what is found in one statement: the text with holes as <?>, the
// operands, and what is wrong, at its line and column in the C file.
func TestFind(t *testing.T) {
	for _, test := range []struct {
		name, source string
		text         string
		operands     string
		errors       []string
	}{
		{
			name:     "plain",
			source:   `asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b[i]), "r"(f(c, ")")));`,
			text:     "vadd4.u32.u32.u32 %0, %1, %2, %3;",
			operands: "=r(d) : r(a), r(b[i]), r(f(c, \")\"))",
		},
		{
			name:     "joined literals, escapes, names, clobbers",
			source:   "__asm__ __volatile__ (\"{ .reg .u32 t;\\n\\t\" /* x */\n  \"mov.u32 t, %[in]; // c\\n\"\n \"mov.u32 %[out], t; }\\x3b\\073\" : [out] \"=&r\" (d) : [in] \"n\" (3) : \"memory\");",
			text:     "{ .reg .u32 t;\n\tmov.u32 t, %[in]; // c\nmov.u32 %[out], t; };;",
			operands: "volatile [out]=&r(d) : [in]n(3)",
			errors:   []string{"3:23: this ';' ends no statement", "3:27: this ';' ends no statement"},
		},
		{
			name:     "percent",
			source:   `asm("mov.u32 %0, %%tid.x; L%=: bra L%=;" : "=r"(x));`,
			text:     "mov.u32 %0, %tid.x; L0: bra L0;",
			operands: "=r(x) :",
		},
		{name: "percent without colons", source: `asm("{ .reg .u32 %t; mov.u32 %t, 1; }");`, text: "{ .reg .u32 %t; mov.u32 %t, 1; }", operands: ":"},
		{
			name:   "raw literal",
			source: "asm volatile(R\"ptx(\n\tmov.u32 %%r1, \"; )\" 2;\n\tret;)ptx\" ::: \"memory\");",
			text:   "\n\tmov.u32 %r1, \"; )\" 2;\n\tret;", operands: "volatile :",
			errors: []string{`2:16: unexpected '"; )"', expected an operand`},
		},
		{
			name:   "error behind escapes",
			source: "void f() {\n  asm(\"add.s32 %0, %0, 1;\\n\\t\"\n      \"add.s32\\t%0, ?, 1;\" : \"+r\"(x));\n}",
			text:   "add.s32 %0, %0, 1;\n\tadd.s32\t%0, ?, 1;", operands: "+r(x) :",
			errors: []string{"3:21: unexpected '?', expected an operand"},
		},
		{
			name:   "macro",
			source: "#define OP(op, d, a) \\\n  asm(\"v\" #op \".u32.u32 %0, %1;\" \\\n  \"ret; add %0;; \" : \"=r\"(d) : \"r\"(a))\nint x;",
			text:   "v<?>.u32.u32 %0, %1;ret; add %0;; ", operands: "=r(d) : r(a)",
			errors: []string{"3:16: this ';' ends no statement", "2:3: this asm statement is read in part: 'op' is a parameter of macro 'OP', which this file does not use"},
		},
		{
			name:   "macro names and calls between literals",
			source: `asm("ld" SPACE ".u32 %0, [%1];" STR(x, ")") : "=r"(v) : PTR(p), "r"(q), MORE);`,
			text:   "ld<?>.u32 %0, [%1];<?>", operands: "=r(v) : (p), r(q) ...",
			errors: []string{"1:10: this asm statement is read in part: 'SPACE' is not defined in this file; 'STR' is not defined in this file; 'PTR' is not defined in this file; 'MORE' is not defined in this file"},
		},
		{name: "a macro of another file for volatile", source: `asm VOLATILE("ret;");`, text: "ret;", operands: ":"},
		{
			name:   "C operands",
			source: `asm("add.%1.%[t] %0, %0, 1;" : "+r"(v) : "C"(name), [t] "C"(type::name));`,
			text:   "add.<?>.<?> %0, %0, 1;", operands: "+r(v) : C(name), [t]C(type::name)",
			errors: []string{`1:1: this asm statement is read in part: operands with the constraint "C" are text that the compiler puts in`},
		},
		{name: "continued literal", source: "asm(\"add.s32 %0, \\\n%0, +;\" : \"+r\"(x));", text: "add.s32 %0, %0, +;", operands: "+r(x) :", errors: []string{"2:6: unexpected ';', expected an operand"}},
		{name: "missing semicolon", source: `asm("membar.gl" ::: "memory");`, text: "membar.gl", operands: ":", errors: []string{"1:15: missing ';' after the instruction"}},
		{name: "apostrophe in a number, quotes in comments", source: "int a = 1'000; // don't \"\nchar c = '\"'; asm(\"ret;\");", text: "ret;", operands: ":"},
		{name: "unbalanced with a hole", source: `asm(BEGIN "ret; }" ::);`, text: "<?>ret; }", operands: ":", errors: []string{"1:5: this asm statement is read in part: 'BEGIN' is not defined in this file"}},
		{name: "unbalanced without", source: `asm("ret; }" ::);`, text: "ret; }", operands: ":", errors: []string{"1:11: '}' closes nothing"}},
		{name: "empty", source: `asm volatile("" ::: "memory");`, text: "", operands: "volatile :"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, errs := Find(source.New("x.cu", test.source))
			if len(found) != 1 {
				t.Fatalf("%d statements", len(found))
			}
			a := found[0]
			if a.File == nil {
				t.Fatal("not taken for PTX")
			}
			if got := strings.ReplaceAll(a.Text.Text, string([]byte{syntax.Hole}), "<?>"); got != test.text {
				t.Errorf("text:\n%q, want\n%q", got, test.text)
			}
			if got := describe(test.source, a); got != test.operands {
				t.Errorf("operands %q, want %q", got, test.operands)
			}
			var got []string
			for _, e := range errs {
				file, at := e.File.Outermost(e.Span)
				p := file.Position(at.Start)
				got = append(got, fmt.Sprintf("%d:%d: %s", p.Line, p.Col, e.Message))
			}
			if diff := cmp.Diff(test.errors, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// describe writes what is outside of the text of a statement.
func describe(text string, a Asm) string {
	var s strings.Builder
	list := func(operands []Operand) {
		for i, o := range operands {
			if i > 0 {
				s.WriteString(",")
			}
			s.WriteString(" ")
			if o.Name != "" {
				s.WriteString("[" + o.Name + "]")
			}
			s.WriteString(o.Constraint + "(" + text[o.Expr.Start:o.Expr.End] + ")")
		}
	}
	if a.Volatile {
		s.WriteString(" volatile")
	}
	list(a.Outputs)
	s.WriteString(" :")
	list(a.Inputs)
	if a.MoreOperands {
		s.WriteString(" ...")
	}
	return s.String()[1:]
}

// TestForeign: the assembly of the host is found but not read.
func TestForeign(t *testing.T) {
	for _, text := range []string{
		`asm("cpuid" : "=a"(a) : "a"(0));`,
		`asm volatile("pause");`,
		`asm volatile("rep; nop" ::: "memory");`,
		`asm("bswap %0" : "+r"(x));`,
		`asm("lock; incl %0" : "+m"(x));`,
		`asm("vadd.s32 q0, q1, q2;" ::: "q0");`,
		`asm(".byte 0x0f; ud2;");`,
		`asm("1: jmp 1b;");`,
		`extern int f(void) __asm__("g");`,
		`asm volatile("fence.i" ::: "memory");`,
	} {
		found, errs := Find(source.New("x.h", text))
		if len(found) != 1 || found[0].File != nil || errs != nil {
			t.Errorf("%s: %v %v", text, found, errs)
		}
	}
}

// TestNone: asm that is no statement, or has no end.
func TestNone(t *testing.T) {
	for _, text := range []string{
		`__asm { mov eax, ebx }`,
		`#define asm __asm__`,
		"#define BEGIN asm volatile(\nint x;",
		"asm(\"ret;\"; int x;",
		`asm("ret;" : "=r"(x`,
		`asm`,
		`// asm("x")`,
		`/* asm("x") */ "asm(\"x\")" 'asm("x")'`,
		`int asm_x("ret;");`,
		`asm("ret;" : ; )`,
		`asm("a" : [x "=r" ; `,
		`asm volatile x y("ret;")`,
		`x = "=r"  `, `printf("=r" "x"); f("=d");`,
		"#if 0\nasm(\"vadd5;\");\n#elif 1 || X\n#else\nasm(\"vadd5;\");\n#endif",
	} {
		if found, errs := Find(source.New("x.cu", text)); len(found) != 0 || errs != nil {
			t.Errorf("%s: %v %v", text, found, errs)
		}
	}
}
