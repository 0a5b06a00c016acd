//go:build !purego

package engine

import (
	"golang.org/x/sys/cpu"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

//go:noescape
func runSteps(steps *machine.Step, constants, slots *byte, a, b, c, dst *uint32, bytes uintptr)

//go:noescape
func runEndAVX2(steps *machine.Step, constants, slots *byte, a, b, c, dst *uint32, words uintptr)

//go:noescape
func runEndAVX512(steps *machine.Step, constants, slots *byte, a, b, c, dst *uint32, words uintptr)

func tableAVX2() *handlers
func tableAVX512() *handlers

var (
	unitAVX2 = unit{
		caps:      word.AVX2,
		vector:    32,
		handlers:  tableAVX2(),
		narrowDot: true,
	}
	unitAVX512 = unit{
		caps:          word.AVX2.With("avx512"),
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

// runEnd runs steps over words, fewer than a block. Arrays that are not read may be nil.
func (u *unit) runEnd(steps *machine.Step, constants, slots *byte, a, b, c, dst *uint32, words int) {
	if u == &unitAVX512 {
		runEndAVX512(steps, constants, slots, a, b, c, dst, uintptr(words))
	} else {
		runEndAVX2(steps, constants, slots, a, b, c, dst, uintptr(words))
	}
}
