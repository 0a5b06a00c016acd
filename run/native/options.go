package native

import "github.com/vop-ptx/vop/run/native/amd64"

// Options say how code is made. The zero value is the best code for AVX2.
type Options struct {
	Level   Level
	Without Fusion // patterns that are not made one; NEON makes none if there are any here
	Listing bool

	// The following are for tests and for finding faults. [amd64.Options] tells what they do.
	NoHoist        bool
	NoFold         bool // with NEON: loads and stores of two vectors stay two instructions
	Registers      int
	Groups         int
	CheckRegisters bool
	Block          [3]int
	Params         int
	Wrapping       []int32
	Careful        bool
	Stepped        bool
	Stream         int
	Turn           int
	Streamed       bool
	// Base makes code for processors with NEON alone, without FEAT_DotProd, FEAT_FP16 and FEAT_LSE.
	Base bool
}

// Fusion is a set of patterns of several operations that one node does.
type Fusion = amd64.Fusion

// FuseBlocks makes one block of those that a warp away from the borders goes through.
const FuseBlocks = amd64.FuseBlocks

// amd64 returns the options for package amd64.
func (o Options) amd64() amd64.Options {
	return amd64.Options{
		Level: amd64.Level(o.Level), Without: o.Without, Listing: o.Listing, NoHoist: o.NoHoist, NoFold: o.NoFold, Registers: o.Registers,
		Groups: o.Groups, CheckRegisters: o.CheckRegisters, Block: o.Block, Params: o.Params, Wrapping: o.Wrapping, Careful: o.Careful, Stepped: o.Stepped, Stream: o.Stream, Turn: o.Turn, Streamed: o.Streamed,
	}
}
