package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/vm"
)

// launchOptions are the flags of vop run.
type launchOptions struct {
	kernel      string
	grid, block string
	shared      int
	args        []string
}

func (a *app) runCommand() *cobra.Command {
	var options launchOptions
	cmd := &cobra.Command{
		Use:   "run FILE.ptx --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] --arg V ...",
		Short: "Run a kernel on the CPU",
		Long: `Run a kernel of a PTX file on the CPU. --arg is given once for each parameter of the
kernel, in order:

  NUMBER              a number, of the parameter's type
  in:FILE             a buffer with the contents of FILE
  out:FILE:SIZE       a buffer of zeros, written to FILE after the launch
  inout:FILE[:FILE2]  a buffer with the contents of FILE, written to FILE2 or back
  zero:SIZE           a buffer of zeros

The ending of FILE says what it is: .npy (NumPy), .png .pgm .ppm (pixels), anything
else raw bytes. SIZE is in bytes; for pictures WxH or WxHxC; for .npy also
shape and type, as in 32x32x2xi16. Outputs appear whole or not at all.`,
		Example: "  vop run scale.ptx --kernel scale --grid 64 --block 256 --arg in:x.npy --arg out:y.npy:16384xf32 --arg 16384",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.unusable(a.run(cmd.Context(), args[0], options))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options.kernel, "kernel", "", "the kernel's name; may be left out if the file has one only")
	flags.StringVar(&options.grid, "grid", "1", "blocks: X[,Y[,Z]]")
	flags.StringVar(&options.block, "block", "1", "threads of a block: X[,Y[,Z]]")
	flags.IntVar(&options.shared, "shared", 0, "bytes of dynamic shared memory")
	flags.StringArrayVar(&options.args, "arg", nil, "an argument: a number, in:FILE, out:FILE:SIZE, inout:FILE[:FILE2] or zero:SIZE")
	return cmd
}

func (a *app) run(ctx context.Context, name string, options launchOptions) error {
	grid, err := options.parseGrid()
	if err != nil {
		return err
	}
	text, err := a.read(name)
	if err != nil {
		return err
	}
	module, err := vop.Load(name, text)
	if err != nil {
		return err
	}
	kernel, err := chooseKernel(module, name, options.kernel)
	if err != nil {
		return err
	}
	args, outputs, err := a.arguments(module, kernel, options.args)
	if err != nil {
		return err
	}
	if err := kernel.Launch(ctx, grid, args...); err != nil {
		return launchError(err)
	}
	for i := range outputs {
		outputs[i].Data = outputs[i].buffer.Bytes()
	}
	return buffer.Write(a.stdout, files(outputs))
}

// launchError gives a launch that the kernel itself has spoilt exit code 1;
// arguments that do not fit are wrong usage.
func launchError(err error) error {
	var fault *vop.Fault
	if errors.As(err, &fault) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return exitError{exitFindings, err}
	}
	return err
}

func (o launchOptions) parseGrid() (grid vop.Grid, err error) {
	grid.Shared = o.shared
	if grid.Grid, err = parseDim("--grid", o.grid); err != nil {
		return grid, err
	}
	grid.Block, err = parseDim("--block", o.block)
	return grid, err
}

// parseDim reads X[,Y[,Z]].
func parseDim(option, text string) (vop.Dim, error) {
	n := [3]int{1, 1, 1}
	parts := strings.Split(text, ",")
	for i, part := range parts {
		size, err := strconv.ParseUint(part, 10, 31)
		if err != nil || size == 0 || len(parts) > 3 {
			return vop.Dim{}, fmt.Errorf("%s %s: expected X, X,Y or X,Y,Z, each at least 1", option, text)
		}
		n[i] = int(size)
	}
	return vop.Dim{X: n[0], Y: n[1], Z: n[2]}, nil
}

// chooseKernel returns the kernel asked for, or the only one.
func chooseKernel(module *vop.Module, file, name string) (*vop.Kernel, error) {
	if names := module.KernelNames(); name == "" {
		if len(names) != 1 {
			return nil, fmt.Errorf("%s has %d kernels; say which with --kernel: %s", file, len(names), strings.Join(names, " "))
		}
		name = names[0]
	}
	return module.Kernel(name)
}

// output is a buffer that becomes a file after the launch.
type output struct {
	buffer.Output
	buffer *vop.Buffer
}

func files(outputs []output) []buffer.Output {
	var list []buffer.Output
	for _, o := range outputs {
		list = append(list, o.Output)
	}
	return list
}

// arguments makes the launch arguments that --arg describes.
func (a *app) arguments(module *vop.Module, kernel *vop.Kernel, specs []string) (args []any, outputs []output, err error) {
	params := kernel.Params()
	if len(specs) != len(params) {
		return nil, nil, fmt.Errorf("kernel %s has %d parameters (%s), but --arg is given %d times",
			kernel.Name(), len(params), listParams(params), len(specs))
	}
	var opened []*buffer.Arg
	for i, spec := range specs {
		if !buffer.Is(spec) {
			number, err := parseNumber(spec, params[i])
			if err != nil {
				return nil, nil, err
			}
			args = append(args, number)
			continue
		}
		arg, err := buffer.Parse(spec)
		if err != nil {
			return nil, nil, err
		}
		opened = append(opened, arg)
		args = append(args, arg)
	}
	if err := buffer.Check(opened); err != nil {
		return nil, nil, err
	}
	for i := range args {
		arg, ok := args[i].(*buffer.Arg)
		if !ok {
			continue
		}
		data, err := arg.Open(a.stdin)
		if err != nil {
			return nil, nil, err
		}
		memory, err := module.Memory().Alloc(params[i].Name, len(data))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", arg.Spec, err)
		}
		copy(memory.Bytes(), data)
		args[i] = memory
		if arg.Output != "" {
			outputs = append(outputs, output{buffer.Output{Arg: arg}, memory})
		}
	}
	return args, outputs, nil
}

func listParams(params []vm.Param) string {
	var list []string
	for _, p := range params {
		list = append(list, p.Type+" "+p.Name)
	}
	return strings.Join(list, ", ")
}

// parseNumber reads a number as the parameter's type wants it: an integer for
// integers and untyped bits, any number for floats.
func parseNumber(text string, p vm.Param) (any, error) {
	if p.Scalar == check.NoType {
		return nil, fmt.Errorf("--arg %s: parameter %s is a %s of %d bytes; give them as in:FILE", text, p.Name, p.Type, p.Size)
	}
	if x, err := strconv.ParseInt(text, 0, 64); err == nil {
		return x, nil
	}
	if x, err := strconv.ParseUint(text, 0, 64); err == nil {
		return x, nil
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, nil
	}
	return nil, fmt.Errorf("--arg %s: not a number, nor in:, out:, inout: or zero: (parameter %s is %s)", text, p.Name, p.Type)
}
