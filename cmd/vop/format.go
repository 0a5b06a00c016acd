package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/config"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/inline"
)

// formatOptions are the flags of vop fmt, named as gofmt's.
type formatOptions struct{ list, write, diff bool }

func (a *app) formatCommand() *cobra.Command {
	var options formatOptions
	var finder config.Finder
	cmd := &cobra.Command{
		Use:   "fmt FILE|FOLDER...",
		Short: "Format PTX files",
		Long: `Print PTX files in the canonical layout; the modifiers of video instructions are
put into the order of the manual's grammar. Comments stay. "-" is standard input.

Exit code 1 if -l or -d found a file that is not formatted, 2 if a file cannot be read or has
errors; the others are formatted then all the same.`,
		Example: "  vop fmt kernel.ptx\n  vop fmt -l *.ptx\n  vop fmt -w kernel.ptx src",
		Args:    wantFiles(".ptx files, or folders"),
		RunE: func(cmd *cobra.Command, given []string) error {
			names, several, err := a.filesOf(cmd.Context(), given, formatted, &finder)
			if err != nil {
				return err
			}
			if several && len(given) == 1 && options == (formatOptions{}) {
				return fmt.Errorf("fmt: %s is a folder: want -w to write the files, -l to list them or -d to see what would change", given[0])
			}
			differs := false
			err = a.eachFile(cmd.Context(), names, func(name string) error {
				changed, err := a.format(cmd.Context(), name, options)
				differs = differs || changed
				return err
			})
			if err != nil {
				return err
			}
			if differs && (options.list || options.diff) {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&options.list, "list", "l", false, "print the names of files that are not formatted")
	cmd.Flags().BoolVarP(&options.write, "write", "w", false, "write the result to the file")
	cmd.Flags().BoolVarP(&options.diff, "diff", "d", false, "print what would change")
	a.configFlag(cmd.Flags(), &finder)
	a.stdinNameFlag(cmd.Flags())
	return cmd
}

// format formats one file and reports whether that changes it.
func (a *app) format(ctx context.Context, name string, options formatOptions) (changed bool, err error) {
	title := a.title(name)
	if inline.IsHost(title) {
		return false, fmt.Errorf("%s: vop fmt formats PTX files, not C sources", title)
	}
	if options.write && name == "-" {
		return false, errors.New("fmt -w cannot write to standard input")
	}
	text, err := a.read(name)
	if err != nil {
		return false, err
	}
	pretty, err := front.Format(title, text)
	if input, ok := errors.AsType[*front.InputError](err); ok {
		if err := notPTX(title, text, input.Diagnostics); err != nil {
			return false, err
		}
	}
	if err != nil {
		return false, err
	}
	changed = pretty != text
	if options.list && changed {
		if _, err := fmt.Fprintln(a.stdout, title); err != nil {
			return changed, err
		}
	}
	if options.diff && changed {
		if _, err := io.Copy(a.stdout, bytes.NewReader(diff.Diff(title+".orig", []byte(text), title, []byte(pretty)))); err != nil {
			return changed, err
		}
	}
	if options.write && changed {
		return changed, file.Write(ctx, a.stdout, file.Bytes(name, []byte(pretty)))
	}
	if !options.list && !options.diff && !options.write {
		_, err = io.WriteString(a.stdout, pretty)
	}
	return changed, err
}
