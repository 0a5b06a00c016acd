package vm

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/read/check"
)

// Report is something wrong that [Grid.Check] has found: one for each kind of mistake and
// instruction.
type Report struct {
	// Fault describes the first time: that of the lowest block.
	*Fault
	// Count is how many threads have done it, each as often as it has.
	Count int64
}

// Error returns the report in one line.
func (r *Report) Error() string {
	if r.Count == 1 {
		return r.Fault.Error()
	}
	return fmt.Sprintf("%v (%d times)", r.Fault, r.Count)
}

// CheckError is the error of a launch under [Grid.Check] that has found something. errors.As
// finds the [*Fault] of the first report in it.
type CheckError struct {
	Kernel  string
	Reports []*Report // in the order of the text
}

// Error lists the reports, one to a line.
func (e *CheckError) Error() string {
	lines := make([]string, len(e.Reports))
	for i, r := range e.Reports {
		lines[i] = r.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults of the reports.
func (e *CheckError) Unwrap() []error {
	faults := make([]error, len(e.Reports))
	for i, r := range e.Reports {
		faults[i] = r.Fault
	}
	return faults
}

// reports collects what the workers of a launch find.
type reports struct {
	mutex sync.Mutex
	all   map[cause]*Report
}

// cause is what reports are told apart by.
type cause struct {
	function *check.Function
	at       int
	kind     FaultKind
}

// knows enters that some threads of a block have done what has been found before, in this block or one before it. It
// reports whether that is so.
func (r *reports) knows(grid *Grid, key cause, block Dim, threads int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	old, ok := r.all[key]
	if ok = ok && grid.numberOf(block) >= grid.numberOf(old.Block); ok {
		old.Count += int64(threads)
	}
	return ok
}

// add enters a fault of some threads.
func (r *reports) add(grid *Grid, f *Fault, threads int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	key := cause{f.function, f.at, f.Kind}
	if r.all == nil {
		r.all = map[cause]*Report{}
	}
	old, ok := r.all[key]
	if !ok {
		r.all[key] = &Report{f, int64(threads)}
		return
	}
	old.Count += int64(threads)
	if grid.numberOf(f.Block) < grid.numberOf(old.Block) {
		old.Fault = f
	}
}

// err returns the error that lists all reports, or nil if there are none.
func (r *reports) err(kernel string) error {
	if len(r.all) == 0 {
		return nil
	}
	e := &CheckError{Kernel: kernel}
	for _, report := range r.all {
		e.Reports = append(e.Reports, report)
	}
	sorting.Stable(e.Reports, func(a, b *Report) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Kind, b.Kind))
	})
	return e
}
