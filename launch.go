package vop

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/vm"
)

// Kernel is a kernel that can be launched, any number of times and at the same time.
type Kernel struct {
	kernel  *vm.Kernel
	options LaunchOptions
}

// Name returns the kernel's name.
func (k *Kernel) Name() string { return k.kernel.Name() }

// Param describes a parameter of a kernel.
type Param struct {
	Name        string
	Type        string // as PTX writes it: ".u64", ".align 8 .b8[24]"
	Size, Align int    // in bytes
	Struct      bool   // it is an array of bytes: a struct that is passed by value
}

// Params returns the kernel's parameters, in order.
func (k *Kernel) Params() (all []Param) {
	for _, p := range k.kernel.Params() {
		all = append(all, Param{p.Name, p.Type, p.Size, p.Align, p.Scalar == check.NoType})
	}
	return all
}

// Print writes the code that the kernel has become: "simt", the code for warps, or "native", the machine code for blocks of
// any shape.
func (k *Kernel) Print(w io.Writer, what string) error { return k.kernel.Print(w, what, vm.Dim{}) }

// Grid is the number of blocks of a launch, in up to three dimensions. 0 counts as 1.
type Grid struct{ X, Y, Z int }

// Block is the number of threads of each block, at most 1024 together. 0 counts as 1.
type Block struct{ X, Y, Z int }

// Place is the place of a block in the grid, or of a thread in its block.
type Place struct{ X, Y, Z int }

// String returns "(x, y, z)".
func (p Place) String() string { return fmt.Sprintf("(%d, %d, %d)", p.X, p.Y, p.Z) }

// LaunchOptions are what a launch may be told besides its geometry. The zero value is ready for use.
type LaunchOptions struct {
	Shared  int       // bytes of dynamic shared memory of each block
	Workers int       // how many blocks run at the same time; 0 means one per core. Blocks that wait for others take turns
	Output  io.Writer // where the kernel's printf goes; nil discards it
	// Check looks for mistakes while the kernel runs: registers and memory that are read unset, races of threads and of
	// blocks, shuffles with lanes that are not there, barriers that threads do not come to as the manual demands, accesses outside
	// of memory.
	// The launch goes on after them; its error is a [*CheckError] that lists them all.
	Check bool
	Stats *Stats        // gets the counts of what the launch executes added
	Ended *atomic.Int64 // counts the blocks that have come to their end, while others still run
}

// With returns the kernel with options for its launches.
func (k *Kernel) With(o LaunchOptions) *Kernel { return &Kernel{k.kernel, o} }

// Options returns the options of the kernel's launches.
func (k *Kernel) Options() LaunchOptions { return k.options }

// Launch runs the kernel and returns when it has ended. There is an argument for each parameter: a [*Buffer] for a pointer,
// a [*Texture] for a texture or surface, a number of any type for a scalar, if the parameter can hold its value, or []byte of
// the parameter's size for a struct.
//
// An error is about the arguments, or it is a [*Fault], with [LaunchOptions] that check a [*CheckError], or a [*StoppedError]
// if the context has ended.
func (k *Kernel) Launch(ctx context.Context, grid Grid, block Block, args ...any) error {
	inner := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case *Buffer:
			inner[i] = arg.buffer
		case *Texture:
			inner[i] = arg.texture
		default:
			inner[i] = arg
		}
	}
	o := k.options
	launch := vm.Grid{
		Grid: vm.Dim(grid), Block: vm.Dim(block), Shared: o.Shared, Workers: o.Workers, Output: o.Output, Check: o.Check, Ended: o.Ended,
	}
	if o.Stats != nil {
		launch.Stats = &o.Stats.counts
	}
	return launchError(k.kernel.Launch(ctx, launch, inner...))
}
