// Sasscount measures what lowering saves in machine code and writes the tables of
// docs/performance.md, section "Lowering". It needs ptxas and cuobjdump.
//
//	sasscount [-write docs/performance.md] [-counts rewrite/translate/cost/ptxas.tsv] [-sample N]
//
// Without flags it prints the tables. -counts writes the numbers that vop lower
// --report shows, for a representative of each class of forms. -sample looks among
// random forms for some that ptxas expands better by itself.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/vop-ptx/vop/internal/sass"
)

//go:embed forms.txt
var formsText string

func main() {
	document := flag.String("write", "", "the document whose tables are replaced")
	counts := flag.String("counts", "", "the file of counts to write")
	random := flag.Int("sample", 0, "the number of random forms to measure")
	seed := flag.Uint64("seed", 1, "what -sample draws from")
	flag.Parse()
	if !sass.Available() {
		fmt.Fprintln(os.Stderr, "sasscount: ptxas and cuobjdump are not installed (nvidia-cuda-toolkit): nothing is measured")
		return
	}
	if err := run(*document, *counts, *random, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "sasscount:", err)
		os.Exit(1)
	}
}

func run(document, counts string, random int, seed uint64) error {
	if counts != "" {
		return writeCounts(counts)
	}
	measure := func() (string, error) { return tables(formsText) }
	if random > 0 {
		measure = func() (string, error) { return sample(random, seed) }
	}
	text, err := measure()
	if err != nil {
		return err
	}
	if document == "" || random > 0 {
		fmt.Print(text)
		return nil
	}
	return replaceSection(document, text)
}

// The marks between which the tables stand in the document.
const (
	beginMark = "<!-- lowering: begin, written by script/sasscount -->\n"
	endMark   = "<!-- lowering: end -->\n"
)

// replaceSection writes the tables into a document that has the marks.
func replaceSection(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), beginMark)
	_, after, closed := strings.Cut(rest, endMark)
	if !ok || !closed {
		return fmt.Errorf("%s has no %q and %q", path, strings.TrimSpace(beginMark), strings.TrimSpace(endMark))
	}
	return os.WriteFile(path, []byte(before+beginMark+text+endMark+after), 0o644)
}
