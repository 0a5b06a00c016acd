package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// lowerFlags are the flags of vop lower.
type lowerFlags struct {
	target, out   string
	reading       vop.Reading
	chosen        bool // the reading was asked for
	write, report bool
	several       bool // files, so that the report is of one of them
}

func (a *app) lowerCommand() *cobra.Command {
	var flags lowerFlags
	cmd := &cobra.Command{
		Use:   "lower FILE... [--target sm_NN] [-o OUT | -w]",
		Short: "Rewrite video instructions to plain PTX that is faster on today's GPUs",
		Long: `Replace the video instructions of PTX files, or of the inline asm of CUDA sources,
by plain PTX that is proven to compute the same. Every other byte of the file stays;
the original line is kept as a comment. What the target has as one machine instruction stays.

The target is the file's own .target unless --target says otherwise.

Where ptxas does not compile an instruction to what the manual says (vop check tells), the
result computes what the manual says, and with --as sm_86 what the file computes now. Unless
--as says which is wanted, a note on stderr counts the instructions for which it matters.

In a CUDA source the text of an instruction is rewritten where it stands: in the asm statement,
in the body of the macro that makes the whole statement, or in an argument of that macro. What
macros put together from several places, and what stands in a macro outside the asm statement
(#define ADD "vadd4 ..." and asm(ADD : ...)), stays, and stderr says so: lower the preprocessed file.`,
		Example: "  vop lower kernel.ptx -o fast.ptx --report\n  vop lower --target sm_90 kernel.ptx | ptxas -arch=sm_90 -",
		Args:    wantFiles(".ptx or C sources"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := flags.check(names); err != nil {
				return err
			}
			flags.several = len(names) > 1
			flags.chosen = cmd.Flags().Changed("as")
			return a.eachFile(cmd.Context(), names, func(name string) error {
				return a.lower(cmd.Context(), name, flags)
			})
		},
	}
	cmd.Flags().StringVar(&flags.target, "target", "", "the machine that the file will run on, such as sm_80")
	readingFlag(cmd.Flags(), &flags.reading)
	cmd.Flags().StringVarP(&flags.out, "output", "o", "-", "where the result goes")
	cmd.Flags().BoolVarP(&flags.write, "write", "w", false, "write each result to its FILE itself")
	cmd.Flags().BoolVar(&flags.report, "report", false, "list on stderr what became of each instruction")
	a.stdinNameFlag(cmd.Flags())
	return cmd
}

func (a *app) lower(ctx context.Context, name string, flags lowerFlags) error {
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
	if flags.report && flags.several {
		fmt.Fprintf(a.stderr, "%s:\n", name)
	}
	differing := readingsDiffer(name, text, lowered.Report)
	if flags.report {
		a.printReport(lowered.Report, differing, flags.reading)
	}
	if !flags.chosen && len(differing) > 0 {
		fmt.Fprintf(a.stderr, "vop: note: what was rewritten computes what the manual says; ptxas compiles %d of these instructions otherwise, the first in line %d (readings-differ): --as sm_86 keeps what the file computes on a GPU\n", len(differing), firstLine(differing))
	}
	out := flags.out
	if flags.write {
		out = name
	}
	return file.Write(ctx, a.stdout, file.Bytes(out, []byte(lowered.Text)))
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
	for _, d := range vop.Check(name, text) {
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
// lowering only with -w.
func (f lowerFlags) check(names []string) error {
	for _, name := range names {
		switch {
		case f.write && f.out != "-":
			return errors.New("lower: -w and -o exclude each other")
		case f.write && name == "-":
			return errors.New("lower: -w cannot write to standard input")
		case f.out != "-" && len(names) > 1:
			return fmt.Errorf("lower: -o takes the result of one file, here are %d; -w writes each to its own file", len(names))
		}
	}
	if err := notInput(f.out, names...); err != nil {
		return fmt.Errorf("lower: %w; -w overwrites it", err)
	}
	return nil
}

// printReport lists what became of each instruction.
func (a *app) printReport(report translate.Report, differing map[source.Position]bool, reading vop.Reading) {
	fmt.Fprintln(a.stderr, "machine instructions: ptxas 11.8 for sm_80, and of the plain PTX as estimated; slots: the time of those, in instructions at the full rate")
	w := tabwriter.NewWriter(a.stderr, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "line\tptxas\tplain\tslots\tinstruction")
	before, after, slots := 0, 0, 0
	for _, r := range report {
		note := ""
		switch {
		case r.Kept:
			note = "   (stays: the target has it)"
		case differing[r.Position] && reading == vop.SM86:
			note = "   (readings-differ: computes what ptxas compiles, not what the manual says)"
		case differing[r.Position]:
			note = "   (readings-differ: computes what the manual says, not what ptxas compiles; --as sm_86 keeps that)"
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%v%s\n", r.Position.Line, r.Before, r.After, r.Slots, r.Form, note)
		before, after, slots = before+r.Before, after+r.After, slots+r.Slots
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%s\n", before, after, slots, diag.Count(len(report), "video instruction"))
}
