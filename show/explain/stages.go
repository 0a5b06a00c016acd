package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// stages fills in the stages of every instruction but vmad.
func (d *Drawing) stages(t sem.Trace) {
	f := t.Form
	names := [3]string{"ta", "tb", "tmp"}
	if f.Op.SIMD() {
		names = [3]string{"Va", "Vb", "t"}
	}
	d.extracted(f, names[0], names[1], t.Lanes)
	if f.Mode != isa.NoMode {
		formula := map[isa.Mode]string{isa.Clamp: "tb = MIN( tb, 32 )", isa.Wrap: "tb = tb & 0x1f"}[f.Mode]
		lane := t.Lanes[0]
		d.add(Limit, formula+", as "+f.Mode.String()+" says", Row{names[1], []Cell{number(lane.Amount, Plain)}},
			fmt.Sprintf("the shift amount is %d of %d", lane.Amount, lane.B.Value))
	}
	d.operate(f, names, t.Lanes)
	if f.Sat {
		d.clamp(names[2], t.Lanes)
	}
	switch {
	case t.Second != nil && f.Op.SIMD():
		d.accumulate(t)
	case t.Second != nil:
		d.combine(t)
	case t.Merge != nil && f.Op.SIMD():
		d.mergeLanes(t)
	case t.Merge != nil:
		d.mergePart(t)
	}
}

// add adds a stage of one row.
func (d *Drawing) add(kind Kind, formula string, row Row, details ...string) {
	d.Stages = append(d.Stages, Stage{kind, formula, []Row{row}, details})
}

// extracted adds the stages that select bits of the operands and extend them.
func (d *Drawing) extracted(f isa.Form, a, b string, lanes []sem.Lane) {
	picked := Stage{Kind: Select, Formula: selection(f, a, b), Rows: []Row{{Name: a}, {Name: b}}}
	extended := Stage{Kind: Extend, Formula: extension(a, lanes[0].A.Type, b, lanes[0].B.Type), Rows: []Row{{Name: a}, {Name: b}}}
	for i, lane := range lanes {
		for k, e := range []sem.Extract{lane.A, lane.B} {
			from := Source{string(e.Operand), e.Low, e.Bits}
			picked.Rows[k].Cells = append(picked.Rows[k].Cells, Cell{part(e) + " " + hex(e.Raw, e.Bits), d.hueOf(i), from})
			extended.Rows[k].Cells = append(extended.Rows[k].Cells, number(e.Value, Plain))
		}
		picked.Details = append(picked.Details, d.lane(i)+fmt.Sprintf("%s is %s, %s; %s is %s, %s", a, partWords(lane.A), hex(lane.A.Raw, lane.A.Bits), b, partWords(lane.B), hex(lane.B.Raw, lane.B.Bits)))
		extended.Details = append(extended.Details, d.lane(i)+fmt.Sprintf("%s is %d, %s is %d", a, lane.A.Value, b, lane.B.Value))
	}
	d.Stages = append(d.Stages, picked, extended)
}

// selection says which parts of the operands are taken, as the instruction spells them.
func selection(f isa.Form, a, b string) string {
	if !f.Op.SIMD() {
		return fmt.Sprintf("%s = a%s, %s = b%s", a, selector(f.ASel), b, selector(f.BSel))
	}
	n, unit := f.Op.Lanes(), map[int]string{2: "half-words", 4: "bytes"}[f.Op.Lanes()]
	return fmt.Sprintf("%s = %s, %s = %s; %s 0-%d are those of a, %d-%d those of b",
		a, lanesText(f.Op, f.ALane), b, lanesText(f.Op, f.BLane), unit, n-1, n, 2*n-1)
}

func selector(p isa.Part) string {
	if p == isa.Word {
		return ""
	}
	return p.String()
}

// lanesText spells a SIMD selector.
func lanesText(op isa.Op, l isa.Lanes) string {
	text := laneLetter(op)
	for i := op.Lanes() - 1; i >= 0; i-- {
		text += strconv.Itoa(l.Lane(i))
	}
	return text
}

func laneLetter(op isa.Op) string { return map[int]string{2: ".h", 4: ".b"}[op.Lanes()] }

// extension says how two values are extended.
func extension(a string, typeA isa.Type, b string, typeB isa.Type) string {
	how := func(t isa.Type) string {
		if t.Signed() {
			return t.String() + ", sign-extended"
		}
		return t.String() + ", zero-extended"
	}
	if typeA == typeB {
		return fmt.Sprintf("%s, %s as %s", a, b, how(typeA))
	}
	return fmt.Sprintf("%s as %s; %s as %s", a, how(typeA), b, how(typeB))
}

