package forms

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/ordinary"
)

// dividesIntegers reports whether a form is a quotient or remainder of integers.
func dividesIntegers(f *ordinary.Form) bool {
	kind := f.Sources[0].Kind
	return (kind == 'u' || kind == 's') && (strings.HasPrefix(f.Name, "div.") || strings.HasPrefix(f.Name, "rem."))
}

// takesOutOfBounds reports whether a form takes a NaN for what is out of bounds.
func takesOutOfBounds(f *ordinary.Form) bool { return strings.Contains(f.Name, ".oob") }

// TestOpenForms holds what the manual leaves open of divisions by zero and of what is out of bounds (rulings O1 and O12) to the
// model on all levels. TestOrdinaryForms has these forms too, but not each time.
func TestOpenForms(t *testing.T) {
	held := 0
	for _, f := range ordinary.Forms() {
		if !dividesIntegers(&f) && !takesOutOfBounds(&f) {
			continue
		}
		held++
		complaint, err := holdForm(&f, 150, 64, rand.New(rand.NewPCG(formHash(&f), 3)))
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if complaint != "" {
			t.Errorf("%s: %s", f.Name, complaint)
		}
	}
	if held != 20 {
		t.Errorf("%d forms are held to the model, want 20", held)
	}
}
