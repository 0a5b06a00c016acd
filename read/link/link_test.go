package link_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/link"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

const header = ".version 7.8\n.target sm_80\n.address_size 64\n"

// modules checks texts, named a.ptx, b.ptx and so on. Their first line is the fourth of the file.
func modules(t *testing.T, texts ...string) (all []*check.Module) {
	t.Helper()
	for i, text := range texts {
		if !strings.HasPrefix(text, ".version") {
			text = header + text
		}
		tree, found := syntax.Parse(source.New(fmt.Sprintf("%c.ptx", 'a'+i), text))
		m, more := check.Check(tree)
		for _, d := range append(found, more...) {
			t.Fatalf("%s: %s", text, d.Message)
		}
		all = append(all, m)
	}
	return all
}

const useF = ".extern .func (.param .b32 r) f(.param .b32 x);\n.visible .entry k() { .reg .b32 %r; { .param .b32 a, b; call (b), f, (a); } ret; }"

// TestProblems holds what is said of modules that cannot be linked.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  string // the lines, joined by "; "
	}{
		{"a function twice", []string{".visible .func f() { ret; }", "\n.visible .func f() { ret; }"},
			"b.ptx:5:16: f is defined here and at a.ptx:4:16; one of them is to be .weak, or to have another name"},
		{"a variable twice", []string{".visible .global .u32 x;", ".visible .global .u32 x;", ".visible .global .u32 x;"},
			"b.ptx:4:23: x is defined here and at a.ptx:4:23; one of them is to be .weak, or to have another name; c.ptx:4:23: x is defined here and at a.ptx:4:23; one of them is to be .weak, or to have another name"},
		{"a kernel twice, though neither is .visible", []string{".entry k() { ret; }", ".entry k() { ret; }"},
			"b.ptx:4:8: k is defined here and at a.ptx:4:8; one of them is to be .weak, or to have another name"},
		{"a function and a variable", []string{".visible .func x() { ret; }", ".visible .const .u32 x = 1;"},
			"b.ptx:4:22: x is a variable here, and a function at a.ptx:4:16"},
		{"a kernel and a function", []string{".visible .entry x() { ret; }", ".visible .func x() { ret; }"},
			"b.ptx:4:16: x is a function here, and a kernel at a.ptx:4:17"},
		{"variables in several spaces", []string{".visible .global .u32 x;", ".weak .const .u32 x;"},
			"b.ptx:4:19: x is in .const memory here, and in .global memory at a.ptx:4:23, where it is defined"},
		{"a declaration in another space", []string{".extern .const .u32 x;", ".visible .global .u32 x;"},
			"a.ptx:4:21: x is in .const memory here, and in .global memory at b.ptx:4:23, where it is defined"},
		{"a larger declaration", []string{".extern .global .u32 x[3];", ".visible .global .u32 x[2];"},
			"a.ptx:4:22: x has 12 bytes here, and 8 at b.ptx:4:23, where it is defined"},
		{"common variables of several sizes", []string{".common .global .u32 x[2];", ".common .global .u32 x[3];"},
			"b.ptx:4:22: x has 12 bytes here, and 8 at a.ptx:4:22, where it is defined"},
		{"common variables with values", []string{".common .global .u32 x = 1;", ".common .global .u32 x = 1;"},
			"b.ptx:4:22: the .common variable x has an initial value here and at a.ptx:4:22"},
		{"more parameters", []string{useF, ".visible .func (.param .b32 r) f(.param .b32 x, .param .b32 y) { ret; }"},
			"a.ptx:4:31: f has 1 parameter here, and 2 at b.ptx:4:32, where it is defined"},
		{"no result", []string{useF, ".visible .func f(.param .b32 x) { ret; }"},
			"a.ptx:4:31: f has 1 result here, and 0 at b.ptx:4:16, where it is defined"},
		{"a larger parameter", []string{useF, ".visible .func (.param .b32 r) f(.param .b64 x) { ret; }"},
			"a.ptx:4:45: parameter 1 of f has 4 bytes here, and 8 at b.ptx:4:32, where it is defined"},
		{"addresses of several sizes", []string{".version 7.8\n.target sm_80\n.address_size 32\n", ".global .u32 x;"},
			"a.ptx has addresses of 32 bits and b.ptx of 64: give both the same .address_size"},
	} {
		_, err := link.Link(modules(t, c.texts...)...)
		if got := strings.ReplaceAll(fmt.Sprint(err), "\n", "; "); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestManyProblems holds that an error does not grow without end.
func TestManyProblems(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, ".visible .global .u32 x%d;\n", i)
	}
	_, err := link.Link(modules(t, text.String(), text.String())...)
	if lines := strings.Split(fmt.Sprint(err), "\n"); len(lines) != 21 || lines[20] != "and 80 more" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

// names lists what a module has, with the files it comes from.
func names(m *check.Module) string {
	var all []string
	for _, f := range m.Functions {
		text := f.Name
		if f.Extern {
			text = "declared " + text
		}
		all = append(all, strings.TrimSuffix(f.Module.Source.Name, ".ptx")+":"+text)
	}
	for _, v := range m.Variables {
		text := v.Name
		if v.Extern {
			text = "declared " + text
		}
		all = append(all, fmt.Sprintf("%s:%s=%x", strings.TrimSuffix(v.Module.Source.Name, ".ptx"), text, v.Data))
	}
	return strings.Join(all, " ")
}

