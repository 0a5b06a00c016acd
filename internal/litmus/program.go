package litmus

import "slices"

// Scope is the set of threads that an operation is strong for (PTX ISA 8.5), the smallest first.
type Scope uint8

// The scopes.
const (
	CTA Scope = iota
	Cluster
	GPU
	System
)

var scopeNames = []string{"cta", "cluster", "gpu", "sys"}

func (s Scope) String() string { return scopeNames[s] }

// Order is what an operation says of the order of others (PTX ISA 8.4).
type Order uint8

// The orders. SC is one of fences only.
const (
	Weak Order = iota
	Volatile
	Relaxed
	Acquire
	Release
	AcqRel
	SC
)

var orderNames = []string{"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc"}

func (o Order) String() string { return orderNames[o] }

// acquires and releases say on which sides an operation orders others.
func (o Order) acquires() bool { return o == Acquire || o == AcqRel || o == SC }
func (o Order) releases() bool { return o == Release || o == AcqRel || o == SC }

// Kind is what an instruction is.
type Kind uint8

// The kinds.
const (
	Load  Kind = iota
	Await      // loads until it is not zero
	Store
	Atom
	Red
	Fence
	Barrier // barrier.sync of the CTA
)

// A Guard lets an instruction be executed only if a register is not zero, or only if it is.
type Guard struct {
	Register int // of the thread; NoRegister without a guard
	Zero     bool
	Branch   bool // it is written as a branch around the instruction
}

// NoRegister stands where no register is.
const NoRegister = -1

// A Value is what an instruction writes: a byte that is repeated, or a register.
type Value struct {
	Byte     uint8
	Register int // or NoRegister
}

// constant returns a value without a register.
func constant(b uint8) Value { return Value{Byte: b, Register: NoRegister} }

// An Op is an instruction of a thread. What it reads goes into the registers of the thread that are
// next.
type Op struct {
	Kind     Kind
	Order    Order
	Scope    Scope
	Membar   bool // a fence.sc, written membar
	Location int
	Elements int // of a vector: these are so many locations side by side
	Wide     int // or one scalar that is so many locations side by side
	Update   string
	Value    Value
	More     []Value // of the other elements of a vector
	Compare  uint8   // of cas: a byte, repeated
	Guard    Guard
	Else     int  // the location that is accessed if Depends is zero
	Depends  int  // a register, or NoRegister
	Generic  bool // by a generic address
	Letter   byte // of the type: 'u', 's' or 'b'
	Pause    bool // a pause before it, in some rounds
}

// newOp returns an instruction without guard and dependency.
func newOp(k Kind, o Order, s Scope, location int) Op {
	return Op{
		Kind: k, Order: o, Scope: s, Location: location, Elements: 1, Wide: 1, Letter: 'u', Value: constant(0),
		Guard: Guard{Register: NoRegister}, Depends: NoRegister,
	}
}

// memory reports whether an instruction accesses memory.
func (o *Op) memory() bool { return o.Kind != Fence && o.Kind != Barrier }

// defines is the number of registers that an instruction defines.
func (o *Op) defines() int {
	switch o.Kind {
	case Load, Await:
		return o.Elements
	case Atom:
		return 1
	}
	return 0
}

// A Place is where a thread is: threads with one CTA and one warp are lanes of it.
type Place struct{ CTA, Warp int }

// Layout is how the locations of an instance lie in memory.
type Layout uint8

// The layouts.
const (
	Lines  Layout = iota // each in a cache line of its own
	Dense                // side by side in a word or a line
	Arrays               // each side by side with those of other instances
)

// A Program is a litmus test.
type Program struct {
	Name    string
	Threads [][]Op
	Places  []Place // of the threads
	Sizes   []int   // of the locations, in bytes; all the same if they are dense
	Layout  Layout
	Shared  bool // locations are in shared memory
	Merged  bool // threads of one warp are written as one piece of code under guards
	Meets   bool // threads of one CTA come together before each round
	Width   int  // instances that a warp runs at once
	Seed    uint64
}

// registers is the number of registers of a thread.
func (p *Program) registers(thread int) (n int) {
	for i := range p.Threads[thread] {
		n += p.Threads[thread][i].defines()
	}
	return n
}

// base is where a location is, in the bytes of an instance as the model has them.
func (p *Program) base(location int) int {
	if p.Layout == Dense {
		return location * p.Sizes[0]
	}
	return 8 * location
}

// repeated returns a number whose bytes are all b.
func repeated(b uint8, size int) uint64 { return uint64(b) * 0x0101010101010101 & onesOf(size) }

// onesOf has the bits of so many bytes.
func onesOf(size int) uint64 { return 1<<(8*size-1)<<1 - 1 }

// CTAs is the number of CTAs that a program is for.
func (p *Program) CTAs() (n int) {
	for _, at := range p.Places {
		n = max(n, at.CTA+1)
	}
	return n
}

// warps is the number of warps of a CTA.
func (p *Program) warps() (n int) {
	for _, at := range p.Places {
		n = max(n, at.Warp+1)
	}
	return n
}

// sharing is how many threads of the program there are in one warp at most.
func (p *Program) sharing() (most int) {
	count := map[Place]int{}
	for _, at := range p.Places {
		count[at]++
		most = max(most, count[at])
	}
	return most
}

// lane is which of the threads in its warp a thread is.
func (p *Program) lane(thread int) (n int) {
	for t := range thread {
		if p.Places[t] == p.Places[thread] {
			n++
		}
	}
	return n
}

// Block is the number of threads of a CTA that run Width instances.
func (p *Program) Block() int {
	if p.warps() > 1 {
		return 32 * p.warps()
	}
	return p.Width * p.sharing()
}

// has reports whether any instruction is as asked for.
func (p *Program) has(f func(*Op) bool) bool {
	return slices.ContainsFunc(p.Threads, func(ops []Op) bool {
		for i := range ops {
			if f(&ops[i]) {
				return true
			}
		}
		return false
	})
}
