package service

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// PatchFrom is the size of a module from which on reading a piece of it alone is worth while.
const PatchFrom = 256 << 10

// Patch returns the analysis of a text that differs from the analysed one inside the body of one
// function, or before the first in blanks and comments alone; ok is false if it differs elsewhere, or
// where what stands there may change how the rest of the module is read.
//
// Findings are those of [Analyse], but for those that depend on several functions together; see
// [Analysis.Full].
func (a *Analysis) Patch(text string) (fresh *Analysis, ok bool) {
	if a.host || len(a.pieces) < 2 || diag.HasSuppressions(a.text) || diag.HasSuppressions(text) {
		return nil, false // what comments keep quiet may stand in any part of the text
	}
	change := differ(a.text, text)
	k := a.pieceAt(change.start)
	old := a.pieces[k]
	oldEnd, shift := len(a.text), len(text)-len(a.text)
	last := k+1 == len(a.pieces)
	if !last {
		oldEnd = a.pieces[k+1].start
	}
	if change.oldEnd > oldEnd || !last && !beginsLine(a.text[change.oldEnd:oldEnd]) {
		return nil, false
	}
	if k == 0 && (len(old.findings) > 0 || old.skeleton.functions > 0 || a.version == (isa.Version{})) {
		return nil, false // what is wrong before the first function may be told in any piece
	}
	if long := oldEnd + shift - old.start; long > PatchFrom && long > len(text)/2 {
		return nil, false // it is read twice, to no avail
	}
	p := newPiece(a.name, text[old.start:oldEnd+shift])
	tree, errs := syntax.Parse(p.file)
	p.parsed = tree
	// What is not closed may swallow what follows.
	unended := func(d diag.Diagnostic) bool {
		return d.Code == diag.SyntaxUnterminatedComment || d.Code == diag.SyntaxUnbalanced || d.Code == diag.SyntaxTooDeep
	}
	p.skeleton = skeletonOf(tree.Stmts, p.file.Text, 0)
	if now := p.skeleton; k == 0 && (now.functions > 0 || len(errs) > 0) || k > 0 && (!now.first || now.functions != 1) || now.text != old.skeleton.text || !ends(tree) || slices.ContainsFunc(errs, unended) {
		return nil, false
	}
	moved := strings.Count(text[change.start:change.newEnd], "\n") != strings.Count(a.text[change.start:change.oldEnd], "\n")
	for i, q := range a.pieces {
		if i != k && (moved && q.lines || q.skeleton.bad) || slices.ContainsFunc(q.findings, func(d diag.Diagnostic) bool { return isGate(d.Code) }) {
			return nil, false
		}
	}
	fresh = &Analysis{name: a.name, text: text, version: a.version, sm: a.sm, patched: true}
	fresh.pieces = slices.Clone(a.pieces)
	fresh.pieces[k].piece = p
	for i := k + 1; i < len(fresh.pieces); i++ {
		fresh.pieces[i].start += shift
	}
	fresh.check(k)
	fresh.gather()
	return fresh, true
}

// beginsLine reports whether what follows an unchanged text begins a line. A function that does is
// swallowed by no comment or string before it; and the parser, which goes on after a mistake where a
// line begins, does so in an excerpt, whose pieces are lines, if it does so in the whole text.
func beginsLine(unchanged string) bool {
	return strings.HasSuffix(strings.TrimRight(unchanged, " \t"), "\n")
}

// ends reports whether the last statement of a piece is understood up to its end: one that is not
// may go on in the next piece, as the parser looks for where it can go on.
func ends(tree *syntax.File) bool {
	if len(tree.Stmts) == 0 {
		return true
	}
	_, bad := tree.Stmts[len(tree.Stmts)-1].(*syntax.Bad)
	return !bad
}

// check checks one piece of a module, against the skeletons of the others.
func (a *Analysis) check(k int) {
	var e excerpt
	from := 0
	for i, q := range a.pieces {
		if i == k {
			from = e.line(q.file.Text, q.start)
		} else {
			e.skeleton(q.piece, q.start, 0)
		}
	}
	p := a.pieces[k].piece
	end := from + len(p.file.Text)
	src := e.file(a.name, a.text)
	tree, found := syntax.Parse(src)
	module, more := check.Check(tree)
	found = append(found, more...)
	finder := readings.NewFinder()
	for _, f := range module.Functions {
		if f.Tree.Body != nil && int(f.Tree.Span().Start) >= from && int(f.Tree.Span().Start) < end {
			found = append(found, finder.Body(src, f.Body)...)
		}
	}
	found.Sort()
	for _, d := range found {
		if int(d.Span.Start) < from || int(d.Span.Start) > end {
			continue
		}
		d.File = p.file
		d.Span.Start -= source.Pos(from)
		d.Span.End = min(d.Span.End-source.Pos(from), source.Pos(len(p.file.Text)))
		d.Span.Start = min(d.Span.Start, d.Span.End)
		p.finds(d)
	}
}

// around returns the source of one piece of a module between the skeletons of the others, and where
// it begins there: what rewrites or checks it by itself reads this.
func (a *Analysis) around(k int) (src *source.File, from int) {
	var s strings.Builder
	for i, p := range a.pieces {
		if i == k {
			from = s.Len()
			s.WriteString(p.file.Text)
			continue
		}
		s.WriteString(p.skeleton.text)
	}
	return source.New(a.name, s.String()), from
}

// change is the part in which two texts differ.
type change struct{ start, oldEnd, newEnd int }

// differ returns the smallest part in which two texts differ.
func differ(old, fresh string) change {
	n := min(len(old), len(fresh))
	start := common(n, func(from, to int) bool { return old[from:to] == fresh[from:to] })
	same := common(n-start, func(from, to int) bool {
		return old[len(old)-to:len(old)-from] == fresh[len(fresh)-to:len(fresh)-from]
	})
	return change{start, len(old) - same, len(fresh) - same}
}

// common returns how many of n bytes are the same, block by block.
func common(n int, same func(from, to int) bool) int {
	at := 0
	for block := 4096; block > 0; block /= 16 {
		for at+block <= n && same(at, at+block) {
			at += block
		}
	}
	return at
}

// before returns where a place of the fresh text was in the old one.
func (c change) before(at int) int {
	switch {
	case at <= c.start:
		return at
	case at >= c.newEnd:
		return at - c.newEnd + c.oldEnd
	}
	return min(at, c.oldEnd)
}

// after is the inverse of before.
func (c change) after(at int) int {
	switch {
	case at <= c.start:
		return at
	case at >= c.oldEnd:
		return at - c.oldEnd + c.newEnd
	}
	return min(at, c.newEnd)
}
