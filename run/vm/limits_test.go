package vm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/cputime"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// What asks for more memory than there is is refused before any of it is allocated: Go cannot be
// kept from ending the program when an allocation fails.
func TestTooMuchMemoryIsRefused(t *testing.T) {
	if bits.UintSize == 32 {
		t.Skip("the sizes do not fit an int")
	}
	ask := int64(100_000_000_000) // a variable, so that it compiles where it does not fit
	huge, side := int(ask), int(ask>>5)
	kernelWith := func(declarations string) string {
		return vmtest.Header + ".visible .entry test() {\n" + declarations + "\nret;\n}"
	}
	for _, test := range []struct {
		name, text string
		grid       vm.Grid
		want       string // in the message of the check or of the machine
	}{
		{"shared", kernelWith(".shared .b8 x[100000000000];"), vm.Grid{}, "shared memory"},
		{"two shared", kernelWith(".shared .b8 x[9223372036854775807]; .shared .b8 y[9223372036854775807];"), vm.Grid{}, ""},
		{"local", kernelWith(".local .b8 x[100000000000];"), vm.Grid{}, "local memory"},
		{"two local", kernelWith(".local .b8 x[300000]; .local .b8 y[300000];"), vm.Grid{}, "600000 bytes of local memory of a thread, the limit is 524288"},
		{"local of a function", vmtest.Header + ".func f() { .local .b8 x[300000]; .local .b8 y[300000]; ret; }\n.visible .entry test() { call f, (); ret; }", vm.Grid{}, "function f"},
		{"global", vmtest.Header + ".global .b8 x[100000000000];\n.visible .entry test() { ret; }", vm.Grid{}, ""},
		{"many global", vmtest.Header + strings.Repeat(".global .b8 xN[2000000000];\n", 50) + ".visible .entry test() { ret; }", vm.Grid{}, ""},
		{"parameters", vmtest.Header + ".visible .entry test(.param .align 4 .b8 x[100000000000]) { ret; }", vm.Grid{}, ""},
		{"dynamic shared", kernelWith(""), vm.Grid{Shared: huge}, "100000000000 bytes of dynamic shared memory"},
		{"static and dynamic shared", kernelWith(".shared .b8 x[40000];"), vm.Grid{Shared: 1 << 20}, "shared memory of a block, the limit is 1048576"},
		{"grid", kernelWith(""), vm.Grid{Grid: vm.Dim{X: huge}}, "is too large: at most 2147483647 in x"},
		{"block", kernelWith(""), vm.Grid{Block: vm.Dim{X: huge}}, "is too large: at most 1024 threads"},
		{"block of overflowing size", kernelWith(""), vm.Grid{Block: vm.Dim{X: side, Y: side, Z: side}}, "is too large"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := test.text
			for i := 0; strings.Contains(text, "xN"); i++ {
				text = strings.Replace(text, "xN", fmt.Sprint("x", i), 1)
			}
			k, err := vmtest.Build(text)
			if err == nil {
				err = k.Launch(t.Context(), test.grid)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	m := vm.NewMemory()
	if _, err := m.Alloc("frame", huge); err == nil || !strings.HasPrefix(err.Error(), "buffer frame: needs 100000000000 bytes of global memory, the limit is ") {
		t.Errorf("a buffer: got %v", err)
	}
	for _, size := range []int{1 << 20, side, huge * 10_000_000} {
		if _, err := m.NewTexture(vm.Image{Width: size, Height: size, Depth: 4}, vm.Sampling{}); err == nil || !strings.Contains(err.Error(), "needs") {
			t.Errorf("a texture: got %v", err)
		}
	}
}

// What has been freed can be asked for again.
func TestFreedMemoryIsThereAgain(t *testing.T) {
	m := vm.NewMemory()
	left := func() uint64 {
		_, err := m.Alloc("too much", math.MaxInt-1<<20)
		e, ok := errors.AsType[*vm.LimitError](err)
		if !ok {
			t.Fatal(err)
		}
		return e.Limit - e.Taken
	}
	all := left()
	b, err := m.Alloc("some", 1000)
	if err != nil || left() != all-1000 {
		t.Errorf("of %d bytes %d are left, %v", all, left(), err)
	}
	b.Free()
	b.Free() // which does nothing
	if left() != all {
		t.Errorf("of %d bytes %d are left", all, left())
	}
}

// A function that calls itself without end is stopped by the limit of local memory, and the message tells
// which it is. It took 9 GB before.
func TestRecursionWithLocalMemory(t *testing.T) {
	k := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+`
.func f(.param .u32 n) {
	.local .align 16 .b8 big[65536]; .reg .b32 %r<2>;
	ld.param.u32 %r0, [n]; st.local.u32 [big], %r0; add.u32 %r0, %r0, 1;
	call f, (%r0);
	ret;
}
.visible .entry test() {
	.reg .b32 %r<2>;
	mov.u32 %r0, 0;
	call f, (%r0);
	ret;
}`), "test")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := k.Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 256}, Workers: 1})
	runtime.ReadMemStats(&after)
	f, ok := errors.AsType[*vm.Fault](err)
	if !ok || f.Kind != vm.RecursionOverflow || f.Line != 8 ||
		!strings.Contains(f.Detail, "calls nested 8 deep take 524404 bytes of local memory, a thread has 524288: f calls itself, and has been entered 7 times without being left") {
		t.Errorf("got %v", err)
	}
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 1000 {
		t.Errorf("%d MB were allocated", got)
	}
}

