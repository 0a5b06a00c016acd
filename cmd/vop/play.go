package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/show/play"
)

func (a *app) playCommand() *cobra.Command {
	var address, folder string
	cmd := &cobra.Command{
		Use:   "play [--addr 127.0.0.1:PORT] | --export DIR",
		Short: "Serve a page for browsers: edit, see an instruction drawn, run kernels on pictures",
		Long: `Serve vop's page to the browsers of this computer, until interrupted. The page has an editor
with the findings of vop check; the instruction at the cursor, drawn stage by stage in both
readings, with operands that can be changed; plain PTX, and functions in C and other
languages, that compute the same; and kernels that run on sample pictures.

All of that runs in the browser, and works without a network: nothing is sent anywhere. Only
loopback addresses are served, and only the page's own files.

With --export the page's files are written to a folder, which any web server can serve; all
of them, or none if one cannot be written. Other files in that folder stay.

Exit code 130 when interrupted, 2 if the address or the folder cannot be used.`,
		Example: "  vop play\n  vop play --addr 127.0.0.1:8080\n  vop play --export public",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("export") {
				if cmd.Flags().Changed("addr") {
					return errors.New("play: --addr is for serving the page, --export for writing its files: give one of them")
				}
				return a.exportPage(cmd.Context(), folder)
			}
			return a.servePage(cmd.Context(), address)
		},
	}
	cmd.Flags().StringVar(&address, "addr", "127.0.0.1:0", "the loopback `ADDRESS` to serve at; port 0 takes a free one")
	cmd.Flags().StringVar(&folder, "export", "", "write the page's files to this `DIR`, and serve nothing")
	return cmd
}

func (a *app) servePage(ctx context.Context, address string) error {
	listener, err := play.Listen(address)
	if err != nil {
		return fmt.Errorf("play: %w", err)
	}
	if _, err := fmt.Fprintf(a.stdout, "http://%s/\n", listener.Addr()); err != nil {
		listener.Close()
		return err
	}
	if !a.quiet {
		fmt.Fprintln(a.stderr, "vop: the page is at this address, for browsers of this computer, until you press Ctrl-C")
	}
	return play.Serve(ctx, listener)
}

// exportPage writes the page's files to a folder, which is made if it is not there. If they cannot be
// written, neither is the folder there.
func (a *app) exportPage(ctx context.Context, folder string) (err error) {
	if folder == "" {
		return errors.New("play: --export needs the name of a folder")
	}
	var made []string
	defer func() {
		if err != nil {
			for _, folder := range slices.Backward(made) {
				os.Remove(folder) // unless there is something in it
			}
		}
	}()
	files := play.Files()
	var outputs []file.Output
	for _, f := range files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		if made, err = makeFolders(filepath.Dir(name), made); err != nil {
			return fmt.Errorf("play: %w", err)
		}
		outputs = append(outputs, file.Bytes(name, f.Data))
	}
	if err := file.Write(ctx, a.stdout, outputs...); err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "vop: wrote the page's %d files to %s\n", len(files), folder)
	}
	return nil
}

// makeFolders makes a folder and those above it that are not there. It returns made with those added.
func makeFolders(folder string, made []string) ([]string, error) {
	info, err := os.Stat(folder)
	if err == nil && !info.IsDir() {
		return made, fmt.Errorf("%s is a file; want a folder", folder)
	}
	if err == nil {
		return made, nil
	}
	if above := filepath.Dir(folder); above != folder {
		var err error
		if made, err = makeFolders(above, made); err != nil {
			return made, err
		}
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return made, err
	}
	return append(made, folder), nil
}
