package service

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Analysis is what is known about one text. It never changes, but for what it finds out when asked.
type Analysis struct {
	name     string
	text     string
	host     bool // C with asm statements, not a module
	pieces   []placed
	places   []place // of a host
	findings []finding
	version  isa.Version
	sm       int
	patched  bool // some of it is what an earlier analysis found
}

// finding is a diagnostic at a place of the document.
type finding struct {
	*diag.Diagnostic
	in         placed
	start, end int
}

// place is a part of a C source that stands in the text of an asm statement.
type place struct {
	start, end int
	inner      int
	same       bool // byte for byte
	in         placed
}

// The machine and the version that asm statements are taken to be for, as by vop lower.
const asmMachine = 70

var asmVersion = isa.Version{Major: 7}

// Analyse reads and checks a whole text. What it is, its name says, as for vop check.
func Analyse(name, text string) *Analysis {
	if len(text) > math.MaxInt32-1 {
		text = "" // no position has room for more
	}
	a := &Analysis{name: name, text: text, host: inline.IsHost(name)}
	src := source.New(name, text)
	if a.host {
		a.hostSource(src)
	} else {
		a.module(src)
	}
	return a
}

// hostSource finds the asm statements of a C source.
func (a *Analysis) hostSource(src *source.File) {
	a.sm, a.version = asmMachine, asmVersion
	finder := readings.NewFinder()
	statements, found := inline.Find(src)
	pieceOf := map[*source.File]placed{}
	for i := range statements {
		statement := &statements[i]
		body, more := check.AsmBody(statement)
		found = append(append(found, more...), finder.Body(statement.Text, body)...)
		if statement.File == nil {
			continue
		}
		p := placed{piece: &piece{file: statement.Text, asm: statement}}
		pieceOf[statement.Text] = p
		a.pieces = append(a.pieces, p)
		a.places = append(a.places, placesOf(p)...)
	}
	sorting.Stable(a.places, func(x, y place) int { return cmp.Compare(x.start, y.start) })
	found.Sort()
	found = found.Suppressed(src)
	for i := range found {
		d := &found[i]
		_, at := d.File.Outermost(d.Span)
		a.findings = append(a.findings, finding{d, pieceOf[d.File], int(at.Start), int(at.End)})
	}
}

// placesOf returns the parts of the source that the text of an asm statement comes from.
func placesOf(p placed) []place {
	segments := p.file.Segments()
	places := make([]place, 0, len(segments))
	for i, s := range segments {
		end := len(p.file.Text)
		if i+1 < len(segments) {
			end = int(segments[i+1].Inner)
		}
		if width := int(s.Width); width > 0 {
			places = append(places, place{int(s.Outer), int(s.Outer) + width, int(s.Inner), false, p})
		} else {
			places = append(places, place{int(s.Outer), int(s.Outer) + end - int(s.Inner), int(s.Inner), true, p})
		}
	}
	return places
}

// module reads a PTX module and cuts it into pieces.
func (a *Analysis) module(src *source.File) {
	tree, found := syntax.Parse(src)
	module, more := check.Check(tree)
	found = append(append(found, more...), readings.NewFinder().Module(module)...)
	found.Sort()
	found = found.Suppressed(src)
	a.version, a.sm = module.Version, module.SM
	start, first := 0, 0
	for i, stmt := range tree.Stmts {
		if at := int(stmt.Span().Start); isFunction(stmt) && at > start {
			a.add(start, at, tree.Stmts[first:i])
			start, first = at, i
		}
	}
	a.add(start, len(a.text), tree.Stmts[first:])
	for i := range found {
		d := found[i]
		k := a.pieceAt(int(d.Span.Start))
		p := a.pieces[k]
		d.File = p.file
		d.Span.Start -= source.Pos(p.start)
		d.Span.End -= source.Pos(p.start)
		p.finds(d)
	}
	a.gather()
}

func isFunction(s syntax.Stmt) bool {
	_, ok := s.(*syntax.Function)
	return ok
}

// add adds a piece of the module.
func (a *Analysis) add(start, end int, stmts []syntax.Stmt) {
	p := newPiece(a.name, a.text[start:end])
	p.skeleton = skeletonOf(stmts, a.text, source.Pos(start))
	a.pieces = append(a.pieces, placed{p, start})
}

// finds adds a finding to a piece.
func (p *piece) finds(d diag.Diagnostic) {
	p.findings = append(p.findings, d)
	p.lines = p.lines || slices.ContainsFunc(d.Notes, func(note string) bool { return strings.Contains(note, "line ") })
}

// gather lists the findings of all pieces. The gates speak once for each mnemonic.
func (a *Analysis) gather() {
	said := map[string]bool{}
	for _, p := range a.pieces {
		for i := range p.findings {
			d := &p.findings[i]
			if isGate(d.Code) {
				if said[d.Message] {
					continue
				}
				said[d.Message] = true
			}
			start, end := p.outer(d.Span)
			a.findings = append(a.findings, finding{d, p, min(start, len(a.text)), min(end, len(a.text))})
		}
	}
}

func isGate(code diag.Code) bool { return code == diag.VersionTooLow || code == diag.TargetTooLow }

// pieceAt returns the number of the piece of a module that a place is in.
func (a *Analysis) pieceAt(at int) int {
	return max(0, sort.Search(len(a.pieces), func(i int) bool { return a.pieces[i].start > at })-1)
}

// Full reports whether the analysis is of the whole text at once: what depends on all functions of
// a module together, such as how much .const memory they use, is up to date only then.
func (a *Analysis) Full() bool { return !a.patched }

// Of reports whether the analysis is of a text.
func (a *Analysis) Of(text string) bool { return a.text == text }

// Prepare finds out what takes long when it is first asked for: the trees and names of large
// pieces.
func (a *Analysis) Prepare() {
	const long = 256 << 10
	for _, p := range a.pieces {
		if len(p.file.Text) >= long {
			p.names()
		}
	}
}

// at returns the piece at a place of the document, and the place in it; ok is false where there is
// no PTX. Between two texts it is the end of the first, for a name may be about to be written
// there.
func (a *Analysis) at(offset int) (p placed, inner source.Pos, ok bool) {
	if !a.host {
		p := a.pieces[a.pieceAt(offset)]
		return p, source.Pos(offset - p.start), true
	}
	n := sort.Search(len(a.places), func(i int) bool { return a.places[i].start > offset })
	found := place{start: -1}
	const near = 64 // places that overlap, as different readings of one statement do
	for i := n - 1; i >= max(0, n-near); i-- {
		switch q := a.places[i]; {
		case offset < q.end:
			if found.start < 0 || offset >= found.end {
				found = q
			}
		case offset == q.end && found.start < 0:
			found = q
		}
	}
	switch {
	case found.start < 0:
		return placed{}, 0, false
	case found.same:
		return found.in, source.Pos(found.inner + offset - found.start), true
	case offset == found.end:
		return found.in, source.Pos(min(found.inner+1, len(found.in.file.Text))), true
	}
	return found.in, source.Pos(found.inner), true
}
