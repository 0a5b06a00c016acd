package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
)

// The options of vop conform that belong together.
var (
	selectionFlags = []string{"form", "class", "plain", "real", "spellings", "count", "seed"}
	judgingFlags   = []string{"as", "format", "output", "expect", "write-expect", "examples"}
	programFlags   = []string{"depth", "timeout", "first-answer", "max-crashes"}
)

// conformMode is something that vop conform can be asked for, by an option. It takes that option and those that it lists.
type conformMode struct {
	option string
	takes  []string
	does   string // instead of running a program
}

// conformModes are all; the first whose option is given counts.
var conformModes = []conformMode{
	{"schema", []string{"output"}, "writes a schema"},
	{"shard", []string{"forms", "per-form", "workers", "seed", "as", "output"}, "tests vop's own engine"},
	{"record", append([]string{"ptx"}, judgingFlags...), "judges a file"},
	{"ptx", slices.Concat(judgingFlags, programFlags), ""},
	{"vectors", slices.Concat(judgingFlags, programFlags), ""},
	{"", slices.Concat(selectionFlags, judgingFlags, programFlags), ""},
}

// modeOf returns the option that says what is asked for, "" if it is a program and vectors that are picked. Options
// that it would pass over are errors.
func modeOf(cmd *cobra.Command, args []string) (string, error) {
	mode := conformModes[slices.IndexFunc(conformModes, func(mode conformMode) bool {
		return mode.option == "" || cmd.Flags().Changed(mode.option)
	})]
	if err := onlyFlags(cmd, mode.option, mode.takes...); err != nil {
		return "", err
	}
	switch {
	case mode.does == "" && len(args) == 0:
		return "", errors.New("conform: which program? give it after --, such as vop conform -- python3 adapter.py")
	case mode.does != "" && len(args) > 0:
		return "", fmt.Errorf("conform: --%s %s: it takes no program", mode.option, mode.does)
	}
	return mode.option, nil
}

// onlyFlags returns an error if an option is given that has no meaning with another, or, where that is "", without one.
func onlyFlags(cmd *cobra.Command, with string, allowed ...string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case err != nil || f.Name == with || slices.Contains(allowed, f.Name) || cmd.InheritedFlags().Lookup(f.Name) != nil:
		case with == "":
			err = fmt.Errorf("%s: --%s is for --shard", cmd.Name(), f.Name)
		default:
			err = fmt.Errorf("%s: --%s and --%s exclude each other", cmd.Name(), with, f.Name)
		}
	})
	return err
}

// check returns an error if an option has a value that it cannot have.
func (o *conformFlags) check() error {
	if err := checkChoice("--format", o.format, "text", "json", "junit", "tap"); err != nil {
		return err
	}
	for _, option := range []struct {
		name        string
		value, most int
	}{
		{"--examples", o.examples, 1 << 20},
		{"--depth", o.program.Depth, 1 << 20},
		{"--max-crashes", o.program.MaxFailures, 1 << 20},
	} {
		if option.value < 1 || option.value > option.most {
			return fmt.Errorf("%s %d: want 1 to %d", option.name, option.value, option.most)
		}
	}
	if o.program.Timeout < time.Millisecond {
		return fmt.Errorf("--timeout %v: want 1ms or more, such as 10s", o.program.Timeout)
	}
	if o.program.First != 0 && o.program.First < time.Millisecond {
		return fmt.Errorf("--first-answer %v: want 1ms or more, such as 30s", o.program.First)
	}
	if err := notInput(o.out, o.expect, o.vectors, o.record); err != nil {
		return err
	}
	if o.writeExpect == "" {
		return nil
	}
	// It may be the file of --expect, which is read before.
	if err := notInput(o.writeExpect, o.vectors, o.record); err != nil {
		return err
	}
	if file.Same(o.out, o.writeExpect) {
		return errors.New("conform: --output and --write-expect lead to the same file: want two")
	}
	return nil
}
