package inline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// TestReadings shows the texts that are found in a source, holes as <?>, each with the line
// of its statement, and what is noted.
func TestReadings(t *testing.T) {
	for _, test := range []struct {
		name, source string
		texts        []string
		notes        []string
	}{
		{
			name:   "a macro for asm volatile, for constraints, for all operands",
			source: "#define AV asm volatile\n#define PTR \"l\"\n#define ALL(d, p) \"=r\"(d) : PTR(p)\nAV(\"ld.u32 %0, [%1];\" : ALL(d, p) : \"memory\");",
			texts:  []string{"4: ld.u32 %0, [%1]; =r l"},
		},
		{
			name:   "a macro in a macro in a macro",
			source: "#define S_(x) #x\n#define S(x) S_(x)\n#define T u32\n#define OP(op) asm(S(op) \".\" S(T) \" %0;\" :: \"r\"(a))\n#define BOTH OP(neg); OP(not)\nvoid f() {\n  BOTH;\n}",
			texts:  []string{"7: neg.u32 %0; r", "7: not.u32 %0; r"},
		},
		{
			name:   "macros for the beginning and the end",
			source: "#define BEGIN asm volatile(\"{\" \n#define END \"}\" :: \"r\"(a))\nBEGIN \"ret;\" END;\nint x;",
			texts:  []string{"3: {ret;} r"},
		},
		{
			name:   "macros that call what they are given",
			source: "#define OP(op) asm(#op \".u32;\");\n#define EACH(M) M(add) M(sub)\nEACH(OP)",
			texts:  []string{"3: add.u32;", "3: sub.u32;"},
		},
		{
			name:   "macros that join the name of a macro",
			source: "#define OP_add(x) asm(\"add\" x);\n#define OP_sub(x) asm(\"sub\" x);\n#define DO(op) OP_##op\nDO(add)(\".a;\")\nDO(sub)(\".b;\")",
			texts:  []string{"4: add.a;", "5: sub.b;"},
		},
		{
			name:   "asm as an argument of a macro",
			source: "#define CHECK(x) do { x; } while (0)\n#define OP \"ret\"\nCHECK(asm(OP \";\"));\nOTHER(asm(OP \".uni;\"));",
			texts:  []string{"3: ret;", "4: ret.uni;"},
		},
		{
			name:   "the same by many uses",
			source: "#define OP(d) asm(\"ret;\" : \"=r\"(d))\nOP(a); OP(b);\nOP(c);",
			texts:  []string{"2: ret; =r (and 2 more)"},
		},
		{
			name:   "every branch of an #if in a statement, conditions that are the same together",
			source: "asm(\n#if A\n\"a.u32 %0\"\n#elif defined(B)\n\"b.u32 %0\"\n#else\n\"c\"\n#endif\n\".x;\" :\n#if (A)\n\"=r\"(d)\n#elif defined B\n\"=l\"(d)\n#endif\n);",
			texts:  []string{"1: a.u32 %0.x; =r", "1: b.u32 %0.x; =l", "1: c.x;"},
		},
		{
			name:   "every definition that may be live",
			source: "#if A >= 800\n#define X \"a\"\n#elif A >= 700\n#define X \"b\"\n#else\n#define X \"c\"\n#endif\nasm(X \".x;\");\n#if A >= 750\nasm(X \".y;\");\n#endif",
			texts:  []string{"8: a.x;", "8: c.x;", "8: b.x;", "10: a.y;", "10: b.y;"},
		},
		{
			name:   "an #undef and a definition anew",
			source: "#define X \"a\"\nasm(X \".x;\");\n#undef X\n#define X \"b\"\nasm(X \".x;\");\n#ifdef N\n#undef X\n#define X \"c\"\n#endif\nasm(X \".y;\");",
			texts:  []string{"2: a.x;", "5: b.x;", "10: c.y;", "10: b.y;"},
		},
		{
			name:   "a guard around the file, a default",
			source: "#ifndef H\n#define H\n#ifndef OP\n#define OP \"a\"\n#endif\nasm(OP \".x;\"\n#ifdef H\n\n#else\n\"no\"\n#endif\n);\n#endif",
			texts:  []string{"6: a.x;"},
		},
		{
			name:   "statements that begin in branches and end behind them",
			source: "#if A\nasm(\"a\"\n#elif B\nasm(\"b\"\n#else\nasm(\"c\"\n#endif\n\".x;\");\nasm(\"d.x;\");",
			texts:  []string{"2: a.x;", "4: b.x;", "6: c.x;", "9: d.x;"},
		},
		{
			name:   "statements that end in branches",
			source: "asm(\"a.x;\"\n#if A\n: \"=r\"(d));\n#else\n: \"=l\"(d)); asm(\"b.x;\");\n#endif\nasm(\"c.x;\");",
			texts:  []string{"1: a.x; =r", "1: a.x; =l", "5: b.x;", "7: c.x;"},
		},
		{
			name:   "what is dead",
			source: "#define ON 0\n#if 0\nasm(\"a.x;\");\n#elif ON\nasm(\"b.x;\");\n#define X \"no\"\n#else\nasm(\"c.x;\");\n#if 1\n#define X \"d\"\n#else\nasm(\"don't.x;\");\n#endif\n#endif\nasm(X \".x;\"\n#if 0\n\"no\"\n#endif\n);",
			texts:  []string{"8: c.x;", "15: d.x;"},
		},
		{
			name:   "what macros do not use",
			source: "#define OP(op, x) asm(\"a\" #op \".u32;\" x \"ret;\")\n#define NEXT asm(\"b.x;\")\n#define NONE(x) #x",
			texts:  []string{"1: a<?>.u32;<?>ret;", "2: b.x;"},
			notes:  []string{"1:19: this asm statement is read in part: 'op' is a parameter of macro 'OP', which this file does not use; 'x' is a parameter of macro 'OP', which this file does not use"},
		},
		{
			name:   "other files",
			source: "#include \"ops.h\"\nasm(\n#include \"body.inc\"\n \".x;\" OP);",
			texts:  []string{"2: <?>.x;<?>"},
			notes:  []string{`3:1: this asm statement is read in part: '#include "body.inc"' is another file; 'OP' is not defined in this file`},
		},
		{
			name:   "operands of other files",
			source: "asm(\"a.x;\" : OUT(d), MORE : \"r\"(X));",
			texts:  []string{"1: a.x;  r ..."},
			notes:  []string{"1:14: this asm statement is read in part: 'OUT' is not defined in this file; 'MORE' is not defined in this file"},
		},
		{
			name:   "asm of other files",
			source: "PTX_ASM(\"a.x;\" : \"=r\"(d), \"=r\"(e) : \"r\"(d)); f(\n \"=r\" \"x\");\nPTX_ASM(\"\" ::: \"memory\");",
			notes:  []string{"1:1: this looks like an asm statement, and cannot be read: 'PTX_ASM' is not defined in this file"},
		},
		{
			name:   "a macro without its arguments, one in itself",
			source: "#define F(x) #x\n#define G G \"a\"\nasm(\"a.x;\" F \"b.x;\" G);",
			texts:  []string{"3: a.x;<?>b.x;<?>a"},
			notes:  []string{"3:12: this asm statement is read in part: macro 'F' is not defined here, or is used without arguments; macro 'G' is used in its own expansion, or with the wrong number of arguments"},
		},
		{
			name:   "a host's asm with macros is left alone",
			source: "#define LOCK \"lock; \"\nasm(LOCK \"incl %0\" : \"+m\"(x));\nasm(LOCK_PREFIX \"decl %0\" : \"+m\"(x));",
			texts:  []string{"2: not PTX", "3: not PTX"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := source.New("x.cu", test.source)
			found, list := Find(src)
			list.Sort()
			var texts, notes []string
			for _, a := range found {
				line := fmt.Sprint(src.Position(a.Span.Start).Line) + ": "
				if a.File == nil {
					texts = append(texts, line+"not PTX")
					continue
				}
				line += strings.ReplaceAll(a.Text.Text, string([]byte{syntax.Hole}), "<?>")
				for _, list := range [][]Operand{a.Outputs, a.Inputs} {
					for _, o := range list {
						line += " " + o.Constraint
					}
				}
				if a.MoreOperands {
					line += " ..."
				}
				if via, _ := a.Text.Expansion(source.Span{End: 1}); via != nil && via.More > 0 {
					line += fmt.Sprintf(" (and %d more)", via.More)
				}
				texts = append(texts, line)
			}
			for _, d := range list {
				if d.Code != "asm-not-read" {
					continue
				}
				_, at := d.File.Outermost(d.Span)
				p := src.Position(at.Start)
				notes = append(notes, fmt.Sprintf("%d:%d: %s", p.Line, p.Col, d.Message))
			}
			if diff := cmp.Diff(test.texts, texts); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.notes, notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTooManyReadings: there are bounds, and they are said.
func TestTooManyReadings(t *testing.T) {
	var branches, definitions strings.Builder
	for i := range 100 {
		fmt.Fprintf(&branches, "#if A%d\n\"a%d;\"\n#endif\n", i, i)
		fmt.Fprintf(&definitions, "#if V == %d\n#define X \"b%d;\"\n#endif\n", i, i)
	}
	for text, want := range map[string]string{
		"asm(\"ret;\"" + branches.String() + ");":                 "1:1: this statement is not read in all ways that its #if and macros allow",
		"#if V == 0\n" + definitions.String() + "asm(X);\n#endif": "302:1: a macro here has too many definitions to try them all",
	} {
		found, list := Find(source.New("x.cu", text))
		said := false
		for _, d := range list {
			p := d.File.Position(d.Span.Start)
			said = said || fmt.Sprintf("%d:%d: %s", p.Line, p.Col, d.Message) == want
		}
		if !said || len(found) == 0 || len(found) > mostReadings {
			t.Errorf("%d readings, want %q in %v", len(found), want, list)
		}
	}
}
