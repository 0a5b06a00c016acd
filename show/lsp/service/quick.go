package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Quick returns an analysis with nothing but the findings of a text that differs from the analysed
// one in a few statements of a large function: those statements alone are read, between the
// declarations that they see, and what was found elsewhere stays. It is for telling what is wrong
// while all of the text is analysed, and for nothing else. ok is false if the change may concern
// what stands elsewhere.
//
// What is wrong is told where [Analyse] tells it, but for what depends on other statements as well:
// which of several uses of an undeclared name has the suggestion, and how much memory is used.
func (a *Analysis) Quick(text string) (fresh *Analysis, ok bool) {
	if a.host || len(a.pieces) < 2 || diag.HasSuppressions(a.text) || diag.HasSuppressions(text) {
		return nil, false // what comments keep quiet may stand in any part of the text
	}
	q := quick{Analysis: a, fresh: text, change: differ(a.text, text)}
	k := a.pieceAt(q.change.start)
	q.placed = a.pieces[k]
	if k == 0 || !q.skeleton.first || q.skeleton.functions != 1 || !q.find() || !q.keeps(k) {
		return nil, false
	}
	found, ok := q.read(k)
	if !ok || q.declaresLater(found) {
		return nil, false
	}
	return q.merge(found), true
}

// quick is a change to statements of a function. Places are those of the piece, but where it says
// otherwise.
type quick struct {
	*Analysis
	fresh  string // the text after the change
	change change // in places of the document
	placed        // the piece

	function *syntax.Function
	blocks   []*syntax.Block // that the statements are in, from the body on
	stmts    []syntax.Stmt   // that are read again, in the innermost block
	number   int             // of the first of them there
	from, to int             // of the text that is read again, before the change
	anchor   bool            // the last of them is one that has not changed
}

// find looks for the statements around the change.
func (q *quick) find() bool {
	start, end := q.change.start-q.start, q.change.oldEnd-q.start
	stmts := q.tree().Stmts
	if len(stmts) == 0 {
		return false
	}
	f, ok := stmts[0].(*syntax.Function)
	if !ok || f.Body == nil {
		return false
	}
	q.function = f
	for block := f.Body; ; {
		at := block.Span()
		if start <= int(at.Start) || end >= int(at.End) || q.file.Text[at.End-1] != '}' {
			return false
		}
		q.blocks = append(q.blocks, block)
		i, _ := slices.BinarySearchFunc(block.Stmts, start, func(s syntax.Stmt, at int) int { return int(s.Span().End) - at - 1 })
		if i < len(block.Stmts) {
			if inner, ok := block.Stmts[i].(*syntax.Block); ok && int(inner.Span().Start) < start && end < int(inner.Span().End) {
				block = inner
				continue
			}
		}
		return q.bound(block, i, start, end)
	}
}

// bound finds what to read of a block: from the end of a statement before the change, which a
// semicolon or a brace tells, to the end of an instruction on a later line.
func (q *quick) bound(block *syntax.Block, i, start, end int) bool {
	// The statement that ends where the change begins may go on now, unless it is closed.
	for i > 0 && (int(block.Stmts[i-1].Span().End) > start || !q.closed(block.Stmts[i-1])) {
		i--
	}
	q.number, q.from = i, int(block.Span().Start)+1
	if i > 0 {
		q.from = int(block.Stmts[i-1].Span().End)
	}
	const far = 256
	for n := i; n < len(block.Stmts) && n < i+far; n++ {
		s := block.Stmts[n]
		at := s.Span()
		if _, ok := s.(*syntax.Instruction); ok && int(at.Start) > end && q.closed(s) && strings.Contains(q.file.Text[end:at.Start], "\n") {
			q.stmts, q.to, q.anchor = block.Stmts[i:n+1], int(at.End), true
			return true
		}
	}
	q.stmts, q.to = block.Stmts[i:], int(block.Span().End)-1
	return len(q.stmts) < far && end <= q.to
}

// closed reports whether a statement ends with a character that nothing behind it changes.
func (q *quick) closed(s syntax.Stmt) bool {
	last := q.file.Text[s.Span().End-1]
	switch s.(type) {
	case *syntax.Instruction, *syntax.Variable:
		return last == ';'
	case *syntax.Block:
		return last == '}'
	}
	return false
}

