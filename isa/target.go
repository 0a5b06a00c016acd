package isa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// targets are the machines that .target names (PTX ISA 11.1.2), each number with the
// suffixes it comes with: "a" for what that machine alone has, "f" for what its family has.
var targets = func() (names []string) {
	const known = "10 11 12 13 20 21 30 32 35 37 50 52 53 60 61 62 70 72 75 80 86 87 88 89 90:a 100:af 101:af 103:af 110:af 120:af 121:af"
	for word := range strings.FieldsSeq(known) {
		number, suffixes, _ := strings.Cut(word, ":")
		names = append(names, "sm_"+number)
		for _, suffix := range suffixes {
			names = append(names, "sm_"+number+string(suffix))
		}
	}
	return names
}()

// Targets returns the names of the targets that PTX knows, "sm_10" first.
func Targets() []string { return slices.Clone(targets) }

// ParseTarget returns the number of a target that PTX knows: 90 of "sm_90" and of "sm_90a".
// The error of another name says which may be meant.
func ParseTarget(name string) (sm int, err error) {
	if !slices.Contains(targets, name) {
		return 0, fmt.Errorf("no target %q: %s", name, targetMeant(name))
	}
	return targetNumber(name), nil
}

// targetNumber returns the number in the name of a target, without its suffix.
func targetNumber(name string) int {
	sm, _ := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(name, "sm_"), "af"))
	return sm
}

// targetMeant says what an unknown name of a target may stand for: the same machine under
// the name that .target has for it, or those nearest by number.
func targetMeant(name string) string {
	text := strings.ToLower(name)
	for _, prefix := range []string{"compute", "sm"} {
		text = strings.TrimPrefix(text, prefix)
	}
	text = "sm_" + strings.ReplaceAll(strings.TrimLeft(text, "_- "), ".", "")
	if slices.Contains(targets, text) {
		return "did you mean " + text + "?"
	}
	sm := targetNumber(text)
	if sm == 0 {
		return "targets are named sm_80, sm_90a and so on"
	}
	var meant []string // the nearest below and above
	for _, target := range targets {
		number := targetNumber(target)
		if target != "sm_"+strconv.Itoa(number) {
			continue // with a suffix
		}
		if number <= sm {
			meant = meant[:0]
		}
		meant = append(meant, target)
		if number > sm {
			break
		}
	}
	return "did you mean " + strings.Join(meant, " or ") + "?"
}
