package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/word"
)

// selectorReport is the JSON object of what is proven of selectors. The names of its fields are a promise.
type selectorReport struct {
	Selectors string  `json:"selectors"` // taken: those of an instruction; moved: for a target
	Of        string  `json:"of"`        // the instruction or the target
	Cases     int     `json:"cases"`
	Verdict   string  `json:"verdict"` // proved or refuted
	Why       string  `json:"why,omitempty"`
	Seconds   float64 `json:"seconds"`
}

// proveSelectors proves what makes one proof of a SIMD form good for all its selectors: that their bytes are those
// that are taken, and that words are made of them rightly.
func (a *app) proveSelectors(ctx context.Context, targets []word.Caps, asJSON bool) error {
	failed := false
	tell := func(what, of string, prove func() (int, error)) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		start := time.Now()
		n, err := prove()
		took := time.Since(start)
		failed = failed || err != nil
		if asJSON {
			report := selectorReport{Selectors: what, Of: of, Cases: n, Verdict: "proved", Seconds: took.Seconds()}
			if err != nil {
				report.Verdict, report.Why = "refuted", err.Error()
			}
			return json.NewEncoder(a.stdout).Encode(report)
		}
		if err != nil {
			fmt.Fprintf(a.stdout, "selectors, %s, %s: refuted: %v\n", what, of, err)
		} else {
			fmt.Fprintf(a.stdout, "selectors, %s, %s: proved for all %d in %v\n", what, of, n, took.Round(time.Millisecond))
		}
		return nil
	}
	for _, op := range []isa.Op{isa.Vadd2, isa.Vadd4} { // stand for all of two and of four lanes
		if err := tell("taken", fmt.Sprintf("%d lanes", op.Lanes()), func() (int, error) { return prove.Selections(op) }); err != nil {
			return err
		}
	}
	for _, caps := range targets {
		if err := tell("moved", caps.Name, func() (int, error) { return prove.Substitution(caps) }); err != nil {
			return err
		}
	}
	if failed {
		return errFindings
	}
	return nil
}
