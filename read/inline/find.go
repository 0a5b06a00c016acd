package inline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Asm is one asm statement, read in one way: a statement that differs with the branches
// of #if, or with the arguments of the macro that makes it, is several.
type Asm struct {
	// Span is where it stands in the C file, from asm to the closing parenthesis, or where
	// the macro is used that makes it.
	Span     source.Span
	Volatile bool
	// Text is the PTX, literals joined and escapes resolved: %0 and %[x] are
	// operands, %% is %. Places in it are places in the C file (see [source.Embed]).
	Text *source.File
	// File is the tree of Text; nil if this is not PTX but the assembly of
	// another machine, or no statement.
	File *syntax.File
	// Holes is the number of pieces of the text that are not known, as they come
	// from macros of other files or from "C" operands. Nothing that they declare is known either.
	Holes           int
	Outputs, Inputs []Operand
	Clobbers        []Clobber
	// MoreOperands says that macros stand in the lists of operands, so that
	// there may be more of them and their numbers are not known.
	MoreOperands bool
	// Lists is the text of the names and constraints of operands, and of clobbers. Places in
	// it are places in the C file.
	Lists *source.File
	// NVCC says that nvcc may compile the file, by its name.
	NVCC bool

	keyword source.Segment // asm itself, be it in a macro's body
	body    source.Span    // of the macro in whose body it stands; empty if there is none
	made    []source.Span  // of Text: what macros have made by # and ##

	definitions []*macro // of the file, up to here
}

// Operand is an output or input of an asm statement.
type Operand struct {
	Name       string      // x of [x] "r"(y), or ""
	Constraint string      // "=r"; "" if it comes from a macro that is not known
	Expr       source.Span // the C expression, without its parentheses
	Span       source.Span // all of it
	Listed     source.Span // of Lists: the name and the constraint
}

// Clobber is what the text changes beside its operands.
type Clobber struct {
	Text   string
	Listed source.Span // of Lists
}

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

// makers returns the names of the macros that may make asm statements: those with asm
// in a definition, or with the name of another such one. Those that join names, or call what
// they are given, may do so as soon as there is one.
func makers(text string) map[string]bool {
	uses := map[string][]string{} // of a name: the macros in whose definitions it is
	var work, joiners []string
	for rest := 0; ; {
		n := strings.Index(text[rest:], "define")
		if n < 0 {
			break
		}
		rest += n + len("define")
		if before := strings.TrimRight(text[:rest-len("define")], " \t"); before == "" || before[len(before)-1] != '#' {
			continue
		}
		s := scanner{text: text, end: rest, inDirective: true}
		if s.next(); s.kind != identifier {
			continue
		}
		name := s.token()
		var params map[string]bool
		if s.end < len(text) && text[s.end] == '(' {
			params = map[string]bool{}
			for s.next(); s.kind != directiveEnd && s.kind != endOfFile && !s.is(")"); s.next() {
				if s.kind == identifier {
					params[s.token()] = true
				}
			}
		}
		last := word{}
		for s.next(); s.kind != directiveEnd && s.kind != endOfFile; s.next() {
			w := word{kind: s.kind, text: s.token(), at: s.start}
			switch {
			case w.kind == identifier && isAsm(w.text):
				work = append(work, name)
			case w.kind == identifier && !params[w.text]:
				uses[w.text] = append(uses[w.text], name)
			case w.is("#") && last.is("#") || w.is("(") && params[last.text]:
				joiners = append(joiners, name)
			}
			last = w
		}
		rest = s.start
	}
	if len(work) == 0 {
		return nil
	}
	work = append(work, joiners...)
	found := map[string]bool{}
	for len(work) > 0 {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		if !found[name] {
			found[name] = true
			work = append(work, uses[name]...)
		}
	}
	return found
}

// branch is an #if of the file: what is asked, and what of it has been false.
type branch struct {
	outer *context // what holds around the #if
	rest  *context // and in its further branches
	over  bool     // a branch is known to be live, so that no further one is
}

// directive reads a directive up to the end of its line.
func (f *finder) directive() {
	switch name := directiveName(f.token()); name {
	case "define":
		f.define(f.when)
	case "undef":
		if f.scanner.next(); f.kind == identifier && f.macros[f.token()] != nil {
			f.macros[f.token()] = append(f.macros[f.token()], event{when: f.when})
		}
	case "if", "ifdef", "ifndef":
		f.branches = append(f.branches, branch{outer: f.when, rest: f.when})
		f.branch(name)
	case "elif", "elifdef", "elifndef":
		if len(f.branches) > 0 {
			f.branch(name[2:])
		}
	case "else":
		if n := len(f.branches); n > 0 {
			b := &f.branches[n-1]
			f.when = b.rest
			if b.over {
				f.dead()
				return
			}
			b.over = true
		}
	case "endif":
		if n := len(f.branches); n > 0 {
			f.when = f.branches[n-1].outer
			f.branches = f.branches[:n-1]
		}
	}
	for f.kind != directiveEnd && f.kind != endOfFile {
		f.next()
	}
}

// branch reads the condition of a branch; one that is dead is passed over.
func (f *finder) branch(name string) {
	b := &f.branches[len(f.branches)-1]
	c := f.condition(&f.scanner, name, b.rest)
	switch {
	case b.over || c.truth == no:
		f.dead()
	case c.truth == yes:
		f.when = b.rest
		b.over = true
	default:
		f.when = b.rest.with(c.literal)
		b.rest = b.rest.with(literal{c.variable, !c.value})
	}
}

