package vm

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/run/engine"
)

// Fault is the error of a launch that a thread's doing has stopped.
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
	Race // of warps of a block
	PartialBarrier
	WarpRace     // of threads of a warp that have parted, or that write different values with one instruction
	BlockRace    // of blocks, in global memory
	InactiveLane // a shuffle reads a lane that does not take part in it
	MissingLane  // a member mask names a lane that is not there, or not the lane itself
)

func (k FaultKind) String() string {
	return [...]string{
		"out of bounds", "misaligned", "write to constant memory", "deadlock: barrier reached by part of a CTA", "trap", "assertion failed", "recursion overflow", "without a texture", "write to a parameter of the kernel",
		"unset register", "of unset memory", "in a race", "barrier reached by part of a CTA",
		"in a race within a warp", "in a race of blocks", "shuffle from a lane that does not take part", "member mask that does not fit",
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

// locate fills in where the fault happened.
func (f *Fault) locate(m *machine, frame *frame, at int) {
	module := m.launch.kernel.module
	f.Kernel = m.launch.kernel.name
	f.Block = m.block
	f.Thread = m.launch.grid.Block.at(f.thread)
	f.function, f.at = frame.fn.decl, at
	f.File, f.Line, f.Col, f.Source = module.placeOf(frame.fn.decl, at)
}

// place returns file, line and column of a span of the module's text.
func (m *Module) place(span source.Span) (file string, line, col int) {
	f, s := m.decl.Source.Outermost(span)
	at := f.Position(s.Start)
	return f.Name, at.Line, at.Col
}

// accessFault makes the report of an access that is outside all memory, misaligned, or a
// write to what cannot be written.
func (m *machine) accessFault(a *access, thread int, address uint64) bool {
	f := &Fault{Access: a.String(), Address: address, thread: thread}
	m.fault = f
	name, begin, size, readOnly := m.nearest(a.space, address)
	offset := int64(address - begin)
	switch {
	case address < pageSize && (a.space == check.Generic || a.space == check.Global):
		f.Kind = OutOfBounds
		f.Detail = "a null pointer"
	case name == "":
		f.Kind = OutOfBounds
		f.Detail = "there is no allocation in " + a.space.String() + " memory"
	case offset >= 0 && offset+int64(a.span) <= int64(size) && a.writes && readsParams(a.space, address):
		f.Kind = WriteToParameter
		f.Detail = "a kernel only reads its parameters"
	case offset >= 0 && offset+int64(a.span) <= int64(size) && readOnly && a.writes:
		f.Kind = WriteToConst
		f.Detail = fmt.Sprintf("%s is a .const variable", name)
	case offset >= 0 && offset+int64(a.span) <= int64(size):
		f.Kind = Misaligned
		f.Detail = fmt.Sprintf("offset %d in %s is not a multiple of %d", offset, name, a.span)
	case offset < 0 && (address < begin || begin == 0):
		f.Kind = OutOfBounds
		f.Detail = fmt.Sprintf("%s before %s (%s at 0x%x)", diag.Count(-offset, "byte"), name, diag.Count(size, "byte"), begin)
	case 0 <= offset && offset < int64(size):
		f.Kind = OutOfBounds
		last := "byte is"
		if beyond := offset + int64(a.span) - int64(size); beyond > 1 {
			last = fmt.Sprintf("%d bytes are", beyond)
		}
		f.Detail = fmt.Sprintf("the last %s beyond the end of %s (%s at 0x%x)", last, name, diag.Count(size, "byte"), begin)
	case offset == int64(size):
		f.Kind = OutOfBounds
		f.Detail = fmt.Sprintf("right behind the end of %s (%s at 0x%x)", name, diag.Count(size, "byte"), begin)
	default:
		f.Kind = OutOfBounds
		f.Detail = fmt.Sprintf("%s beyond the end of %s (%s at 0x%x)", diag.Count(uint64(offset)-uint64(size), "byte"), name, diag.Count(size, "byte"), begin)
	}
	return false
}

// parametersName is what messages call the memory of a kernel's parameters.
const parametersName = "the kernel's parameters"

// nearest returns the allocation that an address is in or misses by least.
func (m *machine) nearest(space check.Space, address uint64) (name string, begin uint64, size int, readOnly bool) {
	switch space {
	case check.Shared:
		return "the shared memory of the CTA", 0, len(m.shared), false
	case check.Local:
		return "the local memory of the thread", 0, m.localSize(), false
	case check.Param:
		return parametersName, 0, len(m.launch.params), true
	}
	if readsParams(space, address) {
		return parametersName, paramWindow, len(m.launch.params), true
	}
	if space == check.Generic && len(m.shared) > 0 && address-sharedWindow < windowSize {
		return "the shared memory of the CTA", sharedWindow, len(m.shared), false
	}
	if space == check.Generic && address-localWindow < windowSize {
		return "the local memory of the thread", localWindow, m.localSize(), false
	}
	best := ^uint64(0)
	for _, b := range m.launch.allocations {
		miss := b.address - address
		if address >= b.address {
			miss = 0
			if end := b.address + uint64(len(b.data)); address >= end {
				miss = address - end
			}
		}
		if miss < best {
			best = miss
			name, begin, size, readOnly = b.name, b.address, len(b.data), b.readOnly
		}
	}
	return name, begin, size, readOnly
}

// readsParams reports whether an address is one of the kernel's parameters.
func readsParams(space check.Space, address uint64) bool {
	return space == check.Param || space == check.Generic && address-paramWindow < windowSize
}

// localSize is the number of bytes of local memory of a thread.
func (m *machine) localSize() int { return len(m.local) / m.lanes * 4 }

// deadlock makes the report of a CTA in which all threads wait for each other.
func (m *machine) deadlock() *Fault {
	f := &Fault{Kind: Deadlock, thread: first(m.live)}
	var waits []string
	var where *path
	for i := range m.barriers {
		for _, p := range m.barriers[i].waiting {
			if where == nil {
				where = p
				f.thread = first(p.mask)
			}
			waits = append(waits, fmt.Sprintf("%s at barrier %d, line %d", m.waiting(p.mask), i, m.lineBefore(p)))
		}
	}
	for w := range m.warpBarriers {
		for _, p := range m.warpBarriers[w].waiting {
			if where == nil {
				where = p
				f.thread = first(p.mask)
			}
			waits = append(waits, fmt.Sprintf("%s for others of the warp, line %d", m.waiting(p.mask), m.lineBefore(p)))
		}
	}
	for _, j := range m.waitingJoins() {
		waits = append(waits, m.waiting(j.arrived)+" for others of the warp")
	}
	f.Detail = strings.Join(waits, "; ")
	at := 0
	frame := m.root
	if where != nil {
		frame, at = where.frame, where.waitsAt
	}
	f.locate(m, frame, at)
	return f
}

// waiting says which threads wait.
func (m *machine) waiting(threads engine.Mask) string {
	at := m.launch.grid.Block.at(first(threads))
	if n := count(threads); n > 1 {
		return fmt.Sprintf("%d threads (from thread %v on) wait", n, at)
	}
	return fmt.Sprintf("thread %v waits", at)
}

// lineBefore returns the line of the barrier that a path waits at.
func (m *machine) lineBefore(p *path) int {
	_, line, _ := m.launch.kernel.module.place(p.frame.fn.decl.Body[p.waitsAt].Tree.Span())
	return line
}
