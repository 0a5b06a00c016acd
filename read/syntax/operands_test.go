package syntax

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vop-ptx/vop/read/source"
)

// Where an operand stands does not matter to what it is.
var ignorePlaces = cmp.Options{
	cmpopts.IgnoreTypes(source.Pos(0), span{}),
}

func TestOperands(t *testing.T) {
	name := func(s string) Operand { return Operand{Kind: Name, Text: s} }
	num := func(s string) Operand { return Operand{Kind: Number, Text: s} }
	expr := func(op string, elems ...Operand) Operand { return Operand{Kind: Expr, Text: op, Elems: elems} }
	address := func(elems ...Operand) Operand { return Operand{Kind: Address, Elems: elems} }

	for _, test := range []struct {
		text string
		want Operand
	}{
		{"%r1", name("%r1")},
		{"%r1.b0", Operand{Kind: Name, Text: "%r1", Selector: Word{Text: ".b0"}}},
		{"%tid .x", Operand{Kind: Name, Text: "%tid", Selector: Word{Text: ".x"}}},
		{"-%r1.h1", Operand{Kind: Name, Neg: '-', Text: "%r1", Selector: Word{Text: ".h1"}}},
		{"!p", Operand{Kind: Name, Neg: '!', Text: "p"}},
		{"_", Operand{Kind: Sink, Text: "_"}},
		{"42", num("42")},
		{"-1", Operand{Kind: Number, Neg: '-', Text: "1"}},
		{"0x1fU", num("0x1fU")},
		{"0b101", num("0b101")},
		{"0f3f800000", num("0f3f800000")},
		{"0d3FF0000000000000", num("0d3FF0000000000000")},
		{"1.5e-3", num("1.5e-3")},
		{".5", num(".5")},
		{"1.", num("1.")},
		{"5.b0", Operand{Kind: Number, Text: "5", Selector: Word{Text: ".b0"}}},
		{"{a, _}", Operand{Kind: Vector, Elems: []Operand{name("a"), {Kind: Sink, Text: "_"}}}},
		{"p|q", Operand{Kind: Pair, Elems: []Operand{name("p"), name("q")}}},
		{"3|q", expr("|", num("3"), name("q"))},
		{"%laneid + 31", expr("+", name("%laneid"), num("31"))},
		{"[%rd1]", address(name("%rd1"))},
		{"[a+4]", address(expr("+", name("a"), num("4")))},
		{"[a-4]", address(expr("-", name("a"), num("4")))},
		{"[a+-4]", address(expr("+", name("a"), Operand{Kind: Number, Neg: '-', Text: "4"}))},
		{"[tex, {x, y}]", address(name("tex"), Operand{Kind: Vector, Elems: []Operand{name("x"), name("y")}})},
		{"a[3]", Operand{Kind: Address, Text: "a", Elems: []Operand{num("3")}}},
		{"[a].unified", Operand{Kind: Address, Elems: []Operand{name("a")}, Selector: Word{Text: ".unified"}}},
		{"1+2*3", expr("+", num("1"), expr("*", num("2"), num("3")))},
		{"1-2-3", expr("-", expr("-", num("1"), num("2")), num("3"))},
		{"(1+2)*3", expr("*", Operand{Kind: Expr, Parens: 1, Text: "+", Elems: []Operand{num("1"), num("2")}}, num("3"))},
		{"1<<4|3&1==2", expr("|", expr("<<", num("1"), num("4")), expr("&", num("3"), expr("==", num("1"), num("2"))))},
		{"1?2:3?4:5", expr("?", num("1"), num("2"), expr("?", num("3"), num("4"), num("5")))},
		{"--1", expr("-", Operand{Kind: Number, Neg: '-', Text: "1"})},
		{"~-(1)", expr("~", expr("-", Operand{Kind: Number, Parens: 1, Text: "1"}))},
		{"(.s64)5+1", expr("+", expr(".s64", num("5")), num("1"))},
		{"generic(a)+16", expr("+", expr("generic", name("a")), num("16"))},
		{"0xff00(a+4)", expr("0xff00", expr("+", name("a"), num("4")))},
	} {
		t.Run(test.text, func(t *testing.T) {
			src := source.New("t.ptx", "mov.b32 d, "+test.text)
			got, errs := ParseInstruction(src)
			if errs != nil {
				t.Fatal(errs[0].Message)
			}
			if diff := cmp.Diff(test.want, got.Operands[1], ignorePlaces, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if o := got.Operands[1]; src.Text[o.Start:o.End] != test.text {
				t.Errorf("span is %q", src.Text[o.Start:o.End])
			}
		})
	}
}
