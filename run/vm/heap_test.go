package vm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

const heapDeclared = vmtest.Header + `
.extern .func (.param .b64 r) malloc(.param .b64 size);
.extern .func free(.param .b64 p);
`

// allocating calls malloc and leaves what it gives in a register.
func allocating(to, size string) string {
	return "{ .param .b64 a, r; st.param.b64 [a], " + size + "; call (r), malloc, (a); ld.param.b64 " + to + ", [r]; }\n"
}

func freeing(p string) string {
	return "{ .param .b64 a; st.param.b64 [a], " + p + "; call free, (a); }\n"
}

// TestHeap has threads build lists of blocks of their own, of different sizes, add them up and free them.
func TestHeap(t *testing.T) {
	text := heapDeclared + `.visible .entry k(.param .u64 out) {
	.reg .pred %p; .reg .b32 %i, %n, %sum, %v; .reg .b64 %q<9>;
	mov.u32 %i, %tid.x; mov.u32 %n, %ctaid.x; mad.lo.u32 %i, %n, 64, %i; mov.u32 %n, 0; mov.u64 %q1, 0;
$build: mul.wide.u32 %q2, %n, 8; add.s64 %q2, %q2, 13;
	` + allocating("%q3", "%q2") + `
	st.u64 [%q3], %q1; add.u32 %v, %i, %n; st.u32 [%q3+8], %v; mov.u64 %q1, %q3; add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 5; @%p bra $build;
	mov.u32 %sum, 0;
$walk: ld.u64 %q4, [%q1]; ld.u32 %v, [%q1+8]; add.u32 %sum, %sum, %v;
	` + freeing("%q1") + `
	mov.u64 %q1, %q4; setp.ne.u64 %p, %q1, 0; @%p bra $walk;
	` + freeing("0") + `
	ld.param.u64 %q5, [out]; mad.wide.u32 %q5, %i, 4, %q5; st.global.u32 [%q5], %sum; ret; }`
	const blocks, threads = 30, 64
	k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}, Args: []any{make([]byte, 4*blocks*threads)}}
	m, err := k.Checked()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range append(vmtest.Ways(), vmtest.PlainWay) {
		e, err := k.Run(m, w)
		if err != nil {
			t.Fatalf("%v: %v", w, err)
		}
		for i := range blocks * threads {
			if got, want := binary.LittleEndian.Uint32(e.Buffers[0][4*i:]), uint32(5*i+10); got != want {
				t.Fatalf("%v: thread %d: %d, want %d", w, i, got, want)
			}
		}
	}
}

// runHeap runs one thread of a kernel that may leave a number.
func runHeap(t *testing.T, code string, check bool) (left uint64, err error) {
	t.Helper()
	for _, l := range level.Levels() {
		k := vmtest.Trial{Text: heapDeclared + ".visible .entry k(.param .u64 out) { .reg .b64 %q<9>; .reg .b64 %left; .reg .b32 %n; .reg .pred %p; mov.u64 %left, 0;\n" + code + "\nld.param.u64 %q8, [out]; st.global.u64 [%q8], %left; ret; }", Kernel: "k", Args: []any{make([]byte, 8)}}
		m, e := k.Checked()
		if e != nil {
			t.Fatal(e)
		}
		var done vmtest.Effect
		done, err = k.Run(m, vmtest.Way{Level: l, Workers: 1, Check: check})
		left = binary.LittleEndian.Uint64(done.Buffers[0])
	}
	return left, err
}

// TestHeapLimits: malloc gives 0 when there is no room, and what has been freed can be had again.
func TestHeapLimits(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		want uint64
	}{
		"too much":         {allocating("%left", "8388609"), 0},
		"nothing":          {allocating("%left", "0"), 0},
		"everything":       {allocating("%q1", "8388608") + "selp.b64 %left, 1, 0, %p; setp.ne.u64 %p, %q1, 0; selp.b64 %left, 1, 0, %p;", 1},
		"until it is full": {"mov.u32 %n, 0;\n$turn: " + allocating("%q1", "100000") + "setp.ne.u64 %p, %q1, 0; @%p add.u64 %left, %left, 1; @%p bra $turn;", 8388608 / 100000},
		"again":            {allocating("%q1", "5000000") + allocating("%q2", "5000000") + freeing("%q1") + allocating("%q3", "4000000") + "sub.s64 %left, %q3, %q1; add.s64 %left, %left, %q2;", 0},
	} {
		for _, check := range []bool{false, true} {
			code := c.code
			if name == "everything" {
				code = strings.Replace(code, "selp.b64 %left, 1, 0, %p; ", "", 1)
			}
			if got, err := runHeap(t, code, check); err != nil || got != c.want {
				t.Errorf("%s, check %v: %d, %v, want %d", name, check, got, err, c.want)
			}
		}
	}
}

// TestHeapFaults: what is no block cannot be freed; with Check, accesses beside blocks and to those that are free are found.
func TestHeapFaults(t *testing.T) {
	for _, c := range []struct {
		code, want string
		check      bool
	}{
		{freeing("1234"), "free of 0x4d2, which malloc has not returned", false},
		{"ld.param.u64 %q1, [out];" + freeing("%q1"), "which malloc has not returned", false},
		{allocating("%q1", "64") + "add.s64 %q1, %q1, 16;" + freeing("%q1"), "which malloc has not returned", false},
		{allocating("%q1", "64") + freeing("%q1") + freeing("%q1"), "which is free already", false},
		{allocating("%q1", "64") + "ld.u32 %n, [%q1+67108864];", "out of bounds", false},
		{allocating("%q1", "20") + "st.u32 [%q1+16], 1; st.u32 [%q1+20], 1;", "not inside of the block at", true},
		{allocating("%q1", "64") + "ld.u32 %n, [%q1+4096];", "malloc has not given that memory to anybody", true},
		{allocating("%q1", "64") + "st.u32 [%q1], 1;" + freeing("%q1") + allocating("%q2", "64") + "st.u32 [%q1], 1;", "of 64 bytes, is free", true},
	} {
		_, err := runHeap(t, c.code, c.check)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.code, err, c.want)
		}
	}
}

// TestHeapIsKept: a block of one launch is there in the next, of another kernel.
func TestHeapIsKept(t *testing.T) {
	m := vmtest.Load(t, heapDeclared+`
.global .u64 kept;
.visible .entry first() { .reg .b64 %q; `+allocating("%q", "16")+` st.u32 [%q], 77; st.global.u64 [kept], %q; ret; }
.visible .entry second(.param .u64 out) { .reg .b64 %q<3>; .reg .b32 %r; ld.global.u64 %q1, [kept]; ld.u32 %r, [%q1]; `+freeing("%q1")+` ld.param.u64 %q2, [out]; st.global.u32 [%q2], %r; ret; }
`)
	out, _ := m.Memory().Alloc("out", 4)
	vmtest.Launch(t, vmtest.Kernel(t, m, "first"), vm.Grid{})
	vmtest.Launch(t, vmtest.Kernel(t, m, "second"), vm.Grid{}, out)
	if got := vmtest.Words(out)[0]; got != 77 {
		t.Errorf("got %d", got)
	}
	err := vmtest.Kernel(t, m, "second").Launch(context.Background(), vm.Grid{}, out)
	if f, ok := errors.AsType[*vm.Fault](err); !ok || f.Kind != vm.Trap || !strings.Contains(f.Detail, "free already") || f.Line == 0 {
		t.Errorf("%v", err)
	}
}
