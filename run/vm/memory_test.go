package vm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestMemory moves data through every kind of memory, with addresses that are contiguous, strided,
// scattered and the same in all threads.
func TestMemory(t *testing.T) {
	reverse := func(tid, threads uint32) uint32 { return threads - 1 - tid }
	for _, c := range []struct {
		name, code string
		want       func(tid, threads uint32) uint32
	}{
		{"shared, reversed", `
	.shared .align 4 .b8 s[4096];
	mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1; bar.sync 0;
	mov.u32 %r4, %ntid.x; sub.u32 %r4, %r4, %r1; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r2;
	ld.shared.u32 %r0, [%r4+-4];`, reverse},
		{"shared, a negative 32-bit register plus an offset", `
	.shared .align 4 .b8 s[4096];
	shl.b32 %r3, %r1, 2; sub.u32 %r3, %r3, 8; st.shared.u32 [%r3+8], %r1; bar.sync 0;
	ld.shared.u32 %r0, [%r3+8];`, func(tid, _ uint32) uint32 { return tid }},
		{"shared, generic", `
	.shared .align 8 .b8 s[4096];
	mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd4, %rd3, %rd4;
	st.u32 [%rd4], %r1; bar.sync 0; cvta.to.shared.u64 %rd5, %rd4; ld.shared.u32 %r0, [%rd5];`, func(tid, _ uint32) uint32 { return tid }},
		{"local array", `
	.local .align 8 .b8 l[64];
	mov.u64 %rd3, l; st.local.u32 [l+8], %r1; mov.u32 %r2, 77; st.local.u8 [%rd3+9], %r2;
	ld.local.u32 %r0, [%rd3+8];`, func(tid, _ uint32) uint32 { return tid&^0xff00 | 77<<8 }},
		{"local, generic, each thread its own index", `
	.local .align 8 .b8 l[64];
	mov.u64 %rd3, l; cvta.local.u64 %rd3, %rd3; and.b32 %r2, %r1, 7; mul.wide.u32 %rd4, %r2, 8; add.s64 %rd4, %rd3, %rd4;
	cvt.u64.u32 %rd5, %r1; shl.b64 %rd5, %rd5, 33; st.u64 [%rd4], %rd5; ld.u32 %r0, [%rd4+4];`, func(tid, _ uint32) uint32 { return tid << 1 }},
		{"local vectors", `
	.local .align 16 .b8 l[32];
	add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 2; add.u32 %r4, %r1, 3;
	st.local.v4.u32 [l+16], {%r1, %r2, %r3, %r4}; ld.local.v2.u32 {_, %r0}, [l+24];`, func(tid, _ uint32) uint32 { return tid + 3 }},
		{"local in a branch", `
	.local .align 4 .b8 l[4];
	mov.u32 %r2, 9; st.local.u32 [l], %r2; setp.gt.u32 %p0, %r1, 5; @%p0 st.local.u32 [l], %r1; ld.local.u32 %r0, [l];`, func(tid, _ uint32) uint32 {
			if tid > 5 {
				return tid
			}
			return 9
		}},
		{"global, strided", `
	mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd3, %rd1; st.global.u16 [%rd3], %r1; shr.u32 %r2, %r1, 3; st.global.u8 [%rd3+2], %r2;
	ld.global.u32 %r0, [%rd3];`, func(tid, _ uint32) uint32 { return tid&0xffff | tid>>3&0xff<<16 }},
		{"global, one address for all", `
	mov.u32 %r2, %ntid.x; mul.wide.u32 %rd3, %r2, 4; sub.s64 %rd3, %rd3, 4; add.s64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r1;
	bar.sync 0; ld.global.u32 %r0, [%rd3]; bar.sync 0;`, func(_, threads uint32) uint32 { return threads - 1 }},
		{"an address register that is overwritten", `
	mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r1;
	ld.global.u32 %rd3, [%rd3]; cvt.u32.u64 %r0, %rd3; add.u32 %r0, %r0, 1;`, func(tid, _ uint32) uint32 { return tid + 1 }},
		{"signed bytes into wide registers", `
	mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r1;
	ld.global.s8 %rd4, [%rd3]; shr.s64 %rd4, %rd4, 4; cvt.u32.u64 %r0, %rd4;`, func(tid, _ uint32) uint32 { return uint32(int32(int8(tid)) >> 4) }},
	} {
		m := vmtest.Load(t, vmtest.PerThread(c.code))
		k := vmtest.Kernel(t, m, "test")
		for _, threads := range []int{1, 7, 32, 100, 1024} {
			t.Run(fmt.Sprintf("%s/%d", c.name, threads), func(t *testing.T) {
				out, _ := m.Memory().Alloc("out", 4*threads)
				defer out.Free()
				vmtest.Launch(t, k, vm.Grid{Block: vm.Dim{X: threads}}, out)
				for tid, got := range vmtest.Words(out) {
					if want := c.want(uint32(tid), uint32(threads)); got != want {
						t.Fatalf("thread %d: got %#x, want %#x", tid, got, want)
					}
				}
			})
		}
	}
}

