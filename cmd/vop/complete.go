package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/read/diag"
)

// completeCodes offers the codes of diagnostics.
func completeCodes(_ *cobra.Command, given []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, code := range diag.Codes() {
		if strings.HasPrefix(string(code), begun) && !slices.Contains(given, string(code)) {
			list = append(list, cobra.CompletionWithDesc(string(code), diag.SeverityOf(code).String()))
		}
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
