package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// module checks a text without errors.
func module(t *testing.T, text string) *check.Module {
	t.Helper()
	tree, found := syntax.Parse(source.New("module.ptx", text))
	m, more := check.Check(tree)
	if found = append(found, more...); len(found) > 0 {
		t.Fatal(messages(found))
	}
	return m
}

// kernel checks statements in a kernel and returns it.
func kernel(t *testing.T, statements string) *check.Function {
	t.Helper()
	return kernelOf(t, "7.8", statements)
}

// kernelOf is kernel in a module of a version.
func kernelOf(t *testing.T, version, statements string) *check.Function {
	t.Helper()
	return module(t, ".version "+version+"\n.target sm_80\n.address_size 64\n.global .align 8 .v2 .u32 pairs[4];\n.extern .func out(.param .b32 x);\n.entry k(.param .u32 size)\n{\n"+statements+"\n}").Functions[1]
}

func TestHeader(t *testing.T) {
	m := module(t, `.version 8.3
.target sm_90a, texmode_independent
.address_size 64
.file 1 "a.cu", 1234, 56
.file 2 "b.cu"
.visible .entry k() { ret; }`)
	if m.Version != (isa.Version{Major: 8, Minor: 3}) || m.Target != "sm_90a" || m.SM != 90 || m.AddressSize != 64 {
		t.Errorf("version %v, target %s, %d, address size %d", m.Version, m.Target, m.SM, m.AddressSize)
	}
	if diff := cmp.Diff(map[int]string{1: "a.cu", 2: "b.cu"}, m.Files); diff != "" {
		t.Error(diff)
	}
	if m := module(t, ".version 3.0\n.target sm_30"); m.AddressSize != 32 {
		t.Errorf("address size %d where none is written", m.AddressSize)
	}
}

