package inline

import (
	"strings"
)

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
