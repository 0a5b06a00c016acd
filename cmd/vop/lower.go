package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/config"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// lowerFlags are the flags of vop lower.
type lowerFlags struct {
	target, out   string
	reading       isa.Reading
	chosen        bool // the reading was asked for
	write, report bool
	json          bool // the report, on standard output
	several       bool // files, so that the report is of one of them
	config        config.Finder
}

func (a *app) lowerCommand() *cobra.Command {
	var flags lowerFlags
	cmd := &cobra.Command{
		Use:   "lower FILE|FOLDER... [--target sm_NN] [-o OUT|FOLDER/ | -w]",
		Short: "Rewrite video instructions to plain PTX that is faster on today's GPUs",
		Long: `Replace the video instructions of PTX files, or of the inline asm of CUDA sources,
by plain PTX that is proven to compute the same. Every other byte of the file stays;
the original line is kept as a comment. What the target has as one machine instruction stays.

The target is the file's own .target unless --target says otherwise. The result goes to standard
output, to the file of -o, or with -w to FILE itself; of several files each goes to its own name in
the folder of -o, which ends with a slash or is there already. Of folders all .ptx and C sources are
lowered, but those that .vop.toml excludes (vop check --help), which may also say target and as.

--report tells what became of each instruction: on stderr, or with --json on standard output as
one JSON object a file: file, output, target, reading, before, after, instructions (line, col, form, before,
after, kept).

Where ptxas does not compile an instruction to what the manual says (vop check tells), the
result computes what the manual says, and with --as sm_86 what the file computes now. Unless
--as says which is wanted, a note on stderr counts the instructions for which it matters.

In a CUDA source the text of an instruction is rewritten where it stands: in the asm statement,
in the body of the macro that makes the whole statement, or in an argument of that macro. What
macros put together from several places, and what stands in a macro outside the asm statement
(#define ADD "vadd4 ..." and asm(ADD : ...)), stays, and stderr says so: lower the preprocessed file.`,
		Example: "  vop lower kernel.ptx -o fast.ptx --report\n  vop lower *.ptx -o build/ --report --json > saved.json\n  vop lower --target sm_90 kernel.ptx | ptxas -arch=sm_90 -",
		Args:    wantFiles(".ptx or C sources, or folders"),
		RunE: func(cmd *cobra.Command, names []string) error {
			names, several, err := a.filesOf(cmd.Context(), names, checked, &flags.config)
			if err != nil {
				return err
			}
			if err := flags.check(names); err != nil {
				return err
			}
			flags.several = several
			flags.chosen = cmd.Flags().Changed("as")
			return a.eachFile(cmd.Context(), names, func(name string) error {
				return a.lower(cmd.Context(), name, flags)
			})
		},
	}
	cmd.Flags().StringVar(&flags.target, "target", "", "the machine that the file will run on, such as sm_80")
	readingFlag(cmd.Flags(), &flags.reading)
	cmd.Flags().StringVarP(&flags.out, "output", "o", "-", "where the result goes: a file, or a folder for several")
	cmd.Flags().BoolVarP(&flags.write, "write", "w", false, "write each result to its FILE itself")
	cmd.Flags().BoolVar(&flags.report, "report", false, "list on stderr what became of each instruction")
	cmd.Flags().BoolVar(&flags.json, "json", false, "with --report: one JSON object a file, on standard output")
	a.configFlag(cmd.Flags(), &flags.config)
	a.stdinNameFlag(cmd.Flags())
	return cmd
}

