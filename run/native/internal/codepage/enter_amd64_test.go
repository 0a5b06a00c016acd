package codepage_test

import (
	"encoding/binary"
	"math/bits"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/cpu"

	. "github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/internal/codepage"
)

// assemble writes code, loads it, and returns its address.
func assemble(t testing.TB, write func(*Assembler)) uintptr {
	t.Helper()
	a := New(AllFeatures)
	write(a)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return load(t, code).Address(0)
}

// enter runs code on a context.
func enter[T any](code uintptr, context *T) uint64 {
	reason := codepage.Enter(code, uintptr(unsafe.Pointer(context)))
	runtime.KeepAlive(context)
	return reason
}

func needAVX2(t testing.TB) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
}

func needAVX512(t testing.TB) {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512BW || !cpu.X86.HasAVX512VL || !cpu.X86.HasAVX512DQ {
		t.Skip("no AVX-512")
	}
}

// heap makes a context that does not lie on the stack, which moves.
func heap[T any](v T) *T {
	p := new(T)
	*p = v
	sink = p
	return p
}

var sink any

func TestRunAddition(t *testing.T) {
	code := assemble(t, func(a *Assembler) {
		a.Emit(MOV|S64, RAX, At(RDI, 0))
		a.Emit(ADD|S64, RAX, At(RDI, 8))
		a.Emit(MOV|S64, At(RDI, 16), RAX)
		a.Emit(RET)
	})
	context := heap([3]uint64{3, 1<<40 + 4})
	if got := enter(code, context); got != 1<<40+7 || context[2] != got {
		t.Errorf("got %d, context %d", got, context)
	}
}

// TestRunLoop sums numbers in a loop over 16, with a masked rest.
func TestRunLoop(t *testing.T) {
	needAVX512(t)
	type context struct {
		data  [100]uint32
		count uint64
	}
	code := assemble(t, func(a *Assembler) {
		a.Emit(MOV|S64, RCX, At(RDI, int32(unsafe.Offsetof(context{}.count))))
		a.Emit(VPXORD|L512, V(17), V(17), V(17))
		loop, rest := a.NewLabel(), a.NewLabel()
		a.Emit(SUB|S64, RCX, Imm(16))
		a.JumpIf(CondB, rest)
		a.Bind(loop)
		a.Emit(VPADDD|L512, V(17), V(17), At(RDI, 0))
		a.Emit(VPADDD|L512, V(17), V(17), a.Const32(1000).Broadcast())
		a.Emit(ADD|S64, RDI, Imm(64))
		a.Emit(SUB|S64, RCX, Imm(16))
		a.JumpIf(CondAE, loop)
		a.Bind(rest)
		a.Emit(ADD|S64, RCX, Imm(16))
		a.Emit(MOV|S32, RAX, Imm(-1))
		a.Emit(BZHI|S32, RAX, RAX, RCX)
		a.Emit(KMOVWR, K3, RAX)
		a.Emit((VMOVDQU32 | L512).Mask(K3).Zeroing(), V(30), At(RDI, 0))
		a.Emit(VPADDD|L512, V(17), V(17), V(30))
		// 16 lanes to one.
		a.Emit(VEXTRACTI64X4, V(18), V(17), Imm(1))
		a.Emit(VPADDD|L256, V(17), V(17), V(18))
		a.Emit(VEXTRACTI32X4|L256, V(18), V(17), Imm(1))
		a.Emit(VPADDD|L128, V(1), V(17), V(18))
		a.Emit(VPSHUFD|L128, V(2), V(1), Imm(0x4e))
		a.Emit(VPADDD|L128, V(1), V(1), V(2))
		a.Emit(VPSHUFD|L128, V(2), V(1), Imm(0xb1))
		a.Emit(VPADDD|L128, V(1), V(1), V(2))
		a.Emit(VMOVD, RAX, V(1))
		a.Emit(VZEROUPPER)
		a.Emit(RET)
	})
	c := heap(context{})
	for i := range c.data {
		c.data[i] = uint32(i*i + 1)
	}
	for n := range uint64(100) {
		c.count = n
		want := uint64(n / 16 * 16 * 1000)
		for _, v := range c.data[:n] {
			want += uint64(v)
		}
		if got := enter(code, c); got != want {
			t.Errorf("sum of %d numbers: %d, want %d", n, got, want)
		}
	}
}

