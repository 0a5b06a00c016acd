package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// BenchmarkForm lowers forms drawn from the whole table.
func BenchmarkForm(b *testing.B) {
	for _, caps := range []word.Caps{word.Portable, word.AVX2, word.AVX512, lower.SM80} {
		b.Run(caps.Name, func(b *testing.B) {
			var forms []isa.Form
			for f := range isa.Sample(rand.New(rand.NewPCG(1, 2))) {
				if forms = append(forms, f); len(forms) == 1000 {
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
