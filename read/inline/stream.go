package inline

import (
	"slices"
	"strconv"

	"github.com/vop-ptx/vop/read/source"
)

// stream gives the tokens of a source from some place on, its macros expanded, along
// one way through the branches of #if.
type stream struct {
	*finder
	raw    scanner // where the source goes on
	begin  *context
	sealed bool    // the source does not go on: the tokens are those of frames alone
	frames []frame // expansions that are being read, the innermost last
	busy   map[*macro]int
	depth  int // of arguments in arguments
	plain  int // if above 0, macros are not expanded
	groups []bool

	unusedMacro string // whose body is read, though nothing uses it

	current word // the token

	known     assignment
	forced    map[int]bool // what variables are to be that nothing decides
	decisions []literal    // variables that nothing has decided, in the order in which they came up
	many      bool         // a name has more definitions than are looked at

	spent  int
	failed string // why this has ended before its time
	resume int    // a place from which the source is to be read again, or -1
}

// frame is what a macro has been replaced by.
type frame struct {
	words []word
	i     int
	macro *macro
	blank bool // blanks stand behind it
}

// The bounds of one stream, of those of one statement, behind which none is begun, and of all
// streams of a file, to which its length adds: many statements can be too much before it is. The
// unit is about the work of reading a token. They end what grows without end, and are far
// from what people write.
const (
	streamBudget    = 300_000
	statementBudget = 2 * streamBudget
	fileBudget      = 60_000_000
	perByte         = 32
)

func (f *finder) stream(at scanner, when *context) *stream {
	s := &stream{finder: f, raw: at, begin: when, busy: map[*macro]int{}, known: f.assume(nil, when), resume: -1}
	s.spend(20 + len(s.known))
	return s
}

// spend counts work, and ends the stream when it is too much.
func (s *stream) spend(n int) {
	s.spent += n
	s.budget -= n
	if s.failed == "" && (s.spent > streamBudget || s.budget < 0) {
		s.failed = "its macros make too much text, or it does not end"
	}
}

// is reports whether the current token is a mark.
func (s *stream) is(m string) bool { return s.current.is(m) }

// ended reports whether there are no more tokens.
func (s *stream) ended() bool { return s.current.kind == endOfFile }

// ground reports whether the next token stands in the source, where no macro is being expanded.
func (s *stream) ground() bool {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if f := &s.frames[i]; f.i < len(f.words) {
			return false
		}
	}
	return true
}

// next goes to the next token.
func (s *stream) next() {
	for {
		s.current = s.pull()
		if s.current.kind != identifier || s.current.painted || s.plain > 0 || !s.expand() {
			return
		}
	}
}

// pull takes the next token, not expanded.
func (s *stream) pull() word {
	s.spend(1)
	if s.failed != "" {
		return word{kind: endOfFile, at: len(s.text)}
	}
	blank := false
	for len(s.frames) > 0 {
		f := &s.frames[len(s.frames)-1]
		if f.i < len(f.words) {
			f.i++
			w := f.words[f.i-1]
			w.blank = w.blank || blank
			return w
		}
		blank = blank || f.blank
		s.pop()
	}
	if s.sealed {
		return word{kind: endOfFile, at: len(s.text), blank: blank}
	}
	w := s.fromSource()
	w.blank = w.blank || blank
	return w
}

func (s *stream) pop() {
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	if f.macro != nil {
		s.busy[f.macro]--
	}
}

// fromSource takes the next token of the source, and follows the directives before it.
func (s *stream) fromSource() word {
	r := &s.raw
	for {
		last := r.end
		r.next()
		if r.kind == directive {
			if w, ok := s.directive(); ok {
				return w
			}
			continue
		}
		return word{kind: r.kind, text: r.token(), at: r.start, blank: r.start != last}
	}
}

// directive follows a directive. An #include is a token: something is there.
func (s *stream) directive() (w word, ok bool) {
	r := &s.raw
	at := r.start
	name := directiveName(r.token())
	switch name {
	case "if", "ifdef", "ifndef":
		taken := s.choose(name)
		s.groups = append(s.groups, taken)
		if !taken {
			s.skip()
		}
	case "elif", "elifdef", "elifndef", "else":
		// The branch before it was read, so no other one is: this goes on behind the #endif.
		if len(s.groups) == 0 && s.resume < 0 {
			s.resume = at
		}
		s.endDirective()
		s.toEnd()
	case "endif":
		s.groups = s.groups[:max(0, len(s.groups)-1)]
		s.endDirective()
	case "include", "include_next", "embed", "import":
		s.endDirective()
		return word{kind: included, text: s.text[at:r.start], at: at}, true
	default:
		s.endDirective()
	}
	return w, false
}

