package simt

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Type is what a value is in each lane.
type Type uint8

// The types.
const (
	NoType Type = iota
	Pred        // a predicate
	B32         // up to 32 bits: those above the type of an operation do not matter
	B64         // 64 bits
)

// String returns the type as it is printed: "p", "32" or "64".
func (t Type) String() string { return [...]string{"none", "p", "32", "64", "?"}[min(t, B64+1)] }

// TypeOf returns the type of values of a type of PTX. One of 128 bits is two values, the lower half first: see [Halves].
func TypeOf(t check.Type) Type {
	switch {
	case t == check.Pred:
		return Pred
	case t.Bits() >= 64:
		return B64
	}
	return B32
}

// Halves is how many values one of a type of PTX is: two of 64 bits, if it has 128.
func Halves(t check.Type) int {
	if t == check.B128 {
		return 2
	}
	return 1
}

// LetterType returns the type that a letter of an operation's shape stands for.
func LetterType(letter byte) Type {
	switch letter {
	case 'i':
		return B32
	case 'l':
		return B64
	case 'p':
		return Pred
	}
	return NoType
}

// Ones is the bits of a value of the type that are all set.
func (t Type) Ones() uint64 {
	switch t {
	case Pred:
		return 1
	case B32:
		return 1<<32 - 1
	}
	return 1<<64 - 1
}

// ID is the number of a value in its function; 0 is none.
type ID int32

// BlockID is the number of a block in its function: its place in the order of blocks.
type BlockID int32

// NoBlock stands for no block.
const NoBlock BlockID = -1

// ValueKind says where a value comes from.
type ValueKind uint8

// The kinds of values.
const (
	Const   ValueKind = iota // the same bits in all lanes
	Special                  // what the launch gives: %tid.x, an operand of an array, the base of local memory
	PhiDef                   // defined by a phi of Block
	InstDef                  // defined by an instruction of Block
)

// Value is what one place of a function computes.
type Value struct {
	Type  Type
	Kind  ValueKind
	Block BlockID // of PhiDef and InstDef
	Bits  uint64  // of Const
	Name  string  // of Special
}

// Phi chooses a value by the edge that led to its block.
type Phi struct {
	Def  ID
	Args []ID // one for each of the block's Preds, in their order
}

// Kind says what an instruction does.
type Kind uint8

// The kinds of instructions. All but Compute have an Aux, whose type is named here, and a Guard.
const (
	Compute  Kind = iota // Op of Args
	Load                 // *Access; Args: address. Defs: one for each element, 0 where nobody wants it
	Store                // *Access; Args: address, elements
	Atomic               // *Access; Args: address, b, c, or of several elements b of each, or of 128 bits the halves of b, and of cas those of c. Defs: the values before, or none
	Exchange             // *ExchangeOp: shuffles, votes and what else lanes of a warp do together
	Texture              // *TextureOp: reads of textures, accesses to surfaces, queries
	Clock                // string, the special register. Defs: its value now
	InSpace              // check.Space; Args: a generic address. Defs: a predicate
	Bulk                 // *BulkOp
	Host                 // *HostCall: what only the host can do
	Stack                // *StackOp: dynamic local memory. Args: the bytes, or the address that the stack is to end at. Defs: an address
	Trap                 // nothing, or a Reason; stops the launch
	Fence                // nothing: what is accessed before it is seen by others before what is accessed behind it
	Idle                 // nothing: marks an instruction under a guard, or without effect, in literal code
	Probe                // anything; Args: predicates. Tells an observer for which lanes they hold, and makes them false there
)

// Inst is an instruction of a block.
type Inst struct {
	Kind Kind
	Op   op.Op // of Compute
	Defs []ID
	Args []ID
	// Guard is a predicate: lanes for which it does not hold, or, if GuardNot, for which it holds, do nothing,
	// and what they have in Defs means nothing. 0 is no guard. Compute has none.
	Guard    ID
	GuardNot bool
	At       int32 // the instruction of the text: index in check.Function.Body
	// Merge says that a selection is not the text's: it keeps what a register holds in lanes for which
	// the guard of an instruction does not hold.
	Merge bool
	Aux   any
}

