package service

import (
	"runtime"
	"slices"
	"sync"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Header returns the analysis of a text that differs from the analysed one before its first function. All functions are
// checked again, as .version, .target and variables concern them; but as it is known where each begins, several cores
// do it, each a share of them between the skeletons of the others. ok is false if the change may concern where functions
// begin, and where there is one core.
//
// Findings are those of [Analyse], but for those that depend on several functions together; see [Analysis.Full].
func (a *Analysis) Header(text string) (fresh *Analysis, ok bool) {
	workers := min(runtime.GOMAXPROCS(0), len(a.pieces)-1)
	if a.host || workers < 2 || diag.HasSuppressions(a.text) || diag.HasSuppressions(text) {
		return nil, false
	}
	change := differ(a.text, text)
	oldEnd, shift := a.pieces[1].start, len(text)-len(a.text)
	if a.pieces[0].skeleton.functions > 0 || change.oldEnd > oldEnd || !beginsLine(a.text[change.oldEnd:oldEnd]) {
		return nil, false
	}
	head := newPiece(a.name, text[:oldEnd+shift])
	head.parsed, _ = syntax.Parse(head.file)
	head.skeleton = skeletonOf(head.parsed.Stmts, head.file.Text, 0)
	fresh = &Analysis{name: a.name, text: text, patched: true, pieces: []placed{{head, 0}}}
	for _, p := range a.pieces[1:] {
		if p.skeleton.bad {
			return nil, false
		}
		fresh.pieces = append(fresh.pieces, placed{&piece{file: p.file, skeleton: p.skeleton, parsed: p.parsed}, p.start + shift})
	}
	shares := fresh.shares(workers)
	var group sync.WaitGroup
	for i := range shares {
		group.Go(func() { shares[i].check(fresh) })
	}
	group.Wait()
	if slices.ContainsFunc(shares, func(s share) bool { return !s.ok }) {
		return nil, false
	}
	fresh.version, fresh.sm = shares[0].version, shares[0].sm
	for i := range shares {
		for _, f := range shares[i].found {
			if f.piece > 0 || i == 0 { // each share has read what stands before the functions
				fresh.pieces[f.piece].finds(f.Diagnostic)
			}
		}
	}
	fresh.gather()
	return fresh, true
}

// share is pieces of a module that are checked together: those with functions from one number up to another.
type share struct {
	from, to int

	ok      bool // the functions begin where they did
	found   []inPiece
	version isa.Version
	sm      int
}

// inPiece is a finding of a piece, with its place there.
type inPiece struct {
	diag.Diagnostic
	piece int
}

// shares cuts the pieces with functions into shares of about as many bytes.
func (a *Analysis) shares(n int) []share {
	all := make([]share, 0, n)
	first := a.pieces[1].start
	for from := 1; from < len(a.pieces); {
		to := len(a.pieces)
		if end := first + (len(a.text)-first)*(len(all)+1)/n; len(all)+1 < n {
			to = max(from+1, a.pieceAt(end)+1)
		}
		all = append(all, share{from: from, to: to})
		from = to
	}
	return all
}

// check checks the pieces of the share, and what stands before the first function.
func (s *share) check(a *Analysis) {
	var e excerpt
	var starts []int // of the pieces that are checked, in the excerpt
	var numbers []int
	first := -1
	for i, p := range a.pieces {
		if i == 1 {
			first = e.text.Len()
		}
		if i > 0 && (i < s.from || i >= s.to) {
			e.skeleton(p.piece, p.start, 0)
			continue
		}
		starts, numbers = append(starts, e.line(p.file.Text, p.start)), append(numbers, i)
	}
	src := e.file(a.name, a.text)
	tree, found := syntax.Parse(src)
	if !begin(tree, append([]int{first}, starts[1:]...)) {
		return
	}
	module, more := check.Check(tree)
	found = append(found, more...)
	finder := readings.NewFinder()
	for _, f := range module.Functions {
		if f.Tree.Body != nil {
			found = append(found, finder.Body(src, f.Body)...)
		}
	}
	found.Sort()
	for _, d := range found {
		n, exact := slices.BinarySearch(starts, int(d.Span.Start))
		if !exact {
			n--
		}
		p := a.pieces[numbers[n]].piece
		start, end := source.Pos(starts[n]), source.Pos(starts[n]+len(p.file.Text))
		if d.Span.Start > end {
			continue // in a skeleton
		}
		d.File = p.file
		d.Span = source.Span{Start: d.Span.Start - start, End: min(d.Span.End, end) - start}
		s.found = append(s.found, inPiece{d, numbers[n]})
	}
	s.ok, s.version, s.sm = true, module.Version, module.SM
}

// begin reports whether functions begin at some places, which are in order, and none before the first.
func begin(tree *syntax.File, places []int) bool {
	var at []int
	for _, stmt := range tree.Stmts {
		if isFunction(stmt) {
			at = append(at, int(stmt.Span().Start))
		}
	}
	return len(at) > 0 && at[0] == places[0] && !slices.ContainsFunc(places, func(place int) bool {
		_, is := slices.BinarySearch(at, place)
		return !is
	})
}
