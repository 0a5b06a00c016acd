//go:build !purego

package engine

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/vop-ptx/vop/engine/internal/machine"
	"github.com/vop-ptx/vop/lower"
)

//go:noescape
func runSteps(steps *machine.Step, constants, slots *byte, a, b, c, dst *uint32, bytes uintptr)

//go:noescape
func padAVX2(to *byte, from *uint32, words uintptr)

//go:noescape
func padAVX512(to *byte, from *uint32, words uintptr)

func tableAVX2() *handlers
func tableAVX512() *handlers

var (
	unitAVX2 = unit{
		caps:      lower.AVX2,
		vector:    32,
		handlers:  tableAVX2(),
		narrowDot: true,
	}
	unitAVX512 = unit{
		caps:          lower.AVX2.With("avx512"),
		vector:        64,
		handlers:      tableAVX512(),
		twoSourcePerm: true,
		registers:     []machine.Place{machine.Third, machine.Second},
	}
)

// vectorUnit returns the vector machine of a level, or nil if the level is
// portable or this machine does not have it.
func vectorUnit(l Level) *unit {
	switch {
	case l == AVX2 && cpu.X86.HasAVX2:
		return &unitAVX2
	case l == AVX512 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL &&
		cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VNNI:
		return &unitAVX512
	}
	return nil
}

// pad copies words, fewer than a block, to where a whole block can be read.
func (u *unit) pad(to *byte, words []uint32) {
	if u == &unitAVX512 {
		padAVX512(to, unsafe.SliceData(words), uintptr(len(words)))
	} else {
		padAVX2(to, unsafe.SliceData(words), uintptr(len(words)))
	}
}