// TestVariables reads initialised variables, with addresses in them, and struct parameters.
func TestVariables(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.const .align 4 .u32 table[4] = {10, 20, 30, 40};
.global .align 8 .u64 pointer[2] = {generic(table), table+8};
.global .align 1 .b8 text[6] = {104, 101, 108, 108, 111, 0};
.visible .entry test(.param .u64 out, .param .align 8 .b8 s[16], .param .s8 small) {
	.reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .b16 %rs<3>;
	ld.param.u64 %rd1, [out];
	ld.const.u32 %r1, [table+12]; st.global.u32 [%rd1], %r1;
	ld.global.u64 %rd2, [pointer+8]; ld.u32 %r2, [%rd2]; st.global.u32 [%rd1+4], %r2;
	mov.u64 %rd3, text; ld.global.u8 %rs1, [%rd3+4]; st.global.u16 [%rd1+8], %rs1;
	ld.param.u32 %r4, [s+8]; st.global.u32 [%rd1+12], %r4;
	mov.b64 %rd4, s; ld.param.u16 %rs2, [%rd4+14]; cvt.u32.u16 %r5, %rs2; st.global.u32 [%rd1+16], %r5;
	ld.param.s8 %r6, [small]; st.global.u32 [%rd1+20], %r6;
	mov.b64 %rd5, s; cvta.param.u64 %rd5, %rd5; ld.u32 %r7, [%rd5]; st.global.u32 [%rd1+24], %r7;
	ret;
}`)
	out, _ := m.Memory().Alloc("out", 28)
	s := make([]byte, 16)
	binary.LittleEndian.PutUint32(s, 99)
	binary.LittleEndian.PutUint32(s[8:], 0xdeadbeef)
	binary.LittleEndian.PutUint16(s[14:], 4321)
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{}, out, s, -3)
	want := []uint32{40, 30, 'o', 0xdeadbeef, 4321, ^uint32(2), 99}
	for i, got := range vmtest.Words(out) {
		if got != want[i] {
			t.Errorf("word %d: got %#x, want %#x", i, got, want[i])
		}
	}
}

// TestFaults runs kernels that do what must not be done; the report must say what, where and by how
// much, and nothing else may have been written.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, code string
		kind       vm.FaultKind
		thread     vm.Dim
		report     []string
	}{
		{"beyond the end", "add.u32 %r2, %r1, 1; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd3, %rd3, %rd1;\nst.global.u32 [%rd3], %r2;",
			vm.OutOfBounds, vm.Dim{X: 63}, []string{"test.ptx:11:1", "kernel test", "st.global.u32 of 4 bytes", "block (0, 0, 0) thread (63, 0, 0)", "right behind the end of out (256 bytes"}},
		{"partly beyond the end", "mul.wide.u32 %rd3, %r1, 8; add.s64 %rd3, %rd3, %rd1;\nld.global.u64 %rd4, [%rd3];",
			vm.OutOfBounds, vm.Dim{X: 32}, []string{"ld.global.u64 of 8 bytes", "right behind the end of out"}},
		{"before the start", "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd3, %rd1;\nld.global.u32 %r2, [%rd3+-8];",
			vm.OutOfBounds, vm.Dim{}, []string{"8 bytes before out (256 bytes"}},
		{"behind all memory", "mov.u64 %rd3, -4; ld.u32 %r2, [%rd3];",
			vm.OutOfBounds, vm.Dim{}, []string{"out of bounds at 0xfffffffffffffffc", "bytes beyond the end of"}},
		{"a barrier for no whole warps", "mov.u32 %r2, 33; bar.sync 0, %r2;",
			vm.Trap, vm.Dim{}, []string{"33 threads cannot meet at a barrier: their number is a multiple of 32"}},
		{"a barrier for nobody", "mov.u32 %r2, 0; bar.sync 0, %r2;",
			vm.Trap, vm.Dim{}, []string{"0 threads cannot meet at a barrier"}},
		{"the null pointer", "mov.u64 %rd3, 0; ld.u32 %r2, [%rd3];",
			vm.OutOfBounds, vm.Dim{}, []string{"at 0x0", "a null pointer"}},
		{"misaligned", "mul.wide.u32 %rd3, %r1, 2; add.s64 %rd3, %rd3, %rd1;\nld.global.u32 %r2, [%rd3];",
			vm.Misaligned, vm.Dim{X: 1}, []string{"misaligned at 0x", "offset 2 in out is not a multiple of 4"}},
		{"misaligned vector", "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1+8];",
			vm.Misaligned, vm.Dim{}, []string{"of 16 bytes misaligned", "offset 8 in out is not a multiple of 16"}},
		{"shared", ".shared .align 4 .b8 s[64];\nshl.b32 %r2, %r1, 2; st.shared.u32 [%r2], %r1;",
			vm.OutOfBounds, vm.Dim{X: 16}, []string{"st.shared.u32", "right behind the end of the shared memory of the CTA (64 bytes"}},
		{"local", ".local .align 4 .b8 l[64];\nshl.b32 %r2, %r1, 2; ld.local.u32 %r2, [%r2];",
			vm.OutOfBounds, vm.Dim{X: 16}, []string{"right behind the end of the local memory of the thread (64 bytes"}},
		{"const", "mov.u64 %rd3, table; cvta.const.u64 %rd3, %rd3; st.u32 [%rd3], %r1;",
			vm.WriteToConst, vm.Dim{}, []string{"write to constant memory", "table is a .const variable"}},
		{"in a branch", "setp.ne.u32 %p0, %r1, 40; @%p0 bra OVER; mov.u64 %rd3, 64; ld.u32 %r2, [%rd3]; OVER:",
			vm.OutOfBounds, vm.Dim{X: 40}, []string{"thread (40, 0, 0)", "at 0x40"}},
		{"trap", "setp.eq.u32 %p0, %r1, 9; @%p0 trap;", vm.Trap, vm.Dim{X: 9}, []string{"trap"}},
		{"a barrier that some threads of a warp do not reach", "setp.lt.u32 %p0, %r1, 40; @%p0 bra A; bar.sync 0; bar.sync 0; bra.uni B;\nA: bar.sync 1;\nB:",
			vm.Deadlock, vm.Dim{X: 40}, []string{"barrier reached by part of a CTA", "24 threads (from thread (40, 0, 0) on) wait at barrier 0", "40 threads (from thread (0, 0, 0) on) wait at barrier 1"}},
		{"no such barrier", "mov.u32 %r2, 16; bar.sync %r2;", vm.Trap, vm.Dim{}, []string{"no such barrier"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := vmtest.Load(t, strings.Replace(vmtest.PerThread(c.code), ".visible", ".const .u32 table[2] = {1, 2};\n.visible", 1))
			out, _ := m.Memory().Alloc("out", 256)
			err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 64}}, out)
			var f *vm.Fault
			if !errors.As(err, &f) {
				t.Fatalf("got %v, want a fault", err)
			}
			if f.Kind != c.kind || f.Thread != c.thread {
				t.Errorf("got %v of thread %v, want %v of %v", f.Kind, f.Thread, c.kind, c.thread)
			}
			for _, part := range c.report {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the report lacks %q:\n%v", part, err)
				}
			}
		})
	}
}

// TestMissing asks for a kernel with instructions that do not exist. In a module of a later version
// than the table of instructions has, check lets them pass.
func TestMissing(t *testing.T) {
	m := vmtest.Load(t, strings.Replace(vmtest.Header, "7.8", "9.9", 1)+`
.visible .entry good() { ret; }
.visible .entry bad() {
	.reg .b32 %r<3>;
	frobnicate.u32 %r1, %r2;
	add.u32 %r1, %r1, 1;
	frobnicate.u32 %r1, %r2;
	add.u77 %r1, %r1, 1;
	add.u64 %r1, %r1, 1;
	ret;
}`)
	vmtest.Kernel(t, m, "good")
	_, err := m.Kernel("bad")
	var missing *vm.MissingError
	if !errors.As(err, &missing) || len(missing.Forms) != 3 {
		t.Fatalf("got %v, want three missing forms", err)
	}
	want := "kernel bad cannot run: an instruction form is not implemented, an instruction is unknown, an instruction has an operand that it cannot take\n" +
		"test.ptx:8:2: frobnicate.u32: PTX has no instruction frobnicate (2 times)\ntest.ptx:11:2: add.u77\ntest.ptx:12:2: add.u64: %r1 has another width than the instruction"
	if err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestNoSuchKernel(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+".visible .entry one() { ret; }\n.visible .entry two() { ret; }")
	_, err := m.Kernel("three")
	if !errors.Is(err, vm.ErrNoKernel) || !strings.Contains(err.Error(), "one, two") {
		t.Errorf("got %v", err)
	}
}

func TestArguments(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+".visible .entry k(.param .u64 p, .param .u32 n, .param .f32 f, .param .align 4 .b8 s[12]) { ret; }")
	k := vmtest.Kernel(t, m, "k")
	b, _ := m.Memory().Alloc("b", 4)
	other, _ := vm.NewMemory().Alloc("other", 4)
	s := make([]byte, 12)
	vmtest.Launch(t, k, vm.Grid{}, b, 5, 1.5, s)
	vmtest.Launch(t, k, vm.Grid{}, uint64(0), -1, 2, s)
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{b, 5, 1.5}, "takes 4 arguments, got 3; the parameters are .u64 p, .u32 n, .f32 f, .align 4 .b8[12] s"},
		{[]any{b, int64(1 << 40), 1.5, s}, "parameter 2 (.u32 n): 1099511627776 does not fit"},
		{[]any{b, b, 1.5, s}, "parameter 2 (.u32 n): takes 4 bytes, got a buffer"},
		{[]any{b, 1.5, 1.5, s}, "parameter 2 (.u32 n): takes an integer, got 1.5"},
		{[]any{b, 1, b, s}, "parameter 3 (.f32 f): takes 4 bytes, got a buffer"},
		{[]any{b, 1, 1, s[:4]}, "parameter 4 (.align 4 .b8[12] s): takes 12 bytes, got 4"},
		{[]any{other, 1, 1, s}, "another address space"},
		{[]any{"x", 1, 1, s}, "cannot be a value of type string"},
		{[]any{[]uint32{1}, 1, 1, s}, "parameter 1 (.u64 p): cannot be a value of type []uint32: an address is a *Buffer, which Alloc of the module gives"},
		{[]any{s, 1, 1, s}, "takes 8 bytes, got 12: an address is a *Buffer"},
		{[]any{b, new(int), 1, s}, "parameter 2 (.u32 n): cannot be a value of type *int"},
		{[]any{nil, 1, 1, s}, "the argument is nil"},
	} {
		err := k.Launch(context.Background(), vm.Grid{}, c.args...)
		var wrong *vm.ArgumentError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestGrid(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+".visible .entry k() { ret; }")
	k := vmtest.Kernel(t, m, "k")
	for _, g := range []vm.Grid{{Block: vm.Dim{X: 1025}}, {Block: vm.Dim{X: 32, Y: 33}}, {Block: vm.Dim{Z: 65}}, {Block: vm.Dim{X: -1}}, {Grid: vm.Dim{Y: 1 << 16}}, {Shared: -1}} {
		if err := k.Launch(context.Background(), g); err == nil {
			t.Errorf("%+v: no error", g)
		}
	}
	vmtest.Launch(t, k, vm.Grid{Grid: vm.Dim{X: 3, Y: 4, Z: 5}, Block: vm.Dim{X: 16, Y: 8, Z: 8}, Shared: 100})
}

// TestCancel stops kernels that never end, whether their threads agree or not.
func TestCancel(t *testing.T) {
	for _, code := range []string{
		"L: bra L;",
		"L: setp.lt.u32 %p0, %r1, 7; @%p0 bra L; M: bra M;",
		"setp.lt.u32 %p0, %r1, 7; @%p0 bra L; bar.sync 0; L: bra L;",
	} {
		m := vmtest.Load(t, vmtest.PerThread(code))
		out, _ := m.Memory().Alloc("out", 4096)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		err := vmtest.Kernel(t, m, "test").Launch(ctx, vm.Grid{Grid: vm.Dim{X: 4}, Block: vm.Dim{X: 64}}, out)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", code, err)
		}
	}
}

// TestLocalMemoryOfCallees: local memory that a function has had which has returned is outside of that of others, in the same thread, in others of its
// warp, and in later blocks, whichever worker executes them.
func TestLocalMemoryOfCallees(t *testing.T) {
	const text = vmtest.Header + `
.func deep(.param .u32 x) {
	.local .align 8 .b8 big[4096]; .reg .u32 %r; ld.param.u32 %r, [x]; st.local.u32 [big+4000], %r; ret;
}
.visible .entry k(.param .u64 out) {
	.local .align 8 .b8 own[64]; .reg .u32 %r<6>; .reg .u64 %d; .reg .pred %p<2>;
	WHO @%p0 bra READ;
	{ .param .u32 a; st.param.u32 [a], %r1; call.uni deep, (a); }
	THEN
READ: mov.u32 %r3, own; add.u32 %r3, %r3, 2000; ld.local.u32 %r2, [%r3]; ld.param.u64 %d, [out]; st.global.u32 [%d], %r2; ret;
}`
	for _, c := range []struct{ name, who, then string }{
		{"the same thread", "mov.u32 %r1, 5; setp.ne.u32 %p0, %r1, 5;", ""},
		{"another thread", "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 7;", "bar.warp.sync -1; ret;"},
		{"another block", "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r1, 0;", "ret;"},
	} {
		for _, on := range level.Levels() {
			for _, workers := range []int{1, 2} {
				m := vmtest.LoadOn(t, on, strings.NewReplacer("WHO", c.who, "THEN", c.then).Replace(text))
				out, err := m.Memory().Alloc("out", 4)
				if err != nil {
					t.Fatal(err)
				}
				grid := vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 32}, Workers: workers}
				err = vmtest.Kernel(t, m, "k").Launch(context.Background(), grid, out)
				if err == nil || !strings.Contains(err.Error(), "beyond the end of the local memory of the thread (68 bytes") {
					t.Errorf("%s, %v, %d workers: %v", c.name, on, workers, err)
				}
			}
		}
	}
}
