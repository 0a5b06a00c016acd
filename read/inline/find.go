package inline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// finder reads one source.
type finder struct {
	scanner
	src    *source.File
	budget int

	macros      map[string][]event
	definitions []*macro
	counter     int             // __COUNTER__
	makers      map[string]bool // macros that may make asm statements

	branches  []branch // the #if around this place
	when      *context // what they ask
	variables []variable
	numbers   map[variable]int

	unclosed map[int]bool // parentheses, from when it is first asked for

	found   []Asm
	index   map[string]int // of what is found, by text and places
	notes   notes
	covered int // the end of the last statement
	calls   calls
	strayed bool // a statement whose asm is not seen has been reported
}

// Find returns the asm statements of a C, C++ or CUDA source in order, and what is
// wrong with the syntax of their PTX. It has nothing to say about the C.
//
// Macros that the file defines are expanded, and a statement with an #if in it is read
// once for each branch. What cannot be read is in the list as a note.
func Find(src *source.File) ([]Asm, diag.List) {
	if hostOf(src.Name) == preprocessed || beginsPreprocessed(src.Text) {
		src.FollowLineMarkers()
	}
	if !strings.Contains(src.Text, "asm") && !strings.Contains(src.Text, "\"=") && !strings.Contains(src.Text, "\"+") {
		return nil, nil
	}
	f := &finder{
		scanner: *newScanner(src.Text), src: src, budget: fileBudget + perByte*len(src.Text),
		macros: map[string][]event{}, makers: makers(src.Text),
		numbers: map[variable]int{}, index: map[string]int{},
	}
	for f.next(); f.kind != endOfFile; {
		switch f.kind {
		case directive:
			f.directive()
		case identifier:
			if name := f.token(); isAsm(name) || len(f.makers) > 0 && f.makers[name] && f.macros[name] != nil {
				f.statements()
				continue
			}
			f.calls.name, f.calls.open = span(f.start, f.end), 0
		case stringLiteral:
			if f.calls.open > 0 {
				f.calls.last, f.calls.open = f.calls.name, 0
			}
			f.stray()
		case mark:
			c := f.text[f.start]
			if c == ';' || c == '}' {
				f.strayed = false
				f.calls.last = source.Span{}
			}
			f.calls.open = 0
			if c == '(' && int(f.calls.name.End) <= f.start && strings.TrimLeft(f.text[f.calls.name.End:f.start], " ") == "" {
				f.calls.open = f.start
			}
		}
		f.next()
	}
	f.unused()
	sorting.Stable(f.found, func(a, b Asm) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var list diag.List
	for i := range f.found {
		if a := &f.found[i]; a.File != nil {
			var errs diag.List
			a.File, errs = syntax.ParseAsm(a.Text)
			list = append(list, errs...)
		}
	}
	return f.found, append(list, f.notes.list...)
}

// beginsPreprocessed reports whether a text begins with a line marker.
func beginsPreprocessed(text string) bool {
	return strings.HasPrefix(text, "#line ") || len(text) > 2 && text[0] == '#' && text[1] == ' ' && isDigit(text[2])
}

func isAsm(word string) bool { return word == "asm" || word == "__asm__" || word == "__asm" }

// mostReadings is how many ways of reading a statement are tried.
const mostReadings = 32

// statements reads the statement that begins with the current token, or those that the
// macro there makes, in all ways, and goes behind it.
func (f *finder) statements() {
	begin := f.scanner
	begin.end, begin.lineStart = begin.start, false
	at := f.start
	resume := len(f.text)
	pending := []map[int]bool{nil}
	var tried map[literal]bool
	for n, budget := 0, f.budget; n < len(pending); n++ {
		if budget-f.budget > statementBudget {
			f.notes.note(f.src, span(at, f.end), "this statement is not read in all ways that its #if and macros allow: its macros make too much text", preprocess)
			break
		}
		if n == mostReadings {
			f.notes.note(f.src, span(at, f.end), "this statement is not read in all ways that its #if and macros allow", "the first "+fmt.Sprint(mostReadings)+" have been looked at")
			break
		}
		s := f.stream(begin, f.when)
		s.forced = pending[n]
		resume = min(resume, s.run(at))
		if f.budget < 0 {
			line := f.src.Position(source.Pos(at)).Line
			f.notes.note(f.src, span(at, f.end), fmt.Sprintf("the rest of this file, from line %d on, is not read: its macros make too much text", line), preprocess)
			f.scanner.end, f.definitions = len(f.text), nil
			f.next()
			return
		}
		if s.failed != "" {
			f.notes.note(f.src, span(at, f.end), "this cannot be read: "+s.failed, preprocess)
		}
		if s.many {
			f.notes.note(f.src, span(at, f.end), "a macro here has too many definitions to try them all", "the last "+fmt.Sprint(mostDefinitions)+" have been looked at")
		}
		if len(s.decisions) == 0 {
			continue
		}
		if tried == nil {
			tried = map[literal]bool{}
		}
		forced := map[int]bool{}
		for _, l := range s.decisions {
			tried[l] = true
		}
		for _, l := range s.decisions {
			if turned := (literal{l.variable, !l.value}); !tried[turned] {
				tried[turned] = true
				other := map[int]bool{l.variable: !l.value}
				for v, value := range forced {
					other[v] = value
				}
				pending = append(pending, other)
			}
			forced[l.variable] = l.value
		}
	}
	// Go on behind it, past what directives are in it.
	for first := true; f.kind != endOfFile && (first || f.start < resume); first = false {
		if f.kind == directive {
			f.directive()
		}
		f.next()
	}
}

// run reads the statements that begin at a place of the source, and returns where to go on.
func (s *stream) run(at int) (resume int) {
	var failed bool
	for s.next(); !s.ended(); {
		if s.current.kind == identifier && isAsm(s.current.text) {
			failed = !s.statement()
		} else {
			failed = false
		}
		if s.failed != "" {
			break
		}
		if failed {
			if s.current.via == nil && s.current.at > at {
				return s.from(s.current.at)
			}
			if s.ended() || !isAsm(s.current.text) {
				continue
			}
		}
		if s.ground() {
			return s.from(s.raw.end)
		}
		s.next()
	}
	if s.failed != "" {
		return s.from(s.behind(at))
	}
	return s.from(s.raw.end)
}

// behind returns the end of what begins at a place of the source and has not been read, as its
// tokens tell without macros: that of its parentheses, or of its name if they do not close in
// the same C statement. The macros that may have been used there are no unused ones.
func (f *finder) behind(at int) int {
	if at < 0 { // the macro is not used
		return at
	}
	s := scanner{text: f.text, end: at}
	s.next()
	name, keyword := s.end, isAsm(s.token())
	f.uses(s.token())
	for s.next(); s.kind == identifier && keyword; s.next() {
		f.uses(s.token())
	}
	if !s.is("(") {
		return name
	}
	for depth := 0; ; s.next() {
		f.budget--
		switch {
		case s.kind == identifier:
			f.uses(s.token())
		case s.is("("):
			depth++
		case s.is(")"):
			if depth--; depth == 0 {
				return s.end
			}
		case s.is(";") && keyword || s.kind == endOfFile:
			return name
		}
	}
}

// uses marks the macros as used that the expansion of a name may use.
func (f *finder) uses(name string) {
	for work := []string{name}; len(work) > 0; {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.macros[name] {
			if e.macro == nil || e.followed {
				continue
			}
			e.used, e.followed = true, true
			for _, w := range e.words(f.text) {
				if w.kind == identifier {
					work = append(work, w.text)
				}
			}
		}
	}
}

// from returns where to go on after a statement that ends somewhere: before that, if
// branches have been passed over in which it ends as well.
func (s *stream) from(end int) int {
	s.covered = max(s.covered, end)
	if s.resume >= 0 {
		return min(s.resume, end)
	}
	return end
}

// add keeps a statement, unless the same has been found: in another branch, or by
// another use of a macro with the same text.
func (f *finder) add(r *reader) {
	a := &r.asm
	t := template{percent: r.extended, operands: slices.Concat(a.Outputs, a.Inputs)}
	t.text = make([]byte, 0, 64)
	for i := range r.pieces {
		if p := &r.pieces[i]; p.hole {
			t.hole(&p.word)
		} else {
			t.literal(&p.word)
		}
	}
	if len(t.segments) == 0 {
		t.segments = []source.Segment{r.keyword.origin(0)}
	}
	a.Holes, a.made = t.holes, t.made
	a.keyword = r.keyword.itself()
	a.Text = source.Embed(f.src, string(t.text), t.segments)
	a.Lists = source.Embed(f.src, string(r.lists.text), r.lists.parts)
	a.NVCC = hostOf(f.src.Name) != otherGPU
	key := a.key(t.segments)
	if i, ok := f.index[key]; ok {
		f.found[i].again(a)
		return
	}
	f.index[key] = len(f.found)
	if r.keyword.via != nil {
		if m := macroAround(f.definitions, a.keyword.Outer); m != nil {
			a.body = span(m.start, m.end)
		}
	}
	a.definitions = f.definitions
	if isPTX(a) {
		a.File = &syntax.File{}
		f.unknown(r)
	}
	f.found = append(f.found, *a)
}
