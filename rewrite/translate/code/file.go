package code

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Function is a function to be printed.
type Function struct {
	Name       string
	Comment    []string // lines
	Parameters int      // 2 (a and b) or 3 (c as well)
	Program    *word.Program
}

// File returns the text of a file with the functions and the helpers they need. The
// name, an identifier, is that of the package in Go, and the include guard is made of it
// in the C family.
func (l *Language) File(name string, functions []Function) (string, error) {
	if err := l.checkName(name); err != nil {
		return "", err
	}
	var texts []string
	for i := range functions {
		texts = append(texts, l.text(&functions[i]))
	}
	body := strings.Join(texts, "\n")
	helpers := ""
	for _, h := range l.helpersOf(body) {
		helpers += h.text + "\n"
	}
	text := fill(l.file, "$language", l.Name, "$package", name, "$guard", "VOP_"+strings.ToUpper(name)+"_H",
		"$helpers", helpers, "$functions", body)
	if l.finish == nil {
		return text, nil
	}
	return l.finish(text)
}

// checkName returns an error unless the name is an identifier, and no keyword where it stands
// by itself.
func (l *Language) checkName(name string) error {
	identifier := strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if identifier == "" || '0' <= identifier[0] && identifier[0] <= '9' {
		identifier = "video" + identifier
	}
	switch {
	case strings.Trim(identifier, "_") == "":
		return fmt.Errorf("the name %q is no identifier: it needs a letter", name)
	case identifier != name:
		return fmt.Errorf("the name %q is no identifier: would %q do?", name, identifier)
	case l.isKeyword != nil && l.isKeyword(name):
		return fmt.Errorf("the name %q is a keyword of %s", name, l.Name)
	}
	return nil
}

// text returns the text of one function.
func (l *Language) text(f *Function) string {
	var comment, body strings.Builder
	for _, line := range f.Comment {
		comment.WriteString(strings.TrimRight(l.comment+line, " ") + "\n")
	}
	lines := l.body(f.Program)
	var parameters []string
	for _, name := range operandNames[:f.Parameters] {
		parameters = append(parameters, fill(l.parameter, "$x", name))
		if l.unused != "" && !mentions(lines, name) {
			body.WriteString(l.indent + fill(l.unused, "$x", name) + "\n")
		}
	}
	for _, line := range lines {
		body.WriteString(l.indent + line + "\n")
	}
	return fill(l.function, "$comment", comment.String(), "$name", f.Name,
		"$parameters", strings.Join(parameters, ", "), "$body", body.String())
}

// helpersOf returns the helpers that a text calls, and those that they call, each
// before its callers.
func (l *Language) helpersOf(text string) (needed []helper) {
	for i := len(l.helpers) - 1; i >= 0; i-- {
		if h := l.helpers[i]; strings.Contains(text, h.name+"(") {
			needed = append([]helper{h}, needed...)
			text += h.text
		}
	}
	return needed
}

// mentions reports whether a name of one letter stands in the lines: a program may
// have an input whose bits a logic operation then leaves out.
func mentions(lines []string, name string) bool {
	isLetter := func(s string) bool {
		return s != "" && (s[0] == '_' || 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z' || '0' <= s[0] && s[0] <= '9')
	}
	for _, line := range lines {
		before := ""
		for rest := line; rest != ""; before, rest = rest[:1], rest[1:] {
			if rest[:1] == name && !isLetter(before) && !isLetter(rest[1:]) {
				return true
			}
		}
	}
	return false
}
