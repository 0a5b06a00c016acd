package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/cmd/vop/internal/number"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// runOptions are the flags of vop run.
type runOptions struct {
	launch  job.Options
	file    string // --launch
	engine  string
	reading isa.Reading
	timeout time.Duration
	json    bool
	check   bool
	stats   bool
	print   string
	shaped  bool // the blocks' shape is given
}

func (a *app) runCommand() *cobra.Command {
	var options runOptions
	cmd := &cobra.Command{
		Use:   "run FILE.ptx... --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] --arg V ... | vop run --launch FILE.toml",
		Short: "Run a kernel on the CPU",
		Long: `Run a kernel of a PTX file on the CPU. Several files are linked to one module: functions and variables
that one declares .extern are those that another defines as .visible, .weak or .common. --arg is
given once for each parameter of the kernel, in order:

  NUMBER              a number, of the parameter's type
  in:FILE             a buffer with the contents of FILE
  out:FILE:SIZE       a buffer of zeros, written to FILE after the launch
  inout:FILE[:FILE2]  a buffer with the contents of FILE, written to FILE2 or back
  zero:SIZE           a buffer of zeros
  random:SIZE[:f32]   a buffer of random bytes, the same ones each time, or of random numbers
                      from 0 to 1 (f16, f32 or f64)
  tex:NAME            the texture of --tex NAME=FILE
  struct:[V,V,...]    a struct passed by value; one of a file takes the bytes of in:FILE

The ending of FILE says what it is: .npy (NumPy), .png .pgm .ppm (pixels), anything
else raw bytes. SIZE is in bytes; for pictures WxH or WxHxC; for .npy also
shape and type, as in 32x32x2xi16. Outputs appear whole or not at all; what has been
written is told on standard error, unless --quiet or --json is given. Devices,
pipes and links are written to and never replaced. A number with a leading zero is refused:
077 is 77 to some and 0o77 to others.

PTX does not tell what a struct is made of, so each V of struct:[V,V,...] says it:

  TYPE:NUMBER         TYPE is u8 u16 u32 u64, i8 i16 i32 i64, f32 or f64
  TYPE:[NUMBER,...]   an array
  in:FILE and so on   a buffer, as above: its address is put there
  tex:NAME            a texture: its handle is put there
  bytes:FILE          the contents of FILE themselves
  struct:[V,V,...]    a struct in the struct

Each stands where a C compiler puts it, at a multiple of its size. @OFFSET:V stands OFFSET
bytes from the start; a last @SIZE fills the rest with zeros. A V alone, such as
f32:[1,2.5,3], may be given wherever a struct may. Files named here have no comma or bracket
in their names. A kernel with .param .align 8 .b8 p[24] for struct { float *x; int n; double a; }
takes --arg struct:[in:x.npy,i32:1024,f64:0.5].

--set NAME=V gives a .global or .const variable another value than the text does, before the
first launch: a number, the address of a buffer or a handle where it is a scalar; for an array or
a struct its bytes, from in:FILE or struct:[...]. out:FILE:SIZE writes an array to
FILE after the last launch, and inout:FILE does both.

--tex NAME=FILE[:OPTION,...] makes a texture of a picture or .npy file, for tex:NAME or for the
.texref or .surfref variable of that name. Options are point or linear; clamp, border,
wrap or mirror; normalized, for coordinates from 0 to 1; 3d, for a .npy file of three
dimensions that has no channels. The first dimension is the depth, the layer, or the face
of a cube: +x, -x, +y, -y, +z, -z.

--check looks for mistakes while the kernel runs: accesses outside buffers, registers and
memory read before they are written (out: buffers count as not written), races
in shared and global memory between the threads of a warp, warps and blocks, shuffles and
votes with lanes that are not there, barriers of a block that its threads do not come to as the manual
demands. Each is reported once, with a count, and the launch goes on. --stats prints exact counts of what was executed:
instructions, those that have no machine code on the engine's level, divergence, memory traffic, bank
conflicts.

--print simt prints the code that the kernel and what it calls have become, instead of running
it: operations on the values of a warp, with the lines of the text that they are made of.
No grid, block or arguments are needed. --print native prints the machine code for blocks of the shape
that --block or the launch file says, or else of any shape.

--launch reads all that from a file instead, for many arguments, or for several
launches one after the other that share buffers:

  ptx = "blur.ptx"               # or FILE.ptx on the command line; ["a.ptx", "b.ptx"] are linked

  [buffers]                      # as for --arg; written when all launches have ended
  frame  = "in:frame.png"
  halved = "zero:65536"
  out    = "out:blurred.png:512x512"

  [[launch]]                     # in the order of the text
  kernel = "rows"                # may be left out if the file has one only
  grid   = [16, 16]              # or one number; 1 if left out
  block  = [32, 8]               # likewise
  shared = 4096                  # bytes of dynamic shared memory; 0 if left out
  args   = ["frame", 512, 0.5, "halved"]

  [[launch]]
  ptx    = "columns.ptx"         # a launch may be of another file than the rest
  args   = ["halved", "out", "struct:[out,u32:512]"]

  [variables]                    # as for --set, before the first launch
  weights = "in:weights.npy"
  gamma   = 2.2

  [expect]                       # what buffers hold in the end, or the run has failed
  out    = "golden.png"
  halved = { file = "golden.npy", absolute = 0.5, relative = 1e-5, allowed = 3 }

An element of [expect] may differ by absolute, or by relative times the wanted value, whichever is more; as
many as allowed may differ by more. "vop test" runs such files and writes no others.

Files that are read are looked for beside FILE.toml; those that are written go to
the folder vop runs in. inout:FILE without FILE2 is written back beside FILE.toml.

A PTX or launch file has at most 256 MiB. Of a pipe or a device, whose end is not known, at most 1 GiB
is read as a buffer.

What kernels print goes to standard output; with --json, or an output to "-", it
goes to standard error.

--json writes one JSON document to standard output: "engine", "launches" (ptx, kernel,
grid, block, shared, seconds), "outputs" (buffer, file, type, shape, bytes) and, if
something failed, "error": its message, its kind (usage, input, missing, fault,
difference, timeout, interrupted) and what is known about it, with --check all "reports"; with
--stats "stats". Exit codes and messages are the same.`,
		Example: "  vop run scale.ptx --kernel scale --grid 64 --block 256 --arg in:x.npy --arg out:y.npy:16384xf32 --arg 16384\n" +
			"  vop run --launch pipeline.toml --timeout 1m --json",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			report := newRunReport()
			err := a.run(cmd, args, options, report)
			if options.json {
				report.fail(err)
				if err := report.write(a.stdout); err != nil {
					return err
				}
			}
			if stopsLaunch[errorKind(err)] {
				return exitError{exitFindings, err}
			}
			return a.unusable(err)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options.launch.Kernel, "kernel", "", "the kernel's name; may be left out if the file has one only")
	flags.StringVar(&options.launch.Grid, "grid", "1", "blocks: X[,Y[,Z]]")
	flags.StringVar(&options.launch.Block, "block", "1", "threads of a block: X[,Y[,Z]]")
	flags.Var(bytesValue{&options.launch.Shared}, "shared", "bytes of dynamic shared memory")
	flags.StringArrayVar(&options.launch.Args, "arg", nil, "an argument: a number, in:FILE, out:FILE:SIZE, inout:FILE[:FILE2], zero:SIZE, random:SIZE, tex:NAME or struct:[V,V,...]")
	flags.StringArrayVar(&options.launch.Textures, "tex", nil, "a texture: NAME=FILE[:OPTION,...]")
	flags.StringArrayVar(&options.launch.Settings, "set", nil, "a variable: NAME=V, where V is as after --arg")
	flags.BoolVar(&options.check, "check", false, "report mistakes of the kernel: races, unset memory and others")
	flags.BoolVar(&options.stats, "stats", false, "count what is executed, and print the counts")
	flags.StringVar(&options.print, "print", "", "print the kernel's code instead of running it: simt, or native, the machine code")
	flags.StringVar(&options.file, "launch", "", "a TOML file that says what is launched, instead of the five flags above")
	flags.StringVar(&options.engine, "engine", "", "portable, avx2, avx512 or neon; the default is $"+level.Environment+", or else the fastest of this machine")
	readingFlag(flags, &options.reading)
	flags.DurationVar(&options.timeout, "timeout", 0, "stop if reading, building and the launches take longer than this together, as 500ms, 10s, 2m")
	flags.BoolVar(&options.json, "json", false, "one JSON document about the run")
	a.stdinNameFlag(flags)
	flags.SortFlags = false
	return cmd
}

