package translate

import (
	"iter"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
	"github.com/vop-ptx/vop/rewrite/word"
)

// made is what is computed for an instruction apart from all others.
type made struct {
	program *word.Program // nil if the machine has the instruction
	entry   Rewrite
}

// programs yields the instructions of a body that are to be rewritten, in order, with their programs. Those are most of the
// work, and are made by all processors, some instructions ahead of their use: so that a long function
// does not have all its programs in memory at once.
func (r *rewriter) programs(body []check.Inst) iter.Seq2[*check.Inst, made] {
	return func(yield func(*check.Inst, made) bool) {
		var wanted []*check.Inst
		for in := range videoInstructions(body) {
			if r.wanted(in.Tree.Span().Start) {
				wanted = append(wanted, in)
			}
		}
		for some := range slices.Chunk(wanted, programsAhead) {
			all := make([]made, len(some))
			inParallel(len(some), func(n int) {
				in := some[n]
				p := r.program(in.Video.Form, in.Tree.Operands)
				all[n] = made{p, rewriteOf(in.Video.Form, p, r.caps)}
			})
			for n, in := range some {
				if !yield(in, all[n]) {
					return
				}
			}
		}
	}
}

// programsAhead is how many programs are made at once.
const programsAhead = 1024

// function rewrites the video instructions of a function, and declares the
// registers that it then needs where its body begins.
func (r *rewriter) function(f *check.Function) {
	var used ptx.Registers
	first := len(r.edits)
	for in, made := range r.programs(f.Body) {
		p := made.program
		r.report.add(r.src, in.Tree, made.entry)
		if p == nil {
			continue
		}
		if len(r.edits) == first {
			r.edits = append(r.edits, edit{}) // the declarations, once they are known
		}
		from := len(r.text)
		style := r.open(in.Tree.Span())
		operands := ptx.Operands{Guard: guardOf(in.Tree), D: in.Tree.Operands[0].Text}
		for k := range in.Tree.Operands[1:] {
			operands.Sources[k] = in.Tree.Operands[1+k].Text
		}
		var registers ptx.Registers
		r.text, registers = ptx.Append(r.text, p, &operands, &style)
		used = used.Max(registers)
		r.close(style)
		r.replace(in.Tree.Span(), from)
	}
	if len(r.edits) > first {
		r.edits[first] = r.declare(f.Tree.Body, used)
	}
}

// guardOf spells the guard of an instruction, with a blank after it.
func guardOf(in *syntax.Instruction) string {
	switch {
	case in.Guard.Name.Text == "":
		return ""
	case in.Guard.Not:
		return "@!" + in.Guard.Name.Text + " "
	}
	return "@" + in.Guard.Name.Text + " "
}

// open begins the text for an instruction with its comment, and returns the
// layout of what follows: one statement a line if the instruction has its lines to
// itself, else all in one.
func (r *rewriter) open(at source.Span) ptx.Style {
	original := oneLine(r.src.Text[at.Start:at.End])
	style := ptx.Style{Names: names(r.prefix)}
	if indent, ok := r.indentOf(at); ok {
		style.Before, style.After = indent, r.lineEnd(at.End)
		r.text = append(r.text, "// "+original+style.After...)
	} else {
		style.After = " "
		r.text = append(r.text, "/* "+original+" */ "...)
	}
	return style
}

// close takes back what stands after the last statement.
func (r *rewriter) close(style ptx.Style) {
	r.text = r.text[:len(r.text)-len(style.After)]
}

// indentOf returns what stands before an instruction in its line; ok is false if
// that, or what comes after it in the line, is more than blanks and a comment.
func (r *rewriter) indentOf(at source.Span) (indent string, ok bool) {
	text := r.src.Text
	indent = text[strings.LastIndexByte(text[:at.Start], '\n')+1 : at.Start]
	after, _, _ := strings.Cut(text[at.End:], "\n")
	after = strings.TrimSpace(after)
	return indent, strings.TrimSpace(indent) == "" && (after == "" || strings.HasPrefix(after, "//"))
}

// lineEnd returns how the line at a place ends: "\n" or "\r\n".
func (r *rewriter) lineEnd(at source.Pos) string {
	text := r.src.Text
	if end := strings.IndexByte(text[at:], '\n'); end > 0 && text[int(at)+end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// declare returns the edit that declares registers at the beginning of a body: in
// lines of their own, if a line ends there.
func (r *rewriter) declare(body *syntax.Block, used ptx.Registers) edit {
	from := len(r.text)
	at := body.Span().Start + 1
	style := ptx.Style{Names: names(r.prefix), Before: " "}
	line, _, _ := strings.Cut(r.src.Text[at:], "\n")
	if rest := strings.TrimSpace(line); rest == "" || strings.HasPrefix(rest, "//") {
		end := r.lineEnd(at)
		at += source.Pos(len(line) + 1 - len(end))
		style.Before = end + "\t"
	}
	r.text = ptx.AppendDeclarations(r.text, used, &style)
	return edit{source.Span{Start: at, End: at}, from, len(r.text)}
}
