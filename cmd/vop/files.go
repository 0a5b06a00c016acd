package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/diag"
)

// open opens a file for reading; "-" is standard input.
func (a *app) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.stdin), nil
	}
	if name == "" {
		return nil, errors.New(`"": a file needs a name`)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, plainPathError(err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() { // reading it would say so, in other words each time
		f.Close()
		return nil, fmt.Errorf("%s: is a folder, expected a file", name)
	}
	return f, nil
}

// wantFiles demands names of files, of which one at most is "-". what says which are wanted.
func wantFiles(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, names []string) error {
		if len(names) == 0 {
			return fmt.Errorf("%s: which files? give %s, or - for standard input", cmd.Name(), what)
		}
		if err := readOnce(names); err != nil {
			return fmt.Errorf("%s: %w", cmd.Name(), err)
		}
		return nil
	}
}

// readOnce returns an error if standard input is among the names more than once: there is nothing left of it then.
func readOnce(names []string) error {
	if first := slices.Index(names, "-"); first >= 0 && slices.Contains(names[first+1:], "-") {
		return errors.New("standard input is named twice")
	}
	return nil
}

// maxSource is the size of the largest source file that is read. What is made of one takes up to 40 times
// its size in memory; what is larger is no source but a device, or another file by mistake.
const maxSource = 256 << 20

// read reads a source file whole; "-" is standard input.
func (a *app) read(name string) (text string, err error) {
	in, err := a.open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxSource+1))
	if err != nil {
		return "", plainPathError(err)
	}
	if len(data) > maxSource {
		return "", fmt.Errorf("%s: larger than the %d MiB that a source file may have", name, maxSource>>20)
	}
	return string(data), nil
}

// plainPathError says "NAME: no such file" where the library says "open NAME: no such file or directory".
func plainPathError(err error) error {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file", path.Path)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%s: is a folder, expected a file", path.Path)
	}
	return fmt.Errorf("%s: %w", path.Path, path.Err)
}

// notInput returns an error if an output is one of the files that are read, under whatever name.
func notInput(out string, inputs ...string) error {
	for _, in := range inputs {
		if out != "-" && in != "-" && in != "" && file.Same(out, in) {
			return fmt.Errorf("%s is the input", out)
		}
	}
	return nil
}

// unusable reports an input that cannot be used: its diagnostics are printed
// with their source lines, and the program ends with exit code 2.
func (a *app) unusable(err error) error {
	var input *front.InputError
	if !errors.As(err, &input) {
		return err
	}
	if err := a.printDiagnostics(a.stderr, input.Diagnostics); err != nil {
		return err
	}
	return exitError{code: exitUsage}
}

// printDiagnostics renders diagnostics as text, coloured if w is a terminal.
func (a *app) printDiagnostics(w io.Writer, list diag.List) error {
	return diag.WriteText(w, list, diag.TextOptions{Palette: diagnosticPalette{a.painter(w)}})
}
