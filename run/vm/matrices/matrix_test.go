package matrices

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

const matrixHeader = ".version 8.3\n.target sm_90\n.address_size 64\n"

// holdMatrices runs a kernel of whole warps on all levels, plain and watched.
func holdMatrices(t *testing.T, name, text string, warps int, in, want []byte) {
	t.Helper()
	k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: 32 * warps}}, Args: []any{in, make([]byte, len(want))}}
	m, err := k.Checked()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	all := []vmtest.Way{{Level: level.Best(), Workers: 1, Check: true}}
	for _, l := range level.Levels() {
		all = append(all, vmtest.Way{Level: l, Workers: 1})
	}
	for _, w := range all {
		e, err := k.Run(m, w)
		if err != nil {
			t.Fatalf("%s, %v: %v", name, w, err)
		}
		if at := vmtest.FirstDifference(e.Buffers[1], want); at >= 0 {
			t.Errorf("%s, %v: byte %d is %#x, want %#x", name, w, at, e.Buffers[1][at], want[at])
		}
	}
}

// TestMatrixMoves loads and stores matrices of 8 x 8 halves in shared memory, as they are and transposed, and transposes one in
// registers.
func TestMatrixMoves(t *testing.T) {
	in := make([]byte, 4*8*16)
	rng := rand.New(rand.NewPCG(6, 7))
	for i := range in {
		in[i] = byte(rng.Uint32())
	}
	at := func(matrix, row, column int) uint16 {
		return binary.LittleEndian.Uint16(in[matrix*128+row*16+2*column:])
	}
	const begin = matrixHeader + `.visible .entry k(.param .u64 in, .param .u64 out) {
	.shared .align 16 .b8 s[1024]; .reg .b32 %i, %a, %r<8>; .reg .b64 %in, %out, %q<3>; mov.u32 %i, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
	mad.wide.u32 %out, %i, 16, %out; mad.wide.u32 %in, %i, 16, %in; mul.lo.u32 %a, %i, 32; mov.u32 %r0, s; add.u32 %a, %a, %r0;
	ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%in]; st.shared.v4.b32 [%a], {%r1, %r2, %r3, %r4}; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0; bar.sync 0;
`
	const end = "\nst.global.v4.b32 [%out], {%r1, %r2, %r3, %r4}; ret; }"
	both := func(low, high uint16) uint32 { return uint32(low) | uint32(high)<<16 }
	plain := func(n, lane int) uint32 { return both(at(n, lane/4, lane%4*2), at(n, lane/4, lane%4*2+1)) }
	turned := func(n, lane int) uint32 { return both(at(n, lane%4*2, lane/4), at(n, lane%4*2+1, lane/4)) }
	for _, c := range []struct {
		code string
		want func(n, lane int) uint32
	}{
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%a];", plain},
		{"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, [%a];", turned},
		{"ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%r1, %r2}, [%a];", func(n, lane int) uint32 {
			if n > 1 {
				return 0
			}
			return plain(n, lane)
		}},
		{"cvt.u64.u32 %q1, %a; cvta.shared.u64 %q1, %q1; ldmatrix.sync.aligned.m8n8.x1.trans.b16 {%r3}, [%q1];", func(n, lane int) uint32 {
			if n != 2 {
				return 0
			}
			return turned(0, lane)
		}},
		{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%a]; movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r5; movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;", func(n, lane int) uint32 {
			return []uint32{turned(0, lane), plain(0, lane), 0, 0}[n]
		}},
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%a]; bar.sync 0; stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%a], {%r3, %r4}; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%a+512], {%r2}; bar.sync 0; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%a];",
			func(n, lane int) uint32 {
				switch n {
				case 0:
					return turned(2, lane)
				case 1:
					return turned(3, lane)
				case 2:
					return plain(1, lane)
				}
				return plain(3, lane)
			}},
	} {
		want := make([]byte, 32*16)
		for lane := range 32 {
			for n := range 4 {
				binary.LittleEndian.PutUint32(want[16*lane+4*n:], c.want(n, lane))
			}
		}
		holdMatrices(t, c.code, begin+c.code+end, 1, in, want)
	}
}

// TestMatricesWaitForLanes: an instruction on matrices is executed by all lanes of a warp, also where they come out of a loop one
// after the other, and the loop looks like one that waits for somebody: it loads what others may store.
func TestMatricesWaitForLanes(t *testing.T) {
	const text = matrixHeader + `.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .pred %p; .reg .b32 %i, %n, %v; .reg .b64 %in, %out;
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %i, %tid.x; mad.wide.u32 %out, %i, 4, %out; mul.lo.u32 %n, %i, 66;
LOOP:
	setp.eq.u32 %p, %n, 0; @%p bra BEHIND;
	ld.acquire.gpu.global.u32 %v, [%in]; sub.u32 %n, %n, 1; bra LOOP;
BEHIND:
	mad.lo.u32 %v, %i, 0x10000, %i;
	movmatrix.sync.aligned.m8n8.trans.b16 %v, %v;
	st.global.u32 [%out], %v; ret; }`
	want := make([]byte, 4*32)
	for lane := range 32 {
		row, column := lane/4, lane%4*2
		binary.LittleEndian.PutUint16(want[4*lane:], uint16(4*column+row/2))
		binary.LittleEndian.PutUint16(want[4*lane+2:], uint16(4*(column+1)+row/2))
	}
	holdMatrices(t, "movmatrix", text, 1, make([]byte, 4), want)
}

// TestMatricesThatDoNotRun: what ptxas takes and the machine does not execute is said when the kernel is loaded.
func TestMatricesThatDoNotRun(t *testing.T) {
	const f4, r4, r2 = "{%f0,%f1,%f2,%f3}", "{%r0,%r1,%r2,%r3}", "{%r0,%r1}"
	for _, test := range []struct{ header, line string }{
		{".version 8.7\n.target sm_120a\n", "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + f4 + ", " + r2 + ", " + r2 + ", " + f4 + ", %r0, 0"},
		{".version 8.7\n.target sm_120a\n", "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 " + f4 + ", " + r4 + ", " + r2 + ", " + f4 + ", %r0, {0, 0}, %r1, {0, 0}"},
		{".version 8.7\n.target sm_120a\n", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 " + r2 + ", [%q]"},
	} {
		k := vmtest.Trial{Text: test.header + ".address_size 64\n.visible .entry k() { .reg .f32 %f<8>; .reg .b32 %r<8>; .reg .b64 %q;\n" + test.line + ";\nret; }", Kernel: "k"}
		m, err := k.Checked()
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		mod, err := vm.NewMemory().Load(m, level.Portable)
		if err == nil {
			_, err = mod.Kernel("k")
		}
		form, _, _ := strings.Cut(test.line, " ")
		var missing *vm.MissingError
		if !errors.As(err, &missing) || len(missing.Forms) != 1 || missing.Forms[0].Form != form || missing.Forms[0].Line != 5 {
			t.Errorf("%s: %v", test.line, err)
		}
	}
}
