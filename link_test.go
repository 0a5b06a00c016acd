package vop_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
)

const linkHeader = ".version 7.8\n.target sm_80\n.address_size 64\n"

// linkMain calls a function of another file, directly and through a table of addresses, and counts in a variable of it.
const linkMain = linkHeader + `
.extern .func (.param .b32 r) square(.param .b32 x);
.extern .func (.param .b32 r) next(.param .b32 x);
.extern .global .u32 counter;
.extern .const .u32 factors[];
.func (.param .b32 r) own(.param .b32 x) { .reg .b32 %r; mov.b32 %r, 1000; st.param.b32 [r], %r; ret; }
.global .u64 table[4] = {square, next, own, counter};
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %q<9>;
	ld.param.u64 %q1, [out]; mov.u32 %r1, %tid.x;
	{ .param .b32 a, b; st.param.b32 [a], %r1; call (b), square, (a); ld.param.b32 %r2, [b]; }
	rem.u32 %r3, %r1, 3; mul.wide.u32 %q2, %r3, 8; mov.u64 %q3, table; add.s64 %q2, %q3, %q2; ld.global.u64 %q2, [%q2];
	{ .param .b32 a, b; st.param.b32 [a], %r1; prototype: .callprototype (.param .b32 _) _ (.param .b32 _); call (b), %q2, (a), prototype; ld.param.b32 %r4, [b]; }
	add.u32 %r2, %r2, %r4; ld.global.u64 %q4, [table+24]; atom.global.add.u32 %r5, [%q4], 1;
	ld.const.u32 %r6, [factors+4]; mul.lo.u32 %r2, %r2, %r6;
	mad.wide.u32 %q5, %r1, 4, %q1; st.global.u32 [%q5], %r2;
	ret;
}
`

const linkOther = linkHeader + `
.visible .global .u32 counter = 7;
.visible .const .u32 factors[2] = {2, 3};
.func (.param .b32 r) own(.param .b32 x) { .reg .b32 %r; ld.param.b32 %r, [x]; add.u32 %r, %r, 1; st.param.b32 [r], %r; ret; }
.visible .func (.param .b32 r) next(.param .b32 x) { .reg .b32 %r; { .param .b32 a, b; ld.param.b32 %r, [x]; st.param.b32 [a], %r; call (b), own, (a); ld.param.b32 %r, [b]; } st.param.b32 [r], %r; ret; }
.visible .func (.param .b32 r) square(.param .b32 x) { .reg .b32 %r; ld.param.b32 %r, [x]; mul.lo.u32 %r, %r, %r; st.param.b32 [r], %r; ret; }
`

// TestLinked runs a kernel that is in two files, on every level, plain and watched, whichever file comes first.
func TestLinked(t *testing.T) {
	const threads = 50
	texts := []vop.Text{{Name: "main.ptx", Text: linkMain}, {Name: "other.ptx", Text: linkOther}}
	for _, order := range [][]vop.Text{texts, {texts[1], texts[0]}} {
		for _, engine := range vop.Engines() {
			for _, check := range []bool{false, true} {
				m, err := vop.LoadAll(order, vop.LoadOptions{Engine: engine})
				if err != nil {
					t.Fatal(err)
				}
				k, err := m.Kernel("k")
				if err != nil {
					t.Fatal(err)
				}
				out, _ := vop.NewBuffer(m, "out", make([]uint32, threads))
				if err := k.With(vop.LaunchOptions{Check: check}).Launch(context.Background(), vop.Grid{}, vop.Block{X: threads}, out); err != nil {
					t.Fatal(err)
				}
				for i, got := range vop.Values[uint32](out) {
					x := uint32(i)
					want := 3 * (x*x + [...]uint32{x * x, x + 1, 1000}[x%3])
					if got != want {
						t.Fatalf("%v, check %v: thread %d: %d, want %d", engine, check, i, got, want)
					}
				}
				counter, _ := m.Variable("counter")
				if got := vop.Values[uint32](counter)[0]; got != 7+threads {
					t.Errorf("the counter is %d", got)
				}
			}
		}
	}
}

// TestLinkErrors holds what is said of files that do not go together, and of kernels that come to what nobody defines.
func TestLinkErrors(t *testing.T) {
	hidden := strings.ReplaceAll(linkOther, ".visible .func (.param .b32 r) next", ".func (.param .b32 r) next")
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"alone", []string{linkMain}, "a.ptx:10:14: the initial value of table has the address of counter, which is .extern, and another file defines it: give that, too"},
		{"twice", []string{linkMain, linkOther, linkOther}, "c.ptx:5:23: counter is defined here and at b.ptx:5:23; one of them is to be .weak, or to have another name"},
		{"not visible", []string{strings.Replace(linkMain, "square, (a)", "next, (a)", 1), hidden}, "a.ptx:14:45: call: the function next has no body: it is declared at a.ptx:6:31, and the one at b.ptx:8:23 is not .visible"},
		{"a file too few", []string{linkHeader + ".extern .global .u32 x;\n.visible .entry k() { .reg .b32 %r; ld.global.u32 %r, [x]; ret; }", linkOther},
			"a.ptx:5:37: ld.global.u32: the variable x is .extern at a.ptx:4:22, and none of a.ptx, b.ptx defines it"},
		{"wrong texts", []string{"nothing", linkOther, linkHeader + ".visible .entry k() { frob; ret; }"}, "a.ptx:1:8: missing ';' after the instruction"},
	} {
		var texts []vop.Text
		for i, text := range c.texts {
			texts = append(texts, vop.Text{Name: fmt.Sprintf("%c.ptx", 'a'+i), Text: text})
		}
		m, err := vop.LoadAll(texts, vop.LoadOptions{})
		if err == nil {
			_, err = m.Kernel("k")
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nwant\n%s", c.name, err, c.want)
		}
		if input, ok := errors.AsType[*vop.InputError](err); ok {
			files := map[string]bool{}
			for _, f := range input.Findings {
				files[f.File] = true
			}
			if !files["a.ptx"] || !files["c.ptx"] || files["b.ptx"] {
				t.Errorf("findings are about %v", files)
			}
		}
	}
}

