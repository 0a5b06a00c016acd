package service

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/sem"
	"github.com/vop-ptx/vop/show/explain"
)

func hex(x uint32) string { return fmt.Sprintf("0x%08x", x) }

// Evaluate evaluates the instruction r.Form for the operands a, b and c, in both readings: the value,
// the stages, and a picture of them for a page.
func Evaluate(r *Request) Object {
	v, failed := parse(r.Form)
	if failed != nil {
		return failed
	}
	words := [3]uint32{r.A, r.B, r.C}
	constants := List{false, false, false}
	s := check.SourcesOf(v.operands)
	for i, c := range s.Constants {
		if c.Is {
			words[i], constants[i] = c.Word, true
		}
	}
	if s.SameAB {
		words[1], constants[1] = words[0], true
	}
	if s.SameAC {
		words[2], constants[2] = words[0], true
	} else if s.SameBC {
		words[2], constants[2] = words[1], true
	}
	readings := List{}
	for _, reading := range []sem.Reading{sem.ISA, sem.SM86} {
		readings = append(readings, evaluated(sem.TraceOf(reading, v.form, words[0], words[1], words[2]), r.Width))
	}
	rules := List{}
	for _, rule := range sem.Causes(v.form, words[0], words[1], words[2]) {
		rules = append(rules, Object{"name": rule.Name, "title": rule.Title, "manual": rule.Manual, "compiled": rule.Compiled, "instead": rule.Instead})
	}
	section := isa.SectionOf(v.form.Op)
	return Object{
		"rules": rules,
		"form":  v.spell(), "readings": readings, "meaning": explain.Meaning(v.form), "pseudocode": strings.Join(translate.Pseudocode(v.form), "\n"),
		"a": int(words[0]), "b": int(words[1]), "c": int(words[2]), "fixed": constants,
		"lanes": v.form.Op.Lanes(), "signedA": v.form.AType.Signed(), "signedB": v.form.BType.Signed(), "readsC": v.form.ReadsC(),
		"section": section.Number, "since": fmt.Sprintf("PTX %v, sm_%d", section.PTX, section.SM),
		"mayDiffer": len(sem.Differences(v.form)) > 0,
	}
}

// evaluated is an evaluation under one reading.
func evaluated(t sem.Trace, width int) Object {
	var picture strings.Builder
	name := t.Reading.String()
	_ = explain.SVG(&picture, t, explain.SVGOptions{Width: width, ID: name, Page: true}) // a strings.Builder does not fail
	d := explain.Draw(t)
	stages := List{}
	for _, s := range d.Stages {
		details := List{}
		for _, line := range s.Details {
			details = append(details, line)
		}
		stages = append(stages, Object{"kind": s.Kind.String(), "formula": s.Formula, "details": details})
	}
	return Object{"reading": name, "d": int(t.D), "svg": picture.String(), "stages": stages}
}
