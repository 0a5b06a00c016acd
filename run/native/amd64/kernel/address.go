package kernel

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/simt"
)

// address is the address of an access taken apart: the sum of scalars, of an index of 32 bits times a scale, or
// else of a value of 64 bits that differs from lane to lane, and of a constant.
type address struct {
	scalars []simt.ID
	index   simt.ID // extended to 64 bits, unless narrow
	signed  bool
	scale   int
	wide    simt.ID
	disp    uint64
	narrow  bool    // all is modulo 2^32
	affine  simt.ID // the whole is an affine value, if this is not 0
	depth   int     // of operations that have been taken apart
}

// apartOps are the operations at which addresses are taken apart. What is more than maxLeaves operations is not.
var apartOps = map[string]bool{
	"add.u64": true, "add.s64": true, "mul.wide.u32": true, "mul.wide.s32": true, "mad.wide.u32": true, "mad.wide.s32": true, "widen.64": true,
	"cvt.u64.u32": true, "cvt.s64.s32": true, "cvt.u64.s32": true, "shl.b64": true, "mul.lo.u64": true, "mul.lo.s64": true,
}

const maxLeaves = 16

// leaves are the values that the address is computed from.
func (a *address) leaves() []simt.ID {
	all := a.scalars[:len(a.scalars):len(a.scalars)]
	if a.index != 0 {
		all = append(all, a.index)
	}
	if a.wide != 0 {
		all = append(all, a.wide)
	}
	if a.affine != 0 {
		all = append(all, a.affine)
	}
	return all
}

// isScalar reports whether the address is the same in all lanes.
func (a *address) isScalar() bool { return a.index == 0 && a.wide == 0 && a.affine == 0 }

// native takes the address of an access apart that there is machine code for.
func (k *compiler) native(i *simt.Inst) (a address, ok bool) {
	if i.Kind != simt.Load && i.Kind != simt.Store {
		return a, false
	}
	access := i.Aux.(*simt.Access)
	switch access.Space {
	case check.Global, check.Const, check.Shared, check.Generic, check.Param:
	case check.Local:
		return k.nativeLocal(i), true
	default:
		return a, false
	}
	id := i.Args[0]
	a.disp = access.Offset
	if k.Values[id].Type == simt.B32 {
		a.narrow = true
		if k.affines[id] != nil {
			a.affine = id
		} else if k.isScalarOrConst(id) {
			k.addScalar(&a, id)
		} else {
			a.index, a.scale = id, 1
		}
	} else if k.affines[id] != nil {
		a.affine = id
	} else if !k.isScalarOrConst(id) && k.Options.Without&amd64.FuseAddress != 0 || !k.takeApart(&a, id) {
		a = address{wide: id, disp: access.Offset}
	}
	if a.isScalar() && (i.Kind == simt.Store || i.Guard != 0) {
		a = address{disp: access.Offset, narrow: a.narrow}
		if a.narrow {
			a.index, a.scale = id, 1
		} else {
			a.wide = id
		}
	}
	if a.index != 0 && !a.narrow && a.affine == 0 && a.scale&(int(access.Span())-1) != 0 {
		a = address{wide: id, disp: access.Offset} // it must be looked at whether they are aligned
	}
	return a, true
}

func (k *compiler) isScalarOrConst(id simt.ID) bool {
	return k.scalar[id] || k.Values[id].Kind == simt.Const
}

// addScalar adds a scalar or a constant to an address.
func (k *compiler) addScalar(a *address, id simt.ID) {
	if bits, ok := k.ConstOf(id); ok {
		a.disp += bits
		return
	}
	a.scalars = append(a.scalars, id)
}

// takeApart adds a value of 64 bits to an address. It reports whether there is a place for it.
func (k *compiler) takeApart(a *address, id simt.ID) bool {
	if k.isScalarOrConst(id) {
		k.addScalar(a, id)
		return true
	}
	i := k.defined[id]
	if i == nil || i.Kind != simt.Compute || a.depth >= maxLeaves/4 {
		return k.addWide(a, id)
	}
	before := *a
	a.depth++
	switch i.Op.String() {
	case "add.u64", "add.s64":
		if k.takeApart(a, i.Args[0]) && k.takeApart(a, i.Args[1]) {
			return true
		}
	case "mul.wide.u32", "mul.wide.s32":
		if scale, ok := k.ConstOf(i.Args[1]); ok && k.addIndex(a, i.Args[0], i.Op.String() == "mul.wide.s32", scale) {
			return true
		}
	case "mad.wide.u32", "mad.wide.s32":
		if scale, ok := k.ConstOf(i.Args[1]); ok && k.addIndex(a, i.Args[0], i.Op.String() == "mad.wide.s32", scale) && k.takeApart(a, i.Args[2]) {
			return true
		}
	case "widen.64", "cvt.u64.u32":
		if k.addIndex(a, i.Args[0], false, 1) {
			return true
		}
	case "cvt.s64.s32", "cvt.u64.s32":
		if k.addIndex(a, i.Args[0], true, 1) {
			return true
		}
	case "shl.b64":
		if n, ok := k.ConstOf(i.Args[1]); ok && n < 4 && k.addShifted(a, i.Args[0], uint64(1)<<n) {
			return true
		}
	case "mul.lo.u64", "mul.lo.s64":
		if n, ok := k.ConstOf(i.Args[1]); ok && k.addShifted(a, i.Args[0], n) {
			return true
		}
	}
	*a = before
	return k.addWide(a, id)
}

// addShifted adds a word that is extended to 64 bits, times a scale.
func (k *compiler) addShifted(a *address, id simt.ID, scale uint64) bool {
	i := k.defined[id]
	if i == nil || i.Kind != simt.Compute {
		return false
	}
	switch i.Op.String() {
	case "widen.64", "cvt.u64.u32":
		return k.addIndex(a, i.Args[0], false, scale)
	case "cvt.s64.s32", "cvt.u64.s32":
		return k.addIndex(a, i.Args[0], true, scale)
	}
	return false
}

func (k *compiler) addIndex(a *address, id simt.ID, signed bool, scale uint64) bool {
	if a.index != 0 || a.wide != 0 || k.isScalarOrConst(id) || k.affines[id] != nil && k.affines[id].None || k.Values[id].Type != simt.B32 {
		return false
	}
	switch scale {
	case 1, 2, 4, 8:
		a.index, a.signed, a.scale = id, signed, int(scale)
		return true
	}
	return false
}

func (k *compiler) addWide(a *address, id simt.ID) bool {
	if a.index != 0 || a.wide != 0 {
		return false
	}
	a.wide = id
	return true
}
