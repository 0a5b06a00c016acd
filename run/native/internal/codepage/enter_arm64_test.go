package codepage_test

import (
	"encoding/binary"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/internal/codepage"
)

// returns is code that leaves with a reason.
func returns(reason byte) []byte {
	code := binary.LittleEndian.AppendUint32(nil, 0xd2800000|uint32(reason)<<5)
	return binary.LittleEndian.AppendUint32(code, 0xd65f03c0)
}

// assemble puts code into memory.
func assemble(t testing.TB, write func(a *encode.Assembler)) uintptr {
	t.Helper()
	a := encode.New()
	write(a)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return load(t, code).Address(0)
}

// TestEnterArray holds which registers the arguments are in.
func TestEnterArray(t *testing.T) {
	code := assemble(t, func(a *encode.Assembler) {
		for n := range 5 {
			a.Emit(encode.STRX, encode.X(n), encode.X(5), encode.Imm(int64(8*n)))
		}
		a.Emit(encode.RET)
	})
	frame, x := new([5]uint64), new([4]uint32)
	at := func(n int) unsafe.Pointer { return unsafe.Pointer(&x[n]) }
	codepage.EnterArray(code, at(0), at(1), at(2), at(3), 77, unsafe.Pointer(frame))
	for n := range 4 {
		if frame[n] != uint64(uintptr(at(n))) {
			t.Errorf("argument %d is %#x, want %p", n, frame[n], at(n))
		}
	}
	if frame[4] != 77 {
		t.Errorf("the number of words is %d", frame[4])
	}
}

// TestRunBesideTheRuntime: code that changes every register that it may runs beside goroutines, stack growth and garbage
// collection.
func TestRunBesideTheRuntime(t *testing.T) {
	code := assemble(t, func(a *encode.Assembler) {
		a.Emit(encode.LDRX, encode.X(0), encode.X(0), encode.Imm(0))
		for n := 1; n < 28; n++ {
			if n != 18 {
				a.Emit(encode.MOVZ, encode.X(n), encode.Imm(0xdead), encode.Imm(48))
			}
		}
		for n := range 32 {
			a.Emit(encode.MOVI, encode.V(n), encode.Imm(0xa5))
		}
		a.Emit(encode.RET)
	})
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range uint64(200) {
				if got := deep(code, 20+g, i); got != i {
					t.Errorf("got %d, want %d", got, i)
					return
				}
			}
		})
	}
	for range 5 {
		runtime.GC()
	}
	wait.Wait()
}

// heap returns a value that lies in the heap: stacks move.
//
//go:noinline
func heap[T any](v T) *T { return &v }

// deep enters code from deep stacks.
func deep(code uintptr, depth int, v uint64) uint64 {
	var room [64]uint64
	room[depth%64] = v
	if depth == 0 {
		context := heap(v)
		got := codepage.Enter(code, uintptr(unsafe.Pointer(context)))
		runtime.KeepAlive(context)
		return got
	}
	got := deep(code, depth-1, v)
	if room[depth%64] != v {
		return ^uint64(0)
	}
	return got
}

// TestRunFault: a fault in the code is a panic that its caller can recover, and the code can be entered again.
func TestRunFault(t *testing.T) {
	code := assemble(t, func(a *encode.Assembler) {
		a.Emit(encode.LDRX, encode.X(0), encode.X(0), encode.Imm(8))
		a.Emit(encode.RET)
	})
	context := heap([2]uint64{1, 2})
	for range 3 {
		if got := fault(func() { codepage.Enter(code, 0) }); !strings.Contains(got, "nil pointer") && !strings.Contains(got, "fault") {
			t.Errorf("got %q, want a fault", got)
		}
		if got := codepage.Enter(code, uintptr(unsafe.Pointer(context))); got != 2 {
			t.Errorf("got %d", got)
		}
	}
	runtime.KeepAlive(context)
}
