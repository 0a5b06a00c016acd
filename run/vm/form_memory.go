package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/engine"
)

// memoryForms are loads and stores (PTX ISA 9.7.9.8 to 9.7.9.12). Cache operators, scopes and
// eviction priorities say nothing about results and are read over. Every access
// of a CTA is seen by the next in program order, which is what .volatile and the memory
// orders ask for within a CTA.
var memoryForms = []row{
	{"ld{.(weak|volatile|relaxed|acquire)}{.(cta|cluster|gpu|sys)}{.(const|global|shared|local|param|shared::cta|param::entry|param::func)}{.(ca|cg|cs|lu|cv)}{.nc}{.(L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate)}{.(L2::64B|L2::128B|L2::256B)}{.(v2|v4)}.<mem>", loadMemory},
	{"ldu{.global}{.(v2|v4)}.<mem>", loadMemory},
	{"st{.(weak|volatile|relaxed|release)}{.(cta|cluster|gpu|sys)}{.(global|shared|local|param|shared::cta|param::func)}{.(wb|cg|cs|wt)}{.(L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate)}{.(v2|v4)}.<mem>", storeMemory},
	{"prefetch{.(global|local)}.(L1|L2)", nothing},
	{"prefetchu.L1", nothing},
}

// nothing builds instructions that have no effect here.
func nothing(b *builder) {}

// spaceOf returns the state space that the form names.
func (f form) spaceOf() check.Space {
	for modifier, space := range map[string]check.Space{
		"const": check.Const, "global": check.Global, "shared": check.Shared, "shared::cta": check.Shared,
		"local": check.Local, "param": check.Param, "param::entry": check.Param, "param::func": check.Param,
	} {
		if f.has(modifier) {
			return space
		}
	}
	return check.Generic
}

// accessName is the name of the type in package engine's memory operations.
func accessName(t check.Type) string {
	switch t {
	case check.F16x2:
		return "u32"
	case check.S64:
		return "u64"
	}
	return integerName(t)
}

// accessOf returns what the operand at i says of an access, and its address.
func (b *builder) accessOf(i int) (a access, address register) {
	t := b.inst.lastType()
	a = access{space: b.inst.spaceOf(), size: uint64(t.Bytes()), span: uint64(t.Bytes()), spelling: b.inst.String()}
	switch {
	case b.inst.has("v2"):
		a.span *= 2
	case b.inst.has("v4"):
		a.span *= 4
	}
	o := b.operand(i)
	if o.Kind != check.OpAddress || len(o.Elems) != 1 {
		b.fail("the address %s", b.name(o))
		return a, b.constant(wide, 0)
	}
	a.offset = uint64(o.Offset)
	if a.space == check.Param && !b.decl.Entry {
		a.space = check.Local
	}
	base := &o.Elems[0]
	switch base.Kind {
	case check.OpReg:
		return a, b.element(base.Reg, int(base.Elem))
	case check.OpImm:
		return a, b.constant(wide, base.Imm)
	case check.OpVar:
		if a.space == check.Generic {
			a.space = base.Var.Space
		}
		if _, ok := b.local[base.Var]; ok {
			a.space = check.Local
		}
		return a, b.addressOf(base, wide)
	}
	b.fail("the address %s", b.name(o))
	return a, b.constant(wide, 0)
}

// vectorElements returns the operands of a vector operand, or the operand itself.
func vectorElements(o *check.Operand) []check.Operand {
	if o.Kind == check.OpVector {
		return o.Elems
	}
	return []check.Operand{*o}
}

// elementCount is the number of elements that the form's v2 or v4 asks for.
func (a *access) elementCount() int { return int(a.span / a.size) }

