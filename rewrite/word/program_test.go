package word

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	a, c := Inst{Op: Input}, Inst{Op: Const, Imm: 1}
	for _, test := range []struct {
		name  string
		insts []Inst
		want  string // part of the message; "" if the program is right
	}{
		{"right", []Inst{a, c, {Op: Add, Arg: [3]Value{0, 1}}}, ""},
		{"itself", []Inst{a, {Op: Not, Arg: [3]Value{1}}}, "v1: not uses v1, which is not computed before it"},
		{"negative", []Inst{a, {Op: Not, Arg: [3]Value{-1}}}, "not computed before it"},
		{"wide as word", []Inst{a, {Op: WideU, Arg: [3]Value{0}}, {Op: Not, Arg: [3]Value{1}}}, "v2: not uses v1, which is of the wrong width"},
		{"word as wide", []Inst{a, {Op: Lo, Arg: [3]Value{0}}}, "wrong width"},
		{"wide result", []Inst{a, {Op: WideU, Arg: [3]Value{0}}}, "the result v1 is wide, want a word"},
		{"fourth operand", []Inst{{Op: Input, Imm: 3}}, "input has the immediate 0x3, want at most 0x2"},
		{"immediate of none", []Inst{a, {Op: Not, Imm: 1}}, "not has the immediate 0x1, want at most 0x0"},
		{"table", []Inst{a, {Op: Logic3, Imm: 256}}, "logic3 has the immediate 0x100, want at most 0xff"},
		{"shift", []Inst{{Op: WideConst, Imm: 1 << 63}, {Op: ShrWideU, Imm: 64}, {Op: Lo, Arg: [3]Value{1}}}, "want at most 0x3f"},
		{"signs", []Inst{a, {Op: Perm, Imm: 0x9210}}, "perm has the selector 9210, which replicates signs: want perm.s"},
		{"mask", []Inst{a, {Op: Select, Arg: [3]Value{0, 0, 0}}}, "select depends on v0, want a comparison"},
		{"no operation", []Inst{{Op: NoOp}}, "no operation has number 0"},
		{"unknown operation", []Inst{{Op: Op(numOps)}}, "no operation has number"},
		{"empty", nil, "the result is v-1 of 0 values"},
	} {
		p := &Program{test.insts, Value(len(test.insts) - 1)}
		err := p.Check()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: the error is %v, want %q", test.name, err, test.want)
		}
	}
}
