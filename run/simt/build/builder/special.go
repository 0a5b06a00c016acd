package builder

import (
	"strings"

	"github.com/vop-ptx/vop/run/simt"
)

// SpecialRegister returns the value of a special register.
func (b *Builder) SpecialRegister(name string) simt.ID {
	if t, ok := simt.ClockType(name); ok {
		d := b.Result(t)
		b.Add(simt.Inst{Kind: simt.Clock, Defs: b.List(d), Aux: name})
		return d
	}
	if t, ok := simt.SpecialType(name); ok {
		return b.Special(t, name)
	}
	if !strings.HasPrefix(name, "%envreg") {
		b.Lack("the special register %s", name)
	}
	return b.Constant(simt.B32, 0)
}
