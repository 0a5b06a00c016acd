//go:build !amd64 || purego

package engine

import "github.com/vop-ptx/vop/engine/internal/machine"

// vectorUnit returns the vector machine of a level: there is none here.
func vectorUnit(Level) *unit { return nil }

func (u *unit) launch(steps *machine.Step, constants, slots *byte, a, b, c, dst *uint32, bytes uintptr) {
}
