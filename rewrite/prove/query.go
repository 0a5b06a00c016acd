package prove

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// query is an SMT-LIB script that asks for operands for which a form and a
// program differ.
type query struct {
	body     strings.Builder
	facts    lower.Facts
	reading  isa.Reading
	multiply multiplication
	inputs   []*term.Term // of the program; nil where they are the operands
	signed   bool         // the abstract product is that of signed words
	asserted []*term.Term // what is assumed of it
	wrong    *term.Term   // the goal: true if the operands are a counterexample
}

// multiplication says how products of two words that are not constant are written.
type multiplication uint8

const (
	// exactly: by bvmul. Solvers are poor at multipliers.
	exactly multiplication = iota
	// abstractly: as a function of which nothing is known but what the manual's
	// stages of vmad assert. What holds for any such function holds for the product. If both factors are signed,
	// the function is their signed product smul, else their unsigned one umul.
	abstractly
	// byHalves: as the sum of products of halves, which are a function of which little is known.
	byHalves
	// negating: abstractly, and what the product of a negated factor is.
	negating
	// raising: abstractly, and what the product of a part is that was shifted left by a byte, and of two halves by 16 and by 1.
	raising
)

// Query returns the question as an SMT-LIB 2.6 script for any solver of bit
// vectors: unsat means that the program is right for all operands, under the facts and
// the reading of the options.
func Query(f isa.Form, p *word.Program, o Options) string {
	return newQuery(f, p, o, multiplicationOf(f, o.Facts)).String() + "(check-sat)\n"
}

// multiplicationOf returns the way to write the products of a form that says most of them.
func multiplicationOf(f isa.Form, facts lower.Facts) multiplication {
	switch {
	case f.Op.Kind() != isa.Mad, knownFactor(facts): // a product by a constant may be written without one
		return exactly
	case f.NegA == f.NegB && raisesFactors(f):
		return raising
	}
	return negating
}

func newQuery(f isa.Form, p *word.Program, o Options, multiply multiplication) *query {
	q := &query{facts: o.Facts, reading: o.Reading, multiply: multiply}
	q.signed = q.signedFactors(f)
	q.line("; %s", o.Facts.Spell(f))
	q.line("; unsat: the program is right for all operands; sat: it is wrong for a, b and c.")
	q.begin()
	q.assume()
	q.line("; The manual, PTX ISA %s, under the reading %v.", isa.SectionOf(f.Op).Number, o.Reading)
	manual := q.manual(f)
	q.line("; The program.")
	program := q.program(p)
	q.goal(term.Differ(manual, program))
	return q
}

// begin declares what a query speaks of.
func (q *query) begin() {
	logic := "QF_BV"
	if q.multiply != exactly {
		logic = "QF_UFBV"
	}
	q.line("(set-logic %s)", logic)
	for _, name := range q.names() {
		q.line("(declare-const %s (_ BitVec 32))", name)
	}
	switch q.multiply {
	case exactly:
	case byHalves:
		q.line("(declare-fun half ((_ BitVec 16) (_ BitVec 16)) (_ BitVec 32)) ; the product of halves")
	default:
		q.line("(declare-fun %s ((_ BitVec 32) (_ BitVec 32)) (_ BitVec 64)) ; the product", q.productName())
	}
}

// names are those of what a program reads.
func (q *query) names() []string {
	if q.inputs == nil {
		return operandNames[:]
	}
	var names []string
	for _, t := range q.inputs {
		names = append(names, t.Name)
	}
	return names
}

// input returns what Input n of a program is.
func (q *query) input(n int) *term.Term {
	if q.inputs == nil {
		return term.Operand(n)
	}
	return q.inputs[n]
}

// String returns the script without the commands that ask and print.
func (q *query) String() string { return q.body.String() }

func (q *query) line(format string, args ...any) {
	fmt.Fprintf(&q.body, format, args...)
	q.body.WriteByte('\n')
}

// assert adds something that holds for all operands, and says why.
func (q *query) assert(t *term.Term, why string) {
	q.asserted = append(q.asserted, t)
	q.line("(assert %v) ; %s", t, why)
}

// goal ends the query: its operands are wanted.
func (q *query) goal(wrong *term.Term) {
	q.wrong = wrong
	q.line("(assert %v)", wrong)
}

var operandNames = [3]string{"a", "b", "c"}

// define names a term.
func (q *query) define(name string, t *term.Term) *term.Term {
	q.line("(define-fun %s () (_ BitVec %d) %v)", name, t.Width, t)
	return term.Named(name, t)
}

// assume asserts the facts.
func (q *query) assume() {
	for _, fact := range q.assumed() {
		q.asserted = append(q.asserted, fact)
		q.line("(assert %v)", fact)
	}
}

// assumed are the facts as terms.
func (q *query) assumed() (all []*term.Term) {
	for n, known := range q.facts.Known {
		if known.Is {
			all = append(all, term.Equal(term.Operand(n), term.Word(known.Value)))
		}
	}
	for _, pair := range []struct {
		same bool
		x, y int
	}{{q.facts.SameAB, 0, 1}, {q.facts.SameAC, 0, 2}, {q.facts.SameBC, 1, 2}} {
		if pair.same {
			all = append(all, term.Equal(term.Operand(pair.x), term.Operand(pair.y)))
		}
	}
	return all
}
