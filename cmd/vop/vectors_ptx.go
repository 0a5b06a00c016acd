package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform/selfcheck"
)

// writeSelfChecks writes a set of self-checking files into a folder, which it makes if need be.
func (a *app) writeSelfChecks(cmd *cobra.Command, wanted *selection, folder string) error {
	for _, other := range []string{"format", "output", "reading", "spellings"} {
		if cmd.Flags().Changed(other) {
			return errors.New("vectors: --ptx and --" + other + " exclude each other: a file has the values of both readings, and checks instructions as they are spelled canonically")
		}
	}
	if folder == "" {
		return errors.New("vectors: --ptx: a folder needs a name")
	}
	if wanted.count > maxPerFile {
		return errors.New("vectors: --ptx: the constants of a kernel hold at most 3000 vectors: want --count 3000 or less")
	}
	forms, err := wanted.formsAsked()
	if err != nil {
		return a.unusable(err)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return plainPathError(err)
	}
	var outputs []file.Output
	for _, f := range selfcheck.Set(forms, wanted.count, wanted.seed) {
		outputs = append(outputs, file.Bytes(filepath.Join(folder, f.Name), f.Data))
	}
	return file.Write(cmd.Context(), a.stdout, outputs...)
}

// maxPerFile keeps the vectors of a file within the 64 KiB of constant memory that a kernel has.
const maxPerFile = 3000
