//go:build !amd64 || purego

package engine

import "github.com/vop-ptx/vop/run/engine/internal/machine"

// vectorUnit returns the vector machine of a level: there is none here, and so
// there are no steps to run.
func vectorUnit(Level) *unit { return nil }

func runSteps(_ *machine.Step, _, _ *byte, _, _, _, _ *uint32, _ uintptr) {}

func (*unit) runEnd(_ *machine.Step, _, _ *byte, _, _, _, _ *uint32, _ int) {}
