package inst

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
)

// find looks up an instruction as it is written.
func find(text string) (*Opcode, []Problem) {
	words := strings.Split(text, ".")
	for i := range words {
		words[i] = "." + words[i]
	}
	return Find(words[0][1:], words[1:])
}

// TestForm: what the modifiers say, and the types of the operands.
func TestForm(t *testing.T) {
	for _, test := range []struct{ text, slots, types string }{
		{"add.rn.ftz.f32", ".rnd=.rn .ftz=.ftz .sat= .f32=.f32", ".f32 .f32 .f32"},
		{"add.ftz.rn.f32", ".rnd=.rn .ftz=.ftz .sat= .f32=.f32", ".f32 .f32 .f32"},
		{"mul.wide.s16", ".wtype=.s16", ".s32 .s16 .s16"},
		{"mad.wide.u32", ".wtype=.u32", ".u64 .u32 .u32 .u64"},
		{"setp.lt.and.s32", ".icmp=.lt .bool=.and .itype=.s32", ".pred .s32 .s32 .pred"},
		{"cvt.rzi.s32.f32", ".irnd=.rzi .sat= .itype=.s32 .ftype=.f32", ".s32 .f32"},
		{"cvt.u8.s64", ".itype=.u8 .jtype=.s64", ".u8 .s64"},
		{"shl.b64", ".type=.b64", ".b64 .b64 .u32"},
		{"slct.b16.f32", ".ftz= .dtype=.b16 .f32=.f32", ".b16 .b16 .b16 .f32"},
		{"vote.sync.ballot.b32", ".sync=.sync .ballot=.ballot .b32=.b32", ".b32 .pred .u32"},
		{"isspacep.shared::cta", ".space=.shared::cta", ".pred "},
	} {
		o, problems := find(test.text)
		if o == nil {
			t.Errorf("%s: %+v", test.text, problems)
			continue
		}
		f := &o.Forms[0]
		var slots, types []string
		for _, s := range f.Row.Slots {
			slots = append(slots, s.Name+"="+f.Value(s.Name))
		}
		for _, typ := range f.Types {
			types = append(types, typ.String())
		}
		if got := strings.Join(slots, " "); got != test.slots {
			t.Errorf("%s: %s, want %s", test.text, got, test.slots)
		}
		if got := strings.Join(types, " "); got != test.types {
			t.Errorf("%s has types %s, want %s", test.text, got, test.types)
		}
	}
	o, _ := find("shf.l.wrap.b32")
	if f := &o.Forms[0]; !f.Has(".l") || !f.Has(".wrap") || f.Has(".clamp") || f.Row.Mnemonic != "shf.l" || f.Row.Section.Number != "9.7.8.7" {
		t.Errorf("%+v", f)
	}
	if o, _ := find("ld.global.v4.u32"); o.Forms[0].Elements != 4 {
		t.Errorf("%+v", o.Forms[0])
	}
}

