package prove

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
)

// query is an SMT-LIB script that asks for operands for which a form and a
// program differ.
type query struct {
	body  strings.Builder
	facts lower.Facts
	// products is set for vmad: the product of two words that are not constant is a
	// function umul of which nothing is known but what mad asserts. What holds for
	// any such function holds for the product. Solvers are poor at multipliers.
	products bool
}

// Query returns the question as an SMT-LIB 2.6 script for any solver of bit
// vectors: unsat means that the program is right under the facts.
func Query(f isa.Form, p *lower.Program, facts lower.Facts) string {
	return newQuery(f, p, facts).String() + "(check-sat)\n(get-value (a b c))\n"
}

func newQuery(f isa.Form, p *lower.Program, facts lower.Facts) *query {
	q := &query{facts: facts, products: f.Op.Kind() == isa.Mad}
	q.line("; %v", f)
	q.line("; sat: operands for which the program is wrong; unsat: there are none.")
	logic := "QF_BV"
	if q.products {
		logic = "QF_UFBV"
	}
	q.line("(set-logic %s)", logic)
	for _, name := range operandNames {
		q.line("(declare-const %s (_ BitVec 32))", name)
	}
	if q.products {
		q.line("(declare-fun umul ((_ BitVec 32) (_ BitVec 32)) (_ BitVec 64)) ; the unsigned product")
	}
	q.assume()
	q.line("; The manual, PTX ISA %s.", isa.SectionOf(f.Op).Number)
	manual := q.manual(f)
	q.line("; The program.")
	program := q.program(p)
	q.line("(assert (distinct %s %s))", manual.text, program.text)
	return q
}

// String returns the script without the commands that ask and print.
func (q *query) String() string { return q.body.String() }

func (q *query) line(format string, args ...any) {
	fmt.Fprintf(&q.body, format, args...)
	q.body.WriteByte('\n')
}

var operandNames = [3]string{"a", "b", "c"}

// operand returns operand n.
func operand(n int) term { return term{operandNames[n], 32} }

// define names a term.
func (q *query) define(name string, t term) term {
	q.line("(define-fun %s () (_ BitVec %d) %s)", name, t.width, t.text)
	return term{name, t.width}
}

// assume asserts the facts.
func (q *query) assume() {
	for n, known := range q.facts.Known {
		if known.Is {
			q.line("(assert (= %s %s))", operandNames[n], word(known.Value).text)
		}
	}
	if q.facts.SameAB {
		q.line("(assert (= a b))")
	}
	if q.facts.SameAC {
		q.line("(assert (= a c))")
	}
	if q.facts.SameBC {
		q.line("(assert (= b c))")
	}
}
