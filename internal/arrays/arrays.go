// Package arrays is the engine that campaigns hold to the reference: arrays, as the library computes them. The command
// and the modules of contrib run the same one.
package arrays

import (
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/isa"
)

// Engine returns what evaluates a form on arrays. It is an Engine of package campaign.
func Engine(f isa.Form, r isa.Reading) (func(dst, a, b, c []uint32) error, error) {
	in, err := vop.Parse(f.String())
	if err != nil {
		return nil, err
	}
	return in.As(vop.Reading(r)).Apply, nil
}
