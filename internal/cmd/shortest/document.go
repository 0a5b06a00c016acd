package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/search"
	"github.com/vop-ptx/vop/rewrite/translate/cost"
)

// The marks between which the table stands in the document.
const (
	beginMark = "<!-- shortest: begin, written by internal/cmd/shortest -->\n"
	endMark   = "<!-- shortest: end -->\n"
)

// writeDocument writes the table of what is known of the shortest programs for sm_80.
func writeDocument(name string, bounds *blocks) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), beginMark)
	_, after, closed := strings.Cut(rest, endMark)
	if !ok || !closed {
		return fmt.Errorf("%s has no %q and %q", name, strings.TrimSpace(beginMark), strings.TrimSpace(endMark))
	}
	table, err := shortestTable(bounds)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(before+beginMark+table+endMark+after), 0o644)
}

// shortestTable has a line for every searched instruction.
func shortestTable(bounds *blocks) (string, error) {
	var s strings.Builder
	s.WriteString("| instruction | ptxas | shortest known | nothing below |\n|---|---:|---:|---:|\n")
	for _, f := range search.Cores() {
		fields := strings.Fields(bounds.entries["sm_80\t"+f.String()])
		if len(fields) != 2 {
			continue
		}
		least, err := strconv.Atoi(fields[0])
		if err != nil {
			return "", fmt.Errorf("bounds of %v: %w", f, err)
		}
		known := lower.SM80.Machine(lower.Form(f, lower.SM80)).Instructions
		fmt.Fprintf(&s, "| `%s` | %d | %d | %d |\n", strings.TrimSuffix(f.String(), " d, a, b, c;"), cost.Of(f), known, min(least, known))
	}
	return s.String(), nil
}
