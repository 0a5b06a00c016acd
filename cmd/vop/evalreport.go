package main

import (
	"encoding/json"
	"io"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// evalReport is an evaluation as JSON.
type evalReport struct {
	Instruction string      `json:"instruction"` // canonical, with the operands d, a, b and c
	Reading     string      `json:"reading"`
	A           uint32      `json:"a"`
	B           uint32      `json:"b"`
	C           uint32      `json:"c"`
	D           uint32      `json:"d"`
	Readings    []readValue `json:"readings"`        // d under each reading
	Lanes       []evalLane  `json:"lanes,omitempty"` // the lowest first; scalar instructions but vmad have one
}

// readValue is d under a reading.
type readValue struct {
	Reading string `json:"reading"`
	D       uint32 `json:"d"`
}

// evalLane is a lane of an evaluation: its operands, extended, its exact result, and that after .sat.
type evalLane struct {
	A       int64 `json:"a"`
	B       int64 `json:"b"`
	Result  int64 `json:"result"`
	Clamped int64 `json:"clamped"`
	Used    bool  `json:"used"` // the lane is in the mask
}

// writeEvaluation writes an evaluation as JSON.
func writeEvaluation(w io.Writer, instruction string, t sem.Trace) error {
	r := evalReport{Instruction: instruction, Reading: t.Reading.String(), A: t.A, B: t.B, C: t.C, D: t.D}
	for _, as := range isa.Readings() {
		r.Readings = append(r.Readings, readValue{as.String(), sem.EvalAs(as, t.Form, t.A, t.B, t.C)})
	}
	for _, l := range t.Lanes {
		r.Lanes = append(r.Lanes, evalLane{l.A.Value, l.B.Value, l.Result, l.Saturated, l.Masked})
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return out.Encode(r)
}
