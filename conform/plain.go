package conform

import (
	"sync"

	"github.com/vop-ptx/vop/isa"
)

// Plain returns every form without selectors, masks and signs, in the order of the manual. Translators of inline asm often have
// these and no others.
func Plain() []isa.Form { return plain() }

var plain = sync.OnceValue(func() []isa.Form {
	var all []isa.Form
	for _, op := range isa.Ops() {
		seen := map[isa.Form]bool{}
		for _, row := range isa.RowsOf(op) {
			for f := range shapes(row) {
				if f.DSel != isa.Word || f.NegA || f.NegB || f.NegC || op.SIMD() && f.Mask != isa.FullMask(op) || seen[f] {
					continue
				}
				seen[f] = true
				all = append(all, f)
			}
		}
	}
	return all
})
