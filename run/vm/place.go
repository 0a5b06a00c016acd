package vm

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
)

// place returns file, line and column of a span of the text that a function is in.
func place(decl *check.Function, span source.Span) (file string, line, col int) {
	f, s := decl.Module.Source.Outermost(span)
	at := f.Position(s.Start)
	return f.Name, at.Line, at.Col
}

// placeOf returns where an instruction of a function is in the PTX text, and in the program's own
// source where .loc tells it.
func placeOf(decl *check.Function, at int) (file string, line, col int, origin string) {
	at = min(at, len(decl.Body)-1)
	if at < 0 {
		file, line, col = place(decl, decl.Tree.Name.Span())
		return file, line, col, ""
	}
	file, line, col = place(decl, decl.Body[at].Tree.Span())
	if loc := decl.Body[at].Loc; loc.Line != 0 {
		origin = fmt.Sprintf("%s:%d:%d", decl.Module.Files[loc.File], loc.Line, loc.Col)
	}
	return file, line, col, origin
}

// lineOf returns the line and the text of an instruction.
func lineOf(decl *check.Function, at int) string {
	span := decl.Body[at].Tree.Span()
	_, line, _ := place(decl, span)
	text := decl.Module.Source.Text[span.Start:span.End]
	return fmt.Sprintf("%d: %s", line, strings.Join(strings.Fields(text), " "))
}

// line names the line of an instruction, and the file if the module has been linked of several.
func (m *Module) line(decl *check.Function, at int32) string {
	file, line, _, _ := placeOf(decl, int(at))
	if len(m.decl.Parts) > 0 {
		return fmt.Sprintf("line %d of %s", line, file)
	}
	return fmt.Sprintf("line %d", line)
}