// TestLinkedPlaces holds that faults and reports name the file that they are about.
func TestLinkedPlaces(t *testing.T) {
	texts := []vop.Text{{Name: "a.ptx", Text: linkHeader + `
.extern .func fail(.param .b64 p);
.extern .func share(.param .b32 x);
.shared .u32 s;
.visible .entry fault(.param .u64 p) { .reg .b64 %q; { .param .b64 a; ld.param.u64 %q, [p]; st.param.b64 [a], %q; call fail, (a); } ret; }
.visible .entry race() {
	.reg .b32 %r; mov.u32 %r, %tid.x; shr.u32 %r, %r, 5; st.shared.u32 [s], %r;
	{ .param .b32 a; mov.u32 %r, s; st.param.b32 [a], %r; call share, (a); } ret; }
`}, {Name: "b.ptx", Text: linkHeader + `
.visible .func fail(.param .b64 p) { .reg .b64 %q;
	ld.param.b64 %q, [p];
	st.global.u32 [%q+4096], 1; ret; }
.visible .func share(.param .b32 x) { .reg .b32 %r;
	ld.param.b32 %r, [x];
	st.shared.u32 [%r], 9; ret; }
`}}
	m, err := vop.LoadAll(texts, vop.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	launch := func(kernel string, threads int, o vop.LaunchOptions, args ...any) error {
		k, err := m.Kernel(kernel)
		if err != nil {
			t.Fatal(err)
		}
		return k.With(o).Launch(context.Background(), vop.Grid{}, vop.Block{X: threads}, args...)
	}
	buffer, _ := vop.NewBuffer(m, "buffer", []uint32{1})
	fault, ok := errors.AsType[*vop.Fault](launch("fault", 1, vop.LaunchOptions{}, buffer))
	if !ok || fault.File != "b.ptx" || fault.Line != 7 {
		t.Errorf("%v", fault)
	}
	err = launch("race", 64, vop.LaunchOptions{Check: true})
	if err == nil || !strings.Contains(err.Error(), "a.ptx:10:") || !strings.Contains(err.Error(), "at line 10 of b.ptx") {
		t.Error(err)
	}
}

// TestLinkedObjects links what gcc makes of two files in C.
func TestLinkedObjects(t *testing.T) {
	const compiler = "x86_64-linux-gnu-accel-nvptx-none-gcc-12"
	for _, tool := range []string{"gcc-12", compiler} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	folder := t.TempDir()
	sources := map[string]string{"main": `
extern int counter; extern const int primes[]; int shared_value = 5;
#pragma acc declare create(shared_value)
#pragma acc routine seq
int bump(int x);
#pragma acc routine seq
static int helper(int x) { return 100 * x; }
void run(int n, int *y) {
#pragma acc parallel loop copy(y[0:n]) num_gangs(1) vector_length(32)
  for (int i = 0; i < n; i++) y[i] = bump(i) + helper(i);
}`, "other": `
struct pair { long a, b; } state;
#pragma acc declare create(state)
extern int shared_value;
#pragma acc declare create(shared_value)
#pragma acc routine seq
static int helper(int x) { return x + shared_value; }
#pragma acc routine seq
int bump(int x) { state = (struct pair){0, 0}; return helper(x) * 2; }`}
	var texts []vop.Text
	for _, name := range []string{"main", "other"} {
		run := func(tool string, args ...string) {
			cmd := exec.Command(tool, args...)
			cmd.Dir = folder
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("%s does not compile for nvptx: %v\n%s", tool, err, out)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name+".c"), []byte(sources[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		run("gcc-12", "-O2", "-fopenacc", "-foffload=nvptx-none", "-c", name+".c", "-o", name+".o")
		run(compiler, "-xlto", "-fopenacc", "-m64", "-O2", "-c", name+".o", "-o", name+".ptx") // the assembler puts declarations first
		text, err := os.ReadFile(filepath.Join(folder, name+".ptx"))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, vop.Text{Name: name + ".ptx", Text: string(text)})
	}
	if !bytes.Contains([]byte(texts[0].Text), []byte(".extern .func")) {
		t.Fatalf("nothing is to be linked:\n%s", texts[0].Text)
	}
	m, err := vop.LoadAll(texts, vop.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := m.KernelNames()
	if len(names) != 1 {
		t.Fatal(names)
	}
	k, err := m.Kernel(names[0])
	if err != nil {
		t.Fatal(err)
	}
	const n = 40
	y, _ := vop.NewBuffer(m, "y", make([]int32, n))
	size, _ := vop.NewBuffer(m, "n", []int32{n})
	arguments, _ := vop.NewBuffer(m, "arguments", []uint64{y.Address(), size.Address()})
	values := slices.Repeat([]any{arguments}, len(k.Params()))
	if err := k.Launch(context.Background(), vop.Grid{}, vop.Block{X: 32}, values...); err != nil {
		t.Fatalf("%v\n%s", err, texts[0].Text)
	}
	for i, got := range vop.Values[int32](y) {
		if want := int32(2*(i+5) + 100*i); got != want {
			t.Fatalf("y[%d] is %d, want %d", i, got, want)
		}
	}
}
