package native

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/arm64"
)

// Level is the instruction set that code is made for.
type Level uint8

// The levels. Those of amd64 stand first, as package amd64 has them.
const (
	AVX2 Level = iota
	AVX512
	NEON
)

// String returns the name of the level.
func (l Level) String() string { return [...]string{"avx2", "avx512", "neon"}[l] }

// Lanes returns how many lanes a group has.
func (l Level) Lanes() int {
	if l == NEON {
		return arm64.Lanes
	}
	return amd64.Level(l).Lanes()
}

// Levels returns the levels that this machine has, slowest first; none where code cannot be made.
func Levels() (all []Level) {
	switch runtime.GOARCH {
	case "amd64":
		x := &cpu.X86
		if x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT && x.HasCX16 && x.HasF16C && x.HasLZCNT {
			all = append(all, AVX2)
			if x.HasAVX512F && x.HasAVX512VL && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512CD && x.HasAVX512VBMI && x.HasAVX512VBMI2 && x.HasAVX512VNNI &&
				x.HasAVX512BITALG && x.HasAVX512VPOPCNTDQ && x.HasAVX512IFMA && x.HasAVX512GFNI {
				all = append(all, AVX512)
			}
		}
	case "arm64":
		all = append(all, NEON) // which every processor has that Go runs on
	}
	return all
}

// Supported reports whether this machine has a level.
func Supported(l Level) bool { return slices.Contains(Levels(), l) }

// Caps returns the operations that word programs for a level are made of.
func Caps(l Level) word.Caps {
	switch l {
	case AVX512:
		return word.AVX512
	case NEON:
		return word.NEON
	}
	return word.AVX2
}

// unsupported is the error for a level that this machine does not have.
func unsupported(l Level) error {
	return fmt.Errorf("native: this machine has no %v: %w", l, errors.ErrUnsupported)
}
