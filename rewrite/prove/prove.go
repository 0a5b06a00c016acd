package prove

import (
	"context"
	"fmt"
	"time"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/sem"
)

// Options say what to prove and how. The zero Options prove what can be proved without a
// solver, by the manual.
type Options struct {
	// Solver answers what exhaustion cannot. Without one such forms are Unknown.
	Solver *Solver
	// Timeout is for one question to the solver; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Facts are what the program was made for ([lower.FormWith]).
	Facts lower.Facts
	// Reading is the one the program was made for ([lower.FormAs]).
	Reading isa.Reading
	// Memory holds what has been proved before, if it is not nil, and learns what is.
	Memory *Memory
	// Certify has cadical asked before the solver, and its proofs checked ([Certify]).
	Certify bool
	// onlySMT asks the solver the whole question at once ([Query]).
	onlySMT bool
}

// DefaultTimeout is how long the solver may think about one question. Nearly all take
// milliseconds.
const DefaultTimeout = time.Minute

// Form decides whether program p computes form f for all operands that agree with the facts.
// The form must be valid. It is [Unknown] with ctx's error if ctx ends first.
func Form(ctx context.Context, f isa.Form, p *word.Program, o Options) Result {
	start := time.Now()
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	r := recall(ctx, f, p, o)
	r.Form, r.Facts, r.Reading, r.Elapsed = f, o.Facts, o.Reading, time.Since(start)
	return r
}

// recall is decide, but for what is remembered.
func recall(ctx context.Context, f isa.Form, p *word.Program, o Options) Result {
	if o.Memory == nil || p.Check() != nil {
		return decide(ctx, f, p, o)
	}
	text := question(f, p, o)
	plain, certified := proofOf(text), proofOf("certified\n"+text)
	if o.Memory.has(certified) || !o.Certify && o.Memory.has(plain) {
		return Result{Verdict: Proved, Method: Remembered}
	}
	r := decide(ctx, f, p, o)
	if r.Verdict == Proved {
		hash := plain
		if r.Method == Certified || r.Method == Exhaustive {
			hash = certified
		}
		if err := o.Memory.add(hash); err != nil {
			return Result{Why: "it is proved, but that cannot be remembered: " + err.Error()}
		}
	}
	return r
}

func decide(ctx context.Context, f isa.Form, p *word.Program, o Options) (r Result) {
	if err := p.Check(); err != nil {
		return Result{Why: err.Error()}
	}
	byParts := !o.onlySMT && o.Facts.Known == [3]lower.Known{}
	if byParts && !o.Facts.SameAC && !o.Facts.SameBC {
		if r, ok := exhaust(f, p, o.Reading, o.Facts.SameAB); ok {
			return r
		}
	}
	if o.Solver == nil && !o.Certify {
		return Result{Why: ErrNoSolver.Error()}
	}
	if byParts {
		if r, ok := inParts(ctx, f, p, o); ok {
			return r
		}
	}
	for _, multiply := range multiplications(f) {
		var decided bool
		if r, decided = bySolver(ctx, f, p, o, multiply); decided {
			break
		}
	}
	return r
}

// inParts proves a form by the terms of its sum, or by its lanes. decided is false if the whole question has to be asked.
func inParts(ctx context.Context, f isa.Form, p *word.Program, o Options) (r Result, decided bool) {
	facts := o.Facts
	p, o.Facts = withAnyC(p, facts)
	for _, way := range []func(context.Context, isa.Form, *word.Program, Options) (Result, bool){bySum, byLanes, byHalfSum} {
		if r, decided = way(ctx, f, p, o); decided {
			// What is wrong with any operands need not be wrong with these.
			return r, facts == lower.Facts{} || r.Verdict == Proved
		}
	}
	return Result{}, false
}

// multiplications returns the ways to write the products of a form, in the order in which they are tried.
func multiplications(f isa.Form) []multiplication {
	switch {
	case f.Op.Kind() != isa.Mad:
		return []multiplication{exactly}
	case f.NegA != f.NegB:
		return []multiplication{abstractly, negating, exactly}
	case raisesFactors(f):
		return []multiplication{abstractly, raising, exactly}
	}
	return []multiplication{abstractly, exactly}
}

// raisesFactors reports whether a form of vmad without a negated product may be computed from factors that are raised.
func raisesFactors(f isa.Form) bool {
	return f.PlusOne || f.Scale == isa.Shr15 && f.ASel.Bits() == 16 && f.BSel.Bits() == 16
}

// bySolver asks the whole question at once. ok is false if the answer is a counterexample
// for some other multiplication.
func bySolver(ctx context.Context, f isa.Form, p *word.Program, o Options, multiply multiplication) (r Result, ok bool) {
	answer := o.ask(ctx, newQuery(f, p, o, multiply))
	switch {
	case answer.err != nil: // another way of multiplying may be easier
		return Result{Why: answer.err.Error()}, ctx.Err() != nil
	case !answer.sat:
		return Result{Verdict: Proved, Method: answer.method(SMT)}, true
	}
	c := compare(o.Reading, f, p, answer.a, answer.b, answer.c)
	if c == nil {
		return Result{Why: fmt.Sprintf("the solver's counterexample a=%08x b=%08x c=%08x is none: manual.go or program.go of package prove does not say what sem or lower does",
			answer.a, answer.b, answer.c)}, multiply == exactly
	}
	return Result{Verdict: Refuted, Method: answer.method(SMT), Counterexample: c}, true
}

// compare runs the program and the reference semantics, and returns the counterexample
// if they differ.
func compare(r isa.Reading, f isa.Form, p *word.Program, a, b, c uint32) *Counterexample {
	got, want := p.Eval(a, b, c), sem.EvalAs(r, f, a, b, c)
	if got == want {
		return nil
	}
	return &Counterexample{a, b, c, got, want}
}