// Two functions that call each other, with many registers, are stopped by the limit of what a block's calls may take.
func TestRecursionWithManyRegisters(t *testing.T) {
	var body strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&body, "add.u64 %%rd%d, %%rd%d, 1;\n", i, i)
	}
	body.WriteString("setp.eq.u64 %p, %rd0, 0; @%p bra MEET; MEET:\n")
	for i := range 2000 {
		fmt.Fprintf(&body, "add.u64 %%rd%d, %%rd%d, 1;\n", i, i)
	}
	var after strings.Builder // what is still needed when the call returns
	for i := range 2000 {
		fmt.Fprintf(&after, "st.local.u64 [last], %%rd%d;\n", i)
	}
	k := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+`.func g();
.func f() { .reg .b64 %rd<2000>; .reg .pred %p; .local .b64 last; `+body.String()+` call g, (); `+after.String()+` ret; }
.func g() { call f, (); ret; }
.visible .entry test() { call f, (); ret; }`), "test")
	err := k.Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 1024}, Workers: 1})
	// Where warps go into the functions one after the other, the first one meets the limit on how deep calls are nested.
	if err == nil || !strings.Contains(err.Error(), "bytes for the registers of a block, the limit is 536870912: f is called by what it calls, and has been entered") &&
		!strings.Contains(err.Error(), "calls are nested more than 1024 deep: g is called by what it calls") {
		t.Errorf("got %v", err)
	}
}

// A launch that is to stop does so in the middle of whatever takes long.
func TestLongStepsStop(t *testing.T) {
	for _, test := range []struct{ name, head, body string }{
		{"a long block", "", ".reg .b32 %r; .reg .f32 %f<3>; .local .b32 last; mov.u32 %r, %tid.x; cvt.rn.f32.u32 %f1, %r; mov.f32 %f2, %f1;\n" +
			strings.Repeat("div.rn.f32 %f0, %f1, %f2; ex2.approx.f32 %f1, %f0;\n", 1_000) + "st.local.f32 [last], %f1;"},
		{"deep recursion", `.func f(.param .b64 n);
.func f(.param .b64 n) { .local .b8 room[4096]; .reg .b64 %rd; .reg .pred %p; ld.param.u64 %rd, [n]; setp.gt.u64 %p, %rd, 100; @%p ret;
	add.u64 %rd, %rd, 1; call f, (%rd); call f, (%rd); ret; }`, ".reg .b64 %rd; mov.u64 %rd, 0; call f, (%rd);"},
		{"large parameters", `.func f(.param .align 4 .b8 x[200000]) { ret; }`, `.param .align 4 .b8 x[200000];
` + strings.Repeat("call f, (x);\n", 500)},
		{"printing", `.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 list);
.global .align 1 .b8 text[] = {` + strings.Repeat("97, ", 300_000) + `0};`, `.reg .b32 %r; .reg .b64 %rd<2>; mov.u64 %rd0, text; mov.u64 %rd1, 0;
LOOP: { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd0; st.param.b64 [b], %rd1; call (c), vprintf, (a, b); } bra LOOP;`},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+test.head+"\n.visible .entry test() {\n"+test.body+"\nret;\n}"), "test")
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			begin := cputime.Now()
			err := k.Launch(ctx, vm.Grid{Grid: vm.Dim{X: 4000}, Block: vm.Dim{X: 1024}})
			// To build the code of the long block takes most of it: for NEON, an ex2 is 600 instructions. The whole launch would take far longer.
			if took := cputime.Now() - begin; took > 10*time.Second || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("after %v: got %v", took, err)
			}
		})
	}
}

