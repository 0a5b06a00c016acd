package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// diffOptions are the flags of vop diff.
type diffOptions struct {
	launch  job.Options
	engine  string
	reading isa.Reading
	size    int // of buffers that are made
	near    nearness
	rounds  int
	seed    uint64
	timeout time.Duration
	json    bool
}

func (a *app) diffCommand() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff A.ptx B.ptx [--kernel NAME] [--grid X[,Y[,Z]]] [--block X[,Y[,Z]]] [--arg [NAME=]V ...]",
		Short: "Run a kernel of two PTX files on the same random inputs and compare",
		Long: `Launch the kernel of both files with the same arguments, several times with other random inputs, and compare all
that they leave: buffers, variables of the module, and what they print. This finds where a
rewrite computes something else; it does not prove that it never does.

Arguments are as of "vop run"; --arg NAME=V gives that of one parameter, --arg V the next
one. Files are read and never written. What no --arg gives is made: for 64-bit unsigned integers and
untyped words a buffer of random bytes (--size), for other integers the number of threads of the
launch, for floating-point numbers one from 0 to 1, for structs random bytes.

The first difference, by parameters and addresses, is told with the threads and lines that have
written it last.

--type TYPE says what the buffers hold (u8 i8 ... u64 i64 f16 f32 f64), --type NAME=TYPE what that of a parameter
or variable holds; buffers of floating-point numbers are then made of numbers from 0 to 1. With
--absolute and --relative numbers may differ by so much; NaNs are all the same.

--tex NAME=FILE makes a texture or surface, as of vop run. What surfaces hold is compared, too.

Exit code 0 if nothing differs, 1 if something does or one of the kernels alone fails, 2 if
both fail: the arguments do not fit then.`,
		Example: "  vop lower kernel.ptx -o fast.ptx\n  vop diff kernel.ptx fast.ptx --grid 8 --block 128\n  vop diff a.ptx b.ptx --kernel sad --block 16,16 --arg in:frame0.png --arg in:frame1.png --arg n=480\n  vop diff saxpy.ptx other.ptx --type f32 --relative 1e-6",
		Args: func(_ *cobra.Command, names []string) error {
			if len(names) != 2 {
				return fmt.Errorf("diff: want two PTX files, got %d", len(names))
			}
			return readOnce(names)
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := o.check(); err != nil {
				return fmt.Errorf("diff: %w", err)
			}
			return a.unusable(a.diff(cmd.Context(), names, &o))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.launch.Kernel, "kernel", "", "the kernel's name; NAME,NAME2 if it has another in the second file")
	flags.StringVar(&o.launch.Grid, "grid", "4", "blocks: X[,Y[,Z]]")
	flags.StringVar(&o.launch.Block, "block", "64", "threads of a block: X[,Y[,Z]]")
	flags.Var(bytesValue{&o.launch.Shared}, "shared", "bytes of dynamic shared memory")
	flags.StringArrayVar(&o.launch.Args, "arg", nil, "an argument: V or NAME=V, as of vop run")
	flags.StringArrayVar(&o.launch.Textures, "tex", nil, "a texture or surface: NAME=FILE[:OPTION,...], as of vop run")
	o.near.flags(flags)
	flags.Var(bytesValue{&o.size}, "size", "bytes of each buffer that is made (default 64 for each thread, at least 64 KiB)")
	flags.IntVar(&o.rounds, "rounds", 4, "how many launches, each with other random inputs")
	flags.Uint64Var(&o.seed, "seed", 1, "of the random inputs")
	flags.StringVar(&o.engine, "engine", "", "portable, avx2, avx512 or neon; the default is $"+level.Environment+", or else the fastest of this machine")
	readingFlag(flags, &o.reading)
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "how long a launch may take")
	flags.BoolVar(&o.json, "json", false, "one JSON document: equal, rounds, args and, where something differs, difference")
	flags.SortFlags = false
	return cmd
}