// endDirective goes to the end of the line of a directive.
func (s *stream) endDirective() {
	for s.raw.kind != directiveEnd && s.raw.kind != endOfFile {
		s.raw.next()
	}
}

// choose reads a condition and says whether its branch is read.
func (s *stream) choose(name string) bool {
	from := s.raw.end
	c := s.condition(&s.raw, name, s.begin)
	s.spend(60 + (s.raw.end-from)/4)
	if c.truth != unknown {
		return c.truth == yes
	}
	return s.decide(c.variable) == c.value
}

// decide returns the value of a variable; one that nothing decides is true at first.
func (s *stream) decide(v int) bool {
	if t := s.value(s.known, v); t != unknown {
		return t == yes
	}
	value, ok := s.forced[v]
	if !ok {
		value = true
	}
	s.decisions = append(s.decisions, literal{v, value})
	s.known = append(s.known, literal{v, value})
	return value
}

// skip passes over a branch that is not read, to the one of the same #if that is.
func (s *stream) skip() {
	depth := 0
	for r := &s.raw; r.kind != endOfFile; r.next() {
		s.spend(1)
		if r.kind != directive {
			continue
		}
		name := directiveName(r.token())
		switch name {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			if depth == 0 {
				s.groups = s.groups[:len(s.groups)-1]
				s.endDirective()
				return
			}
			depth--
		case "else":
			if depth == 0 {
				s.endDirective()
				return
			}
		case "elif", "elifdef", "elifndef":
			if depth == 0 && s.choose(name[2:]) {
				return
			}
		}
	}
}

// toEnd goes behind the #endif of the branch that ends here.
func (s *stream) toEnd() {
	depth := 0
	for r := &s.raw; r.kind != endOfFile; r.next() {
		s.spend(1)
		if r.kind != directive {
			continue
		}
		switch directiveName(r.token()) {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			if depth--; depth < 0 {
				s.groups = s.groups[:max(0, len(s.groups)-1)]
				s.endDirective()
				return
			}
		}
	}
}

// mostDefinitions is how many definitions of a name are tried.
const mostDefinitions = 32

// lookup returns the definition of a name that is live here, or nil.
func (s *stream) lookup(name string) *macro {
	events := s.macros[name]
	for i := len(events) - 1; i >= 0; i-- {
		if len(events)-i > mostDefinitions {
			s.many = true
			return nil
		}
		e := events[i]
		s.spend(1 + len(s.known)/2)
		switch s.holds(s.known, e.when) {
		case yes:
			return e.macro
		case no:
			continue
		}
		if e.macro == nil {
			continue // an #undef that there may be
		}
		if !s.mayHold(events[max(0, i-mostDefinitions):i]) {
			s.known = s.assume(s.known, e.when) // else there is none
			return e.macro
		}
		// Decide until this definition is live or dead.
		for c := e.when; c != nil; c = c.outer {
			if s.decide(c.variable) != c.value {
				break
			}
		}
		if s.holds(s.known, e.when) == yes {
			return e.macro
		}
	}
	return nil
}

// mayHold reports whether one of several definitions may be live.
func (s *stream) mayHold(events []event) bool {
	for _, e := range events {
		s.spend(1 + len(s.known)/2)
		if e.macro != nil && s.holds(s.known, e.when) != no {
			return true
		}
	}
	return false
}

// deepestArguments bounds arguments in arguments in arguments.
const deepestArguments = 200

