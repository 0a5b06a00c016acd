package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/show/lsp"
)

func (a *app) languageServerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve editors: diagnostics, hover, completion, formatting ... as a language server",
		Long: `Speak the Language Server Protocol on standard input and output, for editors: diagnostics
with fixes, hover, completion, signature help, formatting, definition, references, rename,
symbols, folding, semantic tokens, inlay hints, and actions that lower or explain a video
instruction. It serves .ptx files, and PTX in the asm statements of C, C++, CUDA, HIP and
OpenCL sources. docs/editors.md tells how editors are told to start it.

Nothing is written to disk, and no other files are read than those that the editor sends.

Exit code 0 if the editor has shut the server down, 1 if it has left without.`,
		Example: "  vop lsp",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := lsp.Serve(cmd.Context(), a.stdin, a.stdout, version())
			if errors.Is(err, lsp.ErrExit) {
				return exitError{exitFindings, err}
			}
			if err != nil && cmd.Context().Err() != nil {
				return context.Cause(cmd.Context())
			}
			return err
		},
	}
	// Editors say how they talk to a server; there is one way.
	cmd.Flags().Bool("stdio", false, "talk on standard input and output, as it always does")
	return cmd
}
