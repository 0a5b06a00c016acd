package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/config"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/diag/sarif"
)

// checkOptions are the flags of vop check.
type checkOptions struct {
	json, sarif, github bool
	fix                 bool
	off                 []string
	severity            string // the least that is told
	maxErrors           int    // that are printed; -1 is not said

	codes  []diag.Code // those of off
	config config.Finder
}

func (a *app) checkCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check FILE|FOLDER...",
		Short: "Check PTX files, and inline asm in CUDA, C and C++ sources",
		Long: `Check PTX files, and the inline asm of CUDA, C, C++, HIP and OpenCL sources, as their
names end; of folders all such files in them. "-" is standard input, PTX unless --stdin-name
says otherwise.

Macros of the file itself are expanded, and all branches of its #if are looked at. What depends
on other files gets a note; preprocessed files (nvcc -E or clang -E, .ii) have nothing hidden.

Each finding ends with its code in brackets; "vop explain CODE" prints its page. --off leaves
out those of some codes, --severity those that are less than an error or a warning. In the text itself
the comment // vop:ignore CODE -- REASON keeps a finding of its line quiet, or of the next
line where it stands alone; // vop:ignore-file CODE those of the file.

--fix writes what is certain into the files: names in capitals, misprints of the manual, words
that are written twice. What is only near to a name is left to you.

A file ` + config.Name + ` in the folder of a file, or in the nearest above it, says the same for everybody:

  exclude = ["third_party/**", "*.gen.ptx"]   # passed over where folders are named

  [check]
  off        = ["readings-differ"]
  severity   = "warning"
  max-errors = 50

  [lower]
  target = "sm_90"
  as     = "isa"

Exit code 0 if there is nothing to say but notes, 1 if there are other findings, 2 if a file
cannot be read; the others are checked then all the same.`,
		Example: "  vop check kernel.ptx\n  vop check --github src\n  vop check --off readings-differ,operand-ignored kernel.ptx\n  vop check --sarif src/*.cu > findings.sarif",
		Args:    wantFiles(".ptx or C sources, or folders"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if cmd.Flags().Changed("max-errors") && o.maxErrors < 0 {
				return fmt.Errorf("check: --max-errors %d: want a number from 0 on", o.maxErrors)
			}
			if err := o.parse(names); err != nil {
				return fmt.Errorf("check: %w", err)
			}
			return a.check(cmd.Context(), names, &o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.json, "json", false, "one JSON object a line: file, line, col, end_col, severity, code, message")
	flags.BoolVar(&o.sarif, "sarif", false, "a SARIF 2.1.0 document")
	flags.BoolVar(&o.github, "github", false, "workflow commands, which GitHub Actions shows beside the lines")
	flags.BoolVar(&o.fix, "fix", false, "mend what is certain in the files")
	flags.StringSliceVar(&o.off, "off", nil, "codes of findings to leave out, separated by commas")
	flags.StringVar(&o.severity, "severity", "", "the least that is told: error, warning or note (the default)")
	flags.IntVar(&o.maxErrors, "max-errors", -1, "how many errors are printed; 0 for all (default 100, with --json, --sarif and --github all)")
	flags.Lookup("max-errors").DefValue = "0" // as -1 stands for what the text says
	a.configFlag(flags, &o.config)
	a.stdinNameFlag(flags)
	return cmd
}

// parse holds the flags against each other.
func (o *checkOptions) parse(names []string) (err error) {
	formats := 0
	for _, chosen := range []bool{o.json, o.sarif, o.github} {
		if chosen {
			formats++
		}
	}
	if formats > 1 {
		return errors.New("--json, --sarif and --github exclude each other")
	}
	if o.codes, err = parseCodes(o.off); err != nil {
		return fmt.Errorf("--off %w", err)
	}
	if o.severity != "" {
		if err := checkChoice("--severity", o.severity, "error", "warning", "note"); err != nil {
			return err
		}
	}
	for _, name := range names {
		if o.fix && name == "-" {
			return errors.New("--fix cannot write to standard input")
		}
	}
	return nil
}

