package inline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// notes say what cannot be read, each once.
type notes struct{ list diag.List }

// preprocess is what helps where macros are not known.
const preprocess = "preprocess the source, as with nvcc -E or clang++ -E, and give vop the result as a .ii file"

func (n *notes) note(file *source.File, at source.Span, message string, more ...string) {
	d := diag.Diagnostic{Code: diag.AsmNotRead, Severity: diag.SeverityOf(diag.AsmNotRead), File: file, Span: at, Message: message, Notes: more}
	if !slices.ContainsFunc(n.list[max(0, len(n.list)-mostReadings):], func(o diag.Diagnostic) bool { return o.Span == d.Span && o.Message == d.Message }) {
		n.list = append(n.list, d)
	}
}

// unknown says what is not known of a statement, and why.
func (f *finder) unknown(r *reader) {
	if len(r.strange) == 0 {
		if r.asm.Holes > 0 {
			f.notes.note(f.src, r.asm.Span, `this asm statement is read in part: operands with the constraint "C" are text that the compiler puts in`)
		}
		return
	}
	var names []string
	for i := range r.strange {
		if why := f.why(&r.strange[i], r.unusedMacro); !slices.Contains(names, why) && len(names) < 4 {
			names = append(names, why)
		}
	}
	w := &r.strange[0]
	at := w.place()
	if w.kind == parameter || w.via != nil {
		at = r.asm.Span
	}
	help := preprocess
	if w.kind == parameter {
		help = "check a source that uses the macro; " + preprocess
	}
	f.notes.note(f.src, at, "this asm statement is read in part: "+strings.Join(names, "; "), help)
}

// why says why a token of a statement is not known.
func (f *finder) why(w *word, unused string) string {
	switch {
	case w.kind == parameter:
		return fmt.Sprintf("'%s' is a parameter of macro '%s', which this file does not use", w.text, unused)
	case w.kind == included:
		return fmt.Sprintf("'%s' is another file", w.text)
	case w.kind == identifier && w.painted:
		return fmt.Sprintf("macro '%s' is used in its own expansion, or with the wrong number of arguments", w.text)
	case w.kind == identifier && f.macros[w.text] != nil:
		return fmt.Sprintf("macro '%s' is not defined here, or is used without arguments", w.text)
	case w.kind == identifier:
		return fmt.Sprintf("'%s' is not defined in this file", w.text)
	}
	return "the compiler makes the text"
}
