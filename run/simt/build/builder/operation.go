package builder

import (
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Operation returns the value of an operation by its name. If there is none, or it is of another
// shape, the form is missing.
func (b *Builder) Operation(name string, args ...simt.ID) simt.ID {
	return b.Apply(OperationOf(name), args)
}

// OperationOf returns the operation that a name of PTX stands for, or 0.
func OperationOf(name string) op.Op {
	if same, ok := synonyms[name]; ok {
		name = same
	}
	o, _ := op.Find(name)
	return o
}

// Apply is operation for an operation that has been found, 0 if there is none.
func (b *Builder) Apply(o op.Op, args []simt.ID) simt.ID {
	ok := o != 0
	if ok {
		shape := o.Shape()
		ok = len(shape)-2 == len(args)
		for i := range args {
			ok = ok && simt.LetterType(shape[2+i]) == b.Values[args[i]].Type
		}
	}
	if !ok {
		b.Fail("")
		return 0
	}
	return b.Compute(o, args...)
}

// synonyms are operations that are others under PTX's names, so that one name stands for each.
var synonyms = map[string]string{
	"cvt.u64.u32": "widen.64", "cvt.s64.u32": "widen.64", "cvt.u64.s32": "cvt.s64.s32",
	"cvt.u32.u64": "narrow.32", "cvt.s32.u64": "narrow.32", "cvt.u32.s64": "narrow.32", "cvt.s32.s64": "narrow.32",
	"cvt.u32.s32": "mov.32", "cvt.s32.u32": "mov.32", "cvt.u32.u32": "mov.32", "cvt.s32.s32": "mov.32",
	"cvt.u64.s64": "mov.64", "cvt.s64.u64": "mov.64", "cvt.u64.u64": "mov.64", "cvt.s64.s64": "mov.64",
	"add.s32": "add.u32", "sub.s32": "sub.u32", "mul.lo.s32": "mul.lo.u32", "mad.lo.s32": "mad.lo.u32",
	"add.s64": "add.u64", "sub.s64": "sub.u64", "mul.lo.s64": "mul.lo.u64", "mad.lo.s64": "mad.lo.u64",
	"add.s16": "add.u16", "sub.s16": "sub.u16", "mul.lo.s16": "mul.lo.u16", "mad.lo.s16": "mad.lo.u16",
	"setp.eq.s32": "setp.eq.u32", "setp.ne.s32": "setp.ne.u32", "setp.eq.s64": "setp.eq.u64", "setp.ne.s64": "setp.ne.u64",
}

// Joined puts numbers of so many bits, the lowest first, side by side.
func (b *Builder) Joined(bits int, parts ...simt.ID) simt.ID {
	v := parts[0]
	for i, p := range parts[1:] {
		v = b.Named("or.b32", v, b.Named("shl.b32", p, b.Constant(simt.B32, uint64((i+1)*bits))))
	}
	return v
}
