package build

import (
	"strings"

	"github.com/vop-ptx/vop/run/simt"
)

// special returns the value of a special register.
func (b *builder) special(name string) simt.ID {
	if t, ok := simt.ClockType(name); ok {
		d := b.result(t)
		b.add(simt.Inst{Kind: simt.Clock, Defs: b.list(d), Aux: name})
		return d
	}
	if t, ok := simt.SpecialType(name); ok {
		return b.Special(t, name)
	}
	if !strings.HasPrefix(name, "%envreg") {
		b.lack("the special register %s", name)
	}
	return b.Constant(simt.B32, 0)
}
