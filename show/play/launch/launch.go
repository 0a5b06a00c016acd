// Package launch runs a kernel of a PTX text on buffers that are given with it, for vop's page.
package launch

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/vm"
)

// Job is a launch.
type Job struct {
	Text        string // a PTX module
	Kernel      string
	Grid, Block vm.Dim
	Args        []Arg
	Check       bool // look for races, unset registers and memory, and so on
	// Ended, if not nil, is told how many blocks have come to their end, every tenth of a second while it runs.
	Ended func(ended, blocks int64)
}

// Arg is an argument: the bytes of a buffer, or if that is nil a number.
type Arg struct {
	Buffer []byte
	Number int
}

// Run runs a job. It returns the buffers of the arguments as the kernel has left them, nil for numbers.
// The output is what the kernel has printed.
func Run(ctx context.Context, job *Job) (buffers [][]byte, output string, err error) {
	tree, findings := syntax.Parse(source.New("kernel.ptx", job.Text))
	if err := firstError(findings); err != nil {
		return nil, "", err
	}
	decl, findings := check.Check(tree)
	if err := firstError(findings); err != nil {
		return nil, "", err
	}
	module, err := vm.Load(decl)
	if err != nil {
		return nil, "", err
	}
	kernel, err := module.Kernel(job.Kernel)
	if err != nil {
		return nil, "", err
	}
	args := make([]any, len(job.Args))
	buffers = make([][]byte, len(job.Args))
	for i, a := range job.Args {
		if a.Buffer == nil {
			args[i] = a.Number
			continue
		}
		name := "argument"
		if params := kernel.Params(); i < len(params) {
			name = params[i].Name
		}
		b, err := module.Memory().Alloc(name, len(a.Buffer))
		if err != nil {
			return nil, "", err
		}
		copy(b.Bytes(), a.Buffer)
		args[i], buffers[i] = b, b.Bytes()
	}
	var printed strings.Builder
	grid := vm.Grid{Grid: job.Grid, Block: job.Block, Check: job.Check, Output: &printed}
	stop := job.follow(&grid)
	err = kernel.Launch(ctx, grid, args...)
	stop()
	return buffers, printed.String(), err
}

// follow tells [Job.Ended] how far the launch of a grid is, until stop is called.
func (j *Job) follow(grid *vm.Grid) (stop func()) {
	if j.Ended == nil {
		return func() {}
	}
	var ended atomic.Int64
	grid.Ended = &ended
	blocks := int64(max(j.Grid.X, 1)) * int64(max(j.Grid.Y, 1)) * int64(max(j.Grid.Z, 1))
	tick := time.NewTicker(100 * time.Millisecond)
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-tick.C:
				j.Ended(ended.Load(), blocks)
			case <-done:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(done)
		<-gone
	}
}

// firstError returns the first error of a list.
func firstError(findings diag.List) error {
	for i := range findings {
		if d := &findings[i]; d.Severity == diag.Error {
			at := d.File.Position(d.Span.Start)
			return fmt.Errorf("line %d, column %d: %s", at.Line, at.Col, d.Message)
		}
	}
	return nil
}
