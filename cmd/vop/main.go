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
	"strings"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(interruptible(func(ctx context.Context) int {
		args := os.Args[1:]
		if calledAsPtxas(os.Args[0]) {
			args = append([]string{"ptxas"}, args...)
		}
		return Main(ctx, args, os.Stdin, os.Stdout, os.Stderr)
	}))
}

// The exit codes of every subcommand.
const (
	exitOK          = 0
	exitFindings    = 1   // check found something, fmt -l would change a file, a kernel failed, a proof was refuted
	exitDifference  = 3   // a campaign has found that the engine and the reference differ
	exitUsage       = 2   // wrong arguments, input that cannot be read or used, output that cannot be written
	exitInterrupted = 130 // by SIGINT, SIGTERM or SIGHUP
	exitReaderGone  = 141 // the pipe that standard output goes to has been closed, as head does: what a shell says of SIGPIPE
)

// Main runs the command line args and returns the exit code.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := &stream{w: stdout, stop: stop}
	app := &app{stdin: stdin, stdout: out, stderr: stderr}
	root := app.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(running)
	if failed := out.failed(); failed != nil && ctx.Err() == nil {
		err = failed // not only findings, and not nothing
	}
	if signalled, ok := errors.AsType[*interruptError](context.Cause(ctx)); ok {
		return interrupted(stderr, signalled, err)
	}
	if readerGone(err) {
		return exitReaderGone
	}
	code := exitOK
	exit, coded := errors.AsType[exitError](err)
	switch {
	case errors.Is(err, context.Canceled):
		code = exitInterrupted
	case coded:
		code = exit.code
	case err != nil:
		code = exitUsage
	}
	sayError(stderr, err)
	return code
}

// sayError prints an error, unless it is none or has been said.
func sayError(stderr io.Writer, err error) {
	if exit, coded := errors.AsType[exitError](err); err != nil && (!coded || exit.err != nil) {
		fmt.Fprintf(stderr, "vop: %v\n", err)
	}
}

// interrupted ends a command that a signal has come to, whatever it has returned: err may tell where it has
// been stopped, or the command may not have heard of the signal and come to its own end.
func interrupted(stderr io.Writer, signalled *interruptError, err error) (code int) {
	switch {
	case errors.Is(err, signalled):
		signalled.say(stderr, err)
	case !readerGone(err) && !errors.Is(err, context.Canceled):
		sayError(stderr, err)
	}
	signalled.say(stderr, signalled)
	return exitInterrupted
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

func (e exitError) Unwrap() error { return e.err }

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

Files are written whole or not at all; devices, pipes and links stay what they are.

Exit codes: 0 fine, 1 findings or a failed kernel, 2 wrong usage, unusable input or
output that cannot be written, 3 a campaign has found a difference, 130 interrupted.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return checkChoice("--color", a.color, "auto", "always", "never")
		},
	}
	root.PersistentFlags().StringVar(&a.color, "color", "auto", "colour the output: auto, always or never (NO_COLOR and FORCE_COLOR are honoured)")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "nothing on stderr but errors")
	root.SetOut(a.stdout) // the command for completion takes it when it is made
	root.AddCommand(
		a.evalCommand(),
		a.checkCommand(),
		a.explainCommand(),
		a.formatCommand(),
		a.runCommand(),
		a.testCommand(),
		a.diffCommand(),
		a.lowerCommand(),
		a.ptxasCommand(),
		a.emitCommand(),
		a.portCommand(),
		a.proveCommand(),
		a.benchCommand(),
		a.formsCommand(),
		a.vectorsCommand(),
		a.conformCommand(),
		a.mergeCommand(),
		a.languageServerCommand(),
		a.schemaCommand(),
		a.versionCommand(),
		a.manCommand(),
		a.playCommand(),
	)
	suggestCommands(root)
	a.completeValues(root)
	return root
}

// checkChoice returns an error unless value is one of the choices of an option.
func checkChoice(option, value string, choices ...string) error {
	for _, choice := range choices {
		if value == choice {
			return nil
		}
	}
	last := len(choices) - 1
	return fmt.Errorf("%s %s: want %s or %s", option, value, strings.Join(choices[:last], ", "), choices[last])
}
