package address

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Address is the address of an access taken apart: the sum of scalars, of an index of 32 bits times a scale, or
// else of a value of 64 bits that differs from lane to lane, and of a constant.
type Address struct {
	Scalars []simt.ID
	Index   simt.ID // extended to 64 bits, unless narrow
	BySign  bool    // it is extended by its sign
	Scale   int
	Wide    simt.ID
	Disp    uint64
	Narrow  bool    // all is modulo 2^32
	Affine  simt.ID // the whole is an affine value, if this is not 0
	depth   int     // of operations that have been taken apart
}

// Finder takes addresses apart.
type Finder struct {
	*affine.Known
	Defined []*simt.Inst // by value: the instruction that computes it
	Whole   bool         // addresses of 64 bits are not taken apart
}

// Apart are the operations at which addresses are taken apart. What is more than MaxLeaves operations is not.
var Apart = map[string]bool{
	"add.u64": true, "add.s64": true, "mul.wide.u32": true, "mul.wide.s32": true, "mad.wide.u32": true, "mad.wide.s32": true, "widen.64": true,
	"cvt.u64.u32": true, "cvt.s64.s32": true, "cvt.u64.s32": true, "shl.b64": true, "mul.lo.u64": true, "mul.lo.s64": true,
}

// MaxLeaves is of how many operations an address may be at most that is taken apart.
const MaxLeaves = 16

// Leaves are the values that the address is computed from.
func (a *Address) Leaves() []simt.ID {
	all := a.Scalars[:len(a.Scalars):len(a.Scalars)]
	if a.Index != 0 {
		all = append(all, a.Index)
	}
	if a.Wide != 0 {
		all = append(all, a.Wide)
	}
	if a.Affine != 0 {
		all = append(all, a.Affine)
	}
	return all
}

// IsScalar reports whether the address is the same in all lanes.
func (a *Address) IsScalar() bool { return a.Index == 0 && a.Wide == 0 && a.Affine == 0 }

// Of takes the address of a load or a store apart. ok is false of other instructions, of spaces that have no addresses, and of what there is no
// machine code for.
func (f *Finder) Of(i *simt.Inst) (a Address, ok bool) {
	if i.Kind != simt.Load && i.Kind != simt.Store {
		return a, false
	}
	access := i.Aux.(*simt.Access)
	if access.AtOnce() {
		return a, false
	}
	switch access.Space {
	case check.Global, check.Const, check.Shared, check.Generic, check.Param:
	case check.Local:
		return f.ofLocal(i), true
	default:
		return a, false
	}
	id := i.Args[0]
	a.Disp = access.Offset
	if f.Function.Values[id].Type == simt.B32 {
		a.Narrow = true
		if f.Values[id] != nil {
			a.Affine = id
		} else if f.IsScalar(id) {
			f.addScalar(&a, id)
		} else {
			a.Index, a.Scale = id, 1
		}
	} else if f.Values[id] != nil {
		a.Affine = id
	} else if !f.IsScalar(id) && f.Whole || !f.takeApart(&a, id) {
		a = Address{Wide: id, Disp: access.Offset}
	}
	if a.IsScalar() && (i.Kind == simt.Store || i.Guard != 0) {
		a = Address{Disp: access.Offset, Narrow: a.Narrow}
		if a.Narrow {
			a.Index, a.Scale = id, 1
		} else {
			a.Wide = id
		}
	}
	if a.Index != 0 && !a.Narrow && a.Affine == 0 && a.Scale&(int(access.Span())-1) != 0 {
		a = Address{Wide: id, Disp: access.Offset} // it must be looked at whether they are aligned
	}
	return a, true
}

// addScalar adds a scalar or a constant to an address.
func (f *Finder) addScalar(a *Address, id simt.ID) {
	if bits, ok := f.ConstOf(id); ok {
		a.Disp += bits
		return
	}
	a.Scalars = append(a.Scalars, id)
}

// takeApart adds a value of 64 bits to an address. It reports whether there is a place for it.
func (f *Finder) takeApart(a *Address, id simt.ID) bool {
	if f.IsScalar(id) {
		f.addScalar(a, id)
		return true
	}
	i := f.Defined[id]
	if i == nil || i.Kind != simt.Compute || a.depth >= MaxLeaves/4 {
		return f.addWide(a, id)
	}
	before := *a
	a.depth++
	switch i.Op.String() {
	case "add.u64", "add.s64":
		if f.takeApart(a, i.Args[0]) && f.takeApart(a, i.Args[1]) {
			return true
		}
	case "mul.wide.u32", "mul.wide.s32":
		if scale, ok := f.ConstOf(i.Args[1]); ok && f.addIndex(a, i.Args[0], i.Op.String() == "mul.wide.s32", scale) {
			return true
		}
	case "mad.wide.u32", "mad.wide.s32":
		if scale, ok := f.ConstOf(i.Args[1]); ok && f.addIndex(a, i.Args[0], i.Op.String() == "mad.wide.s32", scale) && f.takeApart(a, i.Args[2]) {
			return true
		}
	case "widen.64", "cvt.u64.u32":
		if f.addIndex(a, i.Args[0], false, 1) {
			return true
		}
	case "cvt.s64.s32", "cvt.u64.s32":
		if f.addIndex(a, i.Args[0], true, 1) {
			return true
		}
	case "shl.b64":
		if n, ok := f.ConstOf(i.Args[1]); ok && n < 4 && f.addShifted(a, i.Args[0], uint64(1)<<n) {
			return true
		}
	case "mul.lo.u64", "mul.lo.s64":
		if n, ok := f.ConstOf(i.Args[1]); ok && f.addShifted(a, i.Args[0], n) {
			return true
		}
	}
	*a = before
	return f.addWide(a, id)
}

// addShifted adds a word that is extended to 64 bits, times a scale.
func (f *Finder) addShifted(a *Address, id simt.ID, scale uint64) bool {
	i := f.Defined[id]
	if i == nil || i.Kind != simt.Compute {
		return false
	}
	switch i.Op.String() {
	case "widen.64", "cvt.u64.u32":
		return f.addIndex(a, i.Args[0], false, scale)
	case "cvt.s64.s32", "cvt.u64.s32":
		return f.addIndex(a, i.Args[0], true, scale)
	}
	return false
}

func (f *Finder) addIndex(a *Address, id simt.ID, signed bool, scale uint64) bool {
	if a.Index != 0 || a.Wide != 0 || f.IsScalar(id) || f.Values[id] != nil && f.Values[id].None || f.Function.Values[id].Type != simt.B32 {
		return false
	}
	switch scale {
	case 1, 2, 4, 8:
		a.Index, a.BySign, a.Scale = id, signed, int(scale)
		return true
	}
	return false
}

func (f *Finder) addWide(a *Address, id simt.ID) bool {
	if a.Index != 0 || a.Wide != 0 {
		return false
	}
	a.Wide = id
	return true
}

// ofLocal takes the address of an access to local memory apart: that is one of a row, or of any of its words.
func (f *Finder) ofLocal(i *simt.Inst) Address {
	id, a := i.Args[0], Address{Disp: i.Aux.(*simt.Access).Offset}
	a.Narrow = f.Function.Values[id].Type == simt.B32
	switch {
	case f.IsScalar(id):
		f.addScalar(&a, id)
	case a.Narrow:
		a.Index, a.Scale = id, 1
	default:
		a.Wide = id
	}
	return a
}
