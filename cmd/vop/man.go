package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write the manual pages of all commands, for man",
		Long: `Write vop.1 and a page for each command, vop-check.1 and so on, into FOLDER, which is made if it is not there.
Those of a release are in its archive.`,
		Example: "  vop man ~/.local/share/man/man1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("man: want one folder, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.writeManuals(cmd.Context(), cmd.Root(), args[0])
		},
	}
}

func (a *app) writeManuals(ctx context.Context, root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return plainPathError(err)
	}
	var outputs []file.Output
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.Hidden || cmd.Name() == "help" {
			continue
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		outputs = append(outputs, file.Bytes(filepath.Join(folder, name), []byte(manual(cmd))))
	}
	return file.Write(ctx, a.stdout, outputs...)
}

// manual returns the page of a command in the language of man.
func manual(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	var s strings.Builder
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(&s, ".TH %s 1 \"\" \"vop %s\"\n", roff(strings.ToUpper(name)), roff(version()))
	fmt.Fprintf(&s, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n", roff(name), roff(cmd.Short))
	for synopsis := range strings.SplitSeq(cmd.UseLine(), " | vop ") {
		fmt.Fprintf(&s, "%s\n", roff("vop "+strings.TrimPrefix(synopsis, "vop ")))
	}
	s.WriteString(".fi\n.SH DESCRIPTION\n.nf\n" + roff(firstOf(cmd.Long, cmd.Short)) + "\n.fi\n")
	if cmd.HasAvailableSubCommands() {
		s.WriteString(".SH COMMANDS\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&s, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	s.WriteString(".SH OPTIONS\n")
	option := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		text := "--" + f.Name
		if f.Shorthand != "" {
			text = "-" + f.Shorthand + ", " + text
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&s, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(text+" "+value)), roff(usage))
	}
	cmd.NonInheritedFlags().VisitAll(option)
	cmd.InheritedFlags().VisitAll(option)
	if cmd.Example != "" {
		s.WriteString(".SH EXAMPLES\n.nf\n" + roff(cmd.Example) + "\n.fi\n")
	}
	s.WriteString(".SH EXIT STATUS\n.nf\n" + roff(exitCodes) + "\n.fi\n")
	if cmd.HasParent() {
		s.WriteString(".SH SEE ALSO\n.BR vop (1)\n")
	}
	return s.String()
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// roff spells a text so that nothing of it is an instruction of roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	var s strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		s.WriteString(line + "\n")
	}
	return strings.TrimSuffix(s.String(), "\n")
}

// exitCodes are those of every command.
const exitCodes = `0    fine
1    something was found or failed
2    wrong usage, files that cannot be read or used, or output that cannot be written
3    a campaign has found that the engine and the reference differ
130  interrupted
141  the reader of standard output has gone`
