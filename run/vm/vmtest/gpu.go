package vmtest

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"testing"

	"github.com/vop-ptx/vop/internal/gpu"
)

var optimizeFlag = flag.Int("optimize", 4, "how the driver's compiler optimizes, from 0 to 4, in tests on a GPU")

// GPUs returns contexts on a GPU, as many as tests run at the same time. Where there is no GPU it skips the test.
func GPUs(t *testing.T) *gpu.Pool {
	t.Helper()
	p, err := gpu.NewPool(t.TempDir(), runtime.GOMAXPROCS(0), *optimizeFlag)
	if errors.Is(err, gpu.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	t.Logf("on %s", p.Name)
	return p
}

// RunOnGPU executes the trial on a GPU. Its text is taken as it is.
func (c Trial) RunOnGPU(g *gpu.GPU) (e Effect, err error) {
	if err := g.Load(c.Text); err != nil {
		return e, err
	}
	var args [][]byte
	var buffers []uint64
	for _, arg := range c.Args {
		content, isBuffer := arg.([]byte)
		if isBuffer {
			at, err := g.Alloc(content)
			if err != nil {
				return e, err
			}
			arg, buffers = at, append(buffers, at)
		}
		bits, err := binary.Append(nil, binary.LittleEndian, arg)
		if err != nil {
			return e, fmt.Errorf("argument %v: %w", arg, err)
		}
		args = append(args, bits)
	}
	size := func(d [3]int) [3]int { return [3]int{max(d[0], 1), max(d[1], 1), max(d[2], 1)} }
	grid, block := c.Grid.Grid, c.Grid.Block
	if err := g.Launch(c.Kernel, size([3]int{grid.X, grid.Y, grid.Z}), size([3]int{block.X, block.Y, block.Z}), args); err != nil {
		return e, err
	}
	for _, arg := range c.Args {
		if content, isBuffer := arg.([]byte); isBuffer {
			after, err := g.Read(buffers[len(e.Buffers)], len(content))
			if err != nil {
				return e, err
			}
			e.Buffers = append(e.Buffers, after)
		}
	}
	return e, nil
}
