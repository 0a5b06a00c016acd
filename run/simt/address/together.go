package address

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Together are loads of a block whose addresses are known to be apart by constants.
type Together struct {
	First     *simt.Inst
	Low, High int64 // the lowest address of a lane, and the highest, from where the scalar is 0
	count     int
}

// MaxTogether is how many bytes the addresses of such loads may be apart.
const MaxTogether = 1 << 12

// kindOfLoad is what loads have in common that are together.
type kindOfLoad struct {
	base   int32
	access simt.Access
}

// Together finds the loads of all blocks that are together.
func (f *Finder) Together() map[*simt.Inst]*Together {
	all := map[*simt.Inst]*Together{}
	if !f.HasSums() {
		return all
	}
	for b := range f.Blocks {
		f.togetherIn(&f.Blocks[b], all)
	}
	for inst, g := range all {
		if g.count == 1 {
			delete(all, inst)
		}
	}
	return all
}

// togetherIn adds those of a block.
func (f *Finder) togetherIn(block *simt.Block, all map[*simt.Inst]*Together) {
	last := map[kindOfLoad]*Together{}
	for n := range block.Insts {
		inst := &block.Insts[n]
		if inst.Kind != simt.Load || inst.Aux.(*simt.Access).Space == check.Param { // parameters have windows of their own
			continue
		}
		a, ok := f.Of(inst)
		if !ok {
			continue
		}
		access := inst.Aux.(*simt.Access)
		base, low, high, ok := f.FromScalar(&a, access)
		if !ok {
			continue
		}
		kind := kindOfLoad{base, simt.Access{Space: access.Space, Size: access.Size, Elements: access.Elements}}
		g := last[kind]
		if g == nil || max(g.High, high)-min(g.Low, low) > MaxTogether || (low-g.Low)&int64(access.Span()-1) != 0 {
			g = &Together{First: inst, Low: low, High: high}
			last[kind] = g
		}
		g.Low, g.High, g.count = min(g.Low, low), max(g.High, high), g.count+1
		all[inst] = g
	}
}

// FromScalar returns the base of the scalar of an address, and the lowest and the highest address of a lane from where that
// is 0. ok is false if it has no one scalar, or lanes that are not as far apart as to be aligned if the lowest is.
func (f *Finder) FromScalar(a *Address, access *simt.Access) (base int32, low, high int64, ok bool) {
	var sum affine.Sum
	switch {
	case a.Affine != 0:
		v := f.Values[a.Affine]
		low, high = v.Bounds()
		if v.Split || !Regular(v, access) || high-low > MaxTogether {
			return 0, 0, 0, false
		}
		sum, ok = f.SumOf(a.Affine)
	case !a.IsScalar() || len(a.Scalars) > 1:
		return 0, 0, 0, false
	case len(a.Scalars) == 0:
		sum, ok = affine.NoScalar, true
	default:
		sum, ok = f.SumOf(a.Scalars[0])
	}
	from := sum.Plus + int64(a.Disp)
	if a.Narrow {
		from = int64(int32(from))
	}
	return sum.Base, from + low, from + high, ok
}

// Regular reports whether the addresses of lanes are as far apart as to be aligned if the lowest is.
func Regular(a *affine.Value, access *simt.Access) bool {
	low, _ := a.Bounds()
	for _, c := range a.C {
		if (c-low)&int64(access.Span()-1) != 0 {
			return false
		}
	}
	return true
}
