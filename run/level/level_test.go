package level

import (
	"slices"
	"strings"
	"testing"
)

func TestLevels(t *testing.T) {
	levels := Levels()
	if levels[0] != Portable {
		t.Errorf("Levels() = %v: want portable first", levels)
	}
	if !slices.IsSorted(levels) {
		t.Errorf("Levels() = %v: want the slowest first", levels)
	}
	if best := Best(); best != levels[len(levels)-1] {
		t.Errorf("Best() = %v, want the last of %v", best, levels)
	}
	for _, l := range levels {
		if parsed, err := Parse(l.String()); err != nil || parsed != l {
			t.Errorf("Parse(%q) = %v, %v", l, parsed, err)
		}
		if got, err := l.Resolve(); err != nil || got != l {
			t.Errorf("%v.Resolve() = %v, %v", l, got, err)
		}
	}
	t.Logf("the tests run with %v", levels)
}

// TestEnvironment holds what VOP_ENGINE may say.
func TestEnvironment(t *testing.T) {
	for _, l := range []Level{Portable, AVX2, AVX512, NEON} {
		got, err := valued(l.String())
		switch has := slices.Contains(Levels(), l); {
		case has && (err != nil || got != l):
			t.Errorf("%v: %v, %v", l, got, err)
		case !has && err == nil:
			t.Errorf("%v: no error, though this machine does not have it", l)
		}
	}
	if l, err := Named(""); err != nil || l != Best() {
		t.Errorf("Named(\"\"): %v, %v, want %v", l, err, Best())
	}
	if l, err := valued(""); err != nil || l != Best() {
		t.Errorf("unset: %v, %v, want %v", l, err, Best())
	}
	for _, value := range []string{"sse2", "AVX2", "avx512 ", "auto"} {
		_, err := valued(value)
		if err == nil {
			t.Errorf("%q: no error", value)
			continue
		}
		if _, err := Named(value); err == nil {
			t.Errorf("Named(%q): no error", value)
		}
		for _, part := range []string{Environment, "portable, avx2, avx512, neon"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: the error %q does not say %q", value, err, part)
			}
		}
	}
}

// TestLevelsThatThereAreNot holds that a level that no machine has is an error, and what an array of it is.
func TestLevelsThatThereAreNot(t *testing.T) {
	if l, err := Level(99).Resolve(); err == nil {
		t.Errorf("no error, but %v", l)
	}
	if l := Level(99).String(); l != "level.Level(99)" {
		t.Errorf("it is called %q", l)
	}
}