// bytesValue is a number of bytes as the value of a flag.
type bytesValue struct{ bytes *int }

func (v bytesValue) Set(text string) error {
	n, err := number.Unsigned(text, 31)
	switch {
	case number.IsLeadingZero(err):
		return err
	case err != nil:
		return errors.New("want a number of bytes, 0 to 2147483647")
	}
	*v.bytes = int(n)
	return nil
}

func (v bytesValue) String() string {
	if v.bytes == nil {
		return "0"
	}
	return strconv.Itoa(*v.bytes)
}

func (v bytesValue) Type() string { return "bytes" }

// run does what the flags or the launch file say, and tells the report.
func (a *app) run(cmd *cobra.Command, args []string, options runOptions, report *runReport) error {
	if cmd.Flags().Changed("timeout") && options.timeout <= 0 {
		return fmt.Errorf("--timeout %v: want a time above 0, as 500ms, 10s or 2m", options.timeout)
	}
	if cmd.Flags().Changed("print") && (options.print == "" || options.json) {
		return fmt.Errorf("--print %s: want simt or native, without --json, whose document is about a run", options.print)
	}
	ctx, cancel := withTimeout(cmd.Context(), options.timeout)
	defer cancel()
	var j *job.Job
	err := within(ctx, func() (err error) {
		j, err = a.job(cmd.Flags(), args, options)
		return err
	})
	if err != nil {
		return preparing(ctx, err)
	}
	if options.print != "" {
		options.shaped = cmd.Flags().Changed("block") || cmd.Flags().Changed("launch")
		return a.printCode(ctx, j, options)
	}
	toStdout, err := j.CheckFiles()
	if err != nil {
		return err
	}
	if options.json && toStdout != nil {
		return fmt.Errorf("--json writes its document to standard output, and so does %s: write that to a file", toStdout.Spec)
	}
	e, err := chooseEngine(options.engine)
	if err != nil {
		return err
	}
	report.Engine = e.String()
	if err := within(ctx, func() error { return j.Load(a.source(), e, options.reading) }); err != nil {
		return preparing(ctx, err)
	}
	printed := a.stdout
	if options.json || toStdout != nil {
		printed = a.stderr
	}
	var stats *vm.Stats
	if options.stats {
		stats = &vm.Stats{}
	}
	j.Observe(options.check, stats)
	for _, l := range j.Launches {
		begin := time.Now()
		err := a.launch(ctx, l, printed)
		report.launched(l, time.Since(begin))
		if err != nil {
			return l.Failed(ctx, err)
		}
	}
	if err := buffer.Write(cmd.Context(), a.stdout, j.Outputs()); err != nil {
		return err
	}
	if report.Stats = stats; stats != nil && !options.json {
		fmt.Fprint(printed, stats)
	}
	for _, b := range j.Buffers {
		if b.Arg.Output == "" {
			continue
		}
		report.wrote(b)
		if !options.json && !a.quiet && b.Arg.Output != "-" {
			fmt.Fprintf(a.stderr, "vop: wrote %s: %s\n", b.Arg.Output, b.Describe())
		}
	}
	if found := j.Compare(); len(found) > 0 {
		return job.Differences(found)
	}
	return nil
}

