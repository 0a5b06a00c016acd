package vm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
)

// TestPrintCode prints a kernel and what it calls: each function once, the kernel first.
func TestPrintCode(t *testing.T) {
	m := load(t, header+`
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
	if err := kernel(t, m, "k").Print(&s, "simt"); err != nil {
		t.Fatal(err)
	}
	heads := strings.Join(regexp.MustCompile(`(?m)^(kernel|func) \w+`).FindAllString(s.String(), -1), ", ")
	if heads != "kernel k, func even, func odd" {
		t.Errorf("printed are %s\n%s", heads, s.String())
	}
	if !strings.Contains(s.String(), "  // 22: sub.u32 %r1, %r1, 1;\n") {
		t.Errorf("the text of the subtraction is missing:\n%s", s.String())
	}
	for what, want := range map[string]string{"native": "machine code cannot be printed yet; want simt, the code that it is made of", "": "there is no such code; want simt"} {
		if err := kernel(t, m, "k").Print(&s, what); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", what, err, want)
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
		m := load(t, string(text))
		for _, name := range m.KernelNames() {
			var s strings.Builder
			if err := kernel(t, m, name).Print(&s, "simt"); err != nil {
				t.Fatal(err)
			}
			if _, err := simt.ParseAll(s.String()); err != nil {
				t.Errorf("%s, %s: %v", file, name, err)
			}
		}
	}
}
