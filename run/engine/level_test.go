package engine

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
		parsed, err := ParseLevel(l.String())
		if err != nil || parsed != l {
			t.Errorf("ParseLevel(%q) = %v, %v", l, parsed, err)
		}
		e, err := New(l)
		if err != nil || e.Level() != l {
			t.Errorf("New(%v) = an engine of %v, %v", l, e.Level(), err)
		}
	}
	t.Logf("the tests run with %v", levels)
}

// TestEnvironment holds what VOP_ENGINE may say.
func TestEnvironment(t *testing.T) {
	for _, l := range []Level{Portable, AVX2, AVX512} {
		e, err := fromEnvironment(l.String())
		switch available := slices.Contains(Levels(), l); {
		case available && (err != nil || e.Level() != l):
			t.Errorf("%v: %v", l, err)
		case !available && err == nil:
			t.Errorf("%v: no error, though this machine does not have it", l)
		}
	}
	if e, err := Named(""); err != nil || e.Level() != Best() {
		t.Errorf("Named(\"\"): %v, want %v", err, Best())
	}
	if e, err := fromEnvironment(""); err != nil || e.Level() != Best() {
		t.Errorf("unset: %v, want %v", err, Best())
	}
	for _, value := range []string{"sse2", "AVX2", "avx512 "} {
		_, err := fromEnvironment(value)
		if err == nil {
			t.Errorf("%q: no error", value)
			continue
		}
		if _, err := Named(value); err == nil {
			t.Errorf("Named(%q): no error", value)
		}
		for _, part := range []string{Environment, "portable, avx2, avx512"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: the error %q does not say %q", value, err, part)
			}
		}
	}
}

// TestNewUnavailable holds that a level that no machine has is an error.
func TestNewUnavailable(t *testing.T) {
	if _, err := New(Level(99)); err == nil {
		t.Error("no error")
	}
}
