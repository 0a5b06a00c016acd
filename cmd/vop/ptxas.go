package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/ptxas"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// The environment variables of vop ptxas, for where a build system has no place for more options.
const (
	ptxasPath    = "VOP_PTXAS"        // the real ptxas
	ptxasReading = "VOP_PTXAS_AS"     // isa or sm_86
	ptxasReport  = "VOP_PTXAS_REPORT" // any value: tell what was saved
)

func (a *app) ptxasCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ptxas [--report] [--as READING] [--ptxas PATH] ARGS...",
		Short: "Call ptxas on lowered PTX: a stand-in for ptxas in builds",
		Long: `Take ptxas's command line, lower the video instructions of its input for the machine of -arch, and run the
real ptxas on the result. Its messages name the original file and lines, and its exit code is that of vop.

A link to vop that is named vop-ptxas does the same, so that one flag of a build is enough:

  clang       --ptxas-path=/path/to/vop-ptxas
  Triton      TRITON_PTXAS_PATH=/path/to/vop-ptxas
  any other   a folder with a link named ptxas, first in PATH (docs/ci.md tells what nvcc needs)

The real ptxas is that of --ptxas or $` + ptxasPath + `, or else the first in PATH that is not vop. What it makes computes
what ptxas's own code for the video instructions computes: the reading sm_86; --as isa or ` + ptxasReading + `=isa
gives what the manual says. --report, or $` + ptxasReport + `, lists on stderr what was saved.

A file that vop cannot read goes to ptxas as it is, with a note.`,
		Example:            "  vop ptxas -arch=sm_80 -O3 kernel.ptx -o kernel.cubin\n  ln -s $(which vop) ~/bin/vop-ptxas && clang++ -x cuda --ptxas-path=$HOME/bin/vop-ptxas kernel.cu",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			return a.ptxas(cmd.Context(), args)
		},
	}
}

// calledAsPtxas reports whether the program was called by a name that stands for vop ptxas.
func calledAsPtxas(program string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(program)), ".exe")
	return name == "vop-ptxas" || name == "ptxas"
}

// ptxasOptions are those of vop itself.
type ptxasOptions struct {
	real    string
	reading string
	report  bool
}

// cutPtxasOptions takes the options of vop out of a command line of ptxas.
func cutPtxasOptions(args []string) (o ptxasOptions, rest []string, err error) {
	o = ptxasOptions{real: os.Getenv(ptxasPath), reading: os.Getenv(ptxasReading), report: os.Getenv(ptxasReport) != ""}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		switch name {
		case "--report":
			o.report = true
			continue
		case "--as", "--ptxas":
			if !joined {
				if i++; i == len(args) {
					return o, nil, fmt.Errorf("ptxas: %s: want a value", name)
				}
				value = args[i]
			}
			if name == "--as" {
				o.reading = value
			} else {
				o.real = value
			}
			continue
		}
		rest = append(rest, args[i])
	}
	return o, rest, nil
}

