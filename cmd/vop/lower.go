package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/translate"
)

// lowerFlags are the flags of vop lower.
type lowerFlags struct {
	target, out   string
	reading       vop.Reading
	write, report bool
}

func (a *app) lowerCommand() *cobra.Command {
	var flags lowerFlags
	cmd := &cobra.Command{
		Use:   "lower FILE [--target sm_NN] [-o OUT | -w]",
		Short: "Rewrite video instructions to plain PTX that is faster on today's GPUs",
		Long: `Replace the video instructions of a PTX file, or of the inline asm of a CUDA source,
by plain PTX that is proven to compute the same. Every other byte of the file stays;
the original line is kept as a comment. What the target has as one machine instruction stays.

The target is the file's own .target unless --target says otherwise.

Where ptxas does not compile an instruction to what the manual says (vop check tells), the
result computes what the manual says, and with --as sm_86 what the file computes now.

In a CUDA source the text of an instruction is rewritten where it stands, be it in a macro. What
macros put together from several places stays, and stderr says so: lower the preprocessed file.`,
		Example: "  vop lower kernel.ptx -o fast.ptx --report\n  vop lower --target sm_90 kernel.ptx | ptxas -arch=sm_90 -",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.unusable(a.lower(args[0], flags))
		},
	}
	cmd.Flags().StringVar(&flags.target, "target", "", "the machine that the file will run on, such as sm_80")
	readingFlag(cmd.Flags(), &flags.reading)
	cmd.Flags().StringVarP(&flags.out, "output", "o", "-", "where the result goes")
	cmd.Flags().BoolVarP(&flags.write, "write", "w", false, "write the result to FILE itself")
	cmd.Flags().BoolVar(&flags.report, "report", false, "list on stderr what became of each instruction")
	a.stdinNameFlag(cmd.Flags())
	return cmd
}

func (a *app) lower(name string, flags lowerFlags) error {
	options := translate.LowerOptions{Reading: flags.reading}
	if flags.target != "" {
		sm, err := translate.ParseTarget(flags.target)
		if err != nil {
			return err
		}
		options.SM = sm
	}
	out, err := flags.destination(name)
	if err != nil {
		return err
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
	if flags.report {
		a.printReport(lowered.Report)
	}
	if out == "-" {
		_, err := io.WriteString(a.stdout, lowered.Text)
		return err
	}
	return writeFile(out, []byte(lowered.Text))
}

// destination returns where the result goes: a file is overwritten by its own
// lowering only with -w.
func (f lowerFlags) destination(name string) (string, error) {
	switch {
	case f.write && f.out != "-":
		return "", errors.New("lower: -w and -o exclude each other")
	case f.write && name == "-":
		return "", errors.New("lower: -w cannot write to standard input")
	case f.write:
		return name, nil
	case f.out != "-" && sameFile(name, f.out):
		return "", fmt.Errorf("lower: %s is the input; -w overwrites it", f.out)
	}
	return f.out, nil
}

// sameFile reports whether two names are of one existing file.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func (a *app) printReport(report translate.Report) {
	w := tabwriter.NewWriter(a.stderr, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "line\tbefore\tafter\tinstruction")
	before, after := 0, 0
	for _, r := range report {
		note := ""
		if r.Kept {
			note = "   (stays: the target has it)"
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%v%s\n", r.Position.Line, r.Before, r.After, r.Form, note)
		before, after = before+r.Before, after+r.After
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d video instructions\n", before, after, len(report))
}