func (a *app) lower(ctx context.Context, name string, flags lowerFlags) error {
	says, err := flags.config.For(a.configured(name))
	if err != nil {
		return err
	}
	if flags.target == "" {
		flags.target = says.Target
	}
	if says.As != "" && !flags.chosen {
		flags.chosen = true
		if flags.reading, err = isa.ParseReading(says.As); err != nil {
			return err
		}
	}
	options := translate.LowerOptions{Reading: flags.reading}
	if flags.target != "" {
		sm, err := isa.ParseTarget(flags.target)
		if err != nil {
			return fmt.Errorf("lower: --target: %w", err)
		}
		options.SM = sm
	}
	text, err := a.read(name)
	if err != nil {
		return err
	}
	lowered, findings, err := translate.Lower(source.New(a.title(name), text), options)
	if err != nil {
		return err
	}
	if err := notPTX(a.title(name), text, findings); err != nil {
		return err
	}
	if err := a.printDiagnostics(a.stderr, findings); err != nil {
		return err
	}
	if findings.HasErrors() {
		return exitError{code: exitUsage}
	}
	differing := readingsDiffer(name, text, lowered.Report)
	if flags.report && !flags.json {
		if flags.several {
			fmt.Fprintf(a.stderr, "%s:\n", name)
		}
		a.printReport(lowered.Report, differing, flags.reading)
	}
	if !flags.chosen && len(differing) > 0 {
		fmt.Fprintf(a.stderr, "vop: note: what was rewritten computes what the manual says; ptxas compiles %d of these instructions otherwise, the first in line %d (readings-differ): --as sm_86 keeps what the file computes on a GPU\n", len(differing), firstLine(differing))
	}
	out := flags.outputOf(name)
	if err := file.Write(ctx, a.stdout, file.Bytes(out, []byte(lowered.Text))); err != nil || !flags.json {
		return err
	}
	return newLowerReport(a.title(name), out, flags, lowered.Report).write(a.stdout)
}

// outputOf returns where the result of a file goes.
func (f lowerFlags) outputOf(name string) string {
	switch {
	case f.write:
		return name
	case f.toFolder():
		return filepath.Join(f.out, filepath.Base(name))
	}
	return f.out
}

// toFolder reports whether the results go to a folder.
func (f lowerFlags) toFolder() bool {
	if strings.HasSuffix(f.out, "/") || strings.HasSuffix(f.out, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(f.out)
	return f.out != "-" && err == nil && info.IsDir()
}

// readingsDiffer returns where the rewritten instructions stand that ptxas compiles otherwise: those
// for which the manual's result is something else than what the file computes on a GPU.
func readingsDiffer(name, text string, report translate.Report) map[source.Position]bool {
	rewritten, differing := map[source.Position]bool{}, map[source.Position]bool{}
	for _, r := range report {
		if !r.Kept && !r.Form.Op.SIMD() {
			rewritten[r.Position] = true
		}
	}
	if len(rewritten) == 0 {
		return nil
	}
	for _, d := range front.Check(name, text) {
		file, at := d.File.Outermost(d.Span)
		if position := file.Position(at.Start); d.Code == diag.ReadingsDiffer && rewritten[position] {
			differing[position] = true
		}
	}
	return differing
}

// firstLine returns the smallest line of some positions.
func firstLine(positions map[source.Position]bool) int {
	first := math.MaxInt
	for p := range positions {
		first = min(first, p.Line)
	}
	return first
}

// check holds where the results go against the files: one is overwritten by its own
// lowering only with -w, and none by that of another.
func (f lowerFlags) check(names []string) error {
	if f.json && !f.report {
		return errors.New("lower: --json is the form of --report")
	}
	if f.json && f.out == "-" && !f.write {
		return errors.New("lower: with --json the report goes to standard output: -o or -w say where the result goes")
	}
	folder := f.toFolder()
	from := map[string]string{}
	for _, name := range names {
		switch {
		case f.write && f.out != "-":
			return errors.New("lower: -w and -o exclude each other")
		case f.write && name == "-":
			return errors.New("lower: -w cannot write to standard input")
		case folder && name == "-":
			return fmt.Errorf("lower: standard input has no name that its result could have in %s", f.out)
		case f.out != "-" && len(names) > 1 && !folder:
			return fmt.Errorf("lower: -o takes the result of one file, here are %d; -w writes each to its own file, and -o %s/ into a folder", len(names), f.out)
		}
		if out := f.outputOf(name); folder {
			if other := from[out]; other != "" {
				return fmt.Errorf("lower: %s and %s would both become %s", other, name, out)
			}
			from[out] = name
			if err := notInput(out, names...); err != nil {
				return fmt.Errorf("lower: %w; -w overwrites it", err)
			}
		}
	}
	if folder {
		if err := os.MkdirAll(f.out, 0o777); err != nil {
			return fmt.Errorf("lower: %w", plainPathError(err))
		}
		return nil
	}
	if err := notInput(f.out, names...); err != nil {
		return fmt.Errorf("lower: %w; -w overwrites it", err)
	}
	return nil
}
