package vm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// An endless kernel ends with its context, and the error tells the line of the loop.
func TestEndlessKernel(t *testing.T) {
	for _, test := range []struct {
		name, text string
		line, last int
		thread     vm.Dim
	}{
		{"one instruction", vmtest.Header + `.visible .entry test() {
LOOP:
	bra LOOP;
}`, 6, 6, vm.Dim{}},
		{"one thread of a block", vmtest.Header + `.visible .entry test() {
	.reg .pred %p; .reg .b32 %r<3>;
	mov.u32 %r0, %tid.x;
	setp.ne.u32 %p, %r0, 5;
	@%p bra END;
LOOP:
	add.u32 %r1, %r1, 1;
	membar.gl;
	xor.b32 %r2, %r2, %r1;
	bra.uni LOOP;
END:
	ret;
}`, 10, 13, vm.Dim{X: 5}},
		{"the inner of two", vmtest.Header + `.visible .entry test() {
	.reg .b32 %r<3>; .reg .pred %p;
OUTER:
	add.u32 %r0, %r0, 1;
INNER:
	add.u32 %r1, %r1, 1;
	setp.eq.u32 %p, %r1, %r1;
	@%p bra INNER;
	bra OUTER;
}`, 9, 11, vm.Dim{}},
		{"a loop around a call", vmtest.Header + `.func called() {
	ret;
}
.visible .entry test() {
LOOP:
	call called, ();
	bra LOOP;
}`, 9, 10, vm.Dim{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := vmtest.Load(t, test.text)
			var err error
			var stopped *vm.StoppedError
			// A machine that has much to do may not have begun, or come to the loop, by the first time.
			for limit := 20 * time.Millisecond; limit < time.Minute && (stopped == nil || stopped.Line != test.line); limit *= 10 {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				err = vmtest.Kernel(t, m, "test").Launch(ctx, vm.Grid{Block: vm.Dim{X: 32, Y: 2}}, nil...)
				cancel()
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("got %v, want one that is a deadline exceeded", err)
				}
				stopped, _ = errors.AsType[*vm.StoppedError](err)
			}
			if stopped == nil || stopped.Line != test.line || stopped.Last != test.last || stopped.Thread.X != test.thread.X { // warps take turns
				t.Errorf("got %v\nwant the loop of lines %d to %d, thread %v", err, test.line, test.last, test.thread)
			}
			if !strings.HasPrefix(err.Error(), "test.ptx:") || !strings.Contains(err.Error(), "kernel test") {
				t.Errorf("the message is %q", err)
			}
		})
	}
}

// Wherever it is asked whether the launch is to end, the place told is where the threads are by then. Where a turn of machine
// code had passed, the beginning of the kernel was told.
func TestStoppedBetweenTurns(t *testing.T) {
	k := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+`.visible .entry test() {
	.reg .pred %p; .reg .b32 %r<3>;
	mov.u32 %r0, %tid.x;
	setp.ne.u32 %p, %r0, 5;
	@%p bra END;
LOOP:
	add.u32 %r1, %r1, 1;
	bra.uni LOOP;
END:
	ret;
}`), "test")
	for _, block := range []int{1, 32, 64} {
		for asked := range 20 {
			e := vm.StoppedAt(k, vm.Grid{Block: vm.Dim{X: block, Y: 1, Z: 1}, Grid: vm.Dim{X: 1, Y: 1, Z: 1}}, asked)
			switch {
			case e == nil && (block > 5 || asked == 0):
				t.Fatalf("%d threads, asked %d times: the kernel has come to its end", block, asked)
			case e == nil:
			case asked == 0 && (e.Line != 6 || e.Last != 0):
				t.Fatalf("%d threads, asked for the first time: %v", block, e)
			case asked > 1 && (e.Line != 10 || e.Last != 11 || e.Thread.X != 5):
				t.Fatalf("%d threads, asked %d times: %v", block, asked, e)
			}
		}
	}
}

// A launch whose context is cancelled before it begins does nothing and says so.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := vmtest.Kernel(t, vmtest.Load(t, vmtest.Header+".visible .entry test() { ret; }"), "test").Launch(ctx, vm.Grid{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
