package vm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/run/vm/sanitize"
)

// Dim is a size, or a place, in up to three dimensions. As a size, 0 means 1.
type Dim struct{ X, Y, Z int }

// String returns "(x, y, z)".
func (d Dim) String() string { return fmt.Sprintf("(%d, %d, %d)", d.X, d.Y, d.Z) }

func (d Dim) normal() Dim { return Dim{max(d.X, 1), max(d.Y, 1), max(d.Z, 1)} }

func (d Dim) count() int { return d.X * d.Y * d.Z }

// at returns the place with a linear number in the size d: x runs fastest.
func (d Dim) at(n int) Dim { return Dim{n % d.X, n / d.X % d.Y, n / d.X / d.Y} }

// Grid says how a kernel is launched.
type Grid struct {
	Grid   Dim // blocks
	Block  Dim // threads of a block: at most 1024
	Shared int // bytes of dynamic shared memory of each block
	// Workers is the number of blocks that run at the same time; 0 means one per core. Where these wait for blocks
	// that have not begun, as at a barrier of the grid, others begin, up to 4096 or what a quarter of the memory has
	// room for, and all go on in turn.
	Workers int
	// Output is where the kernel's printf goes; nil discards it.
	Output io.Writer
	// Check looks for mistakes while the kernel runs: registers and memory that are read unset,
	// races in shared and global memory, of the threads of a block and of blocks, shuffles and votes with
	// lanes that are not there, barriers that threads do not come to as the manual demands, besides accesses
	// outside memory. The launch goes on after them, and its error is a [*CheckError] that lists them all.
	//
	// An aligned barrier (bar, .aligned, and all for sm_6x or below) is one instruction for all threads of the block
	// or, where it counts threads, of the warp. All threads that meet at a barrier name the same number of threads, reduce or
	// do not, and arrive once. Threads that have ended are not waited for.
	//
	// Threads of a warp go in lockstep as long as they go the same way, as on GPUs before sm_70; only
	// after they have parted, or with one instruction, can they race. A race of blocks is told of the later
	// one. Fences of two blocks put them in order, whatever the one waits for. The memory that
	// knows of races in global memory takes at most 1 GiB, which is enough for some 40 MiB that blocks access; what they
	// access beyond is not looked at.
	Check bool
	// Stats, if not nil, gets the counts of what the launch executes added.
	Stats *Stats
	// Watch, if not nil, is told who writes to some bytes of global memory.
	Watch *Watch
	// Ended, if not nil, counts the blocks that have come to their end, while others still
	// run: whoever waits for a long launch can read in it how far it is.
	Ended *atomic.Int64
}

// The limits of a launch's size (CUDA C++ Programming Guide, compute capabilities 3.0 and later).
const (
	maxThreads = 1024
	maxBlockZ  = 64
	maxGridX   = 1<<31 - 1
	maxGridYZ  = 1<<16 - 1
)

// check returns the grid with its zeros made ones, or an error.
func (g Grid) check() (Grid, error) {
	for _, d := range []Dim{g.Grid, g.Block} {
		if d.X < 0 || d.Y < 0 || d.Z < 0 {
			return g, fmt.Errorf("the grid %v or block %v has a negative size", g.Grid, g.Block)
		}
	}
	g.Grid, g.Block = g.Grid.normal(), g.Block.normal()
	switch {
	case g.Block.X > maxThreads || g.Block.Y > maxThreads || g.Block.Z > maxBlockZ || g.Block.count() > maxThreads:
		return g, fmt.Errorf("the block %v is too large: at most %d threads, and at most %d in z", g.Block, maxThreads, maxBlockZ)
	case g.Grid.X > maxGridX || g.Grid.Y > maxGridYZ || g.Grid.Z > maxGridYZ:
		return g, fmt.Errorf("the grid %v is too large: at most %d in x and %d in y and z", g.Grid, maxGridX, maxGridYZ)
	case g.Shared < 0 || g.Shared > maxShared:
		return g, fmt.Errorf("%d bytes of dynamic shared memory: want 0 to %d", g.Shared, maxShared)
	}
	return g, nil
}

