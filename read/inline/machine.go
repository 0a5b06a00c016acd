package inline

import (
	"strings"

	"github.com/vop-ptx/vop/read/syntax"
)

// isPTX tells PTX from the assembly of the host, which stands in the same files:
// by constraints and clobbers that PTX has not, and by how the text begins.
func isPTX(a *Asm) bool {
	for _, list := range [][]Operand{a.Outputs, a.Inputs} {
		for _, o := range list {
			if strings.Trim(o.Constraint, "=+&rlhfdqniC0123456789") != "" {
				return false
			}
		}
	}
	text := a.Text.Text
	gpu := hostOf(a.Text.Name).isGPU()
	for _, c := range a.Clobbers {
		if c.Text != "memory" && (c.Text != "cc" || !gpu && !typed(text)) {
			return false
		}
	}
	if !strings.ContainsAny(text, ";{") && a.Holes == 0 && len(a.Outputs)+len(a.Inputs) == 0 && strings.TrimSpace(text) != "" {
		if !gpu { // `fence.i` could be both, and PTX would end with a semicolon
			return false
		}
	}
	return beginsPTX(text)
}

// typed reports whether a text has the type of a PTX instruction, such as .u32. Host machines know
// conditions that are changed, "cc", and hardly such types.
func typed(text string) bool {
	for {
		var found bool
		if _, text, found = strings.Cut(text, "."); !found {
			return false
		}
		if text == "" || !strings.Contains("usbf", text[:1]) {
			continue
		}
		for _, bits := range []string{"8", "16", "32", "64"} {
			rest, ok := strings.CutPrefix(text[1:], bits)
			if ok && (rest == "" || rest[0] == '$' || rest[0] >= 0x80 || !isIdentifier(rest[0])) {
				return true
			}
		}
	}
}

// beginsPTX reports whether a text can be PTX: it is empty or begins with a hole, a
// guard, a scope, a declaration, a mnemonic with modifiers, one of the few
// without, or a label before one of these.
func beginsPTX(text string) bool {
	text = skipBlanks(text)
	if text == "" {
		return true
	}
	switch c := text[0]; {
	case c == '{' || c == '@' || c == '%' || c == syntax.Hole:
		return true
	case c == '.':
		return isPTXDirective(text[:1+identifierEnd(text[1:], 0)])
	case isDigit(c) || !isIdentifier(c):
		return false
	}
	name := text[:nameEnd(text)]
	rest := skipBlanks(text[len(name):])
	switch {
	case strings.HasPrefix(rest, ":"):
		return beginsPTX(rest[1:])
	case strings.HasPrefix(rest, ".") || rest != "" && rest[0] == syntax.Hole:
		return true
	}
	switch name {
	case "ret", "exit", "trap", "brkpt", "bra", "call":
		return true
	}
	return false
}

// nameEnd returns the end of the name that text begins with. A hole ends it.
func nameEnd(text string) int {
	i := 0
	for i < len(text) && isIdentifier(text[i]) && text[i] < 0x80 {
		i++
	}
	return i
}

// isPTXDirective reports whether a directive is one of those of function bodies.
func isPTXDirective(word string) bool {
	switch word {
	case ".reg", ".local", ".shared", ".param", ".global", ".const", ".pragma", ".loc", ".branchtargets", ".calltargets", ".callprototype":
		return true
	}
	return false
}

// skipBlanks returns text from its first character that is not in a blank or comment on.
func skipBlanks(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n\f\v")
		var end string
		switch {
		case strings.HasPrefix(text, "//"):
			end = "\n"
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		default:
			return text
		}
		_, text, _ = strings.Cut(text, end)
	}
}
