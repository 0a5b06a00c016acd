package vm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestPrintCode prints a kernel and what it calls: each function once, the kernel first.
func TestPrintCode(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.func (.param .b32 r) odd(.param .b32 x);
.func (.param .b32 r) even(.param .b32 x)
{
	.reg .b32 %r<2>; .param .b32 a; .param .b32 b;
	ld.param.u32 %r1, [x];
	st.param.b32 [a], %r1;
	call (b), odd, (a);
	ld.param.u32 %r1, [b];
	st.param.b32 [r], %r1;
	ret;
}
.func (.param .b32 r) odd(.param .b32 x)
{
	.reg .b32 %r<2>; .reg .pred %p; .param .b32 a; .param .b32 b;
	ld.param.u32 %r1, [x];
	setp.eq.u32 %p, %r1, 0;
	@%p ret;
	sub.u32 %r1,
		%r1, 1; // the line is that of the first word
	st.param.b32 [a], %r1;
	call (b), even, (a);
	ret;
}
.visible .entry k()
{
	.param .b32 a; .param .b32 b;
	st.param.b32 [a], 5;
	call (b), even, (a);
	ret;
}`)
	var s strings.Builder
	if err := vmtest.Kernel(t, m, "k").Print(&s, "simt", vm.Dim{}); err != nil {
		t.Fatal(err)
	}
	heads := strings.Join(regexp.MustCompile(`(?m)^(kernel|func) \w+`).FindAllString(s.String(), -1), ", ")
	if heads != "kernel k, func even, func odd" {
		t.Errorf("printed are %s\n%s", heads, s.String())
	}
	if !strings.Contains(s.String(), "  // 22: sub.u32 %r1, %r1, 1;\n") {
		t.Errorf("the text of the subtraction is missing:\n%s", s.String())
	}
	if err := vmtest.Kernel(t, m, "k").Print(&s, "sass", vm.Dim{}); err == nil || err.Error() != "there is no such code; want simt or native" {
		t.Errorf("sass: %v", err)
	}
}

// TestPrintMachineCode prints the machine code of a kernel and of what it calls on every level, and why a function has none.
func TestPrintMachineCode(t *testing.T) {
	c := vmtest.Trial{Text: vmtest.Header + `
.func f() { .reg .b32 %r; mov.u32 %r, 3; ret; }
.visible .entry k(.param .u64 out) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [out]; mov.u32 %r, %tid.x; st.global.u32 [%d], %r; call f, (); ret; }`}
	m, err := c.Checked()
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range level.Levels() {
		mod, err := vm.NewMemory().Load(m, on)
		if err != nil {
			t.Fatal(err)
		}
		var s strings.Builder
		err = vmtest.Kernel(t, mod, "k").Print(&s, "native", vm.Dim{})
		want := fmt.Sprintf(`^kernel k, %[1]v:\n(.+\n)+\nfunc f, %[1]v:\n(.+\n)+$`, on)
		if !vmtest.HasMachineCode(on) {
			if err == nil || err.Error() != fmt.Sprintf("the engine %v has no machine code for kernels; want simt, or another engine", on) {
				t.Errorf("%v: %v", on, err)
			}
			continue
		}
		if matched, _ := regexp.MatchString(want, s.String()); err != nil || !matched {
			t.Errorf("%v: %v\n%s", on, err, s.String())
		}
	}
}

// TestPrintMachineCodeOfShape prints what runs: in blocks of 32 threads a row is one warp, whose lanes stand side by side.
func TestPrintMachineCodeOfShape(t *testing.T) {
	c := vmtest.Trial{Text: vmtest.Header + `
.visible .entry k(.param .u64 out) { .reg .b64 %d<3>; .reg .b32 %r; ld.param.u64 %d0, [out]; mov.u32 %r, %tid.y; mul.wide.u32 %d1, %r, 4;
	add.s64 %d0, %d0, %d1; st.global.u32 [%d0], %r; ret; }`}
	m, err := c.Checked()
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range vmtest.MachineLevels(t) {
		mod, err := vm.NewMemory().Load(m, on)
		if err != nil {
			t.Fatal(err)
		}
		var any, rows strings.Builder
		if err := vmtest.Kernel(t, mod, "k").Print(&any, "native", vm.Dim{}); err != nil {
			t.Fatal(err)
		}
		if err := vmtest.Kernel(t, mod, "k").Print(&rows, "native", vm.Dim{X: 32, Y: 2}); err != nil {
			t.Fatal(err)
		}
		if any.String() == rows.String() {
			t.Errorf("%v: the code for rows of 32 threads is that for any blocks:\n%s", on, rows.String())
		}
	}
}

// TestPrintedCodeIsRead reads what the kernels of the repository are printed as, text included.
func TestPrintedCodeIsRead(t *testing.T) {
	files, err := filepath.Glob("../../kernels/*/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no kernels (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := vmtest.Load(t, string(text))
		for _, name := range m.KernelNames() {
			var s strings.Builder
			if err := vmtest.Kernel(t, m, name).Print(&s, "simt", vm.Dim{}); err != nil {
				t.Fatal(err)
			}
			if _, err := listing.ParseAll(s.String()); err != nil {
				t.Errorf("%s, %s: %v", file, name, err)
			}
		}
	}
}
