package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/engine"
	"github.com/vop-ptx/vop/vm"
)

// job is what vop run does: launches, one after the other, and the buffers they share.
type job struct {
	file     string // that describes it; "" is the command line
	buffers  []*sharedBuffer
	launches []*kernelLaunch
	textures []*textureSpec
}

// sharedBuffer is a buffer of a job.
type sharedBuffer struct {
	where  string // before messages about it: "launch.toml:4: buffer frame: ", "" on the command line
	name   string // "" on the command line: takes that of its parameter
	arg    *buffer.Arg
	memory *vop.Buffer // from job.load on
}

// kernelLaunch is a launch of a job.
type kernelLaunch struct {
	where string // before messages about it: "launch.toml:7: ", "" on the command line
	title string // of its progress bar, after the kernel's name
	ptx   string
	name  string // of the kernel; "" takes the only one
	grid  vop.Grid
	args  []argument

	kernel *vop.Kernel // from job.load on
}

// argument is a number, or a buffer or a texture where that is not nil.
type argument struct {
	number  any // int64, uint64 or float64
	buffer  *sharedBuffer
	texture *textureSpec
}

// launchOptions are the flags that say what is launched.
type launchOptions struct {
	kernel      string
	grid, block string
	shared      int
	args        []string
	textures    []string
}

