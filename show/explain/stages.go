package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// stages fills in the rows of every instruction but vmad.
func (d *drawing) stages(t sem.Trace) {
	f := t.Form
	names := struct{ a, b, t string }{"ta", "tb", "tmp"}
	if f.Op.SIMD() {
		names.a, names.b, names.t = "Va", "Vb", "t"
	}
	d.extracted(names.a, f.AType, t.Lanes, func(l sem.Lane) sem.Extract { return l.A })
	d.extracted(names.b, f.BType, t.Lanes, func(l sem.Lane) sem.Extract { return l.B })
	if f.Mode != isa.NoMode {
		how := map[isa.Mode]string{isa.Clamp: "if tb > 32, 32", isa.Wrap: "tb & 0x1f"}[f.Mode]
		d.values(names.b, how, f.Mode.String(), t.Lanes, func(l sem.Lane) int64 { return l.Amount })
	}
	d.values(names.t, operation(f, names.a, names.b), "intermediate result", t.Lanes, func(l sem.Lane) int64 { return l.Result })
	if f.Sat {
		d.saturated(names.t, t.Lanes)
	}
	switch {
	case t.Second != nil:
		d.second(t, names.t)
	case t.Merge != nil:
		d.merge(t)
	}
}

// operation says in the manual's words what the intermediate result is.
func operation(f isa.Form, a, b string) string {
	switch f.Op.Kind() {
	case isa.Add:
		return a + " + " + b
	case isa.Sub:
		return a + " - " + b
	case isa.Absdiff:
		return "| " + a + " - " + b + " |"
	case isa.Min:
		return "MIN( " + a + ", " + b + " )"
	case isa.Max:
		return "MAX( " + a + ", " + b + " )"
	case isa.Shl:
		return a + " << " + b
	case isa.Shr:
		return a + " >> " + b
	case isa.Set:
		return "compare( " + a + ", " + b + ", " + f.Cmp.String() + " ) ? 1 : 0"
	default:
		return "( " + a + " + " + b + " + 1 or 0 ) >> 1"
	}
}

// extracted adds two rows: the bits taken from an operand, and what they are
// extended to.
func (d *drawing) extracted(name string, typ isa.Type, lanes []sem.Lane, of func(sem.Lane) sem.Extract) {
	extended := "zero-extended"
	if typ.Signed() {
		extended = "sign-extended"
	}
	from, values := row{name: name, how: typ.String(), note: "extracted"}, row{note: extended}
	for i, lane := range lanes {
		e := of(lane)
		from.cells = append(from.cells, cell{part(e) + " " + hex(e.Raw, e.Bits), d.hueOf(i)})
		values.cells = append(values.cells, cell{strconv.FormatInt(e.Value, 10), plain})
	}
	d.rows = append(d.rows, from, values)
}

// hueOf is the colour of a lane; a single lane needs none.
func (d *drawing) hueOf(lane int) hue {
	if d.lanes == 1 {
		return strong
	}
	return lane0 + hue(lane)
}

func (d *drawing) values(name, how, note string, lanes []sem.Lane, of func(sem.Lane) int64) {
	r := row{name: name, how: how, note: note}
	for _, lane := range lanes {
		r.cells = append(r.cells, cell{strconv.FormatInt(of(lane), 10), plain})
	}
	d.rows = append(d.rows, r)
}

func (d *drawing) saturated(name string, lanes []sem.Lane) {
	r := row{name: name, how: ".sat", note: fmt.Sprintf("clamped to %d .. %d", lanes[0].Min, lanes[0].Max)}
	for _, lane := range lanes {
		c := cell{strconv.FormatInt(lane.Saturated, 10), plain}
		if lane.Clamped() {
			c = cell{"! " + c.text, clamped}
		}
		r.cells = append(r.cells, c)
	}
	d.rows = append(d.rows, r)
}

// second adds the row of a secondary operation. Lanes outside the mask of an
// accumulation do not take part.
func (d *drawing) second(t sem.Trace, name string) {
	f := t.Form
	if !f.Op.SIMD() {
		how := map[isa.Second]string{isa.SecondAdd: name + " + c", isa.SecondMin: "MIN( " + name + ", c )", isa.SecondMax: "MAX( " + name + ", c )"}[f.Second]
		value := strconv.FormatInt(t.Second.Result, 10)
		note := fmt.Sprintf("secondary operation, c is %d", t.Second.C)
		if t.Second.T != t.Lanes[0].Saturated { // rules Q9 and Q10
			note += fmt.Sprintf(", %s is taken as %d", name, t.Second.T)
		}
		d.rows = append(d.rows, row{"d", how, []cell{{value, strong}}, note})
		return
	}
	r := row{name: "d", how: ".add", note: "added to c"}
	for i, lane := range t.Lanes {
		c := cell{"not in the mask", faint}
		if lane.Masked {
			c = cell{fmt.Sprintf("%+d", lane.Saturated), d.hueOf(i)}
		}
		r.cells = append(r.cells, c)
	}
	d.rows = append(d.rows, r)
}

// merge adds the row that says what each piece of d is.
func (d *drawing) merge(t sem.Trace) {
	f := t.Form
	if !f.Op.SIMD() {
		var pieces []string
		for i := len(t.Merge) - 1; i >= 0; i-- {
			p := t.Merge[i]
			from := "c"
			if p.Lane >= 0 {
				from = "tmp"
				if t.Reading == sem.SM86 && f.DSel == isa.H1 { // rule Q1
					from = "upper half of tmp"
				}
			}
			pieces = append(pieces, from+" "+hex(p.Value, p.Bits))
		}
		d.rows = append(d.rows, row{"d", f.DSel.String(), []cell{{strings.Join(pieces, ", "), strong}}, "merged into c"})
		return
	}
	r := row{name: "d", how: maskText(f), note: "merged; lanes not in the mask from c"}
	if f.Mask == isa.FullMask(f.Op) {
		r.note = "all lanes"
	}
	for i, p := range t.Merge {
		c := cell{hex(p.Value, p.Bits), d.hueOf(i)}
		if p.Lane < 0 {
			c = cell{partName('c', p.Low, p.Bits) + " " + c.text, fromC}
		}
		r.cells = append(r.cells, c)
	}
	d.rows = append(d.rows, r)
}

// maskText spells the mask, the default too.
func maskText(f isa.Form) string {
	text := map[int]string{2: ".h", 4: ".b"}[f.Op.Lanes()]
	for i := f.Op.Lanes() - 1; i >= 0; i-- {
		if f.Mask.Has(i) {
			text += strconv.Itoa(i)
		}
	}
	return text
}

// part names what was extracted: "a.b3", "b.h0", "a".
func part(e sem.Extract) string { return partName(e.Operand, e.Low, e.Bits) }

func partName(operand byte, low, bits int) string {
	switch bits {
	case 8:
		return fmt.Sprintf("%c.b%d", operand, low/8)
	case 16:
		return fmt.Sprintf("%c.h%d", operand, low/16)
	}
	return string(operand)
}

// hex prints the lowest bits of x with leading zeros.
func hex(x uint32, bits int) string { return fmt.Sprintf("%0*x", bits/4, x) }
