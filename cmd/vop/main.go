// Command vop checks, evaluates, explains, runs and rewrites NVIDIA PTX's video
// instructions, and whole kernels that contain them. "vop help" lists what it
// can do; docs/architecture.md in the repository tells how it is built.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends whatever does not listen to the first
	code := Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit codes of every subcommand.
const (
	exitOK       = 0
	exitFindings = 1 // check found something, fmt -l would change a file, a kernel failed, a proof was refuted
	exitUsage    = 2 // wrong arguments, or input that cannot be read or used
)

// Main runs the command line args and returns the exit code.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := app.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		if exit.err != nil {
			fmt.Fprintf(stderr, "vop: %v\n", exit.err)
		}
		return exit.code
	default:
		fmt.Fprintf(stderr, "vop: %v\n", err)
		return exitUsage
	}
}

// exitError ends the program with a code. err may be nil where everything has been said.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

// errFindings ends a subcommand whose findings have been printed.
var errFindings = exitError{code: exitFindings}

// app is what all subcommands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	color          string // --color
	stdinName      string // --stdin-name
	quiet          bool   // --quiet
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "vop",
		Short: "The toolkit for NVIDIA PTX's video instructions",
		Long: `vop checks, evaluates, explains, runs and rewrites the video instructions of
NVIDIA PTX (PTX ISA 9.7.18: vadd ... vset4), and runs whole kernels on the CPU.

Exit codes: 0 fine, 1 findings or a failed kernel, 2 wrong usage or unusable input.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return checkChoice("--color", a.color, "auto", "always", "never")
		},
	}
	root.PersistentFlags().StringVar(&a.color, "color", "auto", "colour the output: auto, always or never (NO_COLOR and FORCE_COLOR are honoured)")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on stderr")
	root.AddCommand(
		a.evalCommand(),
		a.checkCommand(),
		a.formatCommand(),
		a.runCommand(),
		a.lowerCommand(),
		a.emitCommand(),
		a.proveCommand(),
		a.benchCommand(),
		a.formsCommand(),
	)
	return root
}

// version returns the version that the module was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}

// checkChoice returns an error unless value is one of the choices of an option.
func checkChoice(option, value string, choices ...string) error {
	for _, choice := range choices {
		if value == choice {
			return nil
		}
	}
	return fmt.Errorf("%s %s: expected one of %v", option, value, choices)
}