// jobOfFlags makes the job that the command line describes.
func jobOfFlags(ptx string, options launchOptions) (*job, error) {
	l := &kernelLaunch{ptx: ptx, name: options.kernel, grid: vop.Grid{Shared: options.shared}}
	var err error
	if l.grid.Grid, err = parseDim("--grid", options.grid); err != nil {
		return nil, err
	}
	if l.grid.Block, err = parseDim("--block", options.block); err != nil {
		return nil, err
	}
	j := &job{launches: []*kernelLaunch{l}}
	if err := j.addTextures(options.textures); err != nil {
		return nil, err
	}
	for _, spec := range options.args {
		if name, ok := strings.CutPrefix(spec, "tex:"); ok {
			t, err := j.textureOf(name)
			if err != nil {
				return nil, err
			}
			l.args = append(l.args, argument{texture: t})
			continue
		}
		if !buffer.Is(spec) {
			number, err := parseNumber(spec)
			if err != nil {
				return nil, err
			}
			l.args = append(l.args, argument{number: number})
			continue
		}
		arg, err := buffer.Parse(spec)
		if err != nil {
			return nil, err
		}
		b := &sharedBuffer{arg: arg}
		j.buffers = append(j.buffers, b)
		l.args = append(l.args, argument{buffer: b})
	}
	return j, nil
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

// parseNumber reads a number, as an integer if it is one.
func parseNumber(text string) (any, error) {
	if x, err := strconv.ParseInt(text, 0, 64); err == nil {
		return x, nil
	}
	if x, err := strconv.ParseUint(text, 0, 64); err == nil {
		return x, nil
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, nil
	}
	return nil, fmt.Errorf("--arg %s: neither a number nor a buffer (in:FILE, out:FILE:SIZE, inout:FILE, zero:SIZE) nor a texture (tex:NAME)", text)
}

// checkFiles returns an error if files of the job are the same in a way that has no
// meaning. toStdout is the output that goes to standard output, or nil.
func (j *job) checkFiles() (toStdout *buffer.Arg, err error) {
	var texts []string // read from standard input
	if j.file == "-" {
		texts = append(texts, "the launch file")
	}
	if slices.ContainsFunc(j.launches, func(l *kernelLaunch) bool { return l.ptx == "-" }) {
		texts = append(texts, "the PTX text")
	}
	if len(texts) > 1 {
		return nil, fmt.Errorf("%s cannot both be read from standard input", strings.Join(texts, " and "))
	}
	var args []*buffer.Arg
	for _, b := range j.buffers {
		args = append(args, b.arg)
		if b.arg.Input == "-" && len(texts) > 0 {
			return nil, fmt.Errorf("%s%s: %s is read from standard input already", b.where, b.arg.Spec, texts[0])
		}
		if b.arg.Output == "-" {
			toStdout = b.arg
		}
	}
	return toStdout, buffer.Check(args)
}

// load makes everything ready: what is wrong with the last launch is found before
// the first one starts.
func (j *job) load(a *app, e *engine.Engine, reading vop.Reading) error {
	memory := vm.NewMemory()
	modules := map[string]*vop.Module{}
	for _, l := range j.launches {
		if modules[l.ptx] == nil {
			text, err := a.read(l.ptx)
			if err != nil {
				return fmt.Errorf("%s%w", l.where, err)
			}
			modules[l.ptx], err = vop.LoadWith(a.title(l.ptx), text, vop.LoadOptions{Reading: reading, Memory: memory, Engine: e})
			if input, ok := errors.AsType[*vop.InputError](err); ok {
				if c := runsPTX(a.title(l.ptx), text, input.Diagnostics); c != nil {
					err = c
				}
			}
			if err != nil {
				return fmt.Errorf("%s%w", l.where, err)
			}
		}
		if err := l.prepare(modules[l.ptx]); err != nil {
			return fmt.Errorf("%s%w", l.where, err)
		}
	}
	if err := j.loadTextures(memory, modules, a.stdin); err != nil {
		return err
	}
	for _, b := range j.buffers {
		data, err := b.arg.Open(a.stdin)
		if err != nil {
			return fmt.Errorf("%s%w", b.where, err)
		}
		if b.memory, err = memory.Alloc(b.name, len(data)); err != nil {
			return fmt.Errorf("%s%s: %w", b.where, b.arg.Spec, err)
		}
		copy(b.memory.Bytes(), data)
	}
	return nil
}

// prepare finds the kernel and holds the arguments against its parameters.
func (l *kernelLaunch) prepare(module *vop.Module) (err error) {
	if names := module.KernelNames(); l.name == "" {
		if len(names) != 1 {
			return fmt.Errorf("%s has %d kernels; say which: %s", l.ptx, len(names), strings.Join(names, " "))
		}
		l.name = names[0]
	}
	if l.kernel, err = module.Kernel(l.name); err != nil {
		return err
	}
	params := l.kernel.Params()
	if len(l.args) != len(params) {
		return fmt.Errorf("kernel %s has %d parameters (%s), but %d arguments are given", l.name, len(params), listParams(params), len(l.args))
	}
	for i, arg := range l.args {
		switch p := params[i]; {
		case arg.buffer != nil && arg.buffer.name == "":
			arg.buffer.name = p.Name
		case arg.buffer == nil && arg.texture == nil && p.Scalar == check.NoType:
			return fmt.Errorf("kernel %s: parameter %d is %s %s, %d bytes: give them as in:FILE, not %v", l.name, i+1, p.Type, p.Name, p.Size, arg.number)
		}
	}
	return nil
}

func listParams(params []vm.Param) string {
	var list []string
	for _, p := range params {
		list = append(list, p.Type+" "+p.Name)
	}
	return strings.Join(list, ", ")
}

// arguments returns what the kernel is launched with.
func (l *kernelLaunch) arguments() []any {
	args := make([]any, len(l.args))
	for i, p := range l.kernel.Params() {
		switch b := l.args[i].buffer; {
		case l.args[i].texture != nil:
			args[i] = l.args[i].texture.texture
		case b == nil:
			args[i] = l.args[i].number
		case p.Scalar == check.NoType:
			args[i] = b.memory.Bytes()
		default:
			args[i] = b.memory
		}
	}
	return args
}

// outputs returns the buffers that become files.
func (j *job) outputs() (outputs []buffer.Output) {
	for _, b := range j.buffers {
		if b.arg.Output != "" {
			outputs = append(outputs, buffer.Output{Arg: b.arg, Data: b.memory.Bytes()})
		}
	}
	return outputs
}

// launch runs one launch. What the kernel prints goes to printed.
func (a *app) launch(ctx context.Context, l *kernelLaunch, printed io.Writer) error {
	bar := a.watch(l.name+l.title, l.grid.Grid)
	defer bar.close()
	grid := l.grid
	grid.Ended = &bar.ended
	grid.Output = bar.beside(printed)
	return l.kernel.Launch(ctx, grid, l.arguments()...)
}

// launchError says of an error which launch it is of.
func launchError(ctx context.Context, l *kernelLaunch, err error) error {
	if err == ctx.Err() { // the time was over before it could start
		err = fmt.Errorf("kernel %s: %w", l.name, context.Cause(ctx))
	}
	return fmt.Errorf("%s%w", l.where, err)
}
