package service

import (
	"regexp"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// piece is PTX that is read by itself: a part of a module, from one function up to the next, or the
// text of an asm statement. Places in it are its own.
type piece struct {
	file     *source.File
	asm      *inline.Asm // nil in a module
	findings diag.List   // of a module
	skeleton skeleton    // of a module
	lines    bool        // a finding names a line, so that it holds only where no line has moved

	parse   sync.Once
	parsed  *syntax.File
	resolve sync.Once
	known   *names
	look    sync.Once
	shown   []*symbol
}

// skeleton is a piece in which the bodies of functions are empty: all that the rest of the module sees of it.
type skeleton struct {
	text      string
	parts     []part
	functions int
	first     bool // a function stands at the very start
	bad       bool // some of it could not be parsed, so that between other texts it may be read otherwise
}

// part says where a part of a skeleton stands in its piece.
type part struct{ inner, at int }

// skeletonOf returns the skeleton of the statements of a piece that begins at start in their
// source.
func skeletonOf(stmts []syntax.Stmt, text string, start source.Pos) (s skeleton) {
	var out strings.Builder
	for _, stmt := range stmts {
		at, end := stmt.Span(), "\n"
		switch f := stmt.(type) {
		case *syntax.Bad:
			s.bad = true
		case *syntax.Function:
			s.functions++
			s.first = s.first || at.Start == start
			if f.Body != nil {
				at.End, end = f.Body.Span().Start, "{}\n"
			}
		}
		s.parts = append(s.parts, part{out.Len(), int(at.Start - start)})
		out.WriteString(text[at.Start:at.End])
		out.WriteString(end)
	}
	s.text = out.String()
	return s
}

// newPiece returns a piece of a module. It copies the text, so that it does not hold all of the
// module's.
func newPiece(name, text string) *piece {
	return &piece{file: source.New(name, strings.Clone(text))}
}

// tree returns the piece's syntax tree.
func (p *piece) tree() *syntax.File {
	p.parse.Do(func() {
		switch {
		case p.parsed != nil:
		case p.asm != nil && p.asm.File != nil:
			p.parsed = p.asm.File
		case p.asm != nil:
			p.parsed = &syntax.File{Source: p.file}
		default:
			p.parsed, _ = syntax.Parse(p.file)
		}
	})
	return p.parsed
}

// text returns the text of a part of the piece.
func (p *piece) text(at source.Span) string { return p.file.Text[at.Start:at.End] }

// placed is a piece where it stands in the document.
type placed struct {
	*piece
	start int // of a piece of a module
}

// outer returns the bytes of the document that a part of the piece comes from.
func (p placed) outer(at source.Span) (start, end int) {
	if p.asm != nil {
		_, at = p.file.Outermost(at)
		return int(at.Start), int(at.End)
	}
	return p.start + int(at.Start), p.start + int(at.End)
}

// written reports whether a part of the piece stands in the document as it is, so that it can be
// changed there.
func (p placed) written(at source.Span) bool {
	if p.asm == nil {
		return true
	}
	if !p.asm.Written(at) {
		return false
	}
	_, outer := p.file.Outermost(at)
	return strings.ReplaceAll(p.original(outer), "%%", "%") == p.text(at)
}

// original returns a part of the document of an asm statement.
func (p placed) original(at source.Span) string {
	file, _ := p.file.Outermost(source.Span{})
	return file.Text[at.Start:at.End]
}

// spell writes a name as the document spells it: in an asm statement with colons % is %%.
func (p placed) spell(name string) string {
	if p.asm == nil || !strings.Contains(name, "%") || !p.extended() {
		return name
	}
	return strings.ReplaceAll(name, "%", "%%")
}

// literal is a string literal of C.
var literal = regexp.MustCompile(`"(?:\\.|[^"\\])*"`)

// extended reports whether an asm statement has colons behind its text.
func (p placed) extended() bool {
	return len(p.asm.Outputs)+len(p.asm.Inputs)+len(p.asm.Clobbers) > 0 ||
		strings.Contains(literal.ReplaceAllString(p.original(p.asm.Span), ""), ":")
}

// skeletonNames returns the names that the piece declares for the whole module, without reading its
// bodies.
func (p *piece) skeletonNames() []*symbol {
	p.look.Do(func() {
		outline := &piece{file: source.New("", p.skeleton.text)}
		for _, s := range outline.names().symbols {
			if s.global {
				p.shown = append(p.shown, s)
			}
		}
	})
	return p.shown
}
