package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/vop-ptx/vop/conform/diagnose"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// TextOptions says how a text looks.
type TextOptions struct {
	// Draw draws the stages of an evaluation; nil leaves drawings out.
	Draw func(sem.Trace) string
	// Strong marks a heading; nil leaves it as it is.
	Strong func(text string) string
	// Examples is how many counterexamples of each cause are shown; 1 if it is 0.
	Examples int
}

// maxListed bounds lists of forms in texts.
const maxListed = 20

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer, o TextOptions) error {
	out := bufio.NewWriter(w)
	if o.Strong == nil {
		o.Strong = func(text string) string { return text }
	}
	o.Examples = max(o.Examples, 1)
	for i, c := range r.Diagnosis.Causes {
		writeCause(out, i+1, r.Reading, c, o)
	}
	if left := r.Diagnosis.Unexplained; len(left) > 0 {
		fmt.Fprintf(out, "%s\n", o.Strong(fmt.Sprintf("%s no known mistake explains", count(len(left), "wrong answer"))))
		fmt.Fprintf(out, "   in %s\n", opsOf(left))
		for _, a := range left[:min(len(left), 2*o.Examples)] {
			writeExample(out, r.Reading, a, o)
		}
		out.WriteByte('\n')
	}
	for _, f := range r.Failures[:min(len(r.Failures), maxListed)] {
		fmt.Fprintf(out, "%s\n", o.Strong(fmt.Sprintf("%s: %s", f.What, count(f.Count, r.unit()))))
		if f.Text != "" {
			fmt.Fprintf(out, "   %s\n", clean(f.Text))
		}
		fmt.Fprintf(out, "   first: %s\n\n", r.question(f.First))
	}
	if n := len(r.Failures) - maxListed; n > 0 {
		fmt.Fprintf(out, "and %s of other kinds\n\n", count(n, "failure"))
	}
	for _, text := range r.Notices {
		fmt.Fprintf(out, "note: %s\n", clean(text))
	}
	if c := r.Expected; c != nil {
		writeComparison(out, c, o)
	}
	passed, skipped := 0, 0
	for _, f := range r.Forms {
		switch {
		case f.Skipped == f.Vectors:
			skipped++
		case f.Passed():
			passed++
		}
	}
	fmt.Fprintf(out, "%s, read as %v: %s in %s: %d right, %d wrong, %d failed, %d skipped; %s right",
		r.Name, r.Reading, count(r.Vectors, r.unit()), count(len(r.Forms), "form"), r.Right, r.Wrong, r.Failed, r.Skipped, count(passed, "form"))
	if skipped > 0 {
		fmt.Fprintf(out, ", %d skipped", skipped)
	}
	out.WriteByte('\n')
	return out.Flush()
}

// unit is what is counted.
func (r *Report) unit() string {
	if r.verdicts {
		return "file"
	}
	return "vector"
}

// question says what was asked: an instruction with its operands, or a file of an instruction.
func (r *Report) question(o Outcome) string {
	if r.verdicts {
		return o.Instruction
	}
	return strings.ReplaceAll(o.Question(), "\t", " ")
}

func writeCause(out *bufio.Writer, n int, reading sem.Reading, c diagnose.Cause, o TextOptions) {
	title := fmt.Sprintf("%d. %s", n, c.Title())
	fmt.Fprintf(out, "%s   [%s", o.Strong(title), c.Name())
	if ruling := c.Ruling(); ruling != "" {
		fmt.Fprintf(out, ", %s", ruling)
	}
	out.WriteString("]\n")
	fmt.Fprintf(out, "   explains %s in %s of %s", count(len(c.Explains), "wrong answer"), count(c.Forms, "form"), list(c.Ops))
	if c.Against > 0 {
		fmt.Fprintf(out, "; against it: %s right that would be wrong with it", count(c.Against, "answer"))
	}
	out.WriteString("\n")
	for _, a := range c.Explains[:min(len(c.Explains), o.Examples)] {
		writeExample(out, reading, a, o)
	}
	out.WriteByte('\n')
}

func writeExample(out *bufio.Writer, reading sem.Reading, a diagnose.Answer, o TextOptions) {
	out.WriteByte('\n')
	if o.Draw == nil {
		fmt.Fprintf(out, "   %v a=%08x b=%08x c=%08x: got %08x, want %08x\n", a.Form, a.A, a.B, a.C, a.Got, a.Want[reading])
		return
	}
	drawing := o.Draw(sem.TraceOf(reading, a.Form, a.A, a.B, a.C))
	for line := range strings.Lines(strings.TrimRight(drawing, "\n") + "\n") {
		if line != "\n" {
			out.WriteString("   ")
		}
		out.WriteString(line)
	}
	fmt.Fprintf(out, "     %s\n", o.Strong(fmt.Sprintf("got %08x", a.Got)))
}

func writeComparison(out *bufio.Writer, c *Comparison, o TextOptions) {
	if len(c.New) > 0 {
		fmt.Fprintf(out, "%s\n", o.Strong("new failures: "+count(len(c.New), "form")))
		for _, f := range c.New[:min(len(c.New), maxListed)] {
			fmt.Fprintf(out, "   %s\n", f.Instruction)
		}
		more(out, len(c.New))
	}
	if len(c.Gone) > 0 {
		fmt.Fprintf(out, "%s\n", o.Strong("failures that are gone: take these lines out"))
		for _, e := range c.Gone[:min(len(c.Gone), maxListed)] {
			fmt.Fprintf(out, "   line %d: %s\n", e.Line, e.Pattern)
		}
		more(out, len(c.Gone))
	}
	for _, e := range c.Idle[:min(len(c.Idle), maxListed)] {
		fmt.Fprintf(out, "note: the expectation in line %d, %s, is of no form that was asked\n", e.Line, e.Pattern)
	}
	fmt.Fprintf(out, "known failures: %s\n", count(c.Known, "form"))
}

func more(out *bufio.Writer, n int) {
	if n > maxListed {
		fmt.Fprintf(out, "   and %d more\n", n-maxListed)
	}
}

// count says "1 form", "2 forms".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func list(ops []isa.Op) string {
	var names []string
	for _, op := range ops {
		names = append(names, op.String())
	}
	return strings.Join(names, ", ")
}

// opsOf lists the instructions of answers, in the manual's order.
func opsOf(answers []diagnose.Answer) string {
	seen := map[isa.Op]bool{}
	for _, a := range answers {
		seen[a.Form.Op] = true
	}
	var ops []isa.Op
	for _, op := range isa.Ops() {
		if seen[op] {
			ops = append(ops, op)
		}
	}
	return list(ops)
}

// clean takes out what terminals take for commands, so that a text is one line.
func clean(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
}
