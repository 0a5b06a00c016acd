package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/cmd/vop/internal/suggest"
)

// suggestCommands makes root say of a misspelled subcommand which was probably meant.
func suggestCommands(root *cobra.Command) {
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	root.SetHelpCommand(&cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Help about a command",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	})
	root.SetFlagErrorFunc(flagError)
	suggestShells(root)
}

// suggestShells makes the command for completion, which would print its help, say which shell was meant.
func suggestShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // it has just been made
	}
	var shells []string
	for _, c := range completion.Commands() {
		shells = append(shells, c.Name())
	}
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	completion.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		near := suggest.DidYouMean("", args[0], shells)
		if near == "" {
			near = "; there are " + strings.Join(shells, ", ")
		}
		return fmt.Errorf("completion: there is no shell %q%s", args[0], near)
	}
}

// flagError says what is wrong with a flag in the words of the command line, not those of the library.
func flagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return invalidValue(invalid)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok || len(unknown.GetSpecifiedName()) == 1 {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("unknown flag: --%s%s", unknown.GetSpecifiedName(), suggest.DidYouMean("--", unknown.GetSpecifiedName(), names))
}

// invalidValue says what a flag wants whose value cannot be read.
func invalidValue(err *pflag.InvalidValueError) error {
	name, value := err.GetFlag().Name, err.GetValue()
	switch err.GetFlag().Value.Type() {
	case "bool":
		return fmt.Errorf("--%s=%s: want true or false", name, value)
	case "duration":
		return fmt.Errorf("--%s %s: want a time such as 500ms, 10s or 2m", name, value)
	}
	return err
}

func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	near := suggest.DidYouMean("", name, names)
	if near == "" {
		near = "; vop help lists them"
	}
	return fmt.Errorf("there is no command %q%s", name, near)
}
