package vm

import "github.com/vop-ptx/vop/read/check"

// convertForms are the conversions (PTX ISA 9.7.9).
var convertForms = []row{
	{"cvt{.sat}.<all>.<all>", convert},
	{"cvta{.to}.(global|shared|local|const|param).(u32|u64)", convertAddress},
}

// convert builds cvt. A destination register wider than the type takes the value extended by
// the type's sign, or by zeros if it is not an integer.
func convert(b *builder) {
	types := b.inst.types()
	to, from := types[0], types[1]
	d := b.anyDestination(b.operand(0))
	if d == noRegister {
		return
	}
	s := b.source(b.operand(1), classOf(from), from)
	name := b.inst.String()
	if b.registers[d].class == classOf(to) {
		b.emitPlain(name, d, s)
		return
	}
	exact := b.newRegister(classOf(to))
	b.unguarded(func() { b.emitPlain(name, exact, s) })
	b.emitPlain("cvt."+extendName(to)+"."+integerName(to), d, exact)
}

// extendName is the 64-bit type of the same sign.
func extendName(t check.Type) string {
	if check.S8 <= t && t <= check.S64 {
		return "s64"
	}
	return "u64"
}

// convertAddress builds cvta: the windows of the address space (memory.go) are added to addresses
// in a space, and subtracted by cvta.to. Global and constant addresses are generic
// ones already.
func convertAddress(b *builder) {
	var window uint64
	switch {
	case b.inst.has("shared"):
		window = sharedWindow
	case b.inst.has("local"):
		window = localWindow
	case b.inst.has("param"):
		window = paramWindow
	}
	if b.inst.has("to") {
		window = -window
	}
	t := b.inst.lastType()
	c := classOf(t)
	d := b.destination(b.operand(0), c)
	s := b.source(b.operand(1), c, t)
	if window == 0 {
		b.emitPlain(moveName(c), d, s)
		return
	}
	b.emitPlain("add."+integerName(t), d, s, b.constant(c, window))
}
