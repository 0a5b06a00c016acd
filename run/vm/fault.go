package vm

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// Fault is the error of a launch in which a thread has done what it must not: of those that have, the first one of the first block.
type Fault struct {
	Kind   FaultKind
	Kernel string
	// File, Line and Col are the place of the instruction in the PTX text; Source is that in
	// the program's own source, where .loc tells it.
	File      string
	Line, Col int
	Source    string
	Block     Dim // of the thread
	Thread    Dim
	// Access is what was tried: "ld.global.u32 of 4 bytes".
	Access  string
	Address uint64
	// Detail says more: the nearest allocation and by how much it is missed.
	Detail string

	thread   int // linear, within the CTA
	function *check.Function
	at       int // index in its body
}

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
	// Those that only [Grid.Check] finds.
	UnsetRegister
	UnsetMemory
	Race           // of warps of a block
	PartialBarrier // threads arrive at a barrier of the block by different instructions where it is aligned, or in another way that is not allowed
	WarpRace       // of threads of a warp that have parted, or that write different values with one instruction
	BlockRace      // of blocks, in global memory
	InactiveLane   // a shuffle reads a lane that does not take part in it
	MissingLane    // a member mask names a lane that is not there, or not the lane itself
	// The one below came later.
	StackOverflow // there is no room for what alloca asks for, or stackrestore is given what stacksave has not
)

func (k FaultKind) String() string {
	return [...]string{
		"out of bounds", "misaligned", "write to constant memory", "deadlock: barrier reached by part of a CTA", "trap", "assertion failed", "recursion overflow", "without a texture", "write to a parameter of the kernel",
		"unset register", "of unset memory", "in a race", "wrong use of a barrier",
		"in a race within a warp", "in a race of blocks", "shuffle from a lane that does not take part", "member mask that does not fit", "stack overflow",
	}[k]
}

// Error returns the report in one line.
func (f *Fault) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s:%d:%d: kernel %s: ", f.File, f.Line, f.Col, f.Kernel)
	if f.Access == "" {
		s.WriteString(f.Kind.String())
	} else {
		fmt.Fprintf(&s, "%s %s at 0x%x", f.Access, f.Kind, f.Address)
	}
	fmt.Fprintf(&s, ", block %v thread %v", f.Block, f.Thread)
	if f.Detail != "" {
		s.WriteString(": " + f.Detail)
	}
	if f.Source != "" {
		s.WriteString(" (from " + f.Source + ")")
	}
	return s.String()
}
