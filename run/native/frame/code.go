package frame

import (
	"github.com/vop-ptx/vop/run/native/listing"
	"github.com/vop-ptx/vop/run/simt"
)

// Code is machine code of a function for warps.
type Code struct {
	Bytes []byte
	Lines []listing.Line // if a listing is wanted
	// Rests says that the code rests on sums that have not wrapped around before they were extended, beyond those that it
	// reads: only what it has looked at itself is known.
	Rests bool
	// Digits is how many columns the bytes of an instruction take in a listing.
	Digits int
	// Blocks are the offsets in the code at which groups enter blocks, and Entered the instructions there, as in Part.
	Blocks, Entered []int32
	// Fresh is where the code is entered that no registers are to be loaded for; else it is at its beginning.
	Fresh int32
	// Together says that the code goes on with the next warp at barriers and ends, and returns the address of the frame
	// with which it leaves.
	Together bool
	// ByWarp says that a warp goes on with the next CTA of a row before the warp behind it begins, and not all warps of a CTA
	// before those of the next one.
	ByWarp bool
	// Flushes says that the code runs where the processor flushes subnormal floats.
	Flushes bool
	Sites   []Site
	// Homes says where values are between blocks that are not executed by this code, and Live which values are read
	// from the beginning of a block on.
	Homes *simt.Homes
	// Also returns what an instruction reads besides its operands.
	Also func(i *simt.Inst) []simt.ID
	Live [][]uint64
	// Values says by ID where values are.
	Values []Location
	// VectorBytes is how many bytes the vectors of parts have. Predicates are masks of 16 bits if these are 64, or else
	// vectors of words that are all ones or zeros.
	VectorBytes int
	// Size is how many bytes the frame has, and Windows how many the windows of accesses have, of [WindowSize] bytes
	// each. Waiting is where the frame has the lanes that wait, by block: 32 bits each. SomeWait is where it has a bit for
	// each block at which lanes wait, in words of 32 bits, or 0 if it has none.
	// The first Params bytes of the windows are the parameters of the kernel.
	Size, Windows     int
	Params            int
	Waiting, SomeWait int32
}

// String lists the code: offsets, bytes, instructions. Constants stand behind the code.
func (c *Code) String() string {
	list := listing.String(c.Bytes, c.Lines, c.Digits)
	if c.Flushes {
		return "  (in the processor's mode that flushes subnormal floats)\n" + list
	}
	return list
}

// SiteKind says why code leaves.
type SiteKind uint8

// The kinds of sites.
const (
	StepSite    SiteKind = iota // an instruction is to be executed by other means; then the code goes on at Resume
	AccessSite                  // likewise, since an access has not found its window
	EndSite                     // the end of a block is to be executed by other means
	WrapSite                    // the rest of the block is to be executed by other means, and its end, since a sum has wrapped around
	AwaitSite                   // likewise, if the exchange that is Inst must wait for others; if not, the code goes on at Resume
	BarrierSite                 // the lanes are at a barrier of the CTA, behind which the code goes on at Resume
	BudgetSite                  // the budget is used up; the code goes on at Resume
	DoneSite                    // no lanes are left
)

// Site is a place where the code leaves.
type Site struct {
	Kind   SiteKind
	Block  simt.BlockID
	Inst   int32 // index in the block's Insts
	Resume int32 // offset in the code
	Window int32 // offset of the access's window
	Extent int64 // the lanes' addresses are as far apart at most, where machine code knows it
	// Together is the offset of the window of the loads that this one is the first of, and Extends how far the addresses of
	// all of them are apart at most. There is none if it is 0.
	Together int32
	Extends  int64
	// Fresh says that the code at Resume loads the registers that it needs.
	Fresh bool
	// Left and Resumed are the instructions at which the code leaves and goes on, as in Part.
	Left, Resumed int32
}

// GoesOn reports whether the code goes on behind the site, at Resume.
func (s *Site) GoesOn() bool {
	return s.Kind != EndSite && s.Kind != DoneSite && s.Kind != WrapSite
}

// Location says where a value is when the code has left.
type Location struct {
	// AtHome says that the code keeps the value in its home, be it elsewhere too.
	AtHome bool
	Scalar bool
	// Constant says that the value has turned out to be a constant: whoever computes it need not know its operands.
	Constant bool
	// Parts are the vectors or masks of the groups in the frame, in order; two for each group of values of 64 bits. Of a
	// scalar there is one. None: the value is in its home only, or is not computed as such.
	Parts []Part
	// Lanes is, of values that are a scalar and a constant for each lane, the constants. There are as many parts as
	// scalars: none, one, or one for each group.
	Lanes *[simt.WarpSize]int64
}

// Part is where a part of a value is.
type Part struct {
	Offset     int32 // in the frame
	From, To   int32 // the instructions between which it is there
	Everywhere bool  // it is there always
}

// Covers reports whether a part is where it says when the code leaves or goes on at an instruction.
func (p *Part) Covers(at int32) bool { return p.Everywhere || p.From < at && at <= p.To }