// TestProblems: what is wrong with modifiers, and which one it is.
func TestProblems(t *testing.T) {
	names := map[ProblemKind]string{
		UnknownName: "unknown name", UnknownModifier: "unknown", ForeignModifier: "foreign", ModifierConflict: "conflict", RepeatedModifier: "repeated",
		MisplacedName: "misplaced", MissingModifier: "missing", WrongType: "wrong type", TooManyTypes: "too many types", MissingTypes: "missing types",
	}
	for _, test := range []struct{ text, want string }{
		{"addd.s32", "unknown name 0"},
		{"add.s32.sta", "unknown 1 near .sat"},
		{"add.i32", "unknown 0 near .u32 .s32 .f32"},
		{"add.wide.s32", "foreign 0"},
		{"add.shr7.s32", "foreign 0"}, // of video instructions
		{"sub.sat.s64", "conflict 0 with 1"},
		{"cvt.sat.u16.u8", "conflict 0 with 1"},
		{"add.rn.rz.f32", "repeated 1 after 0"},
		{"mul.lo.lo.s32", "repeated 1 after 0"},
		{"mul.hi.lo.s32", "repeated 1 after 0"},
		{"mul.s32.lo", "misplaced 1"},
		{"shf.wrap.l.b32", "misplaced 1"},
		{"mul.s32", "missing 0 of .lo .hi .wide"},
		{"div.f32", "missing 0 of .approx .full .rn .rz .rm .rp"},
		{"setp.s32", "missing 0 of .eq .ne .lt .le .gt .ge"},
		{"bfe.b64", "wrong type 0 of .u32 .u64 .s32 .s64"},
		{"setp.lt.b32", "wrong type 1 of .u16 .u32 .u64 .s16 .s32 .s64 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2"},
		{"add.s32.u8", "too many types 1"},
		{"max.u16.NaN.f16", "too many types 0"},
		{"sad", "missing types 0 of .u16 .u32 .u64 .s16 .s32 .s64"},
		{"dp4a.u32", "missing types 0 of .u32 .s32"},
	} {
		o, problems := find(test.text)
		if o != nil || len(problems) != 1 {
			t.Errorf("%s: %v %+v", test.text, o, problems)
			continue
		}
		p := &problems[0]
		got := fmt.Sprintf("%s %d", names[p.Kind], p.At)
		switch p.Kind {
		case ModifierConflict:
			got += fmt.Sprintf(" with %d", p.Other)
		case RepeatedModifier:
			got += fmt.Sprintf(" after %d", p.Other)
		case MissingModifier, WrongType, MissingTypes:
			got += " of " + strings.Join(p.Values, " ")
		}
		if len(p.Near) > 0 {
			got += " near " + strings.Join(p.Near, " ")
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}

// TestNearest: what a name that is none was meant to be.
func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"addd": "add addc", "vadd9": "vadd vadd2 vadd4", "MOV": "mov", "frobnicate": ""} {
		if got := strings.Join(Nearest(name), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestNext: what an editor offers.
func TestNext(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"mul", ".lo .hi .wide .rn .rz .rm .rp .ftz .sat .f32 .f64 .f32x2 .f16 .f16x2 .bf16 .bf16x2"},
		{"mul.wide", ".u16 .u32 .s16 .s32"},
		{"mul.wide.u32", ""},
		{"div.rn", ".ftz .f32 .f64"},
		{"add.sat", ".s32 .u16x2 .s16x2 .u8x4 .s8x4 .u32 .rn .rz .rm .rp .ftz .f32 .f16 .f16x2"},
		{"cvt.rzi.u8", ".sat .f16 .f32 .f64 .ftz .bf16"},
		{"nothing", ""},
		{"add.nothing", ""},
	} {
		words := strings.Split(test.text, ".")
		for i := range words {
			words[i] = "." + words[i]
		}
		if got := strings.Join(Next(words[0][1:], words[1:]), " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}

// TestTakes: which registers an operand takes (PTX ISA 9.4.1), and which wider ones.
func TestTakes(t *testing.T) {
	all := []Type{Pred, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F16, F16x2, BF16, BF16x2, F32, F64}
	for _, test := range []struct {
		t             Type
		exact, widely string
	}{
		{Pred, ".pred", ""},
		{B8, ".b8 .u8 .s8", ".b16 .b32 .b64 .b128 .u16 .u32 .u64 .s16 .s32 .s64 .f16 .f16x2 .bf16 .bf16x2 .f32 .f64"},
		{U16, ".b16 .u16 .s16", ".b32 .b64 .b128 .u32 .u64 .s32 .s64 .f16x2"},
		{B32, ".b32 .u32 .s32 .f16x2 .bf16x2 .f32", ".b64 .b128 .u64 .s64 .f64"},
		{S32, ".b32 .u32 .s32 .f16x2", ".b64 .b128 .u64 .s64"},
		{F16, ".b16 .f16 .bf16", ".b32 .b64 .b128"},
		{F16x2, ".b32 .f16x2 .bf16x2", ".b64 .b128"},
		{F32, ".b32 .f32", ".b64 .b128"},
		{F64, ".b64 .f64", ".b128"},
	} {
		var exact, widely []string
		for _, r := range all {
			switch {
			case test.t.Takes(r, false):
				exact = append(exact, r.String())
			case test.t.Takes(r, true):
				widely = append(widely, r.String())
			}
		}
		if strings.Join(exact, " ") != test.exact || strings.Join(widely, " ") != test.widely {
			t.Errorf("%v takes %v, and widely %v", test.t, exact, widely)
		}
		if !test.t.Takes(NoType, false) {
			t.Errorf("%v does not take a register of unknown type", test.t)
		}
	}
}

// TestFit: what is wrong with operands.
func TestFit(t *testing.T) {
	r := func(typ Type) Argument { return Argument{Kind: Register, Type: typ} }
	integer, float, double := Argument{Kind: Integer}, Argument{Kind: Float, Type: F32}, Argument{Kind: Float, Type: F64}
	address := Argument{Kind: Address, Elements: []Argument{r(B64)}}
	vector := func(elements ...Argument) Argument { return Argument{Kind: Vector, Elements: elements} }
	pair := func(elements ...Argument) Argument { return Argument{Kind: Pair, Elements: elements} }
	not, minus := r(Pred), r(B32)
	not.Sign, minus.Sign = '!', '-'
	sink, name, sum, special := Argument{Kind: Sink}, Argument{Kind: Name}, Argument{Kind: Sum}, Argument{Kind: Special, Type: U32}
	sm80 := Gate{PTX: isa.Version{Major: 7, Minor: 8}, SM: 80}
	for i, test := range []struct {
		text      string
		arguments []Argument
		kind      ProblemKind
		at        int
	}{
		{"add.s32", []Argument{r(B32), r(U32), integer}, NoProblem, 0},
		{"add.s32", []Argument{r(F32), r(U32), integer}, WrongRegister, 0},
		{"add.s32", []Argument{r(B32), r(U32), float}, FloatConstant, 2},
		{"add.s32", []Argument{integer, r(U32), r(U32)}, NotWritable, 0},
		{"add.s32", []Argument{r(B32), minus, r(U32)}, Negated, 1},
		{"add.s32", []Argument{r(B32), special, r(U32)}, SpecialRegister, 1},
		{"add.s32", []Argument{r(B32), sink, r(U32)}, WrongOperand, 1},
		{"add.s32", []Argument{r(B32), sum, r(U32)}, NoProblem, 0},
		{"add.s32", []Argument{sum, r(B32), r(U32)}, WrongOperand, 0},
		{"add.s32", []Argument{{}, {}, {}}, NoProblem, 0},
		{"add.f32", []Argument{r(B32), r(F32), double}, NoProblem, 0},
		{"add.f32", []Argument{r(B32), r(F32), integer}, WholeConstant, 2},
		{"add.f16", []Argument{r(B16), r(F16), float}, NoConstant, 2},
		{"and.b32", []Argument{r(B32), r(F32), float}, NoProblem, 0},
		{"and.b32", []Argument{r(B32), r(F32), double}, FloatConstant, 2},
		{"selp.b32", []Argument{r(B32), r(F32), r(B32), not}, NoProblem, 0},
		{"mov.u32", []Argument{r(B32), special}, NoProblem, 0},
		{"mov.u32", []Argument{special, r(B32)}, SpecialRegister, 0},
		{"mov.u64", []Argument{r(B64), special}, WrongRegister, 1},
		{"mov.u64", []Argument{r(B64), name}, NoProblem, 0},
		{"mov.b64", []Argument{r(B64), vector(r(B32), r(F32))}, NoProblem, 0},
		{"mov.b64", []Argument{r(B64), vector(r(B32), r(B16))}, WrongRegister, 1},
		{"mov.b64", []Argument{vector(r(B32), sink), r(B64)}, NoProblem, 0},
		{"mov.b32", []Argument{r(B32), vector(r(B16), r(B16), r(B16))}, WrongElements, 1},
		{"ld.global.u8", []Argument{r(B64), address}, NoProblem, 0},
		{"ld.global.u64", []Argument{r(B32), address}, WrongRegister, 0},
		{"ld.global.u32", []Argument{r(B32), r(B64)}, WrongOperand, 1},
		{"ld.global.u32", []Argument{r(B32), {Kind: Address, Elements: []Argument{r(F64)}}}, WrongRegister, 1},
		{"ld.global.u32", []Argument{r(B32), address, r(B64)}, NeedsModifier, 2},
		{"ld.global.L2::cache_hint.u32", []Argument{r(B32), address, r(B64)}, NoProblem, 0},
		{"ld.global.v2.u32", []Argument{vector(r(B32), sink), address}, NoProblem, 0},
		{"ld.global.v2.u32", []Argument{vector(r(B32), r(B32), r(B32)), address}, WrongElements, 0},
		{"ld.global.v2.u32", []Argument{r(B32), address}, WrongOperand, 0},
		{"setp.eq.s32", []Argument{pair(r(Pred), r(Pred)), r(B32), integer}, NoProblem, 0},
		{"setp.eq.s32", []Argument{pair(sink, r(Pred)), r(B32), integer}, NoProblem, 0},
		{"setp.eq.s32", []Argument{pair(r(Pred), r(B32)), r(B32), integer}, WrongRegister, 0},
		{"setp.eq.s32", []Argument{sink, r(B32), integer}, NoProblem, 0},
		{"lop3.b32", []Argument{r(B32), r(B32), r(B32), r(B32), r(B32)}, WrongOperand, 4},
		{"bar.red.popc.u32", []Argument{r(B32), integer, r(Pred)}, NoProblem, 0},
		{"bar.red.popc.u32", []Argument{r(B32), integer, integer, not}, NoProblem, 0},
		{"isspacep.global", []Argument{r(Pred), r(F32)}, WrongRegister, 1},
		{"max.NaN.f32", []Argument{r(F32), r(F32), r(F32)}, NoProblem, 0},
		{"max.xorsign.abs.f32", []Argument{r(F32), r(F32), r(F32)}, TooOld, 0},
		{"vote.ballot.b32", []Argument{r(B32), r(Pred)}, TooNew, 0},
	} {
		o, problems := find(test.text)
		if o == nil {
			t.Errorf("%s: %+v", test.text, problems)
			continue
		}
		if _, p := o.Fit(test.arguments, sm80); p.Kind != test.kind || p.At != test.at {
			t.Errorf("%d. %s: %+v, want kind %d at %d", i, test.text, p, test.kind, test.at)
		}
	}
}

// TestFitsWithoutMemory: operands of ordinary lines are judged without memory of their own. It once took as long again.
func TestFitsWithoutMemory(t *testing.T) {
	register := func(of Type) Argument { return Argument{Kind: Register, Type: of} }
	for _, test := range []struct {
		text      string
		arguments []Argument
	}{
		{"add.s32", []Argument{register(S32), register(S32), register(S32)}},
		{"setp.lt.and.s32", []Argument{register(Pred), register(S32), register(S32), register(Pred)}},
		{"ld.global.u32", []Argument{register(U32), {Kind: Address, Elements: []Argument{register(U64)}}}},
		{"bar.sync", []Argument{{Kind: Integer}}},
	} {
		o, _ := find(test.text)
		if _, p := o.Fit(test.arguments, Gate{}); p.Kind != NoProblem {
			t.Errorf("%s: %+v", test.text, p)
		}
		if n := testing.AllocsPerRun(100, func() { o.Fit(test.arguments, Gate{}) }); n != 0 {
			t.Errorf("%s: %v allocations", test.text, n)
		}
	}
}

// TestExtraOperand: of too many operands that one is too many without which the others fit.
func TestExtraOperand(t *testing.T) {
	h, r := Argument{Kind: Register, Type: B16}, Argument{Kind: Register, Type: B32}
	o, _ := find("mul.rn.f16")
	if _, p := o.Fit([]Argument{h, r, h, h}, Gate{}); p.Kind != ExtraOperand || p.At != 1 {
		t.Errorf("%+v", p)
	}
}

// TestCopies: what is handed out can be changed without changing the table.
func TestCopies(t *testing.T) {
	names := Names()
	names[0] = "x"
	Rows("add")[0] = nil
	Sections()[0] = nil
	if slices.Contains(Names(), "x") || Rows("add")[0] == nil || Sections()[0] == nil {
		t.Error("the table has changed")
	}
	if Rows("nothing") != nil || Known("nothing") || !Known("add") {
		t.Error("which instructions are known")
	}
}

// TestManyModifiers: hostile text costs little and is an error.
func TestManyModifiers(t *testing.T) {
	for _, name := range []string{"add", "mma", "ld"} {
		for _, word := range []string{".sat", ".sync", ".x", ".s32", ".global"} {
			modifiers := make([]string, 100000)
			for i := range modifiers {
				modifiers[i] = word
			}
			if o, problems := Find(name, modifiers); o != nil || len(problems) == 0 || len(problems) > 2*maxModifiers {
				t.Errorf("%s%s...: %v, %d problems", name, word, o, len(problems))
			}
		}
	}
}