// preparing says of an error from before the first launch, if it is that the time is over, what took so long.
func preparing(ctx context.Context, err error) error {
	if err == context.Cause(ctx) {
		return fmt.Errorf("reading the files and building the kernels: %w", err)
	}
	return err
}

// job makes the job of the flags or of the launch file, which exclude each other.
func (a *app) job(flags *pflag.FlagSet, args []string, options runOptions) (*job.Job, error) {
	ptx := job.Files(args)
	if !flags.Changed("launch") {
		if len(ptx) == 0 {
			return nil, errors.New("run: which PTX file? Want vop run FILE.ptx ..., or vop run --launch FILE.toml")
		}
		return job.OfFlags(ptx, options.launch)
	}
	for _, name := range []string{"kernel", "grid", "block", "shared", "arg"} {
		if flags.Changed(name) {
			return nil, fmt.Errorf("--launch and --%s exclude each other: %s says what is launched", name, options.file)
		}
	}
	if inline.IsHost(options.file) {
		return nil, fmt.Errorf("--launch %s: a launch file is TOML, and this is a C source by its name", options.file)
	}
	text, err := a.read(options.file)
	if err != nil {
		return nil, err
	}
	j, err := job.OfFile(options.file, text, ptx, options.launch.Textures...)
	if err != nil {
		return nil, err
	}
	return j, j.AddSettings(options.launch.Settings)
}

// chooseEngine returns the level of the given name, or the default one.
func chooseEngine(name string) (level.Level, error) {
	if name == "" {
		return level.Default()
	}
	l, err := level.Named(name)
	if err != nil {
		return level.Auto, fmt.Errorf("--engine: %w", err)
	}
	return l, nil
}

// timeoutError is why a launch has been stopped after the time that --timeout gives.
type timeoutError struct{ limit time.Duration }

func (e timeoutError) Error() string { return fmt.Sprintf("took longer than --timeout %v", e.limit) }

// Is makes the error that of a context whose time is over.
func (e timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// withTimeout bounds a context, unless the limit is 0.
func withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limit, timeoutError{limit})
}
