package explain

import (
	"fmt"
	"strconv"

	"github.com/vop-ptx/vop/sem"
)

// mad fills in the rows of vmad.
func (d *drawing) mad(t sem.Trace) {
	f, m := t.Form, t.Mad
	lane := []sem.Lane{{A: m.A, B: m.B}}
	d.extracted("ta", m.A.Type, lane, func(l sem.Lane) sem.Extract { return l.A })
	d.extracted("tb", m.B.Type, lane, func(l sem.Lane) sem.Extract { return l.B })
	add := func(name, how, value, note string) {
		d.rows = append(d.rows, row{name, how, []cell{{value, plain}}, note})
	}
	final := "unsigned"
	if m.SignedFinal {
		final = "signed"
	}
	add("tmp", "ta * tb", m.Product.String(), "intermediate result")
	if m.NegateProduct {
		add("tmp", "~tmp", m.Negated.String(), "one of a, b is negated")
	}
	if m.NegateC {
		add("c", "~c", hex(m.C, 32), "c is negated")
	}
	extended := "zext( c )"
	if m.SignedFinal || t.Reading == sem.SM86 { // rule Q11
		extended = "sext32( c )"
	}
	add("c128", extended, m.C128.String(), "the final result is "+final)
	if m.LSB != 0 {
		add("lsb", "", strconv.FormatInt(m.LSB, 10), map[bool]string{true: ".po", false: "of the negation"}[f.PlusOne])
	}
	add("tmp", "tmp + c128 + lsb", m.Sum.String(), "")
	if m.Shift != 0 {
		add("result", fmt.Sprintf("tmp >> %d", m.Shift), m.Scaled.String(), f.Scale.String())
	}
	if m.Sat {
		d.rows = append(d.rows, row{"result", ".sat", []cell{saturatedMad(m)}, fmt.Sprintf("clamped to %d .. %d", m.Min, m.Max)})
	}
}

func saturatedMad(m *sem.Mad) cell {
	if m.Clamped() {
		return cell{"! " + m.Result.String(), clamped}
	}
	return cell{m.Result.String(), plain}
}
