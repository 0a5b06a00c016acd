package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// Parameters and results of a .func may be in registers (PTX ISA 7.1). Calls pass them in local memory, as those
// in .param: the function loads them where it begins, and stores them where it returns.

// formals calls f for each element of the parameters or results that are in registers, if the function has instructions. The halves of
// 128 bits are elements.
func (b *function) formals(variables []*check.Variable, f func(v *check.Variable, element int)) {
	for _, v := range variables {
		if !v.Formal || len(b.Decl.Body) == 0 {
			continue
		}
		for element := range v.Vec * simt.Halves(v.Type) {
			f(v, element)
		}
	}
}

// loadFormals loads the parameters that are in registers.
func (b *function) loadFormals() {
	b.formals(b.Decl.Params, func(v *check.Variable, element int) {
		b.At, b.Guard = 0, 0
		address, access := b.placeOfFormal("ld", v, element)
		d := b.Result(simt.TypeOf(access.typ))
		b.Add(simt.Inst{Kind: simt.Load, Defs: b.List(d), Args: b.List(address), Aux: &access.Access})
		if v.Type == check.Pred {
			d = b.Named("setp.ne.u32", d, b.Constant(simt.B32, 0))
		}
		b.Variables.Write(b.Variable(v.Register, element), b.Block, d)
	})
}

// storeFormals stores the results that are in registers, before the instruction that returns.
func (b *function) storeFormals(at int) {
	b.formals(b.Decl.Returns, func(v *check.Variable, element int) {
		b.At, b.Guard = int32(at), 0
		address, access := b.placeOfFormal("st", v, element)
		x := b.Variables.Read(b.Variable(v.Register, element), b.Block)
		if b.Values[x].Type == simt.Pred {
			x = b.Named("selp.32", b.Constant(simt.B32, 1), b.Constant(simt.B32, 0), x)
		}
		b.Add(simt.Inst{Kind: simt.Store, Args: b.List(address, x), Aux: &access.Access})
	})
}

// formalAccess is an access to an element, and its type in memory.
type formalAccess struct {
	simt.Access
	typ check.Type
}

// placeOfFormal returns where an element of a parameter or result is, and an access to it. Predicates are bytes.
func (b *function) placeOfFormal(name string, v *check.Variable, element int) (address simt.ID, a *formalAccess) {
	t := map[int]check.Type{8: check.B8, 16: check.B16, 32: check.B32, 64: check.B64, 128: check.B64}[v.Type.Bits()]
	if v.Type == check.Pred {
		t = check.U8
	}
	a = &formalAccess{*form.NewAccess(form.Parse(name + ".local" + t.String())), t}
	a.Implicit = true
	at := b.Offsets[v] + element*t.Bytes()
	return b.Sum(b.LocalBase(simt.B64), int64(at)), a
}
