package job

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/vm"
)

// Launch is a launch of a job.
type Launch struct {
	Where string // before messages about it: "launch.toml:7: ", "" on the command line
	Title string // of its progress bar, after the kernel's name
	Files Files
	Name  string // of the kernel; "" takes the only one
	Grid  vm.Grid

	Kernel *vm.Kernel // from Load on
	Values []any      // likewise: what the kernel is launched with

	args []argument
}

// Files are the PTX files that a kernel is linked of.
type Files []string

// String returns the files as they are given.
func (f Files) String() string { return strings.Join(f, " ") }

// Key tells files from others.
func (f Files) Key() string { return strings.Join(f, "\x00") }

// evaluate makes the values that the kernel is launched with, once all buffers have their addresses.
func (l *Launch) evaluate(addressSize int, stdin io.Reader) error {
	l.Values = make([]any, len(l.args))
	for i, p := range l.Kernel.Params() {
		err := l.args[i].open(stdin)
		if err == nil {
			l.Values[i], err = l.args[i].of(p, addressSize)
		}
		if err != nil {
			return fmt.Errorf("kernel %s: parameter %d: %w", l.Name, i+1, err)
		}
	}
	return nil
}

// Find finds the kernel.
func (l *Launch) Find(module *vm.Module) (err error) {
	if names := module.KernelNames(); l.Name == "" {
		if len(names) != 1 {
			if len(names) == 0 {
				return fmt.Errorf("%s has no kernel", l.Files)
			}
			return fmt.Errorf("%s has %d kernels; say which: %s", l.Files, len(names), strings.Join(names, " "))
		}
		l.Name = names[0]
	}
	l.Kernel, err = module.Kernel(l.Name)
	return err
}

// prepare finds the kernel and holds the arguments against its parameters.
func (l *Launch) prepare(module *vm.Module) error {
	if err := l.Find(module); err != nil {
		return err
	}
	params := l.Kernel.Params()
	if len(l.args) != len(params) {
		have := "no parameters"
		if len(params) > 0 {
			have = fmt.Sprintf("%s (%s)", diag.Count(len(params), "parameter"), ListParams(params))
		}
		given := "arguments are"
		if len(l.args) == 1 {
			given = "argument is"
		}
		return fmt.Errorf("kernel %s has %s, but %d %s given", l.Name, have, len(l.args), given)
	}
	for i, arg := range l.args {
		p := params[i]
		arg.name(p.Name)
		if arg.number != nil && p.Scalar == check.NoType {
			return fmt.Errorf("kernel %s: parameter %d is %s %s, %s: give them as in:FILE or struct:[...], not %v", l.Name, i+1, p.Type, p.Name, diag.Count(p.Size, "byte"), arg.number)
		}
	}
	return nil
}

// ListParams writes parameters as in messages.
func ListParams(params []vm.Param) string {
	var list []string
	for _, p := range params {
		list = append(list, p.Type+" "+p.Name)
	}
	return strings.Join(list, ", ")
}

// Failed says of an error which launch it is of.
func (l *Launch) Failed(ctx context.Context, err error) error {
	if err == ctx.Err() || err == context.Cause(ctx) { // the time was over before it could start, or it did not stop
		err = fmt.Errorf("kernel %s: %w", l.Name, context.Cause(ctx))
	}
	return fmt.Errorf("%s%w", l.Where, err)
}