// dead passes over a branch that no compiler reads: what is in it does not matter.
func (f *finder) dead() {
	depth := 0
	for {
		for f.kind != directiveEnd && f.kind != endOfFile {
			f.next()
		}
		for f.kind != directive && f.kind != endOfFile {
			f.next()
		}
		if f.kind == endOfFile {
			return
		}
		switch directiveName(f.token()) {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
			if depth < 0 {
				f.directive()
				return
			}
		case "else", "elif", "elifdef", "elifndef":
			if depth == 0 {
				f.directive()
				return
			}
		}
	}
}

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

// key is what tells statements apart.
func (a *Asm) key(segments []source.Segment) string {
	var s strings.Builder
	s.WriteString(a.Text.Text)
	var room [48]byte
	for _, g := range segments {
		number := room[:0]
		for _, n := range [...]int64{int64(g.Inner), int64(g.Outer), int64(g.Width)} {
			number = strconv.AppendInt(append(number, ' '), n, 16)
		}
		s.Write(number)
	}
	for _, list := range [][]Operand{a.Outputs, a.Inputs} {
		s.WriteByte(':')
		for _, o := range list {
			s.WriteString("," + o.Name + " " + o.Constraint)
		}
	}
	for _, c := range a.Clobbers {
		s.WriteString("," + c.Text)
	}
	return s.String()
}

// again counts a further use of a macro that gives the same statement.
func (a *Asm) again(other *Asm) {
	via, _ := a.Text.Expansion(source.Span{End: source.Pos(len(a.Text.Text))})
	if via != nil && other.Span != a.Span {
		via.More++
	}
}

// macroAround returns the definition in whose body a place is, or nil.
func macroAround(definitions []*macro, at source.Pos) *macro {
	i, _ := slices.BinarySearchFunc(definitions, int(at), func(m *macro, at int) int { return cmp.Compare(m.end, at) })
	if i < len(definitions) && definitions[i].start <= int(at) {
		return definitions[i]
	}
	return nil
}

// Macro returns the name of the macro in whose body a part of the text stands, all of it and
// as it is; "" if it does not stand in one.
func (a *Asm) Macro(s source.Span) string {
	_, at := a.Text.Outermost(s)
	m := macroAround(a.definitions, at.Start)
	_, origin := a.Text.Expansion(s)
	if m == nil || origin != source.Body || a.joins(s) || int(at.End) > m.end {
		return ""
	}
	return m.name
}

// joins reports whether # or ## has made some of a part of the text.
func (a *Asm) joins(s source.Span) bool {
	return slices.ContainsFunc(a.made, func(m source.Span) bool { return m.Start < s.End && s.Start < m.End })
}

// Written reports whether a part of the text stands in the file as it is, in string
// literals that are always read as a part of this statement: in the statement itself, in an
// argument of the macro that makes it, or in the same body as it.
func (a *Asm) Written(s source.Span) bool {
	if a.joins(s) {
		return false
	}
	_, origin := a.Text.Expansion(s)
	switch origin {
	case source.Joined:
		return false
	case source.Body:
		_, at := a.Text.Outermost(s)
		return a.body.Start <= at.Start && at.End <= a.body.End
	}
	return true
}

// unused reads the asm statements in macros that the file does not use, their
// parameters taken as not known.
func (f *finder) unused() {
	for _, m := range f.definitions {
		if m.used || !f.makers[m.name] || !slices.ContainsFunc(m.words(f.text), func(w word) bool { return w.kind == identifier && isAsm(w.text) }) {
			continue
		}
		s := f.stream(scanner{text: f.text, end: len(f.text)}, nil)
		s.sealed = true
		s.unusedMacro = m.name
		sub := substitution{stream: s, m: m, raw: make([][]word, len(m.params)), expanded: make([]expansion, len(m.params))}
		for i, name := range m.params {
			sub.raw[i] = []word{{kind: parameter, text: name, at: int(m.def.Start)}}
			sub.expanded[i] = expansion{words: sub.raw[i], known: true}
		}
		words := sub.tokens(m.words(f.text))
		s.frames = []frame{{words: words, macro: m}}
		s.busy[m]++
		s.run(-1)
		if s.failed != "" {
			f.notes.note(f.src, m.def, "the asm statement of this macro cannot be read: "+s.failed, preprocess)
		}
		if f.budget < 0 {
			return // and so for all further ones
		}
	}
}

// calls remembers what looks like a call with a string first, as asm statements do.
type calls struct {
	name source.Span // the last name
	open int         // the parenthesis right behind it, if that was the last token
	last source.Span // the name of the last call in this statement
}

// stray reports an asm statement whose asm is not to be seen, since a macro of another file makes
// it, by the constraint of one of its outputs.
func (f *finder) stray() {
	behind := f.text[f.end:min(len(f.text), f.end+20)]
	if f.strayed || f.start < f.covered || !isOutput(f.token()) || !strings.HasPrefix(strings.TrimLeft(behind, " \t"), "(") {
		return
	}
	f.strayed = true
	at, what := span(f.start, f.end), "what makes it one"
	if name := f.calls.last; name.End > 0 {
		at, what = name, "'"+f.text[name.Start:name.End]+"'"
	}
	f.notes.note(f.src, at, "this looks like an asm statement, and cannot be read: "+what+" is not defined in this file", preprocess)
}

// isOutput reports whether a literal is the constraint of an output of PTX.
func isOutput(literal string) bool {
	if len(literal) < 4 || literal[1] != '=' && literal[1] != '+' {
		return false
	}
	return strings.Trim(literal[2:len(literal)-1], "&rlhfdq") == "" && strings.Trim(literal[2:len(literal)-1], "&") != ""
}
