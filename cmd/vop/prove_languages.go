package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/translate/proof"
	"github.com/vop-ptx/vop/rewrite/word"
)

// spellingReport is the JSON object of what is proven of an operation's code in a language. The names of its fields are a promise.
type spellingReport struct {
	Language   string `json:"language"`
	Operation  string `json:"operation"`
	Spelling   string `json:"spelling"`
	Immediates int    `json:"immediates"` // with how many it was proven
	How        string `json:"how"`        // definition, smt or not proved
	Why        string `json:"why,omitempty"`
}

// proveLanguages proves the code for each operation in each language, and prints a table of how.
func (a *app) proveLanguages(ctx context.Context, options prove.Options, asJSON bool) error {
	start := time.Now()
	languages := code.Languages()
	cells := map[word.Op][]string{}
	count := map[proof.How]int{}
	for n, l := range languages {
		for op, r := range proof.Operations(ctx, l, options) {
			if asJSON {
				report := spellingReport{r.Language, r.Operation, r.Spelling, r.Immediates, r.How.String(), r.Why}
				if err := json.NewEncoder(a.stdout).Encode(report); err != nil {
					return err
				}
			} else if r.How == proof.NotAtAll {
				fmt.Fprintf(a.stdout, "%s: %s, written %s: not proved: %s\n", r.Language, r.Operation, r.Spelling, r.Why)
			}
			if cells[op] == nil {
				cells[op] = make([]string, len(languages))
			}
			cells[op][n] = r.How.String()
			count[r.How]++
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !asJSON {
		w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "operation\t%s\n", strings.Join(code.Names(), "\t"))
		for _, op := range word.Ops() {
			if cells[op] != nil {
				fmt.Fprintf(w, "%v\t%s\n", op, strings.Join(cells[op], "\t"))
			}
		}
		w.Flush()
		fmt.Fprintf(a.stdout, "%d by definition, %d by smt, %d not proved in %v\n", count[proof.Definition], count[proof.Solver], count[proof.NotAtAll], time.Since(start).Round(time.Second))
	}
	if count[proof.NotAtAll] > 0 {
		return errFindings
	}
	return nil
}

// readBack prints programs in the languages that they are printed in, reads them back, and reports what has become another.
func readBack(caps word.Caps, programs []*word.Program) error {
	for _, p := range programs {
		for _, l := range code.Languages() {
			if (l.Caps == caps || l == code.CUDA && caps.PTX) && l.Prints(p) {
				if err := proof.Program(l, p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
