package explain

import (
	"fmt"
	"strconv"

	"github.com/vop-ptx/vop/sem"
)

// mad fills in the stages of vmad.
func (d *Drawing) mad(t sem.Trace) {
	f, m := t.Form, t.Mad
	d.extracted(f, "ta", "tb", []sem.Lane{{A: m.A, B: m.B}})
	one := func(name, value string) Row { return Row{name, []Cell{{value, Plain, Source{}}}} }
	d.add(Operate, "tmp = ta * tb", one("tmp", m.Product.String()),
		fmt.Sprintf("%d * %d = %v", m.A.Value, m.B.Value, m.Product))
	if m.NegateProduct {
		d.add(Negate, "tmp = ~tmp, as one of a and b is negated", one("tmp", m.Negated.String()),
			fmt.Sprintf("~(%v) = %v; the 1 that makes it the negative is added below", m.Product, m.Negated))
	}
	if m.NegateC {
		d.add(Negate, "c = ~c, as c is negated", one("c", hex(m.C, 32)),
			fmt.Sprintf("~%s = %s; the 1 that makes it the negative is added below", hex(t.C, 32), hex(m.C, 32)))
	}
	d.sum(t)
	if m.Shift != 0 {
		d.add(Scale, fmt.Sprintf("result = tmp >> %d, as %v says", m.Shift, f.Scale), one("result", m.Scaled.String()),
			fmt.Sprintf("%v >> %d = %v", m.Sum, m.Shift, m.Scaled))
	}
	if m.Sat {
		c, what := Cell{m.Result.String(), Plain, Source{}}, "is in the range"
		if m.Clamped() {
			c, what = clamped(m.Result.String()), fmt.Sprintf("is not in the range: it becomes %v", m.Result)
		}
		d.add(Clamp, fmt.Sprintf("result = result clamped to %d .. %d, as .sat says", m.Min, m.Max), Row{"result", []Cell{c}},
			fmt.Sprintf("%v %s", m.Scaled, what))
	}
}

// sum adds the stage that adds c, extended, and the bit that negations and .po carry in.
func (d *Drawing) sum(t sem.Trace) {
	m := t.Mad
	extended := "zext( c )"
	if m.SignedFinal || t.Reading == sem.SM86 { // rule Q11
		extended = "sext32( c )"
	}
	signs := "unsigned"
	if m.SignedFinal {
		signs = "signed"
	}
	s := Stage{Kind: Add, Formula: fmt.Sprintf("tmp = tmp + %s + lsb; the final result is %s", extended, signs)}
	cell := func(text string) []Cell { return []Cell{{text, Plain, Source{}}} }
	s.Rows = append(s.Rows, Row{"c128", cell(m.C128.String())})
	carried := "lsb is 0"
	if m.LSB != 0 {
		carried = "lsb is 1, of the negation"
		if t.Form.PlusOne {
			carried = "lsb is 1, as .po says"
		}
		s.Rows = append(s.Rows, Row{"lsb", cell(strconv.FormatInt(m.LSB, 10))})
	}
	s.Rows = append(s.Rows, Row{"tmp", cell(m.Sum.String())})
	s.Details = []string{carried, fmt.Sprintf("%v + %v + %d = %v", m.Negated, m.C128, m.LSB, m.Sum)}
	d.Stages = append(d.Stages, s)
}
