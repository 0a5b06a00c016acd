package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/cmd/vop/internal/number"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/vm"
)

// job is what vop run does: launches, one after the other, and the buffers they share.
type job struct {
	file     string // that describes it; "" is the command line
	buffers  []*sharedBuffer
	launches []*kernelLaunch
	textures []*textureSpec
	settings []*setting
	expected []*expectation // what buffers hold after the last launch
	seed     uint64         // of random buffers
	modules  []*vm.Module   // from load on
}

// sharedBuffer is a buffer of a job.
type sharedBuffer struct {
	where  string // before messages about it: "launch.toml:4: buffer frame: ", "" on the command line
	name   string // "" on the command line: takes that of its parameter
	arg    *buffer.Arg
	memory *vm.Buffer // from job.load on
	// variable says that the memory is that of a variable of a module.
	variable bool
	// unset says that nothing is put into the memory before the launches, as with out:.
	unset bool
}

// describe says what the output is: the array, and the size of the file where it holds the bytes of that alone.
func (b *sharedBuffer) describe() string {
	if !b.arg.Raw() {
		return b.arg.Layout.String()
	}
	return fmt.Sprintf("%v, %s", b.arg.Layout, diag.Count(len(b.memory.Bytes()), "byte"))
}

// kernelLaunch is a launch of a job.
type kernelLaunch struct {
	where string // before messages about it: "launch.toml:7: ", "" on the command line
	title string // of its progress bar, after the kernel's name
	ptx   ptxFiles
	name  string // of the kernel; "" takes the only one
	grid  vm.Grid
	args  []argument

	kernel *vm.Kernel // from job.load on
	values []any      // likewise: what the kernel is launched with
}

// ptxFiles are the PTX files that a kernel is linked of.
type ptxFiles []string

// String returns the files as they are given.
func (f ptxFiles) String() string { return strings.Join(f, " ") }

// key tells files from others.
func (f ptxFiles) key() string { return strings.Join(f, "\x00") }

// argument is a number, or what of the others is not nil.
type argument struct {
	number    any // int64, uint64 or float64
	buffer    *sharedBuffer
	texture   *textureSpec
	structure *structValue
}

// of returns the argument as the value of a parameter or variable, where addresses have so many bytes.
func (a argument) of(p vm.Param, addressSize int) (vm.Argument, error) {
	switch {
	case a.texture != nil:
		return a.texture.texture, nil
	case a.structure != nil:
		data, err := a.structure.fit(p.Size, p.Align, addressSize)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %s: %w", p.Type, p.Name, a.structure.spec, err)
		}
		return data, nil
	case a.buffer == nil:
		return a.number, nil
	case p.Scalar == check.NoType:
		return a.buffer.memory.Bytes(), nil
	}
	return a.buffer.memory, nil
}

// launchOptions are the flags that say what is launched.
type launchOptions struct {
	kernel      string
	grid, block string
	shared      int
	args        []string
	textures    []string
	settings    []string
}

// jobOfFlags makes the job that the command line describes.
func jobOfFlags(ptx ptxFiles, options launchOptions) (*job, error) {
	l := &kernelLaunch{ptx: ptx, name: options.kernel, grid: vm.Grid{Shared: options.shared}}
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
		arg, err := j.argument(spec)
		if err != nil {
			return nil, fmt.Errorf("--arg %w", err)
		}
		l.args = append(l.args, arg)
	}
	return j, j.addSettings(options.settings)
}

// argument reads what stands after --arg. The error begins with it.
func (j *job) argument(spec string) (argument, error) {
	switch {
	case isStruct(spec):
		s, err := parseStruct(spec, j.reference)
		if err != nil {
			err = fmt.Errorf("%s: %w", spec, err)
		}
		return argument{structure: s}, err
	case strings.HasPrefix(spec, "tex:"), buffer.Is(spec):
		return j.reference(spec)
	}
	number, err := parseNumber(spec)
	return argument{number: number}, err
}

// reference reads a buffer or a texture: what has an address or a handle.
func (j *job) reference(spec string) (argument, error) {
	if name, ok := strings.CutPrefix(spec, "tex:"); ok {
		t, err := j.textureOf(name)
		return argument{texture: t}, err
	}
	if !buffer.Is(spec) {
		return argument{}, fmt.Errorf("%q is none of %s", spec, memberKinds)
	}
	arg, err := buffer.Parse(spec)
	if err != nil {
		return argument{}, err
	}
	b := &sharedBuffer{arg: arg}
	j.buffers = append(j.buffers, b)
	return argument{buffer: b}, nil
}

// parseDim reads X[,Y[,Z]].
func parseDim(option, text string) (vm.Dim, error) {
	n := [3]int{1, 1, 1}
	parts := strings.Split(text, ",")
	for i, part := range parts {
		size, err := number.Unsigned(part, 31)
		if number.IsLeadingZero(err) {
			return vm.Dim{}, fmt.Errorf("%s %s: %w", option, text, err)
		}
		if err != nil || size == 0 || len(parts) > 3 {
			return vm.Dim{}, fmt.Errorf("%s %s: expected X, X,Y or X,Y,Z, each 1 to 2147483647", option, text)
		}
		n[i] = int(size)
	}
	return vm.Dim{X: n[0], Y: n[1], Z: n[2]}, nil
}