// expand puts what the current token, a name, stands for before what comes next. It
// returns false if the token stays.
func (s *stream) expand() bool {
	w := &s.current
	m := s.lookup(w.text)
	switch {
	case m == nil:
		return s.builtin()
	case s.busy[m] > 0:
		w.painted = true
		return false
	case m.function && !s.opens():
		return false
	}
	s.spend(40)
	m.used = true
	name := *w
	sub := substitution{stream: s, m: m, via: name.via}
	use := name.place()
	if m.function {
		raw, frames, groups := s.raw, slices.Clone(s.frames), slices.Clone(s.groups)
		s.pull()
		arguments, end, ok := s.arguments(m)
		if !ok {
			s.back(raw, frames)
			s.findUnclosed()
			s.groups = groups
			s.current = name
			s.current.painted = true
			return false
		}
		sub.raw, sub.expanded = arguments, make([]expansion, len(arguments))
		if end.via == nil {
			use.End = max(use.End, source.Pos(end.at+1))
		}
	}
	if sub.via == nil {
		sub.via = &source.Expansion{Macro: m.name, Use: use, Def: m.def}
	}
	words := sub.tokens(m.words(s.text))
	if len(words) > 0 {
		words[0].blank = name.blank
	} else {
		sub.blank = sub.blank || name.blank
	}
	s.frames = append(s.frames, frame{words: words, macro: m, blank: sub.blank})
	s.busy[m]++
	return true
}

// back goes back to where nothing had been taken from these frames.
func (s *stream) back(raw scanner, frames []frame) {
	for _, f := range frames[len(s.frames):] {
		if f.macro != nil {
			s.busy[f.macro]++
		}
	}
	s.raw, s.frames = raw, frames
}

// builtin replaces the names that the compiler defines and that stand in labels.
func (s *stream) builtin() bool {
	w := &s.current
	if len(w.text) < 8 || w.text[:2] != "__" {
		return false
	}
	switch w.text {
	case "__COUNTER__", "__LINE__":
	default:
		return false
	}
	w.parts = []source.Segment{{Outer: source.Pos(w.at), Width: int32(len(w.text)), Via: w.via}}
	n := s.counter
	if w.text == "__LINE__" {
		n = s.src.Position(w.place().Start).Line
	} else {
		s.counter++
	}
	w.kind, w.text = other, strconv.Itoa(n)
	return false
}

// opens reports whether the next token is an opening parenthesis.
func (s *stream) opens() bool {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if f := &s.frames[i]; f.i < len(f.words) {
			return f.words[f.i].is("(")
		}
	}
	if s.sealed {
		return false
	}
	ahead := s.raw
	ahead.next()
	return ahead.is("(") && !s.unclosed[ahead.start]
}

// findUnclosed finds the parentheses of the source that are not closed, once there has been one:
// the arguments of a macro are not looked for there, to the end of the source each time.
func (f *finder) findUnclosed() {
	if f.unclosed != nil {
		return
	}
	f.unclosed = map[int]bool{}
	var open []int
	s := newScanner(f.text)
	for s.next(); s.kind != endOfFile; s.next() {
		switch {
		case s.is("("):
			open = append(open, s.start)
		case s.is(")") && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	for _, at := range open {
		f.unclosed[at] = true
	}
}

// arguments reads the arguments of a macro behind the opening parenthesis, up to the
// closing one.
func (s *stream) arguments(m *macro) (list [][]word, end word, ok bool) {
	var argument []word
	depth := 0
	for {
		w := s.pull()
		if w.kind == endOfFile {
			return nil, w, false
		}
		s.spend(1)
		switch {
		case w.is("("):
			depth++
		case w.is(")") && depth == 0:
			if list = append(list, argument); len(m.params) == 0 && len(list) == 1 && len(argument) == 0 {
				list = nil
			}
			if m.variadic && len(list) == len(m.params)-1 {
				list = append(list, nil)
			}
			return list, w, len(list) == len(m.params)
		case w.is(")"):
			depth--
		case w.is(",") && depth == 0 && !(m.variadic && len(list) == len(m.params)-1):
			list = append(list, argument)
			argument = nil
			continue
		}
		argument = append(argument, w)
	}
}

// expandAll expands the tokens of an argument by themselves. blank says that the last of it were
// blanks before something empty.
func (s *stream) expandAll(words []word) (out []word, blank bool) {
	simple := true
	for i := range words {
		simple = simple && (words[i].kind != identifier || words[i].painted || s.macros[words[i].text] == nil && words[i].text[0] != '_')
	}
	if simple {
		return words, false
	}
	if s.depth++; s.depth > deepestArguments {
		s.failed = "its macros are nested too deep"
	}
	frames, sealed, current, plain := s.frames, s.sealed, s.current, s.plain
	s.frames, s.sealed, s.plain = []frame{{words: words}}, true, 0
	for s.next(); !s.ended(); s.next() {
		out = append(out, s.current)
		s.spend(1)
	}
	blank = s.current.blank
	s.frames, s.sealed, s.current, s.plain = frames, sealed, current, plain
	s.depth--
	return out, blank
}
