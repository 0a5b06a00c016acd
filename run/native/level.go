package native

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native/amd64"
)

// Level is the instruction set that code is made for.
type Level = amd64.Level

// The levels.
const (
	AVX2   = amd64.AVX2
	AVX512 = amd64.AVX512
)

// Levels returns the levels that this machine has, slowest first; none where code cannot be made.
func Levels() []Level {
	var all []Level
	if runtime.GOARCH != "amd64" {
		return nil
	}
	x := &cpu.X86
	if x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT && x.HasCX16 && x.HasF16C && x.HasLZCNT {
		all = append(all, AVX2)
		if x.HasAVX512F && x.HasAVX512VL && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512CD && x.HasAVX512VBMI && x.HasAVX512VBMI2 && x.HasAVX512VNNI &&
			x.HasAVX512BITALG && x.HasAVX512VPOPCNTDQ && x.HasAVX512IFMA && x.HasAVX512GFNI {
			all = append(all, AVX512)
		}
	}
	return all
}

// Supported reports whether this machine has a level.
func Supported(l Level) bool { return slices.Contains(Levels(), l) }

// Caps returns the operations that word programs for a level are made of.
func Caps(l Level) word.Caps {
	if l == AVX512 {
		return word.AVX512
	}
	return word.AVX2
}

// Options say how code is made.
type Options = amd64.Options

// Code is machine code before it is put into memory, for listings.
type Code = amd64.Code

// unsupported is the error for a level that this machine does not have.
func unsupported(l Level) error {
	return fmt.Errorf("native: this machine has no %v: %w", l, errors.ErrUnsupported)
}
