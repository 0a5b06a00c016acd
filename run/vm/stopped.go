package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/diag"
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
	// Unbegun is the number of blocks that had not begun, as there was no memory for more, where all that had begun seemed to wait
	// for others. It is 0 if they did not.
	Unbegun int
	Cause   error
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
	if e.Unbegun > 0 {
		text += fmt.Sprintf("; the blocks that have begun seem to wait for others, and %s could not begin: there is no room for more at the same time", diag.Count(e.Unbegun, "block"))
	}
	return text
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Cause }

// stoppedAt makes the report of a launch whose context has ended.
func (w *worker) stoppedAt() *StoppedError {
	f, block, thread := w.cta.At()
	e := &StoppedError{Kernel: w.launch.kernel.name, Block: w.block(), Thread: w.launch.grid.Block.at(thread)}
	head, last := f.LoopText(block)
	e.File, e.Line, e.Col, e.Source = placeOf(f.Decl, head)
	if last >= 0 {
		_, e.Last, _, _ = placeOf(f.Decl, last)
	}
	return e
}