// TestDefinitions holds which definitions stand.
func TestDefinitions(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"a declaration gives way", []string{useF, ".visible .func (.param .b32 r) f(.param .b32 x) { ret; }"}, "a:k b:f"},
		{"a declaration that nobody defines stays", []string{useF, ".global .u32 x;"}, "a:declared f a:k b:x="},
		{"a prototype in the module of its definition", []string{".func f();\n.func f() { ret; }", ".visible .func f() { .reg .b32 %r; ret; }"}, "a:f b:f"},
		{"the first of weak ones", []string{".weak .func f() { ret; }", ".weak .func f() { ret; }\n.weak .global .u32 x = 1;", ".weak .global .u32 x = 2;"}, "a:f b:x=01000000"},
		{"weak kernels, as of templates", []string{".weak .entry k() { ret; }", ".weak .entry k() { ret; }"}, "a:k"},
		{"a weak one before a visible one", []string{".weak .func f() { ret; }\n.weak .global .u32 x = 1;", ".visible .func f() { ret; }\n.visible .global .u32 x = 2;"}, "b:f b:x=02000000"},
		{"a weak one behind a visible one", []string{".visible .func f() { ret; }\n.visible .global .u32 x = 1;", ".weak .func f() { ret; }\n.weak .global .u32 x = 2;"}, "a:f a:x=01000000"},
		{"common ones are one", []string{".common .global .u32 x;", ".common .global .u32 x = 5;", ".common .global .u32 x;"}, "b:x=05000000"},
		{"common and visible", []string{".common .global .u32 x;", ".visible .global .u32 x = 5;", ".common .global .u32 x;"}, "b:x=05000000"},
		{"common and weak", []string{".weak .global .u32 x = 1;", ".common .global .u32 x;"}, "b:x="},
		{"names of one module alone", []string{".func f() { ret; }\n.global .u32 x = 1;", ".func f() { ret; }\n.global .u32 x = 2;", ".visible .func f() { ret; }"}, "a:f b:f c:f a:x=01000000 b:x=02000000"},
		{"a size that gcc does not know", []string{".extern .global .u32 x[1];\n.extern .global .u32 y[];", ".visible .global .u32 x[2] = {1, 2};\n.visible .global .u32 y[2] = {3};"}, "b:x=0100000002000000 b:y=03000000"},
		{"shared memory", []string{".extern .shared .align 4 .b8 x[];\n.extern .shared .align 4 .b8 y[];", ".visible .shared .align 4 .b8 x[64];\n.extern .shared .align 4 .b8 y[];"}, "a:declared y= b:x= b:declared y="},
	} {
		before := modules(t, c.texts...)
		linked, err := link.Link(before...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := names(linked); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestReferences holds that code and initial values name what has been linked, and that the modules before stay as
// they are: they can be linked to others.
func TestReferences(t *testing.T) {
	all := modules(t, `
.extern .global .u32 x;
.extern .func f();
.func own() { .reg .b64 %q; mov.u64 %q, x; call f; ret; }
.global .u64 table[3] = {f, x, own};
.visible .entry k() { .reg .b32 %r; ld.global.u32 %r, [x+4]; call own; call f; ret; }
`, ".visible .global .u32 x[2];\n.visible .func f() { ret; }", ".visible .global .u32 x[3];\n.visible .func f() { ret; }")
	for _, other := range []*check.Module{all[1], all[2]} {
		m, err := link.Link(all[0], other)
		if err != nil {
			t.Fatal(err)
		}
		has := map[any]bool{}
		for _, f := range m.Functions {
			has[f] = true
		}
		for _, v := range m.Variables {
			has[v] = true
		}
		seen := 0
		hold := func(what string, found any, nothing bool, in *check.Module) {
			if nothing {
				return
			}
			if seen++; !has[found] {
				t.Errorf("%s of %s is none of the linked module", what, in.Source.Name)
			}
		}
		var operands func(f *check.Function, list []check.Operand)
		operands = func(f *check.Function, list []check.Operand) {
			for i := range list {
				hold("a variable in "+f.Name, list[i].Var, list[i].Var == nil, f.Module)
				hold("a function in "+f.Name, list[i].Func, list[i].Func == nil, f.Module)
				operands(f, list[i].Elems)
			}
		}
		for _, f := range m.Functions {
			for i := range f.Body {
				operands(f, f.Body[i].Operands)
			}
		}
		for _, v := range m.Variables {
			for _, r := range v.Relocs {
				hold("a variable in "+v.Name, r.Var, r.Var == nil, v.Module)
				hold("a function in "+v.Name, r.Func, r.Func == nil, v.Module)
			}
			if v.Name == "x" && v.Module != other {
				t.Errorf("x is of %s", v.Module.Source.Name)
			}
		}
		if seen != 8 {
			t.Errorf("%d names of functions and variables, want 8", seen)
		}
	}
}

// TestOneModule: one module is itself.
func TestOneModule(t *testing.T) {
	all := modules(t, ".extern .global .u32 x;")
	if m, err := link.Link(all[0]); m != all[0] || err != nil {
		t.Errorf("%v, %v", m, err)
	}
	tree, _ := syntax.Parse(source.New("bad.ptx", header+".global .u33 x;"))
	bad, _ := check.Check(tree)
	if _, err := link.Link(all[0], bad); err == nil || err.Error() != "bad.ptx has errors: it cannot be linked" {
		t.Error(err)
	}
}
