package isa

import (
	"strings"
	"testing"
)

// TestParseReading reads the names of all readings, and names those there are where
// it does not know one.
func TestParseReading(t *testing.T) {
	for _, r := range Readings() {
		if got, err := ParseReading(r.String()); got != r || err != nil {
			t.Errorf("ParseReading(%q) = %v, %v", r, got, err)
		}
	}
	_, err := ParseReading("sm_70")
	for _, name := range []string{"sm_70", "isa", "sm_86"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("ParseReading(\"sm_70\"): error %v does not name %s", err, name)
		}
	}
}
