package vm

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
)

// place returns file, line and column of a span of the module's text.
func (m *Module) place(span source.Span) (file string, line, col int) {
	f, s := m.decl.Source.Outermost(span)
	at := f.Position(s.Start)
	return f.Name, at.Line, at.Col
}

// placeOf returns where an instruction of a function is in the PTX text, and in the program's own
// source where .loc tells it.
func (m *Module) placeOf(decl *check.Function, at int) (file string, line, col int, origin string) {
	at = min(at, len(decl.Body)-1)
	if at < 0 {
		file, line, col = m.place(decl.Tree.Name.Span())
		return file, line, col, ""
	}
	file, line, col = m.place(decl.Body[at].Tree.Span())
	if loc := decl.Body[at].Loc; loc.Line != 0 {
		origin = fmt.Sprintf("%s:%d:%d", m.decl.Files[loc.File], loc.Line, loc.Col)
	}
	return file, line, col, origin
}

// lineOf returns the line and the text of an instruction.
func (m *Module) lineOf(decl *check.Function, at int) string {
	span := decl.Body[at].Tree.Span()
	_, line, _ := m.place(span)
	text := m.decl.Source.Text[span.Start:span.End]
	return fmt.Sprintf("%d: %s", line, strings.Join(strings.Fields(text), " "))
}
