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