// keeps reports whether what was found elsewhere holds after the change.
func (q *quick) keeps(k int) bool {
	const many = 5000 // the parser gives up at twice as many
	moved := strings.Count(q.fresh[q.change.start:q.change.newEnd], "\n") != strings.Count(q.text[q.change.start:q.change.oldEnd], "\n")
	if len(q.findings) > many {
		return false
	}
	for i, p := range q.pieces {
		if moved && p.lines && (i != k || len(p.findings) > 0) || slices.ContainsFunc(p.findings, func(d diag.Diagnostic) bool { return isGate(d.Code) }) {
			return false
		}
	}
	// Text that could not be parsed may declare what is missing here.
	inside := map[syntax.Stmt]bool{}
	for _, s := range q.stmts {
		inside[s] = true
	}
	for s := range syntax.All(q.tree().Stmts) {
		if _, bad := s.(*syntax.Bad); bad && !inside[s] {
			return false
		}
	}
	return true
}

// read reads and checks the statements as they are after the change. What is found is at its place
// in the document; ok is false if the change goes beyond them.
func (q *quick) read(k int) (found []finding, ok bool) {
	var e excerpt
	for _, p := range q.pieces[:k] {
		e.skeleton(p.piece, p.start, 0)
	}
	moved := len(q.fresh) - len(q.text) // what is behind the change
	region := q.fresh[q.start+q.from : q.start+q.to+moved]
	head := e.add(q.file.Text[:q.function.Body.Span().Start], q.start)
	opened := make([]int, len(q.blocks))
	for i, block := range q.blocks {
		opened[i] = e.add("{\n", q.start+int(block.Span().Start))
		q.declarations(&e, i, region)
	}
	from := e.add(region, q.start+q.from)
	to := from + len(region)
	closed := make([]int, len(q.blocks))
	for i := len(q.blocks) - 1; i >= 0; i-- {
		closed[i] = e.add("}", q.start+int(q.blocks[i].Span().End)-1+moved) + 1
	}
	e.text.WriteByte('\n')
	e.skeleton(q.piece, q.start+moved, 1)
	for _, p := range q.pieces[k+1:] {
		e.skeleton(p.piece, p.start+moved, 0)
	}

	src := e.file(q.name, q.fresh)
	tree, list := syntax.Parse(src)
	i := slices.IndexFunc(tree.Stmts, func(s syntax.Stmt) bool { return int(s.Span().Start) == head })
	if i < 0 {
		return nil, false
	}
	f, ok := tree.Stmts[i].(*syntax.Function)
	if !ok || !q.same(f.Body, src, opened, closed, from, to) {
		return nil, false
	}
	module, more := check.Check(tree)
	list = append(list, more...)
	for _, g := range module.Functions {
		if g.Tree == f {
			list = append(list, readings.NewFinder().Body(src, g.Body)...)
		}
	}
	list.Sort()
	for i := range list {
		d := &list[i]
		if int(d.Span.Start) < from || int(d.Span.Start) >= to {
			continue
		}
		_, at := src.Outermost(source.Span{Start: d.Span.Start, End: min(d.Span.End, source.Pos(to))})
		found = append(found, finding{Diagnostic: d, start: int(at.Start), end: int(at.End)})
	}
	return found, true
}

// declarations adds what a block declares that the statements see: all before them but instructions
// and inner blocks, and labels, also those behind. Of many labels those that the statements name.
func (q *quick) declarations(e *excerpt, depth int, region string) {
	block := q.blocks[depth]
	before, after := q.number, q.number+len(q.stmts)
	if depth+1 < len(q.blocks) {
		inner := q.blocks[depth+1].Span().Start
		before, _ = slices.BinarySearchFunc(block.Stmts, inner, func(s syntax.Stmt, at source.Pos) int { return int(s.Span().Start - at) })
		after = before + 1
	}
	const many = 1000
	labels := 0
	for _, s := range block.Stmts {
		if _, ok := s.(*syntax.Label); ok {
			labels++
		}
	}
	wanted := func(name string) bool { return labels <= many || strings.Contains(region, name) }
	for i, s := range block.Stmts {
		if before <= i && i < after {
			continue
		}
		at := s.Span()
		switch s := s.(type) {
		case *syntax.Label:
			if !wanted(s.Name.Text) {
				continue
			}
			if i+1 < len(block.Stmts) && isList(block.Stmts[i+1]) {
				at.End = block.Stmts[i+1].Span().End
			}
		case *syntax.Variable:
			if i >= after {
				continue
			}
		default:
			continue
		}
		e.line(q.file.Text[at.Start:at.End], q.change.after(q.start+int(at.Start)))
	}
}