// The largest grid there is ends with its context.
func TestLargestGridStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+".visible .entry test() { ret; }"), "test").Launch(ctx, vm.Grid{Grid: vm.Dim{X: 1<<31 - 1, Y: 1<<16 - 1, Z: 1<<16 - 1}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// printf's strings, widths and precisions have bounds.
func TestPrintIsBounded(t *testing.T) {
	head := `.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 list);
.global .align 8 .b8 list[8000] = {255, 255, 255, 127, 255, 255, 255, 127};
`
	body := `.visible .entry test() {
	.reg .b64 %rd<2>; .param .b64 a; .param .b64 b; .param .b32 c;
	mov.u64 %rd0, format; cvta.global.u64 %rd0, %rd0; mov.u64 %rd1, list; cvta.global.u64 %rd1, %rd1;
	st.param.b64 [a], %rd0; st.param.b64 [b], %rd1;
	call (c), vprintf, (a, b);
	ret;
}`
	for _, test := range []struct{ format, want string }{
		{`.global .b8 format[] = {37, 42, 100, 0};`, ""},     // %*d
		{`.global .b8 format[] = {37, 46, 42, 102, 0};`, ""}, // %.*f
		{`.global .b8 format[] = {37, 46, 42, 100, 0};`, ""}, // %.*d
		{".global .b8 format[2000000] = {" + strings.Repeat("97, ", 1_999_999) + "97};", "has no end within 1048576 bytes"},
		{".global .b8 format[6001] = {" + strings.Repeat("37, 52, 48, 48, 48, 100, ", 1000) + "0};", "prints more than 1048576 bytes at once"}, // %4000d ...
	} {
		k := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+head+test.format+body), "test")
		var out bytes.Buffer
		err := k.Launch(t.Context(), vm.Grid{Output: &out})
		switch {
		case test.want == "":
			if err != nil || out.Len() > 5000 {
				t.Errorf("%s: %d bytes, %v", test.format, out.Len(), err)
			}
		case err == nil || !strings.Contains(err.Error(), test.want):
			t.Errorf("%.50s: got %v, want %q", test.format, err, test.want)
		}
	}
}

// A built-in function that is declared otherwise than it is cannot be called.
func TestBuiltinsOfOtherKinds(t *testing.T) {
	for _, head := range []string{
		".extern .func vprintf(.param .b64 format);",
		".extern .func __assertfail(.param .b64 format);",
		".extern .func vprintf(.param .b64 a, .param .align 4 .b8 b[64]);",
		".extern .func (.param .b32 r, .param .b32 s) vprintf(.param .b64 a, .param .b64 b);",
	} {
		var call string
		switch {
		case strings.Contains(head, "b[64]"):
			call = ".param .b64 a; .param .align 4 .b8 b[64]; call vprintf, (a, b);"
		case strings.Contains(head, "r, "):
			call = ".param .b64 a; .param .b32 r; .param .b32 s; call (r, s), vprintf, (a, a);"
		case strings.Contains(head, "vprintf"):
			call = ".param .b64 a; call vprintf, (a);"
		default:
			call = ".param .b64 a; call __assertfail, (a);"
		}
		_, err := vmtest.Build(vmtest.Header + head + "\n.visible .entry test() { " + call + " ret; }")
		if err == nil || !strings.Contains(err.Error(), "the built-in ") {
			t.Errorf("%s: got %v", head, err)
		}
	}
}

// What one block stores into the kernel's parameters would be read by the next: it is a fault.
func TestParametersAreOnlyRead(t *testing.T) {
	for _, access := range []string{
		"st.u32 [%rd0], 7;", "st.v2.u32 [%rd0], {%r0, %r0};", "atom.add.u32 %r0, [%rd0], 1;", "red.add.u32 [%rd0], 1;",
		"cvt.u64.u32 %rd1, %tid.x; mul.lo.u64 %rd1, %rd1, 4; add.u64 %rd0, %rd0, %rd1; st.u32 [%rd0], %r0;",
	} {
		text := vmtest.Header + `.visible .entry test(.param .align 8 .b8 p[256], .param .u64 out) {
	.reg .b64 %rd<4>; .reg .b32 %r<3>;
	ld.param.u32 %r1, [p]; ld.param.u64 %rd2, [out]; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd2, %rd2, %rd3;
	st.global.u32 [%rd2], %r1; mov.u32 %r0, 7;
	mov.b64 %rd0, p; cvta.param.u64 %rd0, %rd0;
	` + access + `
	ret;
}`
		for _, on := range level.Levels() {
			for _, watched := range []bool{false, true} {
				tree, _ := syntax.Parse(source.New("test.ptx", text))
				checked, found := check.Check(tree)
				if found.HasErrors() {
					t.Fatal(found[0].Message)
				}
				m, err := vm.NewMemory().Load(checked, on)
				if err != nil {
					t.Fatal(err)
				}
				out, _ := m.Memory().Alloc("out", 16)
				err = vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 32}, Workers: 1, Check: watched}, make([]byte, 256), out)
				if err == nil || !strings.Contains(err.Error(), "write to a parameter of the kernel") || !strings.Contains(err.Error(), "a kernel only reads its parameters") {
					t.Errorf("%v: %s: got %v", on, access, err)
				}
				for i, got := range vmtest.Words(out) {
					if got != 0 {
						t.Errorf("%v: %s: block %d read %d", on, access, i, got)
					}
				}
			}
		}
	}
}

// TestPointersOf32Bits: that a buffer's address does not fill a parameter of 64 bits is said to be due to
// .address_size, which is 32 where a module has none.
func TestPointersOf32Bits(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"", "the module has no .address_size, and without it addresses have 32 bits; write .address_size 64"},
		{".address_size 32\n", "whose address has 4: the module is of .address_size 32"},
	} {
		m := vmtest.Load(t, ".version 7.8\n.target sm_80\n"+test.line+".visible .entry k(.param .u64 p) { ret; }")
		b, err := m.Memory().Alloc("b", 4)
		if err != nil {
			t.Fatal(err)
		}
		err = vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{}, b)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
