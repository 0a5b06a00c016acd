package service

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/sem"
	"github.com/vop-ptx/vop/show/explain"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// The commands that the server executes.
const (
	ExplainCommand  = "vop.explain"
	PortableCommand = "vop.portable"
)

// Actions returns what can be done in a range: the fixes of its findings, and what concerns a video
// instruction there. The edits of an action with Data are still to come; see [Document.Lower].
func (d *Document) Actions(within protocol.Range, only []protocol.CodeActionKind) []protocol.CodeAction {
	all := []protocol.CodeAction{}
	wanted := func(kind protocol.CodeActionKind) bool {
		return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
			return o == "" || kind == o || strings.HasPrefix(string(kind), string(o)+".")
		})
	}
	if wanted(protocol.QuickFix) {
		all = append(all, d.fixes(within)...)
	}
	p, pos, ok := d.pieceAt(within.Start)
	if !ok {
		return all
	}
	in := p.instructionAt(pos)
	if in == nil {
		return all
	}
	f, ok := p.formOf(in)
	if !ok {
		return all
	}
	start, _ := p.outer(in.Name.Span())
	at := d.rangeOf(start, start).Start
	if wanted(protocol.RefactorRewrite) && !d.cost(f, in.Operands).Kept && d.sm != 0 {
		data, _ := json.Marshal(LowerData{URI: d.URI, Version: d.Version, At: at}) // a struct of plain fields
		all = append(all, protocol.CodeAction{Title: "Lower this to plain PTX", Kind: protocol.RefactorRewrite, Data: data})
	}
	command := func(title, name string, more ...any) {
		all = append(all, protocol.CodeAction{Title: title, Kind: protocol.Explain, Command: &protocol.Command{
			Title: title, Command: name, Arguments: append([]any{d.URI, at}, more...),
		}})
	}
	if wanted(protocol.Explain) {
		command("Explain with values", ExplainCommand)
		for _, l := range portable(d.name) {
			command("Portable form in "+l.title, PortableCommand, l.name)
		}
	}
	return all
}

// language is one that functions are offered in.
type language struct{ title, name string }

// portable returns the languages to offer for a file: C, and what the file is written in.
func portable(name string) []language {
	c := language{"C", "c"}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".hip":
		return []language{c, {"HIP", "hip"}}
	case ".cl", ".clcpp":
		return []language{c, {"OpenCL C", "opencl"}}
	}
	return []language{c, {"CUDA", "cuda"}}
}

// LowerData is what an action to lower an instruction remembers of it.
type LowerData struct {
	URI     string            `json:"uri"`
	Version int               `json:"version"`
	At      protocol.Position `json:"at"`
}

// fixes returns the suggestions of the findings in a range.
func (d *Document) fixes(within protocol.Range) (all []protocol.CodeAction) {
	start, end := d.change.before(d.Text.Offset(within.Start)), d.change.before(d.Text.Offset(within.End))
	for i := range d.findings {
		f := &d.findings[i]
		if f.Suggest == "" || f.end < start || f.start > end {
			continue
		}
		if f.in.piece == nil || !f.in.written(f.Span) {
			continue
		}
		all = append(all, protocol.CodeAction{
			Title: "Write '" + f.Suggest + "'", Kind: protocol.QuickFix, IsPreferred: true,
			Diagnostics: []protocol.Diagnostic{d.diagnostic(f)},
			Edit:        d.Changes([]protocol.TextEdit{{Range: d.rangeOf(f.start, f.end), NewText: f.in.spell(f.Suggest)}}),
		})
	}
	return all
}

// Changes returns edits of this document.
func (d *Document) Changes(edits []protocol.TextEdit) *protocol.WorkspaceEdit {
	return &protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{d.URI: edits}}
}

// errNone is the error of commands at places without a video instruction.
var errNone = errors.New("there is no video instruction without errors here")

// videoAt returns the video instruction at a position.
func (d *Document) videoAt(at protocol.Position) (p placed, in *syntax.Instruction, f isa.Form, err error) {
	p, pos, ok := d.pieceAt(at)
	if !ok {
		return p, nil, f, errNone
	}
	if in = p.instructionAt(pos); in == nil {
		return p, nil, f, errNone
	}
	if f, ok = p.formOf(in); !ok {
		return p, nil, f, errNone
	}
	return p, in, f, nil
}

// Lower returns the edits that rewrite the video instruction at a position to plain PTX.
func (d *Document) Lower(at protocol.Position) ([]protocol.TextEdit, error) {
	p, in, _, err := d.videoAt(at)
	if err != nil {
		return nil, err
	}
	src, from, base := source.New(d.name, d.text), 0, 0
	only := in.Span()
	if p.asm != nil {
		_, only = p.file.Outermost(only)
	} else {
		k := d.Analysis.pieceAt(p.start)
		src, from = d.Analysis.around(k)
		base = p.start - from
		only.Start += source.Pos(from)
	}
	only.End = only.Start
	lowered, findings, err := translate.Lower(src, translate.LowerOptions{Only: &only})
	switch {
	case err != nil:
		return nil, err
	case lowered == nil:
		for i := range findings {
			if findings[i].Severity == 0 {
				return nil, errors.New("nothing is lowered as long as there are errors here: " + findings[i].Message)
			}
		}
		return nil, errNone
	case len(lowered.Edits) == 0:
		for i := range findings {
			if _, where := findings[i].File.Outermost(findings[i].Span); where.Start == only.Start {
				return nil, errors.New(findings[i].Message)
			}
		}
		return nil, errors.New("the machine has this instruction: it stays")
	}
	edits := []protocol.TextEdit{}
	for _, e := range lowered.Edits {
		edits = append(edits, protocol.TextEdit{Range: d.rangeOf(int(e.At.Start)+base, int(e.At.End)+base), NewText: e.Text})
	}
	return edits, nil
}

// Explain draws the video instruction at a position, with values for a, b and c; constants of the
// instruction stand for themselves. The default values make lanes that differ, and some that are
// clamped.
func (d *Document) Explain(at protocol.Position, values []uint32) (string, error) {
	_, in, f, err := d.videoAt(at)
	if err != nil {
		return "", err
	}
	words := [3]uint32{0x7f80ff05, 0x01fe0203, 0x00000064}
	copy(words[:], values)
	s := check.SourcesOf(in.Operands)
	for i, c := range s.Constants {
		if c.Is {
			words[i] = c.Word
		}
	}
	if s.SameAB {
		words[1] = words[0]
	}
	if s.SameAC {
		words[2] = words[0]
	} else if s.SameBC {
		words[2] = words[1]
	}
	return explain.String(sem.TraceOf(sem.ISA, f, words[0], words[1], words[2])), nil
}

// Portable returns a function that computes what the video instruction at a position does, in a
// language that vop emit knows.
func (d *Document) Portable(at protocol.Position, language string) (string, error) {
	_, _, f, err := d.videoAt(at)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	if err := translate.Emit(&s, language, []isa.Form{f}, translate.EmitOptions{}); err != nil {
		return "", err
	}
	return s.String(), nil
}
