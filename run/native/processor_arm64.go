package native

import (
	"golang.org/x/sys/cpu"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/array"
	"github.com/vop-ptx/vop/run/native/arm64/kernel"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// This file knows this machine's processor alone: what makes code for the other would be 1 MB of every command.

// compile makes the code of a function for arrays.
func compile(f *simt.Function, o Options) (*code, error) {
	c, err := array.Compile(f, o.arm64())
	if err != nil {
		return nil, err
	}
	return &code{c.Bytes, c.Frame, c}, nil
}

// compileKernel makes the code of a function for warps.
func compileKernel(f *simt.Function, homes *simt.Homes, o Options) (*frame.Code, error) {
	return kernel.Compile(f, homes, o.arm64())
}

// Homes says where the values of a function must be for machine code of a level, for blocks of any shape.
func Homes(f *simt.Function, _ Level) *simt.Homes { return kernel.Homes(f) }

// arm64 returns the options for package arm64.
func (o Options) arm64() arm64.Options {
	has := func(feature bool) bool { return feature && !o.Base }
	return arm64.Options{
		DotProduct: has(cpu.ARM64.HasASIMDDP), Halves: has(cpu.ARM64.HasASIMDHP), Atomics: has(cpu.ARM64.HasATOMICS), Listing: o.Listing, NoFuse: o.Without != 0, NoHoist: o.NoHoist, NoPairs: o.NoFold,
		Registers: o.Registers, Groups: o.Groups, NoRegular: o.Without&amd64.FuseAffine != 0, Block: o.Block, Careful: o.Careful,
	}
}
