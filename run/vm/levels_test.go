package vm_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// A trial is a launch that must have the same effect however it is executed.
type trial struct {
	text    string
	kernel  string
	reading isa.Reading
	grid    vm.Grid
	args    []any // a []byte stands for a buffer with this content
}

// A way is a manner of executing a trial.
type way struct {
	level   level.Level
	workers int
	check   bool // with Grid.Check
}

func (w way) String() string {
	s := fmt.Sprintf("%v, %d workers", w.level, w.workers)
	if w.check {
		s += ", checked"
	}
	return s
}

// An effect is all that a launch leaves behind.
type effect struct {
	buffers [][]byte
	printed string
}

// plainWay is the way that the others are compared to.
var plainWay = way{level: level.Portable, workers: 1}

// ways returns the ways that are compared to the baseline: every level that has code of its own for kernels, and the best.
func ways() (all []way) {
	for _, l := range level.Levels() {
		if vm.HasMachineCode(l) {
			all = append(all, way{level: l, workers: 1})
		}
	}
	return append(all, way{level: level.Portable, workers: 2}, way{level: level.Best(), workers: 2},
		way{level: level.Best(), workers: 1, check: true})
}

// checked returns the module of the trial.
func (c trial) checked() (*check.Module, error) {
	tree, found := syntax.Parse(source.New("test.ptx", c.text))
	m, more := check.Check(tree)
	for _, d := range append(found, more...) {
		at := d.File.Position(d.Span.Start)
		return nil, fmt.Errorf("%d:%d: %s", at.Line, at.Col, d.Message)
	}
	return m, nil
}

// run executes the trial in memory of its own.
func (c trial) run(m *check.Module, w way) (effect, error) {
	var e effect
	mod, err := vm.NewMemory().LoadAs(c.reading, m, w.level)
	if err != nil {
		return e, err
	}
	args := make([]any, len(c.args))
	for i, arg := range c.args {
		content, isBuffer := arg.([]byte)
		if !isBuffer {
			args[i] = arg
			continue
		}
		b, err := mod.Memory().Alloc(fmt.Sprintf("argument%d", i), len(content))
		if err != nil {
			return e, err
		}
		copy(b.Bytes(), content)
		e.buffers = append(e.buffers, b.Bytes())
		args[i] = b
	}
	k, err := mod.Kernel(c.kernel)
	if err != nil {
		return e, err
	}
	var printed bytes.Buffer
	grid := c.grid
	grid.Workers, grid.Check, grid.Output = w.workers, w.check, &printed
	err = k.Launch(context.Background(), grid, args...)
	e.printed = printed.String()
	return e, err
}

// differ runs the trial in all ways given and returns an error if any fails, or has another effect
// than the baseline.
func (c trial) differ(all []way) error {
	_, err := c.same(all)
	return err
}

// same is differ, and returns the effect that all of them have.
func (c trial) same(all []way) (want effect, err error) {
	m, err := c.checked()
	if err != nil {
		return want, err
	}
	if want, err = c.run(m, plainWay); err != nil {
		return want, fmt.Errorf("%v: %w", plainWay, err)
	}
	for _, w := range all {
		if w == plainWay {
			continue
		}
		got, err := c.run(m, w)
		if err != nil {
			return want, fmt.Errorf("%v: %w", w, err)
		}
		for i := range want.buffers {
			if at := firstDifference(got.buffers[i], want.buffers[i]); at >= 0 {
				return want, fmt.Errorf("%v: buffer %d has %#02x at byte %d; %v has %#02x",
					w, i, got.buffers[i][at], at, plainWay, want.buffers[i][at])
			}
		}
		if got.printed != want.printed {
			return want, fmt.Errorf("%v printed:\n%s%v printed:\n%s", w, got.printed, plainWay, want.printed)
		}
	}
	return want, nil
}

// firstDifference returns the first index at which a and b, of one length, differ, or -1.
func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// TestLevels runs compiled kernels on all levels.
func TestLevels(t *testing.T) {
	file := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first, second := grayPixels(t, "../../examples/motion/frame0.png").Pix, grayPixels(t, "../../examples/motion/frame1.png").Pix
	for name, c := range map[string]trial{
		"motion": {
			text: file("../../examples/motion/motion.ptx"), kernel: "motion",
			grid: vm.Grid{Grid: vm.Dim{X: 4, Y: 3}, Block: vm.Dim{X: 16, Y: 16}},
			args: []any{first, second, 480, 480, make([]byte, 30*30*4), make([]byte, 1440*1440*3)},
		},
		"call": {
			text: file("testdata/call.ptx"), kernel: "call", grid: vm.Grid{Block: vm.Dim{X: 77}},
			args: []any{make([]byte, 4*77), float32(2.25)},
		},
		"print": {
			text: file("testdata/print.ptx"), kernel: "print", grid: vm.Grid{Block: vm.Dim{X: 6}},
			args: []any{make([]byte, 4*6), float32(1.5)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.differ(ways()); err != nil {
				t.Error(err)
			}
		})
	}
}
