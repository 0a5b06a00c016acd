package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/diag/sarif"
)

func (a *app) checkCommand() *cobra.Command {
	var asJSON, asSARIF bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check PTX files, and inline asm in CUDA, C and C++ sources",
		Long: `Check PTX files, and the inline asm of .cu .cuh .c .cc .cpp .h .hpp files. "-" is
standard input, taken as PTX.

Exit code 0 if there is nothing to say, 1 if there are findings, 2 if a file cannot be read.`,
		Example: "  vop check kernel.ptx\n  vop check --sarif src/*.cu > findings.sarif",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error {
			if asJSON && asSARIF {
				return errors.New("check: --json and --sarif exclude each other")
			}
			findings, err := a.checkFiles(names)
			if err != nil {
				return err
			}
			switch {
			case asJSON:
				err = diag.WriteJSON(a.stdout, findings)
			case asSARIF:
				err = sarif.Write(a.stdout, findings, version())
			default:
				err = a.printDiagnostics(a.stdout, findings)
			}
			if err == nil && len(findings) > 0 {
				err = errFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line: file, line, col, end_col, severity, code, message")
	cmd.Flags().BoolVar(&asSARIF, "sarif", false, "a SARIF 2.1.0 document")
	return cmd
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
		findings = append(findings, vop.Check(name, texts[i])...)
		bar.Add(1)
	}
	return findings, nil
}
