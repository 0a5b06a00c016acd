package simt

import "strings"

// specials are the predefined registers (PTX ISA 10) whose value does not change while a CTA runs, and
// their types.
var specials = map[string]Type{
	"%tid.x": B32, "%tid.y": B32, "%tid.z": B32, "%ntid.x": B32, "%ntid.y": B32, "%ntid.z": B32,
	"%ctaid.x": B32, "%ctaid.y": B32, "%ctaid.z": B32, "%nctaid.x": B32, "%nctaid.y": B32, "%nctaid.z": B32,
	"%laneid": B32, "%warpid": B32, "%nwarpid": B32, "%smid": B32, "%nsmid": B32, "%gridid": B64,
	"%lanemask_eq": B32, "%lanemask_lt": B32, "%lanemask_le": B32, "%lanemask_gt": B32, "%lanemask_ge": B32,
	"%total_smem_size": B32, "%aggr_smem_size": B32, "%dynamic_smem_size": B32,
}

// clocks are those that change.
var clocks = map[string]Type{
	"%clock": B32, "%clock_hi": B32, "%clock64": B64, "%globaltimer": B64, "%globaltimer_lo": B32, "%globaltimer_hi": B32,
}

// special returns the value of a special register.
func (b *builder) special(name string) ID {
	if t, ok := clocks[name]; ok {
		d := b.result(t)
		b.add(Inst{Kind: Clock, Defs: b.list(d), Aux: name})
		return d
	}
	if t, ok := specials[name]; ok {
		return b.Special(t, name)
	}
	if !strings.HasPrefix(name, "%envreg") {
		b.lack("the special register %s", name)
	}
	return b.Constant(B32, 0)
}

// specialType returns the type of a special value by its name. Those of arrays are their operands.
func specialType(name string) (t Type, ok bool) {
	switch name {
	case LocalBase, "a", "b", "c":
		return B32, true
	}
	for _, t := range []Type{Pred, B32, B64} {
		if strings.HasPrefix(name, UnsetName) && strings.HasSuffix(name, "."+t.String()) {
			return t, true
		}
	}
	t, ok = specials[name]
	return t, ok
}
