package inline

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// typed finds what the regular expression finds.
func TestTyped(t *testing.T) {
	want := regexp.MustCompile(`\.[usbf](8|16|32|64)\b`)
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{".", ".", "u", "s", "b", "f", "q", "8", "16", "32", "64", "1", " ", ";", "$", "_", "a", "\u00b5", "\xff"}
	found := 0
	for range 100000 {
		var s strings.Builder
		for range rng.IntN(8) {
			s.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := s.String()
		if got := typed(text); got != want.MatchString(text) {
			t.Errorf("typed(%q) is %t", text, got)
		} else if got {
			found++
		}
	}
	if found < 100 {
		t.Errorf("only %d texts had a type", found)
	}
}