// check holds the flags against each other.
func (o *diffOptions) check() error {
	if err := o.near.check(); err != nil {
		return err
	}
	switch {
	case o.rounds < 1:
		return fmt.Errorf("--rounds %d: want a number from 1 on", o.rounds)
	case o.timeout <= 0:
		return fmt.Errorf("--timeout %v: want a time above 0, as 500ms, 10s or 2m", o.timeout)
	}
	grid, err := job.ParseDim("--grid", o.launch.Grid)
	if err != nil {
		return err
	}
	block, err := job.ParseDim("--block", o.launch.Block)
	if err != nil {
		return err
	}
	threads := 1.0
	for _, n := range []int{grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z} {
		threads *= float64(n)
	}
	if o.size == 0 {
		o.size = int(max(1<<16, min(64*threads, 1<<28)))
	}
	return nil
}

// threads returns the number of threads of the launch.
func (o *diffOptions) threads() int64 {
	grid, _ := job.ParseDim("--grid", o.launch.Grid)
	block, _ := job.ParseDim("--block", o.launch.Block)
	n := int64(1)
	for _, size := range []int{grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z} {
		if n *= int64(size); n > math.MaxInt32 {
			return math.MaxInt32
		}
	}
	return n
}

// diff launches both kernels and compares.
func (a *app) diff(ctx context.Context, names []string, o *diffOptions) error {
	e, err := chooseEngine(o.engine)
	if err != nil {
		return err
	}
	var sides [2]side
	first, second, both := strings.Cut(o.launch.Kernel, ",")
	for i, kernel := range []string{first, second} {
		if i == 1 && !both {
			kernel = first
		}
		sides[i] = side{app: a, ptx: names[i], kernel: kernel, engine: e, o: o}
		if err := sides[i].find(); err != nil {
			return err
		}
	}
	if err := sameParams(&sides[0], &sides[1]); err != nil {
		return err
	}
	args, err := o.complete(sides[0].params)
	if err != nil {
		return err
	}
	report := diffReport{Equal: true, Rounds: o.rounds, Args: args}
	for round := range o.rounds {
		seed := o.seed + uint64(round)
		report.Difference, err = a.diffOnce(ctx, &sides, args, seed)
		if err != nil {
			return err
		}
		if report.Difference != nil {
			report.Equal, report.Rounds, report.Difference.Seed = false, round+1, seed
			break
		}
	}
	return report.write(a, o, &sides)
}

// diffReport is the JSON document of vop diff. The names of its fields are a promise.
type diffReport struct {
	Equal      bool            `json:"equal"`
	Rounds     int             `json:"rounds"` // that were run
	Args       []string        `json:"args"`
	Difference *diffDifference `json:"difference,omitempty"`
}

// diffDifference is the first difference.
type diffDifference struct {
	Seed   uint64        `json:"seed"`
	Where  string        `json:"where"`             // "parameter p", "variable v", "output" or "launch"
	Byte   int           `json:"byte"`              // from the start of it
	Bytes  int           `json:"bytes"`             // that differ there, in all
	Type   string        `json:"type,omitempty"`    // of the elements, where --type says it
	Values [2]string     `json:"values"`            // of the element; without a type of the word that the byte is in, hexadecimal
	Most   *float64      `json:"largest,omitempty"` // difference of two elements, where there is a type
	Writes [2]*diffWrite `json:"writes"`
	text   string
	size   int                      // of an element; 0 without a type
	in     func(s *side) *vm.Buffer // the memory that differs; nil of a texture
}

// diffWrite is who has written something.
type diffWrite struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Col    int    `json:"col"`
	Source string `json:"source,omitempty"`
	Access string `json:"access"`
	Block  [3]int `json:"block"`
	Thread [3]int `json:"thread"`
}

