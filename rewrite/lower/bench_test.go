package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// BenchmarkForm lowers forms drawn from the whole table, so many that none is remembered
// when it comes again.
func BenchmarkForm(b *testing.B) {
	for _, caps := range []word.Caps{word.Portable, word.AVX2, word.AVX512, lower.SM80} {
		b.Run(caps.Name, func(b *testing.B) {
			var forms []isa.Form
			for f := range isa.Sample(rand.New(rand.NewPCG(1, 2))) {
				if forms = append(forms, f); len(forms) == 5000 {
					break
				}
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				lower.Form(forms[i%len(forms)], caps)
			}
		})
	}
}

// BenchmarkFormAgain lowers forms that are remembered.
func BenchmarkFormAgain(b *testing.B) {
	f := isa.Form{Op: isa.Vmad, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true}
	b.ReportAllocs()
	for b.Loop() {
		lower.Form(f, lower.SM80)
	}
}
