package vmtest

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// A Trial is a launch that must have the same effect however it is executed.
type Trial struct {
	Text    string
	Kernel  string
	Reading isa.Reading
	Grid    vm.Grid
	Args    []any // a []byte stands for a buffer with this content
}

// A Way is a manner of executing a trial.
type Way struct {
	Level   level.Level
	Workers int
	Check   bool // with Grid.Check
}

func (w Way) String() string {
	s := fmt.Sprintf("%v, %d workers", w.Level, w.Workers)
	if w.Check {
		s += ", checked"
	}
	return s
}

// An Effect is all that a launch leaves behind.
type Effect struct {
	Buffers [][]byte
	Printed string
}

// PlainWay is the way that the others are compared to.
var PlainWay = Way{Level: level.Portable, Workers: 1}

// Ways returns the ways that are compared to the baseline: every level that has code of its own for
// kernels, and the best.
func Ways() (all []Way) {
	for _, l := range level.Levels() {
		if HasMachineCode(l) {
			all = append(all, Way{Level: l, Workers: 1})
		}
	}
	return append(all, Way{Level: level.Portable, Workers: 2}, Way{Level: level.Best(), Workers: 2},
		Way{Level: level.Best(), Workers: 1, Check: true})
}

// Unchecked are Ways without checks.
func Unchecked() []Way { return slices.DeleteFunc(Ways(), func(w Way) bool { return w.Check }) }

// Checked returns the module of the trial.
func (c Trial) Checked() (*check.Module, error) {
	tree, found := syntax.Parse(source.New("test.ptx", c.Text))
	m, more := check.Check(tree)
	for _, d := range append(found, more...) {
		if d.Code == diag.GuardDropped {
			continue // what ptxas makes of it does not matter here
		}
		at := d.File.Position(d.Span.Start)
		return nil, fmt.Errorf("%d:%d: %s", at.Line, at.Col, d.Message)
	}
	return m, nil
}

// Run executes the trial in memory of its own.
func (c Trial) Run(m *check.Module, w Way) (Effect, error) {
	var e Effect
	mod, err := vm.NewMemory().LoadAs(c.Reading, m, w.Level)
	if err != nil {
		return e, err
	}
	args := make([]any, len(c.Args))
	for i, arg := range c.Args {
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
		e.Buffers = append(e.Buffers, b.Bytes())
		args[i] = b
	}
	k, err := mod.Kernel(c.Kernel)
	if err != nil {
		return e, err
	}
	var printed bytes.Buffer
	grid := c.Grid
	grid.Workers, grid.Check, grid.Output = w.Workers, w.Check, &printed
	err = k.Launch(context.Background(), grid, args...)
	e.Printed = printed.String()
	return e, err
}

// Differ runs the trial in all ways given and returns an error if any fails, or has another effect
// than the baseline.
func (c Trial) Differ(all []Way) error {
	_, err := c.Same(all)
	return err
}

// Same is Differ, and returns the effect that all of them have.
func (c Trial) Same(all []Way) (want Effect, err error) {
	m, err := c.Checked()
	if err != nil {
		return want, err
	}
	if want, err = c.Run(m, PlainWay); err != nil {
		return want, fmt.Errorf("%v: %w", PlainWay, err)
	}
	for _, w := range all {
		if w == PlainWay {
			continue
		}
		got, err := c.Run(m, w)
		if err != nil {
			return want, fmt.Errorf("%v: %w", w, err)
		}
		for i := range want.Buffers {
			if at := FirstDifference(got.Buffers[i], want.Buffers[i]); at >= 0 {
				return want, fmt.Errorf("%v: buffer %d has %#02x at byte %d; %v has %#02x",
					w, i, got.Buffers[i][at], at, PlainWay, want.Buffers[i][at])
			}
		}
		if got.Printed != want.Printed {
			return want, fmt.Errorf("%v printed:\n%s%v printed:\n%s", w, got.Printed, PlainWay, want.Printed)
		}
	}
	return want, nil
}