// TestRunAVX2 takes differences of bytes by maximum and minimum, and sums them by VPSADBW.
func TestRunAVX2(t *testing.T) {
	needAVX2(t)
	code := assemble(t, func(a *Assembler) {
		a.Emit(VMOVDQU|L256, V(9), At(RDI, 0))
		a.Emit(VPMAXUB|L256, V(10), V(9), At(RDI, 32))
		a.Emit(VPMINUB|L256, V(11), V(9), At(RDI, 32))
		a.Emit(VPSUBB|L256, V(12), V(10), V(11))
		a.Emit(VPXOR|L128, V(13), V(13), V(13))
		a.Emit(VPSADBW|L256, V(12), V(12), V(13))
		a.Emit(VEXTRACTI128, V(13), V(12), Imm(1))
		a.Emit(VPADDQ|L128, V(12), V(12), V(13))
		a.Emit(VPEXTRQ, RAX, V(12), Imm(1))
		a.Emit(VMOVQR, RCX, V(12))
		a.Emit(LEA|S64, RAX, AtIndex(RAX, RCX, 1, 0))
		a.Emit(VZEROUPPER)
		a.Emit(RET)
	})
	c := heap([64]byte{})
	want := uint64(0)
	for i := range 32 {
		c[i], c[32+i] = byte(i*37), byte(200-i*11)
		d := int(c[i]) - int(c[32+i])
		want += uint64(max(d, -d))
	}
	if got := enter(code, c); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

// TestRunJumpTable dispatches over a table, and shows that code is independent of its place.
func TestRunJumpTable(t *testing.T) {
	const cases = 9
	a := New(AllFeatures)
	var labels []Label
	for range cases {
		labels = append(labels, a.NewLabel())
	}
	a.Emit(MOV|S64, RCX, At(RDI, 0))
	a.Emit(LEA|S64, RAX, AtLabel(a.JumpTable(labels...), 0))
	a.Emit(MOVSXD|S64, RCX, AtIndex(RAX, RCX, 4, 0))
	a.Emit(ADD|S64, RAX, RCX)
	a.Emit(JMPR, RAX)
	for i, l := range labels {
		a.Align(16)
		a.Bind(l)
		a.Emit(MOV|S64, RAX, a.Const64(uint64(i)*1e12))
		a.Emit(RET)
	}
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	shifted := make([]byte, 64+len(code))
	copy(shifted[64:], code)
	for _, address := range []uintptr{load(t, code).Address(0), load(t, shifted).Address(64)} {
		for i := range uint64(cases) {
			if got := enter(address, heap(i)); got != i*1e12 {
				t.Errorf("case %d: got %d", i, got)
			}
		}
	}
}

// TestRunGatherAndScatter permutes numbers by indices in memory.
func TestRunGatherAndScatter(t *testing.T) {
	needAVX512(t)
	type context struct{ index, from, to [16]uint32 }
	code := assemble(t, func(a *Assembler) {
		a.Emit(VMOVDQU32|L512, V(31), At(RDI, 0))
		a.Emit(KXNORW, K1, K1, K1)
		a.Emit((VPGATHERDD | L512).Mask(K1), V(20), AtIndex(RDI, V(31), 4, 64))
		a.Emit(KORTESTW, K1, K1) // all gathered: the mask is clear
		a.Emit(SET.If(CondE), RAX)
		a.Emit(MOVZX8|S32, RAX, RAX)
		a.Emit(KXNORW, K7, K7, K7)
		a.Emit((VPSCATTERDD | L512).Mask(K7), AtIndex(RDI, V(31), 4, 128), V(20))
		a.Emit(VZEROUPPER)
		a.Emit(RET)
	})
	c := heap(context{})
	for i := range 16 {
		c.index[i] = uint32(i*5+3) % 16
		c.from[i] = uint32(i) + 100
	}
	if got := enter(code, c); got != 1 {
		t.Errorf("the mask of a finished gather: %d", got)
	}
	if c.to != c.from {
		t.Errorf("got %d, want %d", c.to, c.from)
	}
}

// TestRunAffineBroadcast settles the displacement of VGF2P8AFFINEQB with a broadcast: it
// counts in elements of eight bytes. llvm-mc 16 writes it in bytes.
func TestRunAffineBroadcast(t *testing.T) {
	needAVX512(t)
	if !cpu.X86.HasAVX512GFNI {
		t.Skip("no GFNI")
	}
	for element := range 4 {
		code := assemble(t, func(a *Assembler) {
			a.Emit(VPBROADCASTQ|L512, V(16), At(RDI, 0))
			a.Emit(VGF2P8AFFINEQB|L512, V(17), V(16), At(RDI, int32(8+8*element)).Broadcast(), Imm(0))
			a.Emit(VMOVQR, RAX, V(17))
			a.Emit(VZEROUPPER)
			a.Emit(RET)
		})
		// Matrices that shift each byte by so many bits.
		c := heap([5]uint64{0x0102030405060708})
		for shift := range 4 {
			var m [8]byte
			for bit := range 8 - shift {
				m[7-(bit+shift)] = 1 << bit
			}
			c[1+shift] = binary.LittleEndian.Uint64(m[:])
		}
		want := uint64(0)
		for i := range 8 {
			want |= uint64(byte(c[0]>>(8*i))<<element) << (8 * i)
		}
		if got := enter(code, c); got != want {
			t.Errorf("element %d: got %016x, want %016x", element, got, want)
		}
	}
}

// TestRunRounding rounds 1/3 by the rounding in the instruction.
func TestRunRounding(t *testing.T) {
	needAVX512(t)
	for _, c := range []struct {
		round func(Op) Op
		want  uint64
	}{{Op.RoundNearest, 0x3eaaaaab}, {Op.RoundDown, 0x3eaaaaaa}, {Op.RoundUp, 0x3eaaaaab}, {Op.RoundZero, 0x3eaaaaaa}} {
		code := assemble(t, func(a *Assembler) {
			a.Emit(VMOVSS, V(20), a.Const32(0x3f800000))
			a.Emit(VMOVSS, V(21), a.Const32(0x40400000))
			a.Emit(c.round(VDIVPS|L512), V(22), V(20), V(21))
			a.Emit(VMOVD, RAX, V(22))
			a.Emit(VZEROUPPER)
			a.Emit(RET)
		})
		if got := enter(code, heap(0)); got != c.want {
			t.Errorf("got %#x, want %#x", got, c.want)
		}
	}
}

// clobber writes code that changes every register except RSP, and returns the sum of what
// its context had.
func clobber(a *Assembler) {
	a.Emit(MOV|S64, RAX, At(RDI, 0))
	for i := 1; i < 16; i++ {
		if R(i) != RSP {
			a.MoveConst(R(i), 0xdead_0000_0000_0000|uint64(i))
		}
	}
	if cpu.X86.HasAVX512BW {
		for i := range 32 {
			a.Emit(VPBROADCASTQR|L512, V(i), R13)
		}
		for i := range 8 {
			a.Emit(KMOVQR, K(i), R12)
		}
	}
	if cpu.X86.HasAVX {
		a.Emit(VZEROUPPER)
	}
	a.Emit(RET)
}

// TestRunBesideTheRuntime: code that changes every register runs beside goroutines, stack
// growth and garbage collection.
func TestRunBesideTheRuntime(t *testing.T) {
	code := assemble(t, clobber)
	var wait sync.WaitGroup
	stop := time.Now().Add(300 * time.Millisecond)
	for g := range 4 {
		wait.Go(func() {
			for i := uint64(0); time.Now().Before(stop); i++ {
				c := heap2(i)
				if got := enter(code, c); got != i {
					t.Errorf("got %d, want %d", got, i)
					return
				}
				if got := deep(code, 20+g, i); got != bits.Reverse64(i) {
					t.Errorf("got %d", got)
					return
				}
			}
		})
	}
	for time.Now().Before(stop) {
		runtime.GC()
	}
	wait.Wait()
}

// heap2 returns a number that lies in the heap, for several goroutines.
//
//go:noinline
func heap2(v uint64) *uint64 { return &v }

// deep enters code from deep stacks.
func deep(code uintptr, depth int, v uint64) uint64 {
	var room [64]uint64
	room[depth%64] = v
	if depth == 0 {
		return bits.Reverse64(enter(code, heap2(v)))
	}
	got := deep(code, depth-1, v)
	if room[depth%64] != v {
		return 0
	}
	return got
}

// TestRunFault: a fault in the code is a panic that its caller can recover, and the code
// can be entered again.
func TestRunFault(t *testing.T) {
	code := assemble(t, func(a *Assembler) {
		a.Emit(MOV|S64, RBP, Imm(0))
		a.Emit(MOV|S64, RAX, At(RDI, 8))
		a.Emit(RET)
	})
	for range 3 {
		if got := fault(func() { codepage.Enter(code, 0) }); !strings.Contains(got, "nil pointer") && !strings.Contains(got, "fault") {
			t.Errorf("got %q, want a fault", got)
		}
		if got := enter(code, heap([2]uint64{1, 2})); got != 2 {
			t.Errorf("got %d", got)
		}
	}
}

func BenchmarkEnter(b *testing.B) {
	code := assemble(b, func(a *Assembler) { a.Emit(RET) })
	for b.Loop() {
		codepage.Enter(code, 0)
	}
}

// returns is code that leaves with a reason.
func returns(reason byte) []byte { return []byte{0xb8, reason, 0, 0, 0, 0xc3} }

// TestEnterArray holds which registers the arguments are in.
func TestEnterArray(t *testing.T) {
	// mov [r9], rdi; mov [r9+8], rsi; mov [r9+16], rdx; mov [r9+24], rcx; mov [r9+32], r8; ret
	code := load(t, []byte{0x49, 0x89, 0x39, 0x49, 0x89, 0x71, 8, 0x49, 0x89, 0x51, 16, 0x49, 0x89, 0x49, 24, 0x4d, 0x89, 0x41, 32, 0xc3})
	frame, x := new([5]uint64), new([4]uint32)
	at := func(n int) unsafe.Pointer { return unsafe.Pointer(&x[n]) }
	codepage.EnterArray(code.Address(0), at(0), at(1), at(2), at(3), 77, unsafe.Pointer(frame))
	for n := range 4 {
		if frame[n] != uint64(uintptr(at(n))) {
			t.Errorf("argument %d is %#x, want %p", n, frame[n], at(n))
		}
	}
	if frame[4] != 77 {
		t.Errorf("the number of words is %d", frame[4])
	}
}

// TestEnterFlushing: the code has a mode of its own, and Go's floats have theirs afterwards, also when the code has failed.
func TestEnterFlushing(t *testing.T) {
	halve := assemble(t, func(a *Assembler) {
		a.Emit(VMOVSS, V(0), At(RDI, 0))
		a.Emit(VMULSS, V(0), V(0), a.Const32(0x3f000000))
		a.Emit(VMOVD, RAX, V(0))
		a.Emit(RET)
	})
	fails := assemble(t, func(a *Assembler) {
		a.Emit(MOV|S64, RAX, At(RDI, 8))
		a.Emit(RET)
	})
	least := heap(uint32(0x00800000))
	flushing := func() uint64 {
		defer runtime.KeepAlive(least)
		return codepage.EnterFlushing(halve, uintptr(unsafe.Pointer(least)))
	}
	for range 3 {
		if got := flushing(); got != 0 {
			t.Errorf("half of the least normal number: %#x, want 0", got)
		}
		if got := fault(func() { codepage.EnterFlushing(fails, 0) }); !strings.Contains(got, "nil pointer") && !strings.Contains(got, "fault") {
			t.Errorf("got %q, want a fault", got)
		}
		if got := enter(halve, least); got != 0x00400000 {
			t.Errorf("half of it after that: %#x, want 400000", got)
		}
	}
}

func BenchmarkEnterFlushing(b *testing.B) {
	code := assemble(b, func(a *Assembler) { a.Emit(RET) })
	for b.Loop() {
		codepage.EnterFlushing(code, 0)
	}
}
