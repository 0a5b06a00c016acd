package inst

import (
	"strings"
	"testing"
)

// TestPlaces: the operands of every line stand where it says.
func TestPlaces(t *testing.T) {
	for _, name := range Names() {
		for _, row := range Rows(name) {
			places := row.Places()
			if len(places) != len(row.Operands) {
				t.Fatalf("%s: %d places", row.Line, len(places))
			}
			end := 0
			for i, p := range places {
				if p[0] < end || p[1] > len(row.Line) || row.Line[p[0]:p[1]] != row.Operands[i].spell() || !strings.ContainsAny(row.Line[end:p[0]], " {") {
					t.Errorf("%s: operand %d is at %v", row.Line, i, p)
				}
				end = p[1]
			}
		}
	}
}

// TestFollow: what may follow comes with the line and the place that take it, and lines that lack
// something fit all the same.
func TestFollow(t *testing.T) {
	f := Follow("ld", []string{".global"})
	if len(f) < 2 || f[1].Modifier != ".ca" || f[1].Slot == nil || f[1].Slot.Name != ".cop" || f[1].Row.Mnemonic != "ld" {
		t.Errorf("%+v", f)
	}
	if f := Follow("mul", nil); len(f) == 0 || f[0].Modifier != ".lo" || f[0].Slot != nil {
		t.Errorf("%+v", f)
	}
	if rows := Fitting("add", []string{".s32"}); len(rows) < 2 || rows[0].Line != "add.type d, a, b;" {
		t.Errorf("%d lines take add.s32", len(rows))
	}
	if rows := Fitting("add", []string{".brew"}); len(rows) != 0 {
		t.Errorf("%d lines take add.brew", len(rows))
	}
	if f := Follow("brew", nil); f != nil {
		t.Errorf("%+v", f)
	}
	// As many modifiers as no instruction has are no trouble.
	many := make([]string, 1000)
	for i := range many {
		many[i] = ".sat"
	}
	Follow("add", many)
	Fitting("add", many)
}
