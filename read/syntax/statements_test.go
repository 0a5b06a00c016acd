package syntax

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vop-ptx/vop/read/source"
)

// TestStatements shows the trees of declarations, functions and directives.
func TestStatements(t *testing.T) {
	w := func(s string) Word { return Word{Text: s} }
	words := func(list ...string) (all []Word) {
		for _, s := range list {
			all = append(all, w(s))
		}
		return all
	}
	mod := func(s string) Operand { return Operand{Kind: Modifier, Text: s} }
	num := func(s string) Operand { return Operand{Kind: Number, Text: s} }
	name := func(s string) Operand { return Operand{Kind: Name, Text: s} }
	str := func(s string) Operand { return Operand{Kind: String, Text: s} }
	comma := func(o Operand) Operand { o.Comma = true; return o }
	list := func(all ...Operand) []Operand { return all }

	for _, test := range []struct {
		text string
		want []Stmt
	}{
		{".version 7.8 .target sm_80, debug .address_size 64", []Stmt{
			&Directive{Name: w(".version"), Args: list(num("7.8"))},
			&Directive{Name: w(".target"), Args: list(comma(name("sm_80")), name("debug"))},
			&Directive{Name: w(".address_size"), Args: list(num("64"))},
		}},
		{".file 1 \"a.cu\", 5, 6 .loc 1 2 3, function_name $f, inlined_at 4 5 6 .pragma \"x\";", []Stmt{
			&Directive{Name: w(".file"), Args: list(num("1"), comma(str(`"a.cu"`)), comma(num("5")), num("6"))},
			&Directive{Name: w(".loc"), Args: list(num("1"), num("2"), comma(num("3")), name("function_name"), comma(name("$f")), name("inlined_at"), num("4"), num("5"), num("6"))},
			&Directive{Name: w(".pragma"), Args: list(str(`"x"`)), Semicolon: true},
		}},
		{"L: .branchtargets a, b<3>;", []Stmt{
			&Label{Name: w("L")},
			&Directive{Name: w(".branchtargets"), Args: list(comma(name("a")), Operand{Kind: Range, Text: "b", Elems: list(num("3"))}), Semicolon: true},
		}},
		{"P: .callprototype (.param .b32 _) _ (.param .b64 _);", []Stmt{
			&Label{Name: w("P")},
			&Directive{Name: w(".callprototype"), Semicolon: true, Prototype: &Function{
				Returns:   []*Variable{{Space: w(".param"), Attributes: list(mod(".b32")), Names: []Declarator{{Name: w("_")}}}},
				Name:      w("_"),
				Params:    []*Variable{{Space: w(".param"), Attributes: list(mod(".b64")), Names: []Declarator{{Name: w("_")}}}},
				HasParams: true,
			}},
		}},
		{".section .debug_info { .b8 0 // }\n}\n.later 1 x, y\nret;", []Stmt{
			&Directive{Name: w(".section"), Args: list(mod(".debug_info")), Body: "{ .b8 0 // }\n}"},
			&Directive{Name: w(".later"), Args: list(num("1"), comma(name("x")), name("y"))},
			&Instruction{Name: w("ret")},
		}},
		{".reg .v2 .b32 %r<5>, %x;", []Stmt{
			&Variable{Space: w(".reg"), Attributes: list(mod(".v2"), mod(".b32")), Semicolon: true, Names: []Declarator{
				{Name: w("%r"), Count: num("5"), HasCount: true}, {Name: w("%x")},
			}},
		}},
		{".visible .global .align 4 .attribute(.unified(1, 2)) .u32 t[2][] = {{1}, {g}};", []Stmt{
			&Variable{
				Linkage: words(".visible"), Space: w(".global"),
				Attributes: list(mod(".align"), num("4"), Operand{Kind: Modifier, Text: ".attribute", Elems: list(
					Operand{Kind: Modifier, Text: ".unified", Elems: list(num("1"), num("2"))})}, mod(".u32")),
				Names: []Declarator{{Name: w("t"), Dims: list(num("2"), Operand{}), Init: &Operand{Kind: Vector, Elems: list(
					Operand{Kind: Vector, Elems: list(num("1"))}, Operand{Kind: Vector, Elems: list(name("g"))})}}},
				Semicolon: true,
			},
		}},
		{".extern .func f;", []Stmt{&Function{Linkage: words(".extern"), Kind: w(".func"), Name: w("f")}}},
		{".entry k(.param .u64 .ptr .global .align 8 p) .maxntid 1, 2 { @!p bra L; }", []Stmt{
			&Function{
				Kind: w(".entry"), Name: w("k"), HasParams: true,
				Params: []*Variable{{
					Space: w(".param"), Names: []Declarator{{Name: w("p")}},
					Attributes: list(mod(".u64"), mod(".ptr"), mod(".global"), mod(".align"), num("8")),
				}},
				Directives: []*Directive{{Name: w(".maxntid"), Args: list(comma(num("1")), num("2"))}},
				Body: &Block{Stmts: []Stmt{
					&Instruction{Guard: Guard{Not: true, Name: w("p")}, Name: w("bra"), Operands: list(name("L"))},
				}},
			},
		}},
		{"call.uni (r), f, (a, 1), P;", []Stmt{
			&Instruction{Name: w("call"), Modifiers: words(".uni"), Operands: list(
				Operand{Kind: List, Elems: list(name("r"))}, name("f"), Operand{Kind: List, Elems: list(name("a"), num("1"))}, name("P"))},
		}},
		{"ld.shared::cta.L2::128B.u32 a, [b];", []Stmt{
			&Instruction{Name: w("ld"), Modifiers: words(".shared::cta", ".L2::128B", ".u32"), Operands: list(name("a"), Operand{Kind: Address, Elems: list(name("b"))})},
		}},
		{"@@DWARF .byte 1, 2\nret;", []Stmt{&Directive{Name: w("@@DWARF"), Body: " .byte 1, 2"}, &Instruction{Name: w("ret")}}},
	} {
		t.Run(test.text, func(t *testing.T) {
			f, errs := Parse(source.New("t.ptx", test.text))
			if errs != nil {
				t.Fatal(errs[0].Message)
			}
			if diff := cmp.Diff(test.want, f.Stmts, ignorePlaces, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestType: the type of a variable among its other attributes.
func TestType(t *testing.T) {
	for text, want := range map[string]string{
		".reg .b32 %r<5>;": ".b32",
		".reg .v4 .f32 v;": ".f32",
		".global .align 8 .attribute(.managed) .b8 x;": ".b8",
		".param .u64 .ptr .shared .align 4 p;":         ".u64",
		".global .texref t;":                           ".texref",
		".reg x;":                                      "",
	} {
		f, errs := Parse(source.New("t.ptx", text))
		if errs != nil {
			t.Fatal(errs[0].Message)
		}
		if got := f.Stmts[0].(*Variable).Type().Text; got != want {
			t.Errorf("%s: type %q, want %q", text, got, want)
		}
	}
}

// TestPlaces: every statement, word and operand lies where its text is.
func TestPlaces(t *testing.T) {
	text, err := os.ReadFile("testdata/canonical.ptx")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := Parse(source.New("canonical.ptx", string(text)))
	at := func(s source.Span) string { return string(text[s.Start:s.End]) }
	var operands func(list []Operand, within source.Span)
	operands = func(list []Operand, within source.Span) {
		for i := range list {
			o := &list[i]
			if o.Start < within.Start || o.End > within.End || o.Start >= o.End {
				t.Errorf("operand %q is not in %q", at(o.Span()), at(within))
			}
			word := Word{o.Text, o.Pos}
			if got := at(word.Span()); got != o.Text {
				t.Errorf("operand %q stands at %q", o.Text, got)
			}
			if got := at(o.Selector.Span()); o.Selector.Text != "" && got != o.Selector.Text {
				t.Errorf("selector %q stands at %q", o.Selector.Text, got)
			}
			operands(o.Elems, o.Span())
		}
	}
	instructions := 0
	for s := range All(f.Stmts) {
		span := s.Span()
		if i, ok := s.(*Instruction); ok {
			instructions++
			for _, w := range append([]Word{i.Name}, i.Modifiers...) {
				if got := at(w.Span()); got != w.Text {
					t.Errorf("%q stands at %q", w.Text, got)
				}
			}
			if end := text[span.End-1]; end != ';' {
				t.Errorf("%q does not end with its semicolon", at(span))
			}
			operands(i.Operands, span)
		}
	}
	if instructions == 0 {
		t.Error("no instructions")
	}
}

// TestEndsOfLines: the last line needs no end.
func TestEndsOfLines(t *testing.T) {
	for _, text := range []string{"ret; // end", "ret; /* end */", "ret;\r", "ret;\r\n", "ret;\f"} {
		if f, errs := Parse(source.New("t.ptx", text)); errs != nil || len(f.Stmts) != 1 {
			t.Errorf("%q: %v", text, errs)
		}
	}
}
