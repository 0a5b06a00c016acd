package build

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/ordinary"
	"github.com/vop-ptx/vop/run/simt/build/compute"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// expand returns the names of all forms of a syntax line.
func expand(line string) []string {
	parsed := form.ParseLine(line)
	names := []string{parsed.Name}
	for _, s := range parsed.Slots {
		var longer []string
		for _, n := range names {
			if s.Optional {
				longer = append(longer, n)
			}
			for _, w := range s.Words {
				longer = append(longer, n+"."+w)
			}
		}
		names = longer
	}
	return names
}

// notInManual are forms that the builder takes and the manual does not have, so that the model has nothing
// to say of them: comparisons of order of untyped bits, those of unsigned integers by name of others, .ftz of
// f64, .sat together with .relu, moves of f16, mad of sm_1x, whose rounding is not named.
var notInManual = regexp.MustCompile(strings.Join([]string{
	`^setp?\.(lt|le|gt|ge|lo|ls|hi|hs)\..*b\d+$`,
	`^setp?\.(lo|ls|hi|hs)\..*s\d+$`,
	`^setp?\..*ftz.*\.f64$`,
	`\.sat\.relu\.`,
	`^(mov|selp)\.f16(x2)?$`,
	`^mad(\.ftz)?(\.sat)?\.f(32|64)$`,
	`^mov\.b128$`,                    // whose operands the model has no registers for, and which TestWideValues of run/vm/forms holds
	`^(tanh|ex2)\.approx.*f16(x2)?$`, // which TestHalfApproximations of package vm holds
}, "|"))

var saturatedInteger = regexp.MustCompile(`^cvt\.sat\.([us])(\d+)\.([us])(\d+)$`)

// unmodelled reports whether a form is none of the model's: not the manual's, or cvta.
func unmodelled(name string) bool {
	if m := saturatedInteger.FindStringSubmatch(name); m != nil { // where all values are in range, which ptxas rejects
		to, _ := strconv.Atoi(m[2])
		from, _ := strconv.Atoi(m[4])
		return m[1] == m[3] && to >= from || m[1] == "s" && to > from
	}
	return notInManual.MatchString(name) || strings.HasPrefix(name, "cvta.")
}

// TestModelHasAllForms looks whether the model of ordinary instructions has every form that the builder takes.
func TestModelHasAllForms(t *testing.T) {
	model := map[string]bool{}
	for _, f := range ordinary.Forms() {
		model[f.Name] = true
	}
	for _, table := range compute.Tables() {
		for _, r := range table {
			for _, name := range expand(r.Syntax) {
				if !model[name] && !unmodelled(name) {
					t.Errorf("%s is not in the model", name)
				}
				if model[name] && unmodelled(name) {
					t.Errorf("%s is in the model, though it should not be", name)
				}
			}
		}
	}
}