// blocks is the number of blocks. The largest grid has not quite 1<<63.
func (g *Grid) blocks() int64 { return int64(g.Grid.X) * int64(g.Grid.Y) * int64(g.Grid.Z) }

// numberOf returns the linear number of a block's place.
func (g *Grid) numberOf(at Dim) int64 {
	return (int64(at.Z)*int64(g.Grid.Y)+int64(at.Y))*int64(g.Grid.X) + int64(at.X)
}

// blockAt returns the place of the block with a linear number.
func (g *Grid) blockAt(n int64) Dim {
	x, y := int64(g.Grid.X), int64(g.Grid.Y)
	return Dim{int(n % x), int(n / x % y), int(n / x / y)}
}

// launch is one launch of a kernel: what all its workers share.
type launch struct {
	kernel      *Kernel
	grid        Grid
	params      []byte
	allocations []*Buffer
	heap        *heap // of a kernel that calls malloc or free
	end         ending
	printing    sync.Mutex
	code        *code
	observed    *observedCode    // the code's, of a launch that is checked or counted
	sanitizers  *sanitize.Launch // of a launch that is checked, or nil
	reports     reports
	residents   residents
}

// Launch runs the kernel and returns when it has ended. There is one argument for each
// parameter; see [Argument]. An error is about the arguments, or it is a [*Fault], or a
// [*StoppedError] if the context has ended.
func (k *Kernel) Launch(ctx context.Context, grid Grid, args ...any) error {
	grid, err := grid.check()
	if err != nil {
		return fmt.Errorf("kernel %s: %w", k.name, err)
	}
	if err := k.checkBlock(grid.Block); err != nil {
		return err
	}
	var most int
	if grid.Workers, most, err = k.workers(grid); err != nil {
		return err
	}
	params, err := k.marshal(args)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var heap *heap
	if k.heap {
		if heap, err = k.module.memory.theHeap(); err != nil {
			return fmt.Errorf("kernel %s: %w", k.name, err)
		}
	}
	l := &launch{heap: heap, kernel: k, grid: grid, params: params, allocations: *k.module.memory.allocations.Load(), code: k.code}
	if grid.Check || grid.Stats != nil || grid.Watch != nil {
		if err := l.observe(); err != nil {
			return err
		}
	}
	if !grid.Check {
		k.module.memory.forgetUnset()
	}
	stop := context.AfterFunc(ctx, l.end.cancel)
	defer stop()
	l.residents = residents{launch: l, left: handout{grid: &l.grid}, most: most}
	return l.outcome(ctx, l.residents.run(grid.Workers))
}

// outcome returns the error of a launch that has ended.
func (l *launch) outcome(ctx context.Context, workers []*worker) error {
	var stopped error
	var fault *Fault // of those that are found, that of the first block
	if l.end.cancelled() {
		stopped = &StoppedError{Kernel: l.kernel.name, Cause: context.Cause(ctx)}
	}
	var stepped steppedAt
	if l.grid.Stats != nil {
		stepped = l.kernel.stepped(l.grid.Block)
	}
	for _, w := range workers {
		if l.grid.Stats != nil {
			l.grid.Stats.add(w.counter, stepped)
		}
		switch {
		case w.fault == nil:
		case l.grid.Check:
			l.reports.add(&l.grid, w.fault, 1)
		case fault == nil || l.grid.numberOf(w.fault.Block) < l.grid.numberOf(fault.Block):
			fault = w.fault
		}
		if w.stopped != nil {
			w.stopped.Cause, w.stopped.Unbegun = context.Cause(ctx), l.residents.unbegun()
			stopped = w.stopped
		}
	}
	if fault != nil {
		return fault
	}
	if found := l.reports.err(l.kernel.name); found != nil {
		if ctx.Err() == nil {
			return found
		}
		return errors.Join(found, stopped)
	}
	return stopped
}
