package prove

import (
	"fmt"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// Verdict says what became of a proof.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota // neither proved nor refuted: Result.Why says why
	Proved                 // the program equals the manual for all operands
	Refuted                // it differs for Result.Counterexample
)

// String returns "unknown", "proved" or "refuted".
func (v Verdict) String() string { return [...]string{"unknown", "proved", "refuted"}[v] }

// Method says how a verdict was reached.
type Method uint8

// The methods.
const (
	NoMethod   Method = iota
	Exhaustive        // by all values of the bytes that each byte of the result depends on
	Sums              // term by term of a sum, by the algebra of words and by the solver
	SMT               // by the solver
	Certified         // by a proof that was checked here ([Certify])
	Remembered        // by a run before ([Memory])
)

// String returns "", "exhaustive", "sums", "smt", "certified" or "remembered".
func (m Method) String() string {
	return [...]string{"", "exhaustive", "sums", "smt", "certified", "remembered"}[m]
}

// Counterexample is a triple of operands for which a program is wrong.
type Counterexample struct {
	A, B, C   uint32
	Got, Want uint32 // the program's value of d, and package sem's
}

// String writes the operands and both values in hex.
func (c *Counterexample) String() string {
	return fmt.Sprintf("a=%08x b=%08x c=%08x: the program gives %08x, the manual %08x", c.A, c.B, c.C, c.Got, c.Want)
}

// Result is the outcome of one proof.
type Result struct {
	Form           isa.Form
	Facts          lower.Facts // what is known of its operands
	Reading        isa.Reading
	Verdict        Verdict
	Method         Method
	Counterexample *Counterexample // of Refuted
	Why            string          // of Unknown
	Elapsed        time.Duration
}

// String is one line: "vadd4.s32.s32.s32.sat d, a, b, c;: proved (smt, 12ms)".
func (r Result) String() string {
	s := fmt.Sprintf("%s: %v", r.Facts.Spell(r.Form), r.Verdict)
	switch r.Verdict {
	case Refuted:
		return fmt.Sprintf("%s by %v (%v)", s, r.Counterexample, r.Method)
	case Unknown:
		return s + ": " + r.Why
	}
	return fmt.Sprintf("%s (%v, %v)", s, r.Method, r.Elapsed.Round(time.Millisecond))
}
