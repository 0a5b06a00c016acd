package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/diag/sarif"
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

Exit code 0 if there is nothing to say but notes, 1 if there are other findings, 2 if a file
cannot be read; the others are checked then all the same.`,
		Example: "  vop check kernel.ptx\n  vop check --off readings-differ,operand-ignored kernel.ptx\n  vop check --sarif src/*.cu > findings.sarif",
		Args:    wantFiles(".ptx or C sources"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if asJSON && asSARIF {
				return errors.New("check: --json and --sarif exclude each other")
			}
			codes, err := parseCodes(off)
			if err != nil {
				return fmt.Errorf("check: --off %w", err)
			}
			findings, unread := a.checkFiles(cmd.Context(), names)
			if errors.Is(unread, context.Canceled) {
				return unread
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
			switch {
			case err != nil:
				return err
			case unread != nil:
				return unread
			case !findings.OnlyNotes():
				return errFindings
			}
			return nil
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

// checkFiles checks all files that can be read. The error is about those that cannot, and has been said.
func (a *app) checkFiles(ctx context.Context, names []string) (findings diag.List, unread error) {
	bar := a.progress(int64(len(names)), "checking")
	defer bar.Finish()
	unread = a.eachFile(ctx, names, func(name string) error {
		defer bar.Add(1)
		text, err := a.read(name)
		if err != nil {
			return err
		}
		found := vop.Check(a.title(name), text)
		if err := notPTX(a.title(name), text, found); err != nil {
			return err
		}
		findings = append(findings, found...)
		return nil
	})
	return findings, unread
}
