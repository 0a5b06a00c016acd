package isa

import (
	"strings"
	"testing"
)

func TestParseTarget(t *testing.T) {
	for name, want := range map[string]int{
		"sm_80": 80, "sm_30": 30, "sm_13": 13, "sm_90": 90, "sm_90a": 90, "sm_100": 100, "sm_100f": 100, "sm_103a": 103, "sm_110f": 110, "sm_121a": 121,
	} {
		if sm, err := ParseTarget(name); sm != want || err != nil {
			t.Errorf("ParseTarget(%q) = %d, %v, want %d", name, sm, err, want)
		}
	}
}

func TestParseTargetRejects(t *testing.T) {
	for name, want := range map[string]string{
		"":                        "targets are named sm_80",
		"sm_":                     "targets are named sm_80",
		"sm_8x":                   "targets are named sm_80",
		"gfx90a":                  "targets are named sm_80",
		"sm_-5":                   "did you mean sm_10?",
		"80":                      "did you mean sm_80?",
		"8.0":                     "did you mean sm_80?",
		"compute_90a":             "did you mean sm_90a?",
		"SM_80":                   "did you mean sm_80?",
		"sm80":                    "did you mean sm_80?",
		"sm_81":                   "did you mean sm_80 or sm_86?",
		"sm_80a":                  "did you mean sm_80 or sm_86?",
		"sm_90f":                  "did you mean sm_90 or sm_100?",
		"sm_200":                  "did you mean sm_121?",
		"sm_1":                    "did you mean sm_10?",
		"sm_080":                  "did you mean sm_80",
		"sm_99999999999999999999": "did you mean sm_121?",
		"sm_90aa":                 "did you mean sm_90 or sm_100?",
	} {
		if _, err := ParseTarget(name); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "no target") {
			t.Errorf("ParseTarget(%q): %v, want %q in it", name, err, want)
		}
	}
}
