package vop

import (
	"strings"

	"github.com/vop-ptx/vop/run/vm"
)

// Fault is the error of a launch in which a thread has done what it must not, such as an access out of bounds: of those that have, the first one
// of the first block. It prints itself.
type Fault struct {
	Kind      FaultKind
	Kernel    string
	File      string // with Line and Col, the place of the instruction in the PTX text
	Line, Col int
	Source    string // that in the program's own source, where the text tells it
	Block     Place  // of the thread
	Thread    Place
	Access    string // what was tried: "ld.global.u32 of 4 bytes"
	Address   uint64
	Detail    string // the nearest allocation and by how much it is missed, and the like
	Count     int64  // how many threads have done it, if the launch had checks and went on; otherwise 1
	cause     error
}

// Error returns the report in one line.
func (f *Fault) Error() string { return f.cause.Error() }

// Unwrap returns the error as the packages below have it.
func (f *Fault) Unwrap() error { return f.cause }

// FaultKind says what a thread has done.
type FaultKind uint8

// The kinds of faults.
const (
	OutOfBounds FaultKind = iota
	Misaligned
	WriteToConst
	Deadlock
	Trap
	Assertion
	RecursionOverflow
	NoTexture
	WriteToParameter
	// Those that only checks find.
	UnsetRegister
	UnsetMemory
	Race           // of warps of a block
	PartialBarrier // threads arrive at a barrier of the block in a way that is not allowed
	WarpRace       // of threads of a warp
	BlockRace      // of blocks, in global memory
	InactiveLane   // a shuffle reads a lane that does not take part in it
	MissingLane    // a member mask names a lane that is not there
	// The one below came later.
	StackOverflow // there is no room for what alloca asks for, or stackrestore is given what stacksave has not
)

// String says what a thread has done in a few words.
func (k FaultKind) String() string { return vm.FaultKind(k).String() }

// CheckError is the error of a launch with checks that have found something. errors.As finds its first fault.
type CheckError struct {
	Kernel string
	Faults []*Fault // one for each kind of mistake and instruction, in the order of the text
}

// Error lists the faults, one to a line.
func (e *CheckError) Error() string {
	var lines []string
	for _, f := range e.Faults {
		lines = append(lines, f.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults.
func (e *CheckError) Unwrap() []error {
	var all []error
	for _, f := range e.Faults {
		all = append(all, f)
	}
	return all
}

// StoppedError is the error of a launch whose context has ended while a thread was at work. errors.Is finds the cause in it,
// such as context.DeadlineExceeded.
type StoppedError struct {
	Kernel          string
	File            string // with Line and Col, the place of the loop that the thread was in, and Last its last line;
	Line, Col, Last int    // 0 if it was in no loop
	Source          string // the place in the program's own source, where the text tells it
	Block, Thread   Place  // where the thread is
	cause           error
}

// Error returns the report in one line.
func (e *StoppedError) Error() string { return e.cause.Error() }

// Unwrap returns the error as the packages below have it, which holds the context's.
func (e *StoppedError) Unwrap() error { return e.cause }

// launchError turns errors of launches into those of this package.
func launchError(err error) error {
	switch e := err.(type) {
	case *vm.Fault:
		return faultOf(e, 1, e)
	case *vm.CheckError:
		all := &CheckError{Kernel: e.Kernel}
		for _, r := range e.Reports {
			all.Faults = append(all.Faults, faultOf(r.Fault, r.Count, r))
		}
		return all
	case *vm.StoppedError:
		return &StoppedError{e.Kernel, e.File, e.Line, e.Col, e.Last, e.Source, Place(e.Block), Place(e.Thread), e}
	}
	return err
}

func faultOf(f *vm.Fault, count int64, cause error) *Fault {
	return &Fault{
		FaultKind(f.Kind), f.Kernel, f.File, f.Line, f.Col, f.Source, Place(f.Block), Place(f.Thread), f.Access, f.Address, f.Detail, count, cause,
	}
}
