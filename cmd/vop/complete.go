package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/rewrite/translate/code"
)

// flagWords are the values that shells complete of flags, by the name of the flag.
var flagWords = map[string]func() []string{
	"as":       func() []string { return []string{"isa", "sm_86"} },
	"color":    func() []string { return []string{"auto", "always", "never"} },
	"engine":   func() []string { return []string{"portable", "avx2", "avx512", "neon"} },
	"severity": func() []string { return []string{"error", "warning", "note"} },
	"print":    func() []string { return []string{"simt"} },
	"target":   isa.Targets,
	"off":      codeNames,
	"lang":     code.Names,
}

// completeValues makes shells complete the values of flags, and forms where a command takes them.
func (a *app) completeValues(root *cobra.Command) {
	root.Flags().VisitAll(func(f *pflag.Flag) { completeFlag(root, f) })
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { completeFlag(root, f) })
	for _, cmd := range root.Commands() {
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { completeFlag(cmd, f) })
		if cmd.Flags().Lookup("kernel") != nil {
			_ = cmd.RegisterFlagCompletionFunc("kernel", a.completeKernels) // it has none yet
		}
		switch cmd.Name() {
		case "eval", "prove", "bench":
			cmd.ValidArgsFunction = completeForms
		case "emit":
			cmd.ValidArgsFunction = completeEmitted
		case "test":
			cmd.ValidArgsFunction = cobra.FixedCompletions([]cobra.Completion{"toml"}, cobra.ShellCompDirectiveFilterFileExt)
		case "run", "diff", "fmt":
			cmd.ValidArgsFunction = cobra.FixedCompletions([]cobra.Completion{"ptx"}, cobra.ShellCompDirectiveFilterFileExt)
		}
	}
}

func completeFlag(cmd *cobra.Command, f *pflag.Flag) {
	words := flagWords[f.Name]
	if cmd.Name() == "port" && f.Name == "lang" {
		words = func() []string { return portLanguages }
	}
	if words == nil {
		return
	}
	_ = cmd.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return completeWords(words(), nil, begun), cobra.ShellCompDirectiveNoFileComp
	}) // it has none yet
}

func codeNames() (names []string) {
	for _, code := range diag.Codes() {
		names = append(names, string(code))
	}
	return names
}

// completeCodes offers the codes of diagnostics.
func completeCodes(_ *cobra.Command, given []string, begun string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, word := range completeWords(codeNames(), given, begun) {
		list = append(list, cobra.CompletionWithDesc(word, diag.SeverityOf(diag.Code(word)).String()))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeMnemonics offers the video instructions.
func completeMnemonics(_ *cobra.Command, given []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return completeWords(mnemonics(), given, begun), cobra.ShellCompDirectiveNoFileComp
}

// completeWords offers the words that begin so and are not there yet.
func completeWords(words, given []string, begun string) (list []cobra.Completion) {
	for _, word := range words {
		if strings.HasPrefix(word, begun) && !slices.Contains(given, word) {
			list = append(list, word)
		}
	}
	return list
}

// completeEmitted offers forms, or with --intrinsics CUDA's names.
func completeEmitted(cmd *cobra.Command, given []string, begun string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	if on, _ := cmd.Flags().GetBool("intrinsics"); !on {
		return completeForms(cmd, given, begun)
	}
	var names []string
	for _, i := range translate.Intrinsics() {
		names = append(names, i.Name)
	}
	return completeWords(names, given, begun), cobra.ShellCompDirectiveNoFileComp
}

// completeForms offers what may come next in a form: an instruction, then one modifier after the other.
func completeForms(_ *cobra.Command, _ []string, begun string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	last := strings.LastIndexByte(begun, '.')
	if last < 0 {
		return completeWords(mnemonics(), nil, begun), directive
	}
	name, modifiers, _ := strings.Cut(begun[:last], ".")
	var done []string
	if modifiers != "" {
		done = strings.Split(modifiers, ".")
	}
	var words []string
	for _, row := range isa.RowsOf(isa.ParseOp(name)) {
		for _, next := range nextModifiers(row.Modifiers, done) {
			if word := begun[:last] + next; !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return completeWords(words, nil, begun), directive
}

// nextModifiers returns what may come after some modifiers, which are without their dots.
func nextModifiers(slots []*isa.Slot, done []string) (next []string) {
	for i, slot := range slots {
		switch {
		case len(done) == 0:
			next = append(next, slot.Values...)
		case slices.Contains(slot.Values, "."+done[0]):
			return nextModifiers(slots[i+1:], done[1:])
		}
		if !slot.Optional {
			return next
		}
	}
	return next
}

// completeKernels offers the kernels of the PTX files on the command line.
func (a *app) completeKernels(_ *cobra.Command, args []string, begun string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, name := range args {
		if !strings.EqualFold(filepath.Ext(name), ".ptx") {
			continue
		}
		if m, err := a.module(job.Files{name}, front.LoadOptions{}); err == nil {
			list = append(list, completeWords(m.KernelNames(), list, begun)...)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