// loadMemory builds ld and ldu.
func loadMemory(b *builder) {
	a, address := b.accessOf(1)
	a.reads = true
	elems := vectorElements(b.operand(0))
	if len(elems) != a.elementCount() {
		b.fail("its destination has %s", diag.Count(len(elems), "element"))
		return
	}
	d := make([]register, len(elems))
	c := classOf(b.inst.lastType())
	for i := range elems {
		d[i] = noRegister
		if elems[i].Kind != check.OpSink {
			if d[i] = b.anyDestination(&elems[i]); d[i] == noRegister {
				return
			}
			c = b.registers[d[i]].class
		}
	}
	for _, r := range d {
		if r != noRegister && b.registers[r].class != c || c == flag {
			b.fail("its destinations are of different kinds")
			return
		}
	}
	switch {
	case c == narrow && b.registers[address].class == narrow:
		emitLoad[uint32, uint32](b, a, d, address, "32.32")
	case c == narrow:
		emitLoad[uint32, uint64](b, a, d, address, "32.64")
	case b.registers[address].class == narrow:
		emitLoad[uint64, uint32](b, a, d, address, "64.32")
	default:
		emitLoad[uint64, uint64](b, a, d, address, "64.64")
	}
}

func emitLoad[W, A engine.Word](b *builder, a access, d []register, address register, words string) {
	name := accessName(b.inst.lastType())
	f, ok := engine.Plain[engine.Load[W]]("load." + name + "." + words[:2])
	gather, ok2 := engine.Plain[engine.Gather[W, A]]("gather." + name + "." + words)
	if !ok || !ok2 {
		b.fail("")
		return
	}
	extend := func(x W) W { return x }
	if name[0] == 's' {
		shift := 64 - 8*a.size
		extend = func(x W) W { return W(int64(uint64(x)<<shift) >> shift) }
	}
	var defs []register
	overwrites := false
	for _, r := range d {
		if r != noRegister {
			defs = append(defs, r)
			overwrites = overwrites || r == address
		}
	}
	b.emit(defs, []register{address}, func(fr *frame, private bool) step {
		s := &load[W, A]{access: a, address: columnOf[A](fr, address), f: f, gather: gather, extend: extend, private: private}
		for _, r := range d {
			var c *column[W]
			if r != noRegister {
				c = columnOf[W](fr, r)
			}
			s.d = append(s.d, c)
		}
		if overwrites && len(d) > 1 {
			s.addresses = make([]A, len(s.address.values))
		}
		return s
	})
	b.linkAccess(a, d, address, words)
}

// storeMemory builds st.
func storeMemory(b *builder) {
	a, address := b.accessOf(0)
	a.writes = true
	elems := vectorElements(b.operand(1))
	if len(elems) != a.elementCount() {
		b.fail("its source has %s", diag.Count(len(elems), "element"))
		return
	}
	t := b.inst.lastType()
	c := classOf(t)
	values := make([]register, len(elems))
	for i := range elems {
		values[i] = b.source(&elems[i], c, t)
	}
	switch {
	case c == narrow && b.registers[address].class == narrow:
		emitStore[uint32, uint32](b, a, values, address, "32.32")
	case c == narrow:
		emitStore[uint32, uint64](b, a, values, address, "32.64")
	case b.registers[address].class == narrow:
		emitStore[uint64, uint32](b, a, values, address, "64.32")
	default:
		emitStore[uint64, uint64](b, a, values, address, "64.64")
	}
}

func emitStore[W, A engine.Word](b *builder, a access, values []register, address register, words string) {
	name := accessName(b.inst.lastType())
	f, ok := engine.Plain[engine.Store[W]]("store." + name + "." + words[:2])
	scatter, ok2 := engine.Plain[engine.Scatter[W, A]]("scatter." + name + "." + words)
	if !ok || !ok2 {
		b.fail("")
		return
	}
	b.emit(nil, append([]register{address}, values...), func(fr *frame, private bool) step {
		s := &store[W, A]{access: a, address: columnOf[A](fr, address), f: f, scatter: scatter}
		for _, r := range values {
			s.a = append(s.a, columnOf[W](fr, r))
		}
		return s
	})
	b.linkAccess(a, values, address, words)
}
