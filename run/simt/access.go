package simt

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
)

// Access is what a load, a store or an atomic operation says of memory.
type Access struct {
	Space    check.Space
	Offset   uint64 // added to the address, in the width of the address
	Size     int    // bytes of one element
	Elements int
	Signed   bool // elements are extended by their sign
	Writes   bool
	Update   string // of an atomic operation: "add.u32"
	Whole    bool   // its two elements are the halves of one of 128 bits: if it is strong, both are accessed at once
	Implicit bool   // the text does not have it: a register that is a parameter
	Aligned  uint64 // the alignment that the address must have, if it is not the number of bytes
	Ordering
	Spelling string // for messages: "ld.global.u32"
}

// Ordering is what an access says of those of other threads (PTX ISA 8.6).
type Ordering struct{ Strong, Acquires, Releases bool }

// Span is the number of bytes that a lane accesses, and, unless Aligned says another, the alignment that its address must have.
func (a *Access) Span() uint64 { return uint64(a.Size * a.Elements) }

// Alignment is the alignment that the address must have.
func (a *Access) Alignment() uint64 {
	if a.Aligned != 0 {
		return a.Aligned
	}
	return a.Span()
}

// AtOnce reports whether others may access the same 128 bits meanwhile, and must not see one half without the other. There is no machine
// code for that. Memory of the spaces that are not named here is that of one worker, or nobody writes it.
func (a *Access) AtOnce() bool {
	return a.Whole && a.Strong && (a.Space == check.Global || a.Space == check.Generic)
}

// String returns the access as reports have it: "ld.global.u32 of 4 bytes".
func (a *Access) String() string { return a.Spelling + " of " + diag.Count(a.Span(), "byte") }

// LoadsParameter reports whether an instruction loads a parameter, whatever lanes are at work.
func (f *Function) LoadsParameter(i *Inst) bool {
	a, ok := i.Aux.(*Access)
	if !ok || i.Kind != Load || a.Space != check.Param || i.Guard != 0 {
		return false
	}
	_, constant := f.ConstOf(i.Args[0])
	return constant
}
