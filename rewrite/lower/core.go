package lower

import (
	"slices"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/simd"
	"github.com/vop-ptx/vop/rewrite/word"
)

// A SIMD instruction selects lanes of a and b, and computes with the words x and y that it
// has made of them. What it does with x and y does not depend on where they are from: a core is
// a program of x, y and c, and select.go puts the selected lanes in the place of x and y. So
// there are as many cores as forms without selectors, each proven for all x, y and c, and
// one proof is good for all selectors (docs/proofs.md).

// Core returns the form whose program is the core of f: f with the default selectors. d of f is d of its core with x
// and y for a and b.
func Core(f isa.Form) isa.Form {
	if f.Op.SIMD() {
		f.ALane, f.BLane = isa.DefaultLanes(f.Op)
	}
	return f
}

// Cores returns the programs that stand for a SIMD form and all that differ from it in selectors alone:
// the cheapest of them, once lanes are selected, is the form's. Each computes the form with the
// default selectors; with same, where x and y are the same word, which is then read as a.
//
// The programs are shared and must not be changed.
func Cores(f isa.Form, caps word.Caps, same bool) []*word.Program {
	f = Core(f)
	return cores.get(coreKey{f, caps, same}, func() []*word.Program {
		var all []*word.Program
		simd.Ways(f, caps, Facts{SameAB: same}.operands(), func(p *word.Program) {
			if !slices.ContainsFunc(all, p.Equal) {
				all = append(all, p)
			}
		})
		return all
	})
}

// A coreKey is all that the cores of a form depend on.
type coreKey struct {
	form isa.Form
	caps word.Caps
	same bool
}

// cores remembers the cores of 4096 forms at most, which is some 8 MB: there are as many forms with common types and masks.
var cores = cache[coreKey, []*word.Program]{generation: 2048}
