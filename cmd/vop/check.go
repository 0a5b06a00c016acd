package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/diag/sarif"
	"github.com/vop-ptx/vop/isa"
)

func (a *app) checkCommand() *cobra.Command {
	var asJSON, asSARIF bool
	var off []string
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check PTX files, and inline asm in CUDA, C and C++ sources",
		Long: `Check PTX files, and the inline asm of CUDA, C, C++, HIP and OpenCL sources, as their
names end. "-" is standard input, PTX unless --stdin-name says otherwise.

Macros of the file itself are expanded, and all branches of its #if are looked at. What depends
on other files gets a note; preprocessed files (nvcc -E or clang -E, .ii) have nothing hidden.

Each finding ends with its code in brackets; docs/diagnostics.md has a page for each.
--off leaves out those of some codes.

Exit code 0 if there is nothing to say but notes, 1 if there are other findings, 2 if a file cannot be read.`,
		Example: "  vop check kernel.ptx\n  vop check --off readings-differ,operand-ignored kernel.ptx\n  vop check --sarif src/*.cu > findings.sarif",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error {
			if asJSON && asSARIF {
				return errors.New("check: --json and --sarif exclude each other")
			}
			codes, err := parseCodes(off)
			if err != nil {
				return fmt.Errorf("check: --off %w", err)
			}
			findings, err := a.checkFiles(names)
			if err != nil {
				return err
			}
			findings = findings.Without(codes...)
			switch {
			case asJSON:
				err = diag.WriteJSON(a.stdout, findings)
			case asSARIF:
				err = sarif.Write(a.stdout, findings, version())
			default:
				err = a.printDiagnostics(a.stdout, findings)
			}
			if err == nil && !findings.OnlyNotes() {
				err = errFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line: file, line, col, end_col, severity, code, message")
	cmd.Flags().BoolVar(&asSARIF, "sarif", false, "a SARIF 2.1.0 document")
	a.stdinNameFlag(cmd.Flags())
	cmd.Flags().StringSliceVar(&off, "off", nil, "codes of findings to leave out, separated by commas")
	return cmd
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
	return "docs/diagnostics.md lists them"
}

// checkFiles checks all files. One that cannot be read is an error, found before any is checked.
func (a *app) checkFiles(names []string) (diag.List, error) {
	texts := make([]string, len(names))
	for i, name := range names {
		text, err := a.read(name)
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	bar := a.progress(int64(len(names)), "checking")
	defer bar.Finish()
	var findings diag.List
	for i, name := range names {
		found := vop.Check(a.title(name), texts[i])
		if err := notPTX(a.title(name), texts[i], found); err != nil {
			return nil, err
		}
		findings = append(findings, found...)
		bar.Add(1)
	}
	return findings, nil
}
