package word

import (
	"strings"
	"testing"
)

// TestParse reads what String writes, for every operation.
func TestParse(t *testing.T) {
	for _, op := range Ops() {
		if op.Args() == 0 {
			continue
		}
		p := &Program{Insts: []Inst{{Op: Input}, {Op: Input, Imm: 1}, {Op: Const, Imm: 10}}}
		args := [3]Value{0, 1, 2}
		if op == Select {
			p.Insts = append(p.Insts, Inst{Op: CmpEq, Arg: [3]Value{0, 2}})
			args[0] = 3
		}
		if op.TakesWide() {
			p.Insts = append(p.Insts, Inst{Op: WideS}, Inst{Op: WideConst, Imm: 1 << 40})
			args = [3]Value{3, 4}
		}
		i := Inst{Op: op}
		copy(i.Arg[:op.Args()], args[:])
		if op.HasImm() {
			i.Imm = op.MaxImm()
			if op == Perm {
				i.Imm = 0x7654
			}
		}
		p.Insts = append(p.Insts, i)
		if op.Wide() {
			p.Insts = append(p.Insts, Inst{Op: Lo, Arg: [3]Value{Value(len(p.Insts) - 1)}})
		}
		p.Result = Value(len(p.Insts) - 1)
		q, err := Parse(p.String())
		if err != nil {
			t.Errorf("%v\n%v", err, p)
			continue
		}
		for _, x := range []uint32{0, 1, 0x80ff7f01, 0xffffffff} {
			if got, want := q.Eval(x, 0x01807fff, 0), p.Eval(x, 0x01807fff, 0); got != want {
				t.Errorf("%08x is %08x, want %08x\n%v\n%v", x, got, want, q, p)
			}
		}
	}
}

// TestParseTellsOperandsFromNumbers: a, b and c are hexadecimal digits too.
func TestParseTellsOperandsFromNumbers(t *testing.T) {
	p := &Program{Insts: []Inst{{Op: Input}, {Op: Const, Imm: 0xa}, {Op: Add, Arg: [3]Value{0, 1}}}, Result: 2}
	if want := "v2 = add a, 0a\nd = v2\n"; p.String() != want {
		t.Errorf("%q, want %q", p, want)
	}
	if q, err := Parse(p.String()); err != nil || q.Eval(1, 0, 0) != 11 {
		t.Errorf("%v\n%v", q, err)
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "no line gives the result",
		"v1 = add a, b\n":                       "no line gives the result",
		"d = v1":                                "v1 is neither a value",
		"d = a\nv1 = add a, b":                  "stands after the result",
		"v1 add a, b\nd = v1":                   "expected \"NAME = OPERATION ARGUMENTS\"",
		"v1 = plus a, b\nd = v1":                `no operation "plus"`,
		"v1 = input 0\nd = v1":                  `no operation "input"`,
		"v1 = add a\nd = v1":                    "add takes 2 arguments, here are 1",
		"v1 = perm a, b\nd = v1":                "perm takes 3 arguments, here are 2",
		"v1 = perm a, b, xyz\nd = a":            `the immediate "xyz"`,
		"a = add a, b\nd = a":                   "a has a value already",
		"v1 = perm a, b, 8000\nd = v1":          "replicates signs",
		"v1 = add a, 100000000\nd = v1":         "want at most 0xffffffff",
		"v1 = wide.u a\nd = v1":                 "is wide, want a word",
		"v1 = select a, b, c\nd = v1":           "want a comparison",
		"v1 = wide.u a\nv2 = add v1, b\nd = v2": "wrong width",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("v3 = logic3 fefefefe, a, b, 90\nv4 = shr.u v3, 1\nd = v4\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		if _, err := Parse(p.String()); err != nil {
			t.Errorf("%v\n%v", err, p)
		}
		p.Eval(1, 2, 3)
	})
}
