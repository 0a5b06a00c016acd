package vop

import (
	"context"
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
)

// Proof is what has come of proving what an instruction is lowered to.
type Proof struct {
	Proved bool
	How    string // what has decided: "exhaustive", "solver"; if it is not proved, why
	// Counterexample is a triple of operands for which the program is wrong, if there is one.
	Counterexample *Counterexample
}

// Counterexample is a triple of operands for which a program is wrong.
type Counterexample struct {
	A, B, C   uint32
	Got, Want uint32
}

// String says what has come of it.
func (p *Proof) String() string {
	switch {
	case p.Proved:
		return "proved (" + p.How + ")"
	case p.Counterexample != nil:
		c := p.Counterexample
		return fmt.Sprintf("wrong: a=%08x b=%08x c=%08x gives %08x, want %08x", c.A, c.B, c.C, c.Got, c.Want)
	}
	return "not proved: " + p.How
}

// Prove proves, for all operands, that what the instruction is lowered to for a target ("sm_80") computes the same. It tries
// all values where they are few, and asks z3 otherwise; without z3 such instructions are not proved.
func (in *Instruction) Prove(ctx context.Context, target string) (*Proof, error) {
	caps, err := lower.Target(target)
	if err != nil {
		return nil, err
	}
	options := prove.Options{Reading: in.reading.known(), Facts: in.facts()}
	solver, err := prove.FindSolver("")
	switch {
	case err == nil:
		options.Solver = solver
		defer solver.Close()
	case !errors.Is(err, prove.ErrNoSolver):
		return nil, err
	}
	program := lower.FormAs(options.Reading, in.form, caps, options.Facts)
	r := prove.Form(ctx, in.form, program, options)
	if r.Verdict == prove.Proved && caps.PTX {
		if err := ptx.ReadsBack(program); err != nil { // what is printed is another program
			return &Proof{How: err.Error()}, nil
		}
	}
	p := &Proof{Proved: r.Verdict == prove.Proved, How: r.Why}
	if p.Proved {
		p.How = r.Method.String()
	}
	if c := r.Counterexample; c != nil {
		p.Counterexample = &Counterexample{A: c.A, B: c.B, C: c.C, Got: c.Got, Want: c.Want}
	}
	return p, ctx.Err()
}
