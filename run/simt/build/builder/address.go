package builder

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/form"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Access returns what the operand at i says of an access, and its address.
func (b *Builder) Access(i int) (a *simt.Access, address simt.ID) {
	a = form.NewAccess(b.Form)
	b.Publishes = b.Publishes || a.Ordering.Releases
	o := b.Operand(i)
	if o.Kind != check.OpAddress || len(o.Elems) != 1 {
		b.Fail("the address %s", b.Text(o))
		return a, b.Constant(simt.B64, 0)
	}
	a.Offset = uint64(o.Offset)
	if a.Space == check.Param && !b.Decl.Entry {
		a.Space = check.Local
	}
	base := &o.Elems[0]
	switch base.Kind {
	case check.OpReg:
		return a, b.readRegister(base.Reg, int(base.Elem))
	case check.OpImm:
		return a, b.Constant(simt.B64, base.Imm)
	case check.OpVar:
		if a.Space == check.Generic {
			a.Space = base.Var.Space
		}
		if _, ok := b.Offsets[base.Var]; ok {
			a.Space = check.Local
		}
		return a, b.addressOf(base, simt.B64)
	}
	b.Fail("the address %s", b.Text(o))
	return a, b.Constant(simt.B64, 0)
}

// Sum returns a value plus a constant.
func (b *Builder) Sum(x simt.ID, offset int64) simt.ID {
	t := b.Values[x].Type
	return b.Compute(Addition[t], x, b.Constant(t, uint64(offset)))
}

// Addition is the operation that adds values of a type.
var Addition = map[simt.Type]op.Op{simt.B32: op.Must("add.u32"), simt.B64: op.Must("add.u64")}

// addressOf returns the address of a variable, in its own space.
func (b *Builder) addressOf(o *check.Operand, t simt.Type) simt.ID {
	if at, ok := b.Offsets[o.Var]; ok {
		return b.Sum(b.LocalBase(t), int64(at)+o.Offset)
	}
	address, ok := b.Outside.Place(o.Var)
	if !ok {
		switch {
		case o.Var.Extern && o.Var.Space != check.Shared:
			b.Undefine("the variable %s is .extern at %s, and %s", o.Var.Name, o.Var.Module.Where(o.Var.Decl), b.Outside.Module.Missing(o.Var.Name))
		case o.Var.Space == check.Global, o.Var.Space == check.Const:
			b.Fail("%s has no memory", o.Var.Name)
		default:
			b.Lack("the variable %s in %v memory", o.Var.Name, o.Var.Space)
		}
		return b.Constant(t, 0)
	}
	return b.Constant(t, uint64(int64(address)+o.Offset))
}

// LocalBase returns the address of the local memory of an activation of the function.
func (b *Builder) LocalBase(t simt.Type) simt.ID {
	base := b.Special(simt.B32, simt.LocalBase)
	if t == simt.B64 {
		return b.Named("widen.64", base)
	}
	return base
}
