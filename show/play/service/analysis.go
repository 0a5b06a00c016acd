package service

import (
	"cmp"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// Analyse looks at the text: its findings, and its video instructions, each with what it costs before
// and after lowering. Positions are UTF-16 code units of the text.
func Analyse(r *Request) Object {
	d := read(r)
	u := newUnits(r.Text)
	findings := List{}
	for i := range d.findings {
		f := &d.findings[i]
		file, at := f.File.Outermost(f.Span)
		notes := List{}
		for _, n := range f.Notes {
			notes = append(notes, n)
		}
		finding := Object{
			"from": u.at(at.Start), "to": u.at(at.End), "line": file.Position(at.Start).Line,
			"severity": f.Severity.String(), "code": string(f.Code), "message": f.Message, "notes": notes,
		}
		if f.Suggest != "" && file == f.File { // elsewhere it might have to be escaped
			finding["suggest"] = f.Suggest
		}
		findings = append(findings, finding)
	}
	instructions := List{}
	before, after := 0, 0
	for i := range d.video {
		v := &d.video[i]
		cost := translate.Cost(v.form, v.operands, cmp.Or(d.sm, 70), d.version)
		before, after = before+cost.Before, after+cost.After
		file, at := v.file.Outermost(v.tree.Span())
		instructions = append(instructions, Object{
			"from": u.at(at.Start), "to": u.at(at.End), "line": file.Position(at.Start).Line,
			"form": v.spell(), "kept": cost.Kept, "before": cost.Before, "after": cost.After,
		})
	}
	return Object{"findings": findings, "instructions": instructions, "before": before, "after": after, "sm": d.sm}
}

// spell is the instruction with the operands d, a, b and c, but for constants.
func (v *video) spell() string {
	names := [3]string{"a", "b", "c"}
	s := check.SourcesOf(v.operands)
	for i, c := range s.Constants {
		if c.Is {
			names[i] = hex(c.Word)
		}
	}
	if s.SameAB {
		names[1] = names[0]
	}
	if s.SameAC {
		names[2] = names[0]
	} else if s.SameBC {
		names[2] = names[1]
	}
	return v.form.Spell("d", names[0], names[1], names[2])
}

// parse reads one instruction, in the spelling of [video.spell] or any other.
func parse(text string) (v *video, failed Object) {
	src := source.New(Instructions, text)
	tree, findings := syntax.ParseInstruction(src)
	var form isa.Form
	if !findings.HasErrors() {
		form, findings = check.Instruction(tree, src)
	}
	for i := range findings {
		if findings[i].Severity == 0 {
			return nil, failure(findings[i].Message)
		}
	}
	return &video{src, tree, form, tree.Operands}, nil
}