// TestRegisters: registers are numbered by their first use, one number for one
// register whatever it is called, other numbers for those that hide it.
func TestRegisters(t *testing.T) {
	f := kernel(t, `
	.reg .b32 %r<1000000>;
	.reg .f32 %f;
	.reg .v4 .u32 %v;
	.reg .b32 %r1x<3>;
	mov.b32 %r999999, %r0;
	mov.b32 %r0, %r00;
	mov.f32 %f, %f;
	mov.u32 %r1, %v.z;
	mov.b32 %r1x2, %r1;
	{
		.reg .f32 %r<2>;
		mov.b32 %r1, %r5;
		mov.b32 %r5, %r1;
	}
	mov.b32 %r1, %r5;`)
	var got []string
	for _, in := range f.Body {
		line := ""
		for _, o := range in.Operands {
			r := f.Registers[o.Reg]
			line += fmt.Sprintf(" %d:%s%v", o.Reg, r.Name, r.Type)
			if o.Elem >= 0 {
				line += fmt.Sprintf("[%d of %d]", o.Elem, r.Vec)
			}
		}
		got = append(got, line[1:])
	}
	want := []string{
		"2:%r999999.b32 3:%r0.b32", "3:%r0.b32 3:%r0.b32", "0:%f.f32 0:%f.f32", "4:%r1.b32 1:%v.u32[2 of 4]", "5:%r1x2.b32 4:%r1.b32",
		"6:%r1.f32 7:%r5.b32", "7:%r5.b32 6:%r1.f32", "4:%r1.b32 7:%r5.b32",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOperands resolves one operand of each kind, in an instruction that no version has yet and that is not judged therefore.
func TestOperands(t *testing.T) {
	for _, c := range []struct{ operand, want string }{
		{"%r1", "reg %r1"},
		{"-%r1", "-reg %r1"},
		{"!%p", "!reg %p"},
		{"42", "imm 2a"},
		{"-1", "imm ffffffffffffffff"},
		{"0x2AU", "imm 2a"},
		{"052", "imm 2a"},
		{"0b101", "imm 5"},
		{"0f3f800000", "imm 3f800000 f"},
		{"-0f3f800000", "imm bf800000 f"},
		{"1.5", "imm 3ff8000000000000 d"},
		{"0dc000000000000000", "imm c000000000000000 d"},
		{"WARP_SZ", "imm 20"},
		{"2+3*4", "imm e"},
		{"(7 & 3) << 4 | 1", "imm 31"},
		{"-8 >> 1", "imm fffffffffffffffc"},
		{"-8U >> 1", "imm 7ffffffffffffffc"},
		{"1 ? 5 : 6", "imm 5"},
		{"3 > 2 && -1 < 0", "imm 1"},
		{"-1 < 0U", "imm 0"},
		{"~0", "imm ffffffffffffffff"},
		{"!3", "imm 0"},
		{"7 / 2 % 2", "imm 1"},
		{"(.u64)-2 / 2", "imm 7fffffffffffffff"},
		{"1.0 + 0.5", "imm 3ff8000000000000 d"},
		{"%tid.x", "special %tid.x"},
		{"%laneid", "special %laneid"},
		{"%laneid + 31", "sum (special %laneid) + 31"},
		{"pairs", "var pairs + 0"},
		{"pairs + 8 - 4", "var pairs + 4"},
		{"out", "func out"},
		{"LABEL", "label 1"},
		{"_", "sink"},
		{"{%r1, _, 3}", "vector (reg %r1) (sink) (imm 3)"},
		{"%r1|%p", "pair (reg %r1) (reg %p)"},
		{"[%r1]", "address (reg %r1) + 0"},
		{"[%r1+-4]", "address (reg %r1) + -4"},
		{"[pairs+8]", "address (var pairs + 0) + 8"},
		{"[size]", "address (var size + 0) + 0"},
		{"[64 + 4]", "address (imm 44) + 0"},
		{"pairs[3]", "address (var pairs + 0) + 24"},
		{"[pairs, {%r1, %r1}]", "texture (var pairs + 0) (vector (reg %r1) (reg %r1))"},
		{"[pairs, %r1, {%r1}]", "texture (var pairs + 0) (reg %r1) (vector (reg %r1))"},
		{"{%r1, _}|%p", "pair (vector (reg %r1) (sink)) (reg %p)"},
	} {
		f := kernelOf(t, "99.0", ".reg .b32 %r<9>; .reg .pred %p;\nfrobnicate.u32 %r1, "+c.operand+";\nLABEL: ret;")
		if got := show(f, &f.Body[0].Operands[1]); got != c.want {
			t.Errorf("%s is %s, want %s", c.operand, got, c.want)
		}
	}
}

// show writes a resolved operand.
func show(f *check.Function, o *check.Operand) string {
	var elems []string
	for i := range o.Elems {
		elems = append(elems, "("+show(f, &o.Elems[i])+")")
	}
	list := strings.Join(elems, " ")
	switch o.Kind {
	case check.OpReg:
		sign := ""
		if o.Neg != 0 {
			sign = string(rune(o.Neg))
		}
		return sign + "reg " + f.Registers[o.Reg].Name
	case check.OpImm:
		float := ""
		if o.Float != 0 {
			float = " " + string(rune(o.Float))
		}
		return fmt.Sprintf("imm %x%s", o.Imm, float)
	case check.OpSpecial:
		return "special " + o.Name
	case check.OpVar:
		return fmt.Sprintf("var %s + %d", o.Var.Name, o.Offset)
	case check.OpFunc:
		return "func " + o.Func.Name
	case check.OpLabel:
		return fmt.Sprintf("label %d", o.Target)
	case check.OpSink:
		return "sink"
	case check.OpVector:
		return "vector " + list
	case check.OpPair:
		return "pair " + list
	case check.OpList:
		return "list " + list
	case check.OpAddress:
		return fmt.Sprintf("address %s + %d", list, o.Offset)
	case check.OpSum:
		return fmt.Sprintf("sum %s + %d", list, o.Offset)
	case check.OpTexture:
		return "texture " + list
	}
	return "unknown"
}

// TestLabels: labels are places in the body, before and after, in their scope.
func TestLabels(t *testing.T) {
	f := kernel(t, `
	bra END;
L:	{
	L:	bra L;
		bra END;
	}
	bra L;
LIST: .branchtargets L, END;
	brx.idx 0, LIST;
END:`)
	var got []int
	for _, in := range f.Body {
		for _, o := range in.Operands {
			if o.Kind == check.OpLabel {
				got = append(got, int(o.Target))
			}
		}
	}
	if diff := cmp.Diff([]int{5, 1, 5, 1}, got); diff != "" {
		t.Error(diff)
	}
	if o := f.Body[4].Operands[1]; o.Kind != check.OpUnknown || o.Name != "LIST" {
		t.Errorf("the list is %+v", o)
	}
}

// TestVariables: sizes, alignments and initial data are those of the declarations.
func TestVariables(t *testing.T) {
	m := module(t, `.version 7.8
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.func f() { ret; }
.global .u16 a = 258;
.global .align 16 .b8 b[3][2] = {{1, 2}, {3}};
.const .v2 .f32 c[] = {{1.0, 0f40000000}, {2.5, -1.0}};
.global .f64 d = 0f3f800000;
.global .b32 h[2] = {1.5, 0f3fc00000};
.global .b64 i = 0f3fc00000;
.global .u64 e[3] = {a, generic(b) + 4, f};
.global .u8 g[] = {0xff(a), 0xff00(a+1)};
.visible .entry k(.param .u64 .ptr .global .align 32 p, .param .align 8 .b8 s[24])
{
	.shared .b32 tile[16][17];
	{ .local .v4 .f32 spill; }
	ret;
}`)
	var got []string
	add := func(list []*check.Variable) {
		for _, v := range list {
			line := fmt.Sprintf("%s %v%v x%d %v align %d size %d", v.Name, v.Space, v.Type, v.Vec, v.Dims, v.Align, v.Size)
			if v.Extern {
				line += " extern"
			}
			if v.IsPtr {
				line += " to " + v.Ptr.String()
			}
			if v.Data != nil {
				line += fmt.Sprintf(" = %x", v.Data)
			}
			for _, r := range v.Relocs {
				line += fmt.Sprintf(" [%d:%d]", r.At, r.Size)
				if r.Var != nil {
					line += r.Var.Name
				} else {
					line += r.Func.Name
				}
				line += fmt.Sprintf("+%d mask %x generic %v", r.Addend, r.Mask, r.Generic)
			}
			got = append(got, line)
		}
	}
	add(m.Variables)
	k := m.Functions[1]
	add(k.Params)
	add(k.Variables)
	want := []string{
		"dynamic .shared.b8 x1 [-1] align 16 size 0 extern",
		"a .global.u16 x1 [] align 2 size 2 = 0201",
		"b .global.b8 x1 [3 2] align 16 size 6 = 010203",
		"c .const.f32 x2 [2] align 8 size 16 = 0000803f0000004000002040000080bf",
		"d .global.f64 x1 [] align 8 size 8 = 000000000000f03f",
		"h .global.b32 x1 [2] align 4 size 8 = 0000c03f0000c03f",
		"i .global.b64 x1 [] align 8 size 8 = 0000c03f00000000",
		"e .global.u64 x1 [3] align 8 size 24 = 000000000000000000000000000000000000000000000000" +
			" [0:8]a+0 mask 0 generic false [8:8]b+4 mask 0 generic true [16:8]f+0 mask 0 generic false",
		"g .global.u8 x1 [2] align 1 size 2 = 0000 [0:1]a+0 mask ff generic false [1:1]a+1 mask ff00 generic false",
		"p .param.u64 x1 [] align 8 size 8 to .global",
		"s .param.b8 x1 [24] align 8 size 24",
		"tile .shared.b32 x1 [16 17] align 4 size 1088",
		"spill .local.f32 x4 [] align 16 size 16",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFunctions: a call finds the definition, even if it stands after a prototype.
func TestFunctions(t *testing.T) {
	m := module(t, `.version 7.8
.target sm_80
.address_size 64
.func (.param .b32 r) f (.param .b32 a, .param .b32 b);
.extern .func (.param .b32 r) printf (.param .b64 _);
.visible .entry k()
{
	.param .b32 result, first, second;
	call (result), f, (first, second);
	call.uni (result), printf, (first);
	ret;
}
.func (.param .b32 r) f (.param .b32 a, .param .b32 b) { ret; }
.func (.reg .u32 %out) g (.reg .u32 %in, .reg .f32 %x) { add.u32 %out, %in, 1; ret; }`)
	if len(m.Functions) != 5 {
		t.Fatalf("%d functions", len(m.Functions))
	}
	k, g := m.Functions[2], m.Functions[4]
	if callee := k.Body[0].Operands[1].Func; callee != m.Functions[3] || callee.Extern || len(callee.Params) != 2 || len(callee.Returns) != 1 {
		t.Errorf("f is %+v", callee)
	}
	if callee := k.Body[1].Operands[1].Func; callee != m.Functions[1] || !callee.Extern {
		t.Errorf("printf is %+v", callee)
	}
	if !k.Entry || m.Functions[3].Entry || len(k.Variables) != 3 {
		t.Errorf("k is %+v", k)
	}
	registers := func(variables []*check.Variable) (all []int) {
		for _, v := range variables {
			if v.Formal && v.Size == 4 {
				all = append(all, v.Register)
			}
		}
		return all
	}
	if diff := cmp.Diff([][]int{{0}, {1, 2}}, [][]int{registers(g.Returns), registers(g.Params)}); diff != "" {
		t.Error(diff)
	}
}

// TestInstructions: guards, places in the C source, forms.
func TestInstructions(t *testing.T) {
	f := kernel(t, `
	.reg .b32 %r<9>; .reg .pred %p<2>;
	ret;
	.loc 1 17 3
	@!%p1 vadd4.sat.s32.s32.s32 %r1.b10, %r2, %r3, %r4;
	.loc 1 18 5, function_name $L0, inlined_at 1 3 4
	@%p1 vmad.s32.s32.s32 %r1, -%r2, 7, %r4;`)
	add, mad := f.Body[1], f.Body[2]
	if f.Body[0].Guard != -1 || add.Guard < 0 || f.Registers[add.Guard].Name != "%p1" || !add.GuardNot || mad.GuardNot {
		t.Errorf("guards %d, %d %v, %d %v", f.Body[0].Guard, add.Guard, add.GuardNot, mad.Guard, mad.GuardNot)
	}
	if f.Body[0].Loc != (check.Loc{}) || add.Loc != (check.Loc{File: 1, Line: 17, Col: 3}) || mad.Loc != (check.Loc{File: 1, Line: 18, Col: 5}) {
		t.Errorf("locs %v, %v, %v", f.Body[0].Loc, add.Loc, mad.Loc)
	}
	if f.Body[0].Video != nil {
		t.Error("ret is a video instruction")
	}
	if got := add.Video.Form.String(); got != "vadd4.s32.s32.s32.sat d.b10, a, b, c;" {
		t.Error(got)
	}
	if got := mad.Video.Form.String(); got != "vmad.s32.s32.s32 d, -a, b, c;" {
		t.Error(got)
	}
}

func TestImmediate(t *testing.T) {
	for _, c := range []struct {
		text string
		word uint32
		ok   bool
	}{
		{"5", 5, true}, {"-1", 0xffffffff, true}, {"0x1ffffffff", 0xffffffff, true}, {"2*3", 6, true}, {"WARP_SZ", 32, true},
		{"a", 0, false}, {"1.5", 0, false}, {"[a]", 0, false}, {"5.b0", 0, false}, {"1/0", 0, false},
	} {
		in, found := syntax.ParseInstruction(source.New("x", "x "+c.text+";"))
		if found.HasErrors() {
			t.Fatal(messages(found))
		}
		if word, ok := check.Immediate(&in.Operands[0]); ok != c.ok || ok && word != c.word {
			t.Errorf("%s is %#x %v", c.text, word, ok)
		}
	}
}

// TestInstruction: an instruction by itself, with registers of any name.
func TestInstruction(t *testing.T) {
	for _, c := range []struct{ text, form, code string }{
		{"vadd4.s32.s32.s32.sat d, a, b, c;", "vadd4.s32.s32.s32.sat d, a, b, c;", ""},
		{"vadd.sat.s32.u32.s32 %out.h1, in.b0, x, y", "vadd.s32.u32.s32.sat d.h1, a.b0, b, c;", ""},
		{"vmad.s32.s32.s32 d, -a, 5, -7", "vmad.s32.s32.s32 d, -a, b, c;", ""},
		{"vadd.s32.s32.s32 d, a, b, c", "vadd.s32.s32.s32 d, a, b;", "operand-ignored"},
		{"vadd.s32.s32.s32 d, a, 0x100000000", "vadd.s32.s32.s32 d, a, b;", "immediate-truncated"},
		{"add.s32 d, a, b", "", "unknown-instruction"},
		{"@p vadd.s32.s32.s32 d, a, b", "", "guard-not-allowed"},
		{"vadd.s32.s32.s32 d, %tid.x, b", "", "operand-kind"},
		{"vadd.s32.s32.s32 d, (a), b", "", "operand-kind"},
		{"vadd.s32.s32 d, a, b", "", "type-missing"},
	} {
		src := source.New("x", c.text)
		in, found := syntax.ParseInstruction(src)
		if found.HasErrors() {
			t.Fatal(messages(found))
		}
		form, found := check.Instruction(in, src)
		got := ""
		if form != (isa.Form{}) {
			got = form.String()
		}
		code := ""
		if len(found) > 0 {
			code = string(found[0].Code)
		}
		if got != c.form || code != c.code || len(found) > 1 {
			t.Errorf("%s: %q %q, want %q %q", c.text, got, messages(found), c.form, c.code)
		}
	}
}
