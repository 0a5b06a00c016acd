package form

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Space returns the state space that the form names. A CTA is a cluster by itself, whose shared memory is that of the CTA.
func (f Form) Space() check.Space {
	for modifier, space := range map[string]check.Space{
		"const": check.Const, "global": check.Global, "shared": check.Shared, "shared::cta": check.Shared, "shared::cluster": check.Shared,
		"local": check.Local, "param": check.Param, "param::entry": check.Param, "param::func": check.Param,
	} {
		if f.Has(modifier) {
			return space
		}
	}
	return check.Generic
}

// SpaceWord is the space of a form, as the form of an access to it has it.
func (f Form) SpaceWord() string {
	if f.Space() == check.Shared {
		return ".shared"
	}
	return ""
}

// NewAccess returns the access of a form: all that the form alone says of it.
func NewAccess(f Form) *simt.Access {
	t := f.LastType()
	halves := simt.Halves(t)
	return &simt.Access{
		Space: f.Space(), Size: t.Bytes() / halves, Elements: f.Elements() * halves, Signed: check.S8 <= t && t <= check.S64,
		Writes: f.Name != "ld" && f.Name != "ldu", Whole: halves > 1, Ordering: f.ordering(), Spelling: f.String(),
	}
}

// Elements is how many elements a form loads or stores.
func (f Form) Elements() int {
	switch {
	case f.Has("v2"):
		return 2
	case f.Has("v4"):
		return 4
	case f.Has("v8"):
		return 8
	}
	return 1
}

// ordering returns what the form says of memory order.
func (f Form) ordering() simt.Ordering {
	acquires, releases := f.Has("acquire") || f.Has("acq_rel"), f.Has("release") || f.Has("acq_rel")
	atomic := f.Name == "atom" || f.Name == "red" || f.Name == "mbarrier"
	releases = releases || f.Name == "mbarrier" && !f.Has("relaxed")
	return simt.Ordering{Strong: atomic || acquires || releases || f.Has("volatile") || f.Has("relaxed"), Acquires: acquires, Releases: releases}
}

// Update is the operation of an atomic form, in memory of a space.
func (f Form) Update(space check.Space) (update string) {
	if f.Name == "mbarrier" {
		return f.Name + "." + f.Modifiers[0]
	}
	for _, operation := range atomicOperations {
		if f.Has(operation) {
			update = operation
		}
	}
	t := f.LastType()
	if t == check.F32 && space != check.Shared {
		update += ".ftz" // in global memory, subnormal numbers are flushed (9.7.13.5)
	}
	if t.IsFloat() {
		return update + t.String()
	}
	return update + "." + IntegerName(t)
}

// atomicOperations are the words for the operations.
var atomicOperations = []string{"and", "or", "xor", "exch", "cas", "add", "min", "max", "inc", "dec"}

// kinds are the instructions that access memory, textures and surfaces, by their mnemonics.
var kinds = map[string]simt.Kind{
	"ld": simt.Load, "ldu": simt.Load, "st": simt.Store, "atom": simt.Atomic, "red": simt.Atomic, "mbarrier": simt.Atomic,
	"tex": simt.Texture, "tld4": simt.Texture, "txq": simt.Texture, "suq": simt.Texture, "sust": simt.Texture, "suld": simt.Texture, "sured": simt.Texture,
}

// KindOf returns what an instruction is, by its mnemonic, that accesses memory, textures or surfaces; Compute of all others.
func KindOf(mnemonic string) simt.Kind { return kinds[mnemonic] }
