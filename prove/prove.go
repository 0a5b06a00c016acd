package prove

import (
	"context"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
	"github.com/vop-ptx/vop/sem"
)

// Options say how to prove. The zero Options prove what can be proved without a solver.
type Options struct {
	// Solver answers what exhaustion cannot. Without one such forms are Unknown.
	Solver *Solver
	// Timeout is for one question to the solver; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Facts are what the program was made for ([lower.FormWith]).
	Facts lower.Facts
	// OnlySMT leaves out exhaustion.
	OnlySMT bool
}

// DefaultTimeout is how long z3 may think about one form. All but some vmad forms
// take milliseconds.
const DefaultTimeout = 20 * time.Second

// Form decides whether program p computes form f for all operands that agree with the facts.
// The form must be valid. It is [Unknown] with ctx's error if ctx ends first.
func Form(ctx context.Context, f isa.Form, p *lower.Program, opts Options) Result {
	start := time.Now()
	r := decide(ctx, f, p, opts)
	r.Form, r.Elapsed = f, time.Since(start)
	return r
}

func decide(ctx context.Context, f isa.Form, p *lower.Program, opts Options) Result {
	if err := p.Check(); err != nil {
		return Result{Why: err.Error()}
	}
	if !opts.OnlySMT && opts.Facts == (lower.Facts{}) {
		if r, ok := exhaust(f, p); ok {
			return r
		}
	}
	if opts.Solver == nil {
		return Result{Why: "needs a solver: install z3 (Debian package z3) and have it on PATH"}
	}
	timeout := opts.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	if opts.Facts == (lower.Facts{}) {
		if r, ok := bySum(ctx, f, p, opts.Solver, timeout); ok {
			return r
		}
	}
	answer := opts.Solver.ask(ctx, newQuery(f, p, opts.Facts).String(), timeout)
	switch {
	case answer.err != nil:
		return Result{Why: answer.err.Error()}
	case !answer.sat:
		return Result{Verdict: Proved, Method: SMT}
	}
	c := compare(f, p, answer.a, answer.b, answer.c)
	if c == nil {
		return Result{Why: "the solver's counterexample is none: the query does not say what the program does, which is a mistake in package prove"}
	}
	return Result{Verdict: Refuted, Method: SMT, Counterexample: c}
}

// compare runs the program and the reference semantics, and returns the counterexample
// if they differ.
func compare(f isa.Form, p *lower.Program, a, b, c uint32) *Counterexample {
	got, want := p.Eval(a, b, c), sem.Eval(f, a, b, c)
	if got == want {
		return nil
	}
	return &Counterexample{a, b, c, got, want}
}
