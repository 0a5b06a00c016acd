package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
)

// StoppedError is the error of a launch whose context has ended while a thread was at work: it
// says what the thread was doing. errors.Is finds the cause in it, such as
// context.DeadlineExceeded.
type StoppedError struct {
	Kernel string
	// File, Line and Col are the place of the first instruction of the loop that the thread was in,
	// and Last the line of the jump back to it; 0 if it was in no loop. Source is the place in the
	// program's own source, where .loc tells it.
	File            string
	Line, Col, Last int
	Source          string
	Block, Thread   Dim // where the thread is; it is the first of those that were there
	Cause           error
}

// Error returns the report in one line.
func (e *StoppedError) Error() string {
	text := fmt.Sprintf("kernel %s: %v", e.Kernel, e.Cause)
	if e.File == "" {
		return text
	}
	text = fmt.Sprintf("%s:%d:%d: %s: stopped ", e.File, e.Line, e.Col, text)
	switch e.Last {
	case 0:
		text += fmt.Sprintf("at line %d", e.Line)
	case e.Line:
		text += fmt.Sprintf("in the loop of line %d", e.Line)
	default:
		text += fmt.Sprintf("in the loop of lines %d to %d", e.Line, e.Last)
	}
	text += fmt.Sprintf(", block %v thread %v", e.Block, e.Thread)
	if e.Source != "" {
		text += " (from " + e.Source + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Cause }

// stoppedAt makes the report of a path that is not to go on. Its loop is the innermost around it, if
// need be in the functions that it has been called from.
func (m *machine) stoppedAt(p *path) *StoppedError {
	e := &StoppedError{Kernel: m.launch.kernel.name, Block: m.block, Thread: m.launch.grid.Block.at(first(p.mask))}
	frame, block := p.frame, p.block
	head, last := frame.fn.loopAround(block)
	for head < 0 && frame.back != nil {
		frame, block = frame.back.frame, frame.back.block
		head, last = frame.fn.loopAround(block)
	}
	if head < 0 {
		frame = p.frame
		head, last = p.block, -1
	}
	e.File, e.Line, e.Col, e.Source = m.launch.kernel.module.placeOf(frame.fn.decl, frame.fn.blocks[head].begin)
	if last >= 0 {
		_, e.Last, _, _ = m.launch.kernel.module.placeOf(frame.fn.decl, frame.fn.blocks[last].end-1)
	}
	return e
}

// loopAround returns the first and the last block of the shortest stretch of text around a block
// that ends with a jump to its begin; -1 if there is none.
func (fn *function) loopAround(block int) (head, last int) {
	head, last = -1, -1
	for i := range fn.blocks {
		for _, target := range fn.blocks[i].targets {
			if target <= block && block <= i && (head < 0 || i-target < last-head) {
				head, last = target, i
			}
		}
	}
	return head, last
}

// placeOf returns where an instruction of a function is in the PTX text, and in the program's own
// source where .loc tells it.
func (m *Module) placeOf(decl *check.Function, at int) (file string, line, col int, origin string) {
	at = min(at, len(decl.Body)-1)
	if at < 0 {
		file, line, col = m.place(decl.Tree.Name.Span())
		return file, line, col, ""
	}
	file, line, col = m.place(decl.Body[at].Tree.Span())
	if loc := decl.Body[at].Loc; loc.Line != 0 {
		origin = fmt.Sprintf("%s:%d:%d", m.decl.Files[loc.File], loc.Line, loc.Col)
	}
	return file, line, col, origin
}
