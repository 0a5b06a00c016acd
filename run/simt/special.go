package simt

import (
	"maps"
	"slices"
	"strings"
)

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

// SpecialType returns the type of a special value by its name. Those of arrays are their operands.
func SpecialType(name string) (t Type, ok bool) {
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

// SpecialNames are the names of the predefined registers that are special values, in order.
func SpecialNames() []string { return slices.Sorted(maps.Keys(specials)) }

// ClockType returns the type of a predefined register that changes while a CTA runs.
func ClockType(name string) (t Type, ok bool) {
	t, ok = clocks[name]
	return t, ok
}

// LocalBase is the name of the special value that tells where the local memory of an activation of
// the function begins, in that of the thread.
const LocalBase = "local"

// UnsetName begins the names of special values that stand for registers that have not been written. They are 0.
const UnsetName = "unset."

// ShadowName begins the names of special values that sanitizers add: predicates that hold in all lanes
// when a function is entered.
const ShadowName = "shadow."
