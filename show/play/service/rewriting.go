package service

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// Lower rewrites the text to plain PTX for the machine r.SM; or, if r.Form is given, that instruction alone.
func Lower(r *Request) Object {
	src := source.New(r.Name, r.Text)
	if r.Form != "" {
		v, failed := parse(r.Form)
		if failed != nil {
			return failed
		}
		src = source.New("instruction.ptx", frame(v.spell(), r.SM))
	}
	lowered, findings, err := translate.Lower(src, translate.LowerOptions{SM: r.SM})
	if err != nil {
		return failure(err.Error())
	}
	for i := range findings {
		if findings[i].Severity == 0 {
			return failure("nothing is lowered as long as there are errors: " + findings[i].Message)
		}
	}
	if lowered == nil {
		return failure("nothing is lowered here")
	}
	before, after, kept := 0, 0, 0
	for _, entry := range lowered.Report {
		before, after = before+entry.Before, after+entry.After
		if entry.Kept {
			kept++
		}
	}
	text := lowered.Text
	if r.Form != "" {
		text = unframe(text)
	}
	return Object{"text": text, "count": len(lowered.Report), "kept": kept, "before": before, "after": after}
}

// The instruction stands between these in the module that is lowered.
const (
	frameBegin = "{\n"
	frameEnd   = "\tret;\n}\n"
)

// frame puts an instruction into a module. Its version is one that has whatever the machine has.
func frame(instruction string, sm int) string {
	return fmt.Sprintf(".version 8.0\n.target sm_%d\n.address_size 64\n.visible .func (.reg .b32 d) f(.reg .b32 a, .reg .b32 b, .reg .b32 c)\n%s\t%s\n%s",
		sm, frameBegin, instruction, frameEnd)
}

// unframe returns what the instruction has become, without the module and its indentation.
func unframe(text string) string {
	_, text, _ = strings.Cut(text, frameBegin)
	text, _, _ = strings.Cut(text, frameEnd)
	var s strings.Builder
	for line := range strings.Lines(text) {
		s.WriteString(strings.TrimPrefix(line, "\t"))
	}
	return s.String()
}

// Emit returns functions in r.Language for the video instructions of the text; or, if r.Form is given, for that
// alone. The answer's line is where the first of them begins.
func Emit(r *Request) Object {
	var forms []isa.Form
	if r.Form != "" {
		v, failed := parse(r.Form)
		if failed != nil {
			return failed
		}
		forms = []isa.Form{v.form}
	} else {
		known := map[isa.Form]bool{}
		for _, v := range read(r).video {
			if !known[v.form] {
				known[v.form] = true
				forms = append(forms, v.form)
			}
		}
	}
	if len(forms) == 0 {
		return failure("there is no video instruction without errors here")
	}
	var s strings.Builder
	if err := translate.Emit(&s, r.Language, forms, translate.EmitOptions{}); err != nil {
		return failure(err.Error())
	}
	text := s.String()
	before, _, _ := strings.Cut(text, translate.FunctionName(forms[0])+" computes")
	return Object{"text": text, "count": len(forms), "line": strings.Count(before, "\n")}
}
