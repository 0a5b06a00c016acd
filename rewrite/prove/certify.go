package prove

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove/circuit"
	"github.com/vop-ptx/vop/rewrite/prove/drat"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// ErrNoCaDiCaL is what [Certify] returns where cadical is not installed.
var ErrNoCaDiCaL = errors.New("cadical not found: install it (Debian package cadical)")

// Certificate tells of a proof that needs neither z3 nor cadical to be right.
type Certificate struct {
	Variables, Clauses int // of the formula
	Lemmas             int // lines of the proof that was checked
}

// String is one line.
func (c *Certificate) String() string {
	return fmt.Sprintf("%d variables, %d clauses, %d lines of proof", c.Variables, c.Clauses, c.Lemmas)
}

// Certify decides once more whether a program computes a form, without z3: the question is made a formula of single
// bits here, cadical finds operands for which both differ or writes a proof that there are none, and
// that proof is checked by package drat. Where there are such operands they are the counterexample, tried on both. Facts,
// reading and timeout are those of the options. Products of two words are tried as something of which little is known first, as
// for z3; as what they are they take too long.
func Certify(ctx context.Context, f isa.Form, p *word.Program, o Options) (c *Certificate, x *Counterexample, err error) {
	path, err := exec.LookPath("cadical")
	if err != nil {
		return nil, nil, ErrNoCaDiCaL
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	for _, multiply := range multiplications(f) {
		var found *[3]uint32
		c, found, err = certify(ctx, path, newQuery(f, p, o, multiply), o.Timeout)
		if found != nil {
			if x = compare(o.Reading, f, p, found[0], found[1], found[2]); x == nil {
				err = fmt.Errorf("prove: the solver's counterexample %08x is none: blast.go of package prove does not say what the terms do", *found)
			}
		}
		if c != nil || x != nil || ctx.Err() != nil {
			break
		}
	}
	return c, x, err
}

// certify asks cadical a question: it returns a certificate, or operands for which the answer is yes.
func certify(ctx context.Context, path string, q *query, timeout time.Duration) (*Certificate, *[3]uint32, error) {
	folder, err := os.MkdirTemp("", "vop-certify-")
	if err != nil {
		return nil, nil, fmt.Errorf("prove: %w", err)
	}
	defer os.RemoveAll(folder)
	formula, inputs := formulaOf(q)
	formulaName, proofName := filepath.Join(folder, "formula.cnf"), filepath.Join(folder, "proof.drat")
	if err := writeFormula(formulaName, formula); err != nil {
		return nil, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	command := exec.CommandContext(limited, path, "-q", "--no-binary", formulaName, proofName)
	out, err := command.Output()
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case limited.Err() != nil:
		return nil, nil, fmt.Errorf("prove: cadical did not decide in %v", timeout)
	}
	switch code := command.ProcessState.ExitCode(); code {
	case 10:
		return nil, solutionIn(string(out), inputs), nil
	case 20:
	default:
		return nil, nil, fmt.Errorf("prove: cadical ended with %d: %w", code, err)
	}
	c := &Certificate{Variables: formula.Variables, Clauses: len(formula.Clauses)}
	if c.Lemmas, err = checkProof(formula, proofName); err != nil {
		return nil, nil, err
	}
	return c, nil, nil
}

// share is the part of the time for a question that the first solver may take before the other one is asked.
const share = 6

// ask asks a question of the solvers of the options: of z3, or of cadical first if it is to be certified. What the first one does not
// decide soon the other one may decide at once. The last that is asked is z3, which says why if it fails too.
func (o Options) ask(ctx context.Context, q *query) answer {
	if o.Certify {
		if reply, ok := o.askCaDiCaL(ctx, q, o.Timeout/share); ok {
			return reply
		}
		return o.Solver.ask(ctx, q.String(), o.Timeout)
	}
	reply := o.Solver.ask(ctx, q.String(), o.Timeout/share)
	if !errors.Is(reply.err, errUndecided) {
		return reply
	}
	if reply, ok := o.askCaDiCaL(ctx, q, o.Timeout/2); ok {
		return reply
	}
	return o.Solver.ask(ctx, q.String(), o.Timeout)
}

// askCaDiCaL asks a question of cadical, whose proof is checked. ok is false if it is not installed, or has not decided in time.
func (o Options) askCaDiCaL(ctx context.Context, q *query, timeout time.Duration) (reply answer, ok bool) {
	path, err := exec.LookPath("cadical")
	if err != nil {
		return answer{}, false
	}
	c, found, _ := certify(ctx, path, q, timeout)
	switch {
	case c != nil:
		return answer{certified: true}, true
	case found != nil:
		return answer{sat: true, a: found[0], b: found[1], c: found[2], certified: true}, true
	}
	return answer{}, false
}

// method is the method that an answer stands for, where z3 alone would make it the given one.
func (a answer) method(m Method) Method {
	if a.certified {
		return Certified
	}
	return m
}

// formulaOf returns the formula whose solutions are operands for which the answer is yes, and the variables of the operands.
func formulaOf(q *query) (*circuit.Formula, [3][]int) {
	b := circuit.New()
	for _, t := range slices.Concat(q.asserted, []*term.Term{q.wrong}) {
		b.Require(t)
	}
	return b.Formula, b.Operands
}

func writeFormula(name string, formula *circuit.Formula) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	w := bufio.NewWriter(file)
	err = errors.Join(formula.Write(w), w.Flush(), file.Close())
	if err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	return nil
}

func checkProof(formula *circuit.Formula, name string) (lines int, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, fmt.Errorf("prove: %w", err)
	}
	proof := string(text)
	return strings.Count(proof, "\n"), drat.Check(formula.Clauses, strings.NewReader(proof))
}

// solutionIn reads the operands of a solution, lines of literals after "v".
func solutionIn(out string, inputs [3][]int) *[3]uint32 {
	set := map[int]bool{}
	for line := range strings.Lines(out) {
		rest, ok := strings.CutPrefix(line, "v ")
		if !ok {
			continue
		}
		for _, field := range strings.Fields(rest) {
			if literal, err := strconv.Atoi(field); err == nil && literal > 0 {
				set[literal] = true
			}
		}
	}
	var x [3]uint32
	for n := range inputs {
		for at, variable := range inputs[n] {
			if set[variable] {
				x[n] |= 1 << at
			}
		}
	}
	return &x
}