// same reports whether the statements read anew, between the bytes from and to, end where they did,
// and declare what they did: then nothing has changed for the others.
func (q *quick) same(body *syntax.Block, src *source.File, opened, closed []int, from, to int) bool {
	block := body
	for i := range q.blocks {
		if i > 0 {
			n := slices.IndexFunc(block.Stmts, func(s syntax.Stmt) bool { return int(s.Span().Start) == opened[i] })
			if n < 0 {
				return false
			}
			inner, ok := block.Stmts[n].(*syntax.Block)
			if !ok {
				return false
			}
			block = inner
		}
		if block == nil || int(block.Span().Start) != opened[i] || int(block.Span().End) != closed[i] {
			return false
		}
	}
	var fresh []syntax.Stmt
	for _, s := range block.Stmts {
		if at := s.Span(); int(at.Start) >= from && int(at.Start) < to {
			fresh = append(fresh, s)
		}
	}
	if !slices.Equal(declared(fresh, src.Text), declared(q.stmts, q.file.Text)) {
		return false
	}
	if !q.anchor {
		return true
	}
	if len(fresh) == 0 {
		return false
	}
	last, old := fresh[len(fresh)-1].Span(), q.stmts[len(q.stmts)-1].Span()
	return int(last.End) == to && last.End-last.Start == old.End-old.Start
}

// declared returns the texts of the statements that concern others: all but instructions.
func declared(stmts []syntax.Stmt, text string) (all []string) {
	for _, s := range stmts {
		switch s.(type) {
		case *syntax.Instruction, *syntax.Bad:
		default:
			at := s.Span()
			all = append(all, text[at.Start:at.End])
		}
	}
	return all
}

// declaresLater reports whether the function declares a name somewhere that is not declared where it
// is used: from its first such use on it stays so, whatever comes between.
func (q *quick) declaresLater(found []finding) bool {
	var names []string
	for _, f := range found {
		if f.Code == diag.UndeclaredName {
			names = append(names, q.fresh[f.start:f.end])
		}
	}
	for i := range q.piece.findings {
		if d := &q.piece.findings[i]; d.Code == diag.UndeclaredName {
			names = append(names, q.piece.text(d.Span))
		}
	}
	if names == nil {
		return false
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for s := range syntax.All(q.tree().Stmts[:1]) {
		v, ok := s.(*syntax.Variable)
		if !ok {
			continue
		}
		for i := range v.Names {
			if slices.ContainsFunc(names, func(name string) bool { return mayDeclare(&v.Names[i], name) }) {
				return true
			}
		}
	}
	return false
}

// mayDeclare reports whether a declarator declares a name, itself or as one of a row.
func mayDeclare(d *syntax.Declarator, name string) bool {
	rest, ok := strings.CutPrefix(name, d.Name.Text)
	if !ok || !d.HasCount {
		return ok && rest == ""
	}
	number, err := strconv.ParseUint(rest, 10, 32)
	return err == nil && number < syntax.ParseNumber(d.Count.Text).Bits
}

// merge puts what was found in the statements among what was found elsewhere.
func (q *quick) merge(found []finding) *Analysis {
	fresh := &Analysis{name: q.name, text: q.fresh, version: q.version, sm: q.sm, patched: true}
	shift := len(q.fresh) - len(q.text)
	from, to := q.start+q.from, q.start+q.to
	for _, f := range q.findings {
		if f.start < from {
			fresh.findings = append(fresh.findings, f)
		}
	}
	fresh.findings = append(fresh.findings, found...)
	for _, f := range q.findings {
		if f.start >= to {
			f.start, f.end = f.start+shift, f.end+shift
			fresh.findings = append(fresh.findings, f)
		}
	}
	return fresh
}