// ptxas lowers the inputs of a command line and runs the real ptxas.
func (a *app) ptxas(ctx context.Context, args []string) error {
	o, args, err := cutPtxasOptions(args)
	if err != nil {
		return err
	}
	reading := isa.SM86
	if o.reading != "" {
		if reading, err = isa.ParseReading(o.reading); err != nil {
			return fmt.Errorf("ptxas: --as: %w", err)
		}
	}
	real, err := findPtxas(o.real)
	if err != nil {
		return err
	}
	line := ptxas.Parse(args)
	folder, err := os.MkdirTemp("", "vop-ptxas-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var messages ptxas.Messages
	stdin := a.stdin
	for i, in := range line.Inputs {
		lowered, err := a.lowerForPtxas(in, &line, reading, o.report)
		if err != nil {
			return err
		}
		switch {
		case in.Name == "-":
			stdin = strings.NewReader(lowered.text)
			messages.Add("-", in.Title(), lowered.lines)
		case in.Name == "":
			line.Replace(i, lowered.text)
		default:
			own := filepath.Join(folder, fmt.Sprint(i))
			if err := os.Mkdir(own, 0o777); err != nil {
				return err
			}
			name := filepath.Join(own, filepath.Base(in.Name)) // two may have the same
			if err := os.WriteFile(name, []byte(lowered.text), 0o666); err != nil {
				return err
			}
			line.Replace(i, name)
			messages.Add(name, in.Name, lowered.lines)
		}
	}
	return a.runPtxas(ctx, real, line.Args, stdin, &messages)
}

// videoText is what a text with video instructions has.
var videoText = regexp.MustCompile(`\bv(add|sub|avrg|absdiff|min|max|shl|shr|mad|set)[24]?\.[a-z]`)

// loweredInput is an input of ptxas after lowering.
type loweredInput struct {
	text  string
	lines func(int) int
}

// lowerForPtxas lowers an input. One that cannot be lowered stays as it is, which is told: ptxas may know more.
func (a *app) lowerForPtxas(in ptxas.Input, line *ptxas.Line, reading isa.Reading, report bool) (loweredInput, error) {
	text := in.Text
	if in.Name != "" {
		var err error
		if text, err = a.read(in.Name); err != nil {
			return loweredInput{}, err
		}
	}
	asItIs := loweredInput{text, func(line int) int { return line }}
	src := source.New(in.Title(), text)
	if inline.IsHost(in.Title()) {
		src.Name += ".ptx" // whatever it is called, ptxas reads it as PTX
	}
	options := translate.LowerOptions{Reading: reading}
	if sm, err := isa.ParseTarget(line.Target()); err == nil {
		options.SM = sm
	}
	lowered, findings, err := translate.Lower(src, options)
	src.Name = in.Title()
	if err == nil && findings.HasErrors() {
		first := findings[0]
		for _, d := range findings {
			if d.Severity == diag.Error {
				first = d
				break
			}
		}
		r := first.Region()
		err = fmt.Errorf("%s:%d:%d: %s [%s]", r.File, r.Line, r.Col, first.Message, first.Code)
	}
	if err != nil {
		if videoText.MatchString(text) || report {
			fmt.Fprintf(a.stderr, "vop: note: %s goes to ptxas as it is: %v\n", in.Title(), err)
		}
		return asItIs, nil
	}
	if report {
		fmt.Fprintf(a.stderr, "vop: %s:\n", in.Title())
		a.printReport(lowered.Report, readingsDiffer(src.Name, text, lowered.Report), reading)
	}
	return loweredInput{lowered.Text, lowered.Lines(src).Of}, nil
}

// runPtxas runs ptxas, and ends as it does.
func (a *app) runPtxas(ctx context.Context, real string, args []string, stdin io.Reader, messages *ptxas.Messages) error {
	cmd := exec.CommandContext(ctx, real, args...)
	stdout, stderr := messages.Writer(a.stdout), messages.Writer(a.stderr)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	cmd.Env = append(os.Environ(), ptxasInside+"=1")
	err := cmd.Run()
	for _, w := range []*ptxas.Writer{stdout, stderr} {
		if failed := w.Close(); failed != nil && err == nil {
			err = failed
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		return exitError{code: exit.ExitCode()}
	}
	if err != nil {
		return fmt.Errorf("ptxas: %s: %w", real, err)
	}
	return nil
}

// ptxasInside is set for the real ptxas. Where that is vop again, under whatever name, the calls would not end.
const ptxasInside = "VOP_PTXAS_INSIDE"

// findPtxas returns the path of the real ptxas.
func findPtxas(asked string) (string, error) {
	if os.Getenv(ptxasInside) != "" {
		return "", errors.New("ptxas: what is to be the real ptxas is vop again: --ptxas or $" + ptxasPath + " name it")
	}
	if asked != "" {
		path, err := exec.LookPath(asked)
		if err != nil {
			return "", fmt.Errorf("ptxas: the real ptxas, %s: %w", asked, plainPathError(errors.Unwrap(err)))
		}
		return path, nil
	}
	self, _ := os.Executable()
	own, _ := os.Stat(self)
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		path, err := exec.LookPath(filepath.Join(folder, "ptxas"))
		if err != nil {
			continue
		}
		if info, err := os.Stat(path); err == nil && own != nil && os.SameFile(info, own) {
			continue
		}
		return filepath.Abs(path)
	}
	return "", errors.New("ptxas: there is no ptxas in PATH but vop: --ptxas PATH or $" + ptxasPath + " name the real one, of the CUDA toolkit")
}
