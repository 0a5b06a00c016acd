// Package machine defines the vector machine: what the assembly of package
// engine can do, one step at a time. The generator writes a handler for every step
// the machine has; the engine turns word programs into sequences of them.
//
// The machine works on a block of words at a time. It has an accumulator that
// holds one word value for the whole block, in [Registers] vector registers. A step
// computes a value from the accumulator and other [Place]s and leaves it in the
// accumulator. A wide value is two words for each word of the block, and takes up the
// accumulator and a second one beside it.
//
// Steps are threaded: each handler ends in a jump to the next one, so that a program
// costs one predicted jump for each operation and block, and nothing else.
package machine

import (
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Registers is the number of vector registers of the accumulator: as many words
// as they have room for are a block.
const Registers = 8

// Op is what a step does: an operation of word programs that the machine does in one
// step, or one of the machine's own.
type Op uint8

// The operations of word programs.
const (
	NoOp Op = iota

	And
	Or
	Xor
	AndNot
	Add
	Sub
	Mul
	Shl
	ShrU
	ShrS
	MinU
	MaxU
	MinS
	MaxS
	CmpEq
	CmpLtU
	CmpLtS
	Perm

	Add8
	Add16
	Sub8
	Sub16
	AddSatU8
	AddSatU16
	AddSatS8
	AddSatS16
	SubSatU8
	SubSatU16
	SubSatS8
	SubSatS16
	MinU8
	MinU16
	MaxU8
	MaxU16
	MinS8
	MinS16
	MaxS8
	MaxS16
	AvgU8
	AvgU16
	CmpEq8
	CmpEq16
	CmpGtU8
	CmpGtU16
	CmpGtS8
	CmpGtS16

	DotU8
	DotS8
	DotS16

	WideU
	WideS
	MulWideU
	MulWideS
	AddWide
	SubWide
	ShlWide
	ShrWideU
	ShrWideS
	MinWideU
	MinWideS
	MaxWideS
	Lo
)

// The operations of the machine itself. Those that read no x have it as the
// accumulator in their modes.
const (
	Load      Op = Lo + 1 + iota // the accumulator becomes y
	Save                         // y becomes the accumulator
	Finish                       // the destination becomes the accumulator; on to the next block, if there is one
	FinishFar                    // Finish for arrays beyond the caches: the destination, which is aligned, is not brought in
	LoadWide                     // both accumulators become y, two slots
	SaveWide                     // y, two slots, becomes both accumulators

	Shuffle   // the bytes of each word of x by the numbers in y; 0 where the number is negative
	BitSelect // x where the bits of a slot, the step's Extra, are 1; y where they are 0
	MulMasked // (x & z) * (y & z), where z is the constant at the step's Extra, at most 7fff

	// |x - y| of lanes: what programs compute as the greater minus the smaller.
	AbsDiffU
	AbsDiffS
	AbsDiffU8
	AbsDiffS8
	AbsDiffU16
	AbsDiffS16

	NumOps
)

// ofProgram gives the operation of word programs that an operation is.
var ofProgram = [Load]word.Op{
	And:       word.And,
	Or:        word.Or,
	Xor:       word.Xor,
	AndNot:    word.AndNot,
	Add:       word.Add,
	Sub:       word.Sub,
	Mul:       word.Mul,
	Shl:       word.Shl,
	ShrU:      word.ShrU,
	ShrS:      word.ShrS,
	MinU:      word.MinU,
	MaxU:      word.MaxU,
	MinS:      word.MinS,
	MaxS:      word.MaxS,
	CmpEq:     word.CmpEq,
	CmpLtU:    word.CmpLtU,
	CmpLtS:    word.CmpLtS,
	Perm:      word.Perm,
	Add8:      word.Add8,
	Add16:     word.Add16,
	Sub8:      word.Sub8,
	Sub16:     word.Sub16,
	AddSatU8:  word.AddSatU8,
	AddSatU16: word.AddSatU16,
	AddSatS8:  word.AddSatS8,
	AddSatS16: word.AddSatS16,
	SubSatU8:  word.SubSatU8,
	SubSatU16: word.SubSatU16,
	SubSatS8:  word.SubSatS8,
	SubSatS16: word.SubSatS16,
	MinU8:     word.MinU8,
	MinU16:    word.MinU16,
	MaxU8:     word.MaxU8,
	MaxU16:    word.MaxU16,
	MinS8:     word.MinS8,
	MinS16:    word.MinS16,
	MaxS8:     word.MaxS8,
	MaxS16:    word.MaxS16,
	AvgU8:     word.AvgU8,
	AvgU16:    word.AvgU16,
	CmpEq8:    word.CmpEq8,
	CmpEq16:   word.CmpEq16,
	CmpGtU8:   word.CmpGtU8,
	CmpGtU16:  word.CmpGtU16,
	CmpGtS8:   word.CmpGtS8,
	CmpGtS16:  word.CmpGtS16,
	DotU8:     word.DotU8,
	DotS8:     word.DotS8,
	DotS16:    word.DotS16,
	WideU:     word.WideU,
	WideS:     word.WideS,
	MulWideU:  word.MulWideU,
	MulWideS:  word.MulWideS,
	AddWide:   word.AddWide,
	SubWide:   word.SubWide,
	ShlWide:   word.ShlWide,
	ShrWideU:  word.ShrWideU,
	ShrWideS:  word.ShrWideS,
	MinWideU:  word.MinWideU,
	MinWideS:  word.MinWideS,
	MaxWideS:  word.MaxWideS,
	Lo:        word.Lo,
}

var toMachine = func() map[word.Op]Op {
	m := map[word.Op]Op{}
	for op := And; op < Load; op++ {
		m[ofProgram[op]] = op
	}
	return m
}()

// Of returns the operation that does one of word programs, or NoOp if no step does it.
func Of(op word.Op) Op { return toMachine[op] }

// Program returns the operation of word programs that op is, or lower.NoOp if it is one
// of the machine's own.
func (op Op) Program() word.Op {
	if op < Load {
		return ofProgram[op]
	}
	return word.NoOp
}

// Commutes reports whether x and y may change places.
func (op Op) Commutes() bool {
	if op < Load {
		return ofProgram[op].Commutes()
	}
	return op >= MulMasked
}

// Wide reports whether the result is a wide value.
func (op Op) Wide() bool { return op < Load && ofProgram[op].Wide() || op == LoadWide }

// String names the operation as the names of handlers do: "AddSatU8".
func (op Op) String() string {
	if op >= Load && op < NumOps {
		return names[op-Load]
	}
	var s strings.Builder
	for part := range strings.SplitSeq(ofProgram[op].String(), ".") {
		s.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return s.String()
}

var names = [NumOps - Load]string{
	"Load", "Save", "Finish", "FinishFar", "LoadWide", "SaveWide", "Shuffle", "BitSelect", "MulMasked",
	"AbsDiffU", "AbsDiffS", "AbsDiffU8", "AbsDiffS8", "AbsDiffU16", "AbsDiffS16",
}

// Place is where a step finds an operand.
type Place uint8

// The places.
const (
	Acc Place = iota // the accumulator
	A                // the source arrays
	B
	C
	Constant // a vector that is the same for all blocks
	Slot     // memory that holds a value of this block
	Second   // registers that hold a value of this block, where there are enough; Second is also
	Third    // the second accumulator

	numPlaces = iota
)

func (p Place) String() string {
	return [numPlaces]string{"Acc", "A", "B", "C", "Constant", "Slot", "Second", "Third"}[p]
}

// Mode says where a step finds x and y, and whether it also does what [Finish]
// does, so that the commonest programs need no step for that.
type Mode struct {
	X, Y     Place
	Finishes bool
}

// String names the mode as the names of handlers do: "AccSlot".
func (m Mode) String() string {
	s := m.X.String() + m.Y.String()
	if m.Finishes {
		s += "Finish"
	}
	return s
}

// Swapped returns the mode with x and y in each other's place.
func (m Mode) Swapped() Mode { return Mode{m.Y, m.X, m.Finishes} }

// Finishing returns the mode that finishes besides.
func (m Mode) Finishing() Mode { return Mode{m.X, m.Y, true} }

// Handler returns the place of a step in the table of handlers. The table
// holds 0 for a step that the machine does not have.
func Handler(op Op, m Mode) int {
	finishes := 0
	if m.Finishes {
		finishes = 1
	}
	return int(op)*numModes + modeNumbers[finishes][m.X][m.Y]
}

// NumHandlers is the number of handlers in the table before those of pairs.
const NumHandlers = int(NumOps) * numModes

// Modes returns the modes that steps with two operands may have.
func Modes() []Mode { return modes[:] }

// modes are those with the accumulator in them, and those that read arrays when
// nothing is in it yet. Others take a Load first.
var modes = [...]Mode{
	{X: Acc, Y: Acc}, // operations on one value only
	{X: Acc, Y: A}, {X: Acc, Y: B}, {X: Acc, Y: C}, {X: Acc, Y: Constant},
	{X: Acc, Y: Slot}, {X: Acc, Y: Second}, {X: Acc, Y: Third},
	{X: A, Y: Acc}, {X: B, Y: Acc}, {X: C, Y: Acc}, {X: Constant, Y: Acc},
	{X: Slot, Y: Acc}, {X: Second, Y: Acc}, {X: Third, Y: Acc},
	{X: A, Y: B}, {X: B, Y: A},
	{X: A, Y: Constant}, {X: B, Y: Constant},

	{X: A, Y: B, Finishes: true}, // a whole program
	{X: Acc, Y: C, Finishes: true}, {X: Acc, Y: Constant, Finishes: true},
}

const numModes = len(modes) + 1 // with one that no step has

// modeNumbers gives the number of a mode by Finishes, X and Y.
var modeNumbers = func() (numbers [2][numPlaces][numPlaces]int) {
	for i, m := range modes {
		finishes := 0
		if m.Finishes {
			finishes = 1
		}
		numbers[finishes][m.X][m.Y] = i + 1
	}
	return numbers
}()

// Pair is a whole program of two operations in one step: First of the arrays A and B,
// then Second of that and the array C, or a constant. These are the second operations,
// the accumulating and the comparing instructions.
type Pair struct {
	First, Second Op
	With          Place // C or Constant
}

// Pairs lists the pairs that the machine has.
var Pairs = func() (pairs []Pair) {
	all := func(with Place, second []Op, first ...Op) {
		for _, f := range first {
			for _, s := range second {
				pairs = append(pairs, Pair{f, s, with})
			}
		}
	}
	all(C, []Op{Add, MinU, MaxU, MinS, MaxS}, Add, Sub, Shl, ShrU, ShrS, MinU, MaxU, MinS, MaxS, AbsDiffU, AbsDiffS)
	all(C, []Op{Add}, MulMasked)
	all(C, []Op{DotU8}, AbsDiffU8, MinU8, MaxU8, AvgU8)
	all(C, []Op{DotS8}, MinS8, MaxS8)
	all(C, []Op{DotS16}, MinS16, MaxS16)
	all(Constant, []Op{And}, CmpEq8, CmpGtU8, CmpGtS8, CmpEq16, CmpGtU16, CmpGtS16)
	return pairs
}()

// NumPairs is the number of pairs. Their handlers follow the others in the table.
const NumPairs = 11*5 + 1 + 4 + 2 + 2 + 6

// Step is one step of a sequence, as the handlers read it. Operand and Extra are
// the number of bytes from the first slot or constant.
type Step struct {
	Handler uintptr
	Operand uint32 // the slot or constant that the mode names
	Extra   uint32 // what an operation reads besides x and y: weights, numbers, a mask
}

// StepSize is the number of bytes of a Step.
const StepSize = 16
