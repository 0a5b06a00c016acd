package inline

import (
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

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
