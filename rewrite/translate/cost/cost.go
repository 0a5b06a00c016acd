// Package cost knows about how many machine instructions ptxas makes of a video
// instruction: for the report of what rewriting it saves.
package cost

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
)

// text holds a line for each class of forms: the number of machine instructions that
// ptxas 11.8 makes of its representative for sm_80, a tab, and the representative.
// internal/cmd/sasscount writes it.
//
//go:embed ptxas.tsv
var text string

var table = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		number, form, _ := strings.Cut(strings.TrimSpace(line), "\t")
		n, err := strconv.Atoi(number)
		if err != nil || form == "" {
			panic(fmt.Sprintf("cost: ptxas.tsv: %q", line)) // a test reads it: cannot happen in a release
		}
		all[form] = n
	}
	return all
})

// Of returns about how many machine instructions ptxas 11.8 makes of a form for
// sm_80: exactly as many as for the representative of its class.
func Of(f isa.Form) int {
	f = representative(f)
	if n, ok := counts.Load(f); ok {
		return n.(int)
	}
	n := table()[f.String()]
	counts.Store(f, n)
	return n
}

// counts remembers what [Of] was asked, by representative: spelling one takes a microsecond, and there are as many as
// lines of the table.
var counts sync.Map

// representative returns the form that stands for a class of forms that cost ptxas
// about the same: without selectors on the sources, and writing the lowest byte,
// half or lane if it writes a part.
func representative(f isa.Form) isa.Form {
	f.ASel, f.BSel = isa.Word, isa.Word
	switch f.DSel.Bits() {
	case 8:
		f.DSel = isa.B0
	case 16:
		f.DSel = isa.H0
	}
	if f.Op.SIMD() {
		f.ALane, f.BLane = isa.DefaultLanes(f.Op)
		if f.Mask != isa.FullMask(f.Op) {
			f.Mask = 1
		}
	}
	return f
}

// Classes returns the representatives of all classes.
func Classes() (classes []isa.Form) {
	known := map[isa.Form]bool{}
	add := func(f isa.Form) {
		if f = representative(f); !known[f] {
			known[f] = true
			classes = append(classes, f)
		}
	}
	for _, op := range isa.Ops() {
		for _, row := range isa.RowsOf(op) {
			for i := uint64(0); i < row.Count(); i += selections(op) {
				f := row.At(i)
				add(f)
				if op.SIMD() {
					f.Mask = isa.FullMask(op)
					add(f)
				}
			}
		}
	}
	return classes
}

// selections returns how many masks and source selectors a SIMD op has: the forms
// that differ in nothing else follow each other. It is 1 for scalar ops.
func selections(op isa.Op) uint64 {
	if !op.SIMD() {
		return 1
	}
	lanes := uint64(op.Lanes())
	selectors := uint64(1)
	for range lanes {
		selectors *= 2 * lanes
	}
	return uint64(isa.FullMask(op)) * selectors * selectors
}