// parseNumber reads a number, as an integer if it is one.
func parseNumber(text string) (any, error) {
	if text == "" {
		return nil, errors.New("is empty; want a number, a buffer (in:FILE ...), a texture (tex:NAME) or a struct (struct:[V,V,...])")
	}
	x, err := number.Signed(text, 64)
	switch {
	case err == nil:
		return x, nil
	case number.IsLeadingZero(err):
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	if x, err := number.Unsigned(text, 64); err == nil {
		return x, nil
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, nil
	}
	return nil, fmt.Errorf("%s: neither a number nor a buffer (in:FILE, out:FILE:SIZE, inout:FILE, zero:SIZE, random:SIZE) nor a texture (tex:NAME) nor a struct (struct:[V,V,...])", text)
}

// checkFiles returns an error if files of the job are the same in a way that has no
// meaning. toStdout is the output that goes to standard output, or nil.
func (j *job) checkFiles() (toStdout *buffer.Arg, err error) {
	var texts []string // read from standard input
	if j.file == "-" {
		texts = append(texts, "the launch file")
	}
	if slices.ContainsFunc(j.launches, func(l *kernelLaunch) bool { return slices.Contains(l.ptx, "-") }) {
		texts = append(texts, "the PTX text")
	}
	if len(texts) > 1 {
		return nil, fmt.Errorf("%s cannot both be read from standard input", strings.Join(texts, " and "))
	}
	args := j.filesRead()
	for _, arg := range args {
		if arg.Input == "-" && len(texts) > 0 {
			return nil, fmt.Errorf("%s: %s is read from standard input already", arg.Spec, texts[0])
		}
	}
	for _, b := range j.buffers {
		args = append(args, b.arg)
		if b.arg.Input == "-" && len(texts) > 0 {
			return nil, fmt.Errorf("%s%s: %s is read from standard input already", b.where, b.arg.Spec, texts[0])
		}
		if b.arg.Output != "" && file.Same(b.arg.Output, "-") {
			toStdout = b.arg
		}
		if err := j.checkOverwritten(b); err != nil {
			return nil, err
		}
	}
	return toStdout, buffer.Check(args)
}

// checkOverwritten returns an error if the output of a buffer is a text that describes what is run.
func (j *job) checkOverwritten(b *sharedBuffer) error {
	if b.arg.Overwrites(j.file) {
		return fmt.Errorf("%s%s: %s is the launch file", b.where, b.arg.Spec, b.arg.Output)
	}
	for _, l := range j.launches {
		if slices.ContainsFunc(l.ptx, b.arg.Overwrites) {
			return fmt.Errorf("%s%s: %s is the PTX file that is run", b.where, b.arg.Spec, b.arg.Output)
		}
	}
	return nil
}

// filesRead returns the files of textures, and those that are parts of structs.
func (j *job) filesRead() (args []*buffer.Arg) {
	for _, t := range j.textures {
		args = append(args, t.arg)
	}
	add := func(a argument) {
		if a.structure != nil {
			a.structure.each(func(m *member) error {
				if m.file != nil {
					args = append(args, m.file)
				}
				return nil
			})
		}
	}
	for _, l := range j.launches {
		for _, a := range l.args {
			add(a)
		}
	}
	for _, s := range j.settings {
		add(s.value)
	}
	return args
}

// open reads the files that are part of a struct.
func (a argument) open(stdin io.Reader) error {
	if a.structure == nil {
		return nil
	}
	if err := a.structure.open(stdin); err != nil {
		return fmt.Errorf("%s: %w", a.structure.spec, err)
	}
	return nil
}

// uses reports whether the argument is a texture, or has it in a struct.
func (a argument) uses(t *textureSpec) bool {
	used := a.texture == t
	if a.structure != nil {
		a.structure.each(func(m *member) error {
			used = used || m.refer != nil && m.refer.texture == t
			return nil
		})
	}
	return used
}

// name gives the buffers of the argument the name of what they are given for, unless they have one.
func (a argument) name(name string) {
	if a.buffer != nil && a.buffer.name == "" {
		a.buffer.name = name
	}
	if a.structure != nil {
		n := 0
		a.structure.each(func(m *member) error {
			n++
			if m.refer != nil && m.refer.buffer != nil && m.refer.buffer.name == "" {
				m.refer.buffer.name = fmt.Sprintf("%s.%d", name, n)
			}
			return nil
		})
	}
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
	return within(ctx, func() error { return l.kernel.Launch(ctx, grid, l.values...) })
}

// launchError says of an error which launch it is of.
func launchError(ctx context.Context, l *kernelLaunch, err error) error {
	if err == ctx.Err() || err == context.Cause(ctx) { // the time was over before it could start, or it did not stop
		err = fmt.Errorf("kernel %s: %w", l.name, context.Cause(ctx))
	}
	return fmt.Errorf("%s%w", l.where, err)
}
