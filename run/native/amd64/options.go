package amd64

import "strings"

// Options say how code is made. The zero value is the best code for AVX2.
type Options struct {
	Level   Level
	Without Fusion // patterns that are not made one node
	Listing bool   // Code.Lines are wanted

	// The following are for tests and for finding faults.
	NoHoist   bool // constants are read where they are used, not kept in registers
	NoFold    bool // loads stay instructions of their own
	Registers int  // so many vector registers are used, and few mask registers; 0 is all
	Groups    int  // so many groups of lanes make a turn of an array's loop; 0 is a good number

	// CheckRegisters looks at the registers of kernels when they are compiled: no two values share one at the same time, what
	// steps may read is in one, and code reads what it is entered with.
	CheckRegisters bool

	// Block is the shape of the blocks that a kernel is launched with, zeros if it is not known.
	Block [3]int

	// Params is how many bytes of parameters a kernel has. The windows of its accesses begin with them.
	Params int

	// Wrapping are the values of a kernel, by their IDs, of which sums of words have been seen to wrap around before they were
	// extended. Careful says that all may. They are looked at where
	// memory is accessed.
	Wrapping []int32
	Careful  bool
	// Stepped says that blocks have been executed by other means, so that sums may have wrapped around unseen.
	Stepped bool

	// Stream is how many bytes memory must have that nobody reads for stores to go past the caches; 0 is a good number.
	Stream int

	// Turn is how many instructions a group of lanes of a kernel executes before others get their turn; 0 is a good number.
	Turn int

	// Streamed makes code whose stores go past the caches: for arrays much larger than they are.
	// The destination must be aligned to 64 bytes.
	Streamed bool
}

// Fusion is a set of patterns of several operations that one node does.
type Fusion uint32

// The patterns.
const (
	FuseLogic     Fusion = 1 << iota // any logic of three values: vpternlogd
	FuseMasked                       // a comparison that gives vectors, and what it masks: a masked move
	FuseBlend                        // a comparison that chooses between two values: a blend
	FuseProduct                      // the product of two small numbers, and a sum: vpmaddwd, vpdpwssd
	FuseMaskedAnd                    // the conjunction of a comparison and a predicate: a masked comparison
	FuseFunnel                       // two shifts of which one fills what the other leaves: vpshldd
	FuseLanes                        // the order of lanes of 64 bits that takes fewest instructions
	FuseAddress                      // the parts of an address, and the access
	FuseAffine                       // values that are a scalar and a constant for each lane
	FuseSame                         // scalars that are known to be equal, and accesses that are apart by constants
	FuseCopies                       // a value and the phi that has it in the next turn of a loop
	FuseFlush                        // .ftz of all operations of a function: the processor's mode that flushes
	FuseBlocks                       // the blocks that a warp away from the borders goes through

	fusionsEnd
	// AllFusions are all patterns.
	AllFusions = fusionsEnd - 1
)

var fusionNames = [...]string{"logic", "masked", "blend", "product", "masked-and", "funnel", "lanes", "address", "affine", "same", "copies", "flush", "blocks"}

// String returns the names of the patterns, joined by commas.
func (f Fusion) String() string {
	var names []string
	for i, name := range fusionNames {
		if f>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}