// check does what the flags say.
func (a *app) check(ctx context.Context, names []string, o *checkOptions) error {
	names, several, err := a.filesOf(ctx, names, checked, &o.config)
	if err != nil {
		return err
	}
	findings, unread := a.checkFiles(ctx, names, o)
	if errors.Is(unread, context.Canceled) {
		return unread
	}
	shown := findings
	if limit := o.limit(names); limit > 0 {
		shown = upToErrors(findings, limit)
	}
	switch {
	case o.json:
		err = diag.WriteJSON(a.stdout, shown)
	case o.sarif:
		err = sarif.Write(a.stdout, shown, version())
	case o.github:
		err = diag.WriteGitHub(a.stdout, shown)
	default:
		err = a.printDiagnostics(a.stdout, shown)
	}
	if err != nil {
		return err
	}
	if !a.quiet && (several || len(findings) > 0) {
		writeSummary(a.stderr, findings, len(shown), len(names))
	}
	switch {
	case unread != nil:
		return unread
	case !findings.OnlyNotes():
		return errFindings
	}
	return nil
}

// limit returns how many errors are printed; 0 is no limit.
func (o *checkOptions) limit(names []string) int {
	if o.maxErrors >= 0 {
		return o.maxErrors
	}
	if c, err := o.config.For(names[0]); err == nil && c.MaxErrors >= 0 {
		return c.MaxErrors
	}
	if o.json || o.sarif || o.github {
		return 0
	}
	return 100
}

// upToErrors returns the beginning of a list that holds so many errors.
func upToErrors(list diag.List, limit int) diag.List {
	for i, d := range list {
		if d.Severity != diag.Error {
			continue
		}
		if limit--; limit < 0 {
			return list[:i]
		}
	}
	return list
}

// writeSummary tells how much there is to say, of how many files.
func writeSummary(w io.Writer, findings diag.List, shown, files int) {
	var counts [3]int
	with := map[string]bool{}
	for i := range findings {
		counts[findings[i].Severity]++
		with[findings[i].Region().File] = true
	}
	var parts []string
	for severity, n := range counts {
		if n > 0 {
			parts = append(parts, diag.Count(n, diag.Severity(severity).String()))
		}
	}
	what := "nothing to say"
	if len(parts) > 0 {
		what = strings.Join(parts, ", ")
	}
	more := ""
	if shown < len(findings) {
		more = fmt.Sprintf("; the first %d of %d are shown, --max-errors 0 shows all", shown, len(findings))
	}
	switch {
	case files == 1:
		fmt.Fprintf(w, "vop: %s%s\n", what, more)
	case len(parts) == 0:
		fmt.Fprintf(w, "vop: %s: %s\n", diag.Count(files, "file"), what)
	default:
		fmt.Fprintf(w, "vop: %s in %d of %s%s\n", what, len(with), diag.Count(files, "file"), more)
	}
}

// parseCodes reads the codes of diagnostics.
func parseCodes(texts []string) ([]diag.Code, error) {
	var codes []diag.Code
	for _, text := range texts {
		code := diag.Code(text)
		if _, ok := diag.Page(code); !ok {
			return nil, fmt.Errorf("%s: there is no such code; %s", text, nearestCodes(text))
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// nearestCodes says which codes a misspelled one may stand for.
func nearestCodes(text string) string {
	var all []string
	for _, code := range diag.Codes() {
		all = append(all, string(code))
	}
	if near := isa.Nearest(text, all); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "vop explain lists them"
}

// checkFiles checks all files that can be read. The error is about those that cannot, and has been said.
func (a *app) checkFiles(ctx context.Context, names []string, o *checkOptions) (findings diag.List, unread error) {
	bar := a.progress(int64(len(names)), "checking")
	defer bar.Finish()
	unread = a.eachFile(ctx, names, func(name string) error {
		defer bar.Add(1)
		says, err := o.config.For(a.configured(name))
		if err != nil {
			return err
		}
		text, err := a.read(name)
		if err != nil {
			return err
		}
		found := o.of(front.Check(a.title(name), text), says)
		if err := notPTX(a.title(name), text, found); err != nil {
			return err
		}
		if o.fix {
			if found, err = a.fix(ctx, name, text, found, func(list diag.List) diag.List { return o.of(list, says) }); err != nil {
				return err
			}
		}
		findings = append(findings, found...)
		return nil
	})
	return findings, unread
}

// of returns those of a list that the flags and the project want to be told.
func (o *checkOptions) of(list diag.List, says *config.Config) diag.List {
	list = list.Without(o.codes...).Without(says.Off...)
	least := o.severity
	if least == "" {
		least = says.Severity
	}
	switch least {
	case "error":
		return list.AtLeast(diag.Error)
	case "warning":
		return list.AtLeast(diag.Warning)
	}
	return list
}