func (r *diffReport) write(a *app, o *diffOptions, sides *[2]side) error {
	switch {
	case o.json:
		encoder := json.NewEncoder(a.stdout)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(r); err != nil {
			return err
		}
	case r.Equal:
		fmt.Fprintf(a.stdout, "%s and %s give the same in %s\n", sides[0].title(), sides[1].title(), diag.Count(r.Rounds, "launch"+strings.Repeat("e", min(1, r.Rounds-1))))
	default:
		fmt.Fprintf(a.stdout, "%s and %s differ: %s\n", sides[0].title(), sides[1].title(), strings.TrimSuffix(r.Difference.text, "\n"))
		fmt.Fprintf(a.stdout, "the same again: vop diff %s %s --kernel %s,%s --grid %s --block %s --size %d --rounds 1 --seed %d",
			sides[0].ptx, sides[1].ptx, sides[0].kernel, sides[1].kernel, o.launch.Grid, o.launch.Block, o.size, r.Difference.Seed)
		for _, word := range o.repeated(r.Args) {
			fmt.Fprintf(a.stdout, " %s", word)
		}
		fmt.Fprintln(a.stdout)
	}
	if !r.Equal {
		return errFindings
	}
	return nil
}

// repeated are the flags that repeat a launch with such arguments.
func (o *diffOptions) repeated(args []string) (words []string) {
	add := func(flag, value string) { words = append(words, flag, quoteForShell(value)) }
	for _, arg := range args {
		add("--arg", arg)
	}
	for _, t := range o.launch.Textures {
		add("--tex", t)
	}
	if o.launch.Shared != 0 {
		add("--shared", fmt.Sprint(o.launch.Shared))
	}
	if o.engine != "" {
		add("--engine", o.engine)
	}
	if o.reading != isa.Manual {
		add("--as", o.reading.String())
	}
	return append(words, o.near.repeated()...)
}

// complete makes the arguments that are not given.
func (o *diffOptions) complete(params []vopParam) ([]string, error) {
	args := make([]string, len(params))
	next := 0
	for _, given := range o.launch.Args {
		if name, value, ok := strings.Cut(given, "="); ok {
			if i := paramNamed(params, name); i >= 0 {
				if args[i] != "" {
					return nil, fmt.Errorf("--arg %s: the parameter has a value already", given)
				}
				args[i] = value
				continue
			}
			if !strings.ContainsAny(name, ":[") {
				return nil, fmt.Errorf("--arg %s: the kernel has no parameter %s; it has %s", given, name, job.ListParams(params))
			}
		}
		for next < len(args) && args[next] != "" {
			next++
		}
		if next == len(args) {
			return nil, fmt.Errorf("--arg %s: there is one argument too many: the kernel has %s", given, diag.Count(len(params), "parameter"))
		}
		args[next] = given
	}
	for i, p := range params {
		if args[i] == "" {
			args[i] = o.made(p)
		}
	}
	for _, arg := range args {
		if _, file, _ := strings.Cut(arg, ":"); file == "-" {
			return nil, errors.New("standard input cannot be read for both kernels: give a file")
		}
	}
	return args, nil
}

// made is the argument of a parameter for which none is given.
func (o *diffOptions) made(p vopParam) string {
	switch strings.TrimPrefix(p.Type, ".") {
	case "u64", "b64":
		if kind := o.near.typeOf(p.Name); strings.HasPrefix(kind, "f") {
			return fmt.Sprintf("random:%d:%s", o.size, kind)
		}
		return fmt.Sprintf("random:%d", o.size)
	case "f32", "f64":
		return fmt.Sprint(float64(o.seed%1000+1) / 1024)
	case "u8", "b8", "s8", "u16", "s16", "b16":
		return fmt.Sprint(min(o.threads(), 1<<(8*p.Size-1)-1))
	}
	if p.Scalar == 0 {
		return structOf(o.seed, p.Size)
	}
	return fmt.Sprint(o.threads())
}

// structOf spells a struct of so many random bytes.
func structOf(seed uint64, size int) string {
	var s strings.Builder
	s.WriteString("u8:[")
	for i := range size {
		if i > 0 {
			s.WriteByte(',')
		}
		seed = seed*6364136223846793005 + 1442695040888963407
		fmt.Fprint(&s, seed>>56)
	}
	return "struct:[" + s.String() + "]]"
}

func paramNamed(params []vopParam, name string) int {
	for i, p := range params {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// quoteForShell returns an argument as it is written in a shell.
func quoteForShell(arg string) string {
	if strings.ContainsAny(arg, " []*?$\"\\") {
		return "'" + arg + "'"
	}
	return arg
}