// Block is a basic block: phis, which are computed on the edges that lead to it, then instructions
// in order, then its end.
type Block struct {
	Phis  []Phi
	Insts []Inst
	End   End
	// Preds are the blocks that lead here, one for each edge.
	Preds []BlockID
	// From and To bound the block's instructions in the text: indices in check.Function.Body.
	From, To int32
	// Reads are the registers that instructions of the text read, in their order, in literal code.
	Reads []Read
	// Loop is the header of the innermost loop around the block, itself if it is one, or NoBlock.
	Loop BlockID
}

// Read is a register that an instruction of the text reads.
type Read struct {
	At       int32 // the instruction, as Inst.At
	Register string
	Value    ID   // what it is there
	Guard    bool // it is the instruction's guard
}

// EndKind says how a block ends.
type EndKind uint8

// The ends of blocks.
const (
	Jump      EndKind = iota // to To[0]
	Branch                   // to To[0] where Cond holds, else to To[1]
	BranchAll                // all to To[0] if Cond holds in all lanes at work, or else all to To[1], which does the same
	Switch                   // to To[Cond]; an index that is too large is a fault
	Barrier                  // *BarrierOp: waits for others of the CTA or the cluster, then goes to To[0]
	WarpSync                 // waits for the lanes of the warp in Cond, then goes to To[0]
	Call                     // *CallOp: goes on at To[0] when the function returns
	Return                   // from the function
	Exit                     // of the thread
)

// End is how a block ends.
type End struct {
	Kind EndKind
	Cond ID
	To   []BlockID
	At   int32 // the instruction, as Inst.At; -1 of what the text does not have
	Args []ID
	Defs []ID // of a call: the results that are registers; of a barrier: what it has reduced
	Aux  any
}

// Function is a kernel or what it calls, in static single assignment form. The order of Blocks is
// such that every edge leads forward, but for one to the header of each loop.
type Function struct {
	Decl   *check.Function // nil for arrays
	Blocks []Block
	Values []Value // by ID; Values[0] is not used
	// Local is how many bytes of local memory an activation has, and Offsets where variables are in it.
	Local   int
	Offsets map[*check.Variable]int
	// Publishes says that it has an instruction before which all stores must be seen: a fence, or a store that releases.
	Publishes bool

	parents   []BlockID // by header of a loop: that of the loop around it; nil until asked for
	constants map[constant]ID
	specials  map[string]ID
}

// MaxLocal is how much local memory a thread may have. A function that has more is not to be used.
const MaxLocal = 512 << 10

type constant struct {
	typ  Type
	bits uint64
}

// NewFunction returns a function without blocks.
func NewFunction(decl *check.Function) *Function {
	return &Function{Decl: decl, Values: make([]Value, 1), Offsets: map[*check.Variable]int{}, constants: map[constant]ID{}, specials: map[string]ID{}}
}

// newValue makes a value. It is not inlined, as a Value is large and callers are many.
//
//go:noinline
func (f *Function) newValue(v Value) ID {
	f.Values = append(f.Values, v)
	return ID(len(f.Values) - 1)
}

// Define returns a new value that an instruction of a block defines.
func (f *Function) Define(t Type, b BlockID) ID {
	return f.newValue(Value{Type: t, Kind: InstDef, Block: b})
}

// DefinePhi returns a new value that a phi of a block defines.
func (f *Function) DefinePhi(t Type, b BlockID) ID {
	return f.newValue(Value{Type: t, Kind: PhiDef, Block: b})
}

// Constant returns a value with the same bits in all lanes. Of a predicate the lowest bit counts.
func (f *Function) Constant(t Type, bits uint64) ID {
	switch t {
	case B32:
		bits = uint64(uint32(bits))
	case Pred:
		bits &= 1
	}
	key := constant{t, bits}
	id, ok := f.constants[key]
	if !ok {
		id = f.newValue(Value{Type: t, Kind: Const, Bits: bits})
		f.constants[key] = id
	}
	return id
}

// Special returns a value that the launch gives.
func (f *Function) Special(t Type, name string) ID {
	id, ok := f.specials[name]
	if !ok {
		id = f.newValue(Value{Type: t, Kind: Special, Name: name})
		f.specials[name] = id
	}
	return id
}

// ConstOf returns the bits of a value that is a constant.
func (f *Function) ConstOf(v ID) (bits uint64, ok bool) {
	value := &f.Values[v]
	return value.Bits, v != 0 && value.Kind == Const
}
