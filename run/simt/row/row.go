// Package row gives kernels a first block of what is the same for all CTAs of a row: machine code that lets a warp go through a row
// by itself computes it once.
package row

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
)

// maxInsts bounds what a row begins with: more would hardly have registers.
const maxInsts = 64

// Form gives a kernel whose warps may be executed in any order such a block, and reports whether it has. What stands in it is of the
// beginning, and of the superblock that most warps go to from there (package superblock), which has then been formed: it has
// no effects, and so may be computed in vain.
func Form(f *simt.Function) bool {
	if f.Decl == nil || !f.Decl.Entry || len(f.Blocks[0].Preds) > 0 || !f.AnyOrder() {
		return false
	}
	r := row{Function: f, same: make([]bool, len(f.Values))}
	for v := range f.Values {
		value := &f.Values[v]
		r.same[v] = value.Kind == simt.Const || value.Kind == simt.Special && slices.Contains(same, value.Name)
	}
	from := []simt.BlockID{0}
	if end := &f.Blocks[0].End; end.Kind == simt.BranchAll {
		from = append(from, end.To[0])
	}
	rests := make([][]simt.Inst, len(from))
	for n, b := range from {
		rests[n] = r.take(b)
	}
	if !r.computes {
		return false
	}
	for n, b := range from {
		f.Blocks[b].Insts = rests[n]
	}
	r.split()
	return true
}

// same are the special values that are the same in all CTAs of a row, for each lane of a warp.
var same = []string{
	"%ctaid.y", "%ctaid.z", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z",
}

// row is what becomes the first block.
type row struct {
	*simt.Function
	same     []bool // by value
	insts    []simt.Inst
	computes bool // and does not only load parameters
}

// take takes from a block what is the same for the row, and returns the rest.
func (r *row) take(b simt.BlockID) (rest []simt.Inst) {
	for _, i := range r.Blocks[b].Insts {
		if len(r.insts) == maxInsts || !r.isSame(&i) {
			rest = append(rest, i)
			continue
		}
		r.computes = r.computes || i.Kind == simt.Compute
		r.insts = append(r.insts, i)
		for _, d := range i.Defs {
			r.same[d] = d != 0
		}
	}
	return rest
}

// isSame reports whether an instruction gives the same in all CTAs of a row.
func (r *row) isSame(i *simt.Inst) bool {
	if i.Kind != simt.Compute && !r.LoadsParameter(i) {
		return false
	}
	for _, a := range i.Args {
		if !r.same[a] {
			return false
		}
	}
	return true
}

// split puts a block of what has been taken before the rest of the first one.
func (r *row) split() {
	r.InsertBlocks(0, 1)
	first, rest := &r.Blocks[0], &r.Blocks[1]
	*rest = simt.Block{Loop: simt.NoBlock, Preds: []simt.BlockID{0}, Insts: first.Insts, End: first.End, From: first.From, To: first.To}
	*first = simt.Block{Loop: simt.NoBlock, Insts: r.insts, End: simt.End{Kind: simt.Jump, To: []simt.BlockID{1}, At: -1}, From: first.From, To: first.From}
	for n := range 2 {
		for i := range r.Blocks[n].Insts {
			for _, d := range r.Blocks[n].Insts[i].Defs {
				r.Values[d].Block = simt.BlockID(n)
			}
		}
	}
	for _, b := range rest.End.To {
		for n, p := range r.Blocks[b].Preds {
			if p == 0 {
				r.Blocks[b].Preds[n] = 1
			}
		}
	}
}