func (d *Drawing) operate(f isa.Form, names [3]string, lanes []sem.Lane) {
	row := Row{Name: names[2]}
	var details []string
	for i, lane := range lanes {
		row.Cells = append(row.Cells, number(lane.Result, Plain))
		y := lane.B.Value
		if f.Mode != isa.NoMode {
			y = lane.Amount
		}
		details = append(details, d.lane(i)+operation(f, strconv.FormatInt(lane.A.Value, 10), strconv.FormatInt(y, 10))+" = "+strconv.FormatInt(lane.Result, 10))
	}
	d.add(Operate, names[2]+" = "+operation(f, names[0], names[1]), row, details...)
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

func (d *Drawing) clamp(name string, lanes []sem.Lane) {
	row := Row{Name: name}
	var details []string
	for i, lane := range lanes {
		c, what := number(lane.Saturated, Plain), "is in the range"
		if lane.Clamped() {
			c, what = clamped(strconv.FormatInt(lane.Saturated, 10)), fmt.Sprintf("is not in the range: it becomes %d", lane.Saturated)
		}
		row.Cells = append(row.Cells, c)
		details = append(details, d.lane(i)+fmt.Sprintf("%d %s", lane.Result, what))
	}
	d.add(Clamp, fmt.Sprintf("%s = %[1]s clamped to %d .. %d, as .sat says", name, lanes[0].Min, lanes[0].Max), row, details...)
}

// combine adds the secondary operation of a scalar form.
func (d *Drawing) combine(t sem.Trace) {
	second := t.Second
	how := func(x, c string) string {
		return map[isa.Second]string{isa.SecondAdd: x + " + " + c, isa.SecondMin: "MIN( " + x + ", " + c + " )", isa.SecondMax: "MAX( " + x + ", " + c + " )"}[t.Form.Second]
	}
	formula := fmt.Sprintf("d = %s, c is %d", how("tmp", "c"), second.C)
	if second.T != t.Lanes[0].Saturated { // rules Q9 and Q10
		formula += fmt.Sprintf(", tmp is taken as %d", second.T)
	}
	c := strconv.FormatInt(second.C, 10)
	if second.C < 0 {
		c = "(" + c + ")"
	}
	d.add(Combine, formula, Row{"d", []Cell{{strconv.FormatInt(second.Result, 10), Strong, Source{}}}},
		fmt.Sprintf("%s = %d, of which d gets the lowest 32 bits", how(strconv.FormatInt(second.T, 10), c), second.Result))
}

// accumulate adds the sum of the lanes in the mask onto c.
func (d *Drawing) accumulate(t sem.Trace) {
	row := Row{Name: "d"}
	var details []string
	for i, lane := range t.Lanes {
		c, what := Cell{"-", Faint, Source{}}, fmt.Sprintf("not in the mask %s: it is left out", maskText(t.Form))
		if lane.Masked {
			c = Cell{fmt.Sprintf("%+d", lane.Saturated), d.hueOf(i), Source{}}
			what = fmt.Sprintf("%+d is added to c", lane.Saturated)
		}
		row.Cells = append(row.Cells, c)
		details = append(details, d.lane(i)+what)
	}
	details = append(details, fmt.Sprintf("c %d and the sum %d give %d, of which d gets the lowest 32 bits", t.Second.C, t.Second.T, t.Second.Result))
	d.add(Accumulate, "d = c + the sum of the lanes in "+maskText(t.Form), row, details...)
}

// mergeLanes adds the row that says what each lane of d is.
func (d *Drawing) mergeLanes(t sem.Trace) {
	f := t.Form
	formula := "d = the lanes of t"
	if f.Mask != isa.FullMask(f.Op) {
		formula = "d = the lanes of t in the mask " + maskText(f) + ", the others from c"
	}
	row := Row{Name: "d"}
	var details []string
	for i, p := range t.Merge {
		c := Cell{hex(p.Value, p.Bits), d.hueOf(i), Source{}}
		what := fmt.Sprintf("d%s is the lowest %d bits of t, %s", partSuffix(p.Low, p.Bits), p.Bits, c.Text)
		if p.Lane < 0 {
			from := partName("c", p.Low, p.Bits)
			c = Cell{from + " " + c.Text, FromC, Source{"c", p.Low, p.Bits}}
			what = fmt.Sprintf("not in the mask %s: d%s stays %s, %s", maskText(f), partSuffix(p.Low, p.Bits), from, hex(p.Value, p.Bits))
		}
		row.Cells = append(row.Cells, c)
		d.Result.Pieces = append(d.Result.Pieces, Piece{p.Low, p.Bits, c.Hue})
		details = append(details, d.lane(i)+what)
	}
	d.add(Merge, formula, row, details...)
}

// mergePart adds the row that says what each piece of d is, where a scalar result goes into a part of c.
func (d *Drawing) mergePart(t sem.Trace) {
	f := t.Form
	from, formula := "tmp", fmt.Sprintf("d%v = tmp, the rest of d is that of c", f.DSel)
	if t.Reading == sem.SM86 && f.DSel == isa.H1 { // rule Q1
		from, formula = "upper half of tmp", "d.h1 = the upper half of tmp, the rest of d is that of c"
	}
	var pieces, details []string
	for i := len(t.Merge) - 1; i >= 0; i-- {
		p, name, hue := t.Merge[i], from, Strong
		if p.Lane < 0 {
			name, hue = "c", FromC
		}
		pieces = append(pieces, name+" "+hex(p.Value, p.Bits))
		details = append(details, fmt.Sprintf("bits %d-%d of d are those of %s, %s", p.Low, p.Low+p.Bits-1, name, hex(p.Value, p.Bits)))
		d.Result.Pieces = append(d.Result.Pieces, Piece{p.Low, p.Bits, hue})
	}
	d.add(Merge, formula, Row{"d", []Cell{{strings.Join(pieces, ", "), Strong, Source{}}}}, details...)
}
