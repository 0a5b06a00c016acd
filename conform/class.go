package conform

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
)

// A class is the forms that go through the same stages in the same way: instruction, types,
// modifiers, the kind of merge. What their sources' selectors are does not tell them apart, nor which
// byte is merged into; over a class list all of these occur.

// Classes returns one form of each class of behaviour, in the order of the manual. The list is always the same.
func Classes() []isa.Form { return classes() }

var classes = sync.OnceValue(func() []isa.Form {
	var all []isa.Form
	for _, op := range isa.Ops() {
		rng := rand.New(rand.NewPCG(0x76_6f_70, uint64(op)))
		seen := map[isa.Form]bool{}
		for _, row := range isa.RowsOf(op) {
			for f := range shapes(row) {
				if !seen[f] {
					seen[f] = true
					all = append(all, dressed(f, rng))
				}
			}
		}
	}
	return all
})

// shapes yields the classes of a row, each as its form without source selectors. One may come several times.
func shapes(row *isa.Row) func(yield func(isa.Form) bool) {
	return func(yield func(isa.Form) bool) {
		// Selectors and masks are billions in the rows of SIMD instructions: a form there is drawn by the
		// modifiers alone, which are the first choices of a row and so the highest digits of its number.
		count := row.Count()
		step := uint64(1)
		if row.Op.SIMD() {
			a, b := isa.DefaultLanes(row.Op)
			masks := uint64(1)<<row.Op.Lanes() - 1
			lanes := uint64(1)
			for range row.Op.Lanes() {
				lanes *= uint64(2 * row.Op.Lanes())
			}
			step = masks * lanes * lanes
			for i := uint64(0); i < count; i += step {
				f := row.At(i)
				f.ALane, f.BLane = a, b
				for _, full := range []bool{true, false} {
					f.Mask = isa.Mask(1)
					if full {
						f.Mask = isa.FullMask(row.Op)
					}
					if !yield(f) {
						return
					}
				}
			}
			return
		}
		for i := uint64(0); i < count; i += step {
			f := row.At(i)
			f.ASel, f.BSel = isa.Word, isa.Word
			if f.DSel.Bits() == 8 {
				f.DSel = isa.B0
			}
			if !yield(f) {
				return
			}
		}
	}
}

// dressed gives a class its selectors: none every third time, else drawn ones.
func dressed(f isa.Form, rng *rand.Rand) isa.Form {
	if f.Op.SIMD() {
		if f.Mask != isa.FullMask(f.Op) {
			f.Mask = isa.Mask(1 + rng.IntN(int(isa.FullMask(f.Op))-1))
		}
		n := f.Op.Lanes()
		draw := func(lanes *isa.Lanes) {
			if rng.IntN(3) == 0 {
				return
			}
			*lanes = 0
			for range n {
				*lanes = *lanes<<4 | isa.Lanes(rng.IntN(2*n))
			}
		}
		draw(&f.ALane)
		draw(&f.BLane)
		return f
	}
	draw := func(sel *isa.Part) {
		if rng.IntN(3) != 0 {
			*sel = isa.Part(1 + rng.IntN(int(isa.H1)))
		}
	}
	draw(&f.ASel)
	draw(&f.BSel)
	if f.DSel == isa.B0 {
		f.DSel += isa.Part(rng.IntN(4))
	}
	return f
}

//go:embed real.txt
var realText string

// Real returns the forms that published code uses, most used first.
func Real() []isa.Form { return real() }

var real = sync.OnceValue(func() []isa.Form {
	var forms []isa.Form
	for line := range strings.Lines(realText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		f, err := ParseForm(line)
		if err != nil {
			panic(fmt.Sprintf("conform: real.txt: %v", err))
		}
		forms = append(forms, f)
	}
	return forms
})
