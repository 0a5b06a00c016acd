package main

import (
	"encoding/json"
	"fmt"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove"
)

// proofReport is the JSON object of a proof. The names of its fields are a promise.
type proofReport struct {
	Instruction    string        `json:"instruction"`
	Target         string        `json:"target"`
	Reading        string        `json:"reading"`
	Verdict        string        `json:"verdict"`          // proved, refuted or unknown
	Method         string        `json:"method,omitempty"` // how it was decided
	Same           string        `json:"same,omitempty"`   // the target whose program it is, which has been proved
	Seconds        float64       `json:"seconds"`
	Counterexample *proofExample `json:"counterexample,omitempty"`
	Why            string        `json:"why,omitempty"` // it is unknown
}

// proofExample is operands that refute a proof, as 8 hexadecimal digits each.
type proofExample struct {
	A    string `json:"a"`
	B    string `json:"b"`
	C    string `json:"c"`
	Got  string `json:"got"`
	Want string `json:"want"`
}

// tellProof tells the result of a proof.
func (a *app) tellProof(r prove.TargetResult, reading isa.Reading, asJSON bool) error {
	if !asJSON {
		a.printProof(r)
		return nil
	}
	report := proofReport{
		Instruction: r.Facts.Spell(r.Form), Target: r.Target, Reading: reading.String(), Same: r.Same, Seconds: r.Elapsed.Seconds(), Verdict: "unknown", Why: r.Why,
	}
	switch r.Verdict {
	case prove.Proved:
		report.Verdict = "proved"
	case prove.Refuted:
		hex := func(x uint32) string { return fmt.Sprintf("%08x", x) }
		c := r.Counterexample
		report.Verdict, report.Counterexample = "refuted", &proofExample{hex(c.A), hex(c.B), hex(c.C), hex(c.Got), hex(c.Want)}
	}
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	if r.Verdict != prove.Unknown && r.Same == "" {
		report.Method = r.Method.String()
	}
	return encoder.Encode(report)
}
