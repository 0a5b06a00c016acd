package native

import "github.com/vop-ptx/vop/run/native/amd64"

// Options say how code is made. The zero value is the best code for AVX2.
type Options struct {
	Level   Level
	Without Fusion // patterns that are not made one; NEON makes none if there are any here
	Listing bool

	// The following are for tests and for finding faults. [amd64.Options] tells what they do.
	NoHoist   bool
	NoFold    bool // with NEON: loads and stores of two vectors stay two instructions
	Registers int
	Groups    int
	Block     [3]int
	Wrapping  []int32
	Careful   bool
	Stepped   bool
	Stream    int
	Turn      int
	Streamed  bool
	// NoDotProduct makes code for processors without FEAT_DotProd, with NEON.
	NoDotProduct bool
}

// Fusion is a set of patterns of several operations that one node does.
type Fusion = amd64.Fusion

// amd64 returns the options for package amd64.
func (o Options) amd64() amd64.Options {
	return amd64.Options{
		Level: amd64.Level(o.Level), Without: o.Without, Listing: o.Listing, NoHoist: o.NoHoist, NoFold: o.NoFold, Registers: o.Registers,
		Groups: o.Groups, Block: o.Block, Wrapping: o.Wrapping, Careful: o.Careful, Stepped: o.Stepped, Stream: o.Stream, Turn: o.Turn, Streamed: o.Streamed,
	}
}
