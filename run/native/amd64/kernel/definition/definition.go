package definition

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
)

// Table has the instructions that compute values, by value.
type Table []*simt.Inst

// Of finds the definitions of a function.
func Of(f *simt.Function) Table {
	d := make(Table, len(f.Values))
	for b := range f.Blocks {
		insts := f.Blocks[b].Insts
		for i := range insts {
			for _, id := range insts[i].Defs {
				d[id] = &insts[i]
			}
		}
	}
	return d
}

// Also returns what the machine code of an access may read besides the operands of the instruction: all that its
// address is computed from by operations that addresses are taken apart at. It must be kept for the access. It
// depends on nothing but the function, so that all variants of the code have the same homes.
func (d Table) Also(i *simt.Inst) (all []simt.ID) {
	if i.Kind != simt.Load && i.Kind != simt.Store || i.Aux.(*simt.Access).Space == check.Local {
		return nil
	}
	var visit func(id simt.ID)
	visit = func(id simt.ID) {
		of := d[id]
		if len(all) > address.MaxLeaves || of == nil || of.Kind != simt.Compute || !address.Apart[of.Op.String()] {
			return
		}
		for _, a := range of.Args {
			all = append(all, a)
			visit(a)
		}
	}
	visit(i.Args[0])
	return all
}
