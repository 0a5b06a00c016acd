package conform

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
)

// TestPlain counts the forms by hand: types, times .sat, times second operations, and so on.
func TestPlain(t *testing.T) {
	want := map[isa.Op]int{}
	for _, op := range isa.Ops() {
		switch name := op.String(); {
		case strings.HasPrefix(name, "vset") && op.SIMD():
			want[op] = 4 * 6 * 2
		case op.SIMD():
			want[op] = 8 * 3 // .sat, .add or neither
		case name == "vset":
			want[op] = 4 * 6 * 4
		case name == "vshl" || name == "vshr":
			want[op] = 4 * 2 * 2 * 4
		case name == "vmad":
			want[op] = 8 * 2 * 3 * 2 // .sat, the scales, .po
		default:
			want[op] = 8 * 2 * 4
		}
	}
	got := map[isa.Op]int{}
	for _, f := range Plain() {
		got[f.Op]++
		if text := f.String(); !f.Valid() || strings.ContainsAny(text[strings.IndexByte(text, ' '):], ".-") {
			t.Errorf("%s is not plain", text)
		}
	}
	for _, op := range isa.Ops() {
		if got[op] != want[op] {
			t.Errorf("%v: %d forms, want %d", op, got[op], want[op])
		}
	}
}
