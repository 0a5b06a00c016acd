package vop

import (
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// TestNumbers holds that names of this package have the numbers of those of the packages below, into which they are
// converted.
func TestNumbers(t *testing.T) {
	for i, pair := range [][2]int{
		{int(ISA), int(isa.Manual)}, {int(SM86), int(isa.SM86)},
		{int(Error), int(diag.Error)}, {int(Warning), int(diag.Warning)}, {int(Note), int(diag.Note)},
		{int(Auto), int(level.Auto)}, {int(Portable), int(level.Portable)}, {int(AVX2), int(level.AVX2)}, {int(AVX512), int(level.AVX512)},
		{int(OutOfBounds), int(vm.OutOfBounds)}, {int(Misaligned), int(vm.Misaligned)}, {int(WriteToConst), int(vm.WriteToConst)},
		{int(Deadlock), int(vm.Deadlock)}, {int(Trap), int(vm.Trap)}, {int(Assertion), int(vm.Assertion)},
		{int(RecursionOverflow), int(vm.RecursionOverflow)}, {int(NoTexture), int(vm.NoTexture)},
		{int(WriteToParameter), int(vm.WriteToParameter)}, {int(UnsetRegister), int(vm.UnsetRegister)},
		{int(UnsetMemory), int(vm.UnsetMemory)}, {int(Race), int(vm.Race)}, {int(PartialBarrier), int(vm.PartialBarrier)},
		{int(WarpRace), int(vm.WarpRace)}, {int(BlockRace), int(vm.BlockRace)}, {int(InactiveLane), int(vm.InactiveLane)},
		{int(MissingLane), int(vm.MissingLane)}, {int(StackOverflow), int(vm.StackOverflow)},
		{int(TexelU8), int(vm.TexelU8)}, {int(TexelS8), int(vm.TexelS8)}, {int(TexelU16), int(vm.TexelU16)},
		{int(TexelS16), int(vm.TexelS16)}, {int(TexelU32), int(vm.TexelU32)}, {int(TexelS32), int(vm.TexelS32)},
		{int(TexelF16), int(vm.TexelF16)}, {int(TexelF32), int(vm.TexelF32)},
		{int(Clamp), int(vm.Clamp)}, {int(Border), int(vm.Border)}, {int(Wrap), int(vm.Wrap)}, {int(Mirror), int(vm.Mirror)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("pair %d: %d is %d below", i, pair[0], pair[1])
		}
	}
}
