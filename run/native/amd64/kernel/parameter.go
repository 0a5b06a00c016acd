package kernel

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
)

// The parameters of a kernel stand before the windows of its accesses: most kernels read them at constant addresses, where
// nothing is to be looked at.

// reserveParameters gives the parameters their place.
func (k *compiler) reserveParameters() {
	if k.Decl != nil && k.Decl.Entry {
		k.params = int32(k.Options.Params)
		k.windows = (k.params + WindowSize - 1) / WindowSize * WindowSize
	}
}

// isParameter reports whether an instruction loads parameters that are there.
func (k *compiler) isParameter(i *simt.Inst, a address.Address) bool {
	access := i.Aux.(*simt.Access)
	if i.Kind != simt.Load || access.Space != check.Param || i.Guard != 0 || !a.IsScalar() || len(a.Scalars) > 0 {
		return false
	}
	span, size := access.Span(), uint64(k.params)
	return a.Disp%span == 0 && span <= size && a.Disp <= size-span
}

// loadParameter selects a load of parameters.
func (k *compiler) loadParameter(i *simt.Inst, a address.Address) {
	access := i.Aux.(*simt.Access)
	var loaded [8]machine.Operand
	for e, d := range i.Defs {
		if d != 0 {
			from := machine.Fixed(encode.At(windowsReg, int32(a.Disp)+int32(e*access.Size)))
			loaded[e] = k.Compute(scalarLoad(access, k.Values[d].Type), from)
		}
	}
	k.defineLoaded(i, loaded)
}
