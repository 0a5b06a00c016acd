package simt

import "strings"

// special returns the value of a special register.
func (b *builder) special(name string) ID {
	if t, ok := ClockType(name); ok {
		d := b.result(t)
		b.add(Inst{Kind: Clock, Defs: b.list(d), Aux: name})
		return d
	}
	if t, ok := SpecialType(name); ok {
		return b.Special(t, name)
	}
	if !strings.HasPrefix(name, "%envreg") {
		b.lack("the special register %s", name)
	}
	return b.Constant(B32, 0)
}
