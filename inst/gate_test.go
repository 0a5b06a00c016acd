package inst

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
)

// TestPackedGates holds which version and target packed integers need, as the notes of 9.7.1.1 to 9.7.1.13 of PTX ISA 9.2 say.
func TestPackedGates(t *testing.T) {
	halves := Gate{PTX: isa.Version{Major: 8}, SM: 90}
	bytes := Gate{PTX: isa.Version{Major: 9, Minor: 2}, SM: 120, Features: true}
	none := Gate{}
	for line, want := range map[string]Gate{
		"add.u16x2 add.s16x2 min.u16x2 min.s16x2 min.relu.s16x2 min.relu.s32 max.u16x2 max.s16x2 max.relu.s16x2 max.relu.s32":             halves,
		"add.u8x4 add.s8x4 add.sat.u8x4 add.sat.s8x4 add.sat.u16x2 add.sat.s16x2 add.sat.u32 sub.u8x4 sub.s8x4 sub.sat.u8x4 sub.sat.s8x4": bytes,
		"neg.s8x4 min.u8x4 min.s8x4 min.relu.s8x4 max.u8x4 max.s8x4 max.relu.s8x4":                                                        bytes,
		"sub.u16x2 sub.s16x2 sub.sat.s16x2 sub.sat.u32 neg.s16x2 neg.u8x4 min.relu.u16x2 min.relu.u8x4 max.relu.u32 abs.s8x4 mul.lo.u8x4": none,
	} {
		for text := range strings.FieldsSeq(line) {
			words := strings.Split(text, ".")
			for i := range words[1:] {
				words[i+1] = "." + words[i+1]
			}
			o, _ := Find(words[0], words[1:])
			if o == nil {
				if want != none {
					t.Errorf("there is no %s", text)
				}
				continue
			}
			row := o.Forms[0].Row
			if got := (Gate{PTX: row.PTX, SM: row.SM, Features: row.Family}); got != want {
				t.Errorf("%s needs %+v, want %+v", text, got, want)
			}
		}
	}
}

// TestFamily holds which targets a row takes that only a family has.
func TestFamily(t *testing.T) {
	o, _ := Find("add", []string{".u8x4"})
	row := o.Forms[0].Row
	if row.Target() != "sm_120f" {
		t.Errorf("it is on %s", row.Target())
	}
	for _, test := range []struct {
		sm       int
		features bool
		want     bool
	}{{120, true, true}, {121, true, true}, {120, false, false}, {121, false, false}, {110, true, false}, {100, true, false}, {90, true, false}, {130, true, false}} {
		if got := row.On(Gate{SM: test.sm, Features: test.features}); got != test.want {
			t.Errorf("sm_%d, features %v: %v", test.sm, test.features, got)
		}
	}
}

// TestFamilies holds what a row takes that several families have, and no others.
func TestFamilies(t *testing.T) {
	o, _ := Find("cvt", []string{".rn", ".satfinite", ".e2m1x2", ".f32"})
	row := o.Forms[0].Row
	if want := "sm_100f, sm_110f or sm_120f"; row.Target() != want {
		t.Errorf("it is on %s, want %s", row.Target(), want)
	}
	for sm, want := range map[int]bool{90: false, 100: true, 103: true, 110: true, 120: true, 121: true, 130: false} {
		if got := row.On(Gate{SM: sm, Features: true}); got != want {
			t.Errorf("sm_%da: %v", sm, got)
		}
		if row.On(Gate{SM: sm}) {
			t.Errorf("sm_%d has no features of a family, and is taken", sm)
		}
	}
}

// TestExactTarget holds what a row takes that one target alone has.
func TestExactTarget(t *testing.T) {
	o, _ := Find("wgmma", []string{".fence", ".sync", ".aligned"})
	row := o.Forms[0].Row
	if want := "sm_90a"; row.Target() != want {
		t.Errorf("it is on %s, want %s", row.Target(), want)
	}
	for sm, want := range map[int]bool{80: false, 90: true, 100: false, 120: false} {
		if got := row.On(Gate{SM: sm, Features: true}); got != want {
			t.Errorf("sm_%da: %v", sm, got)
		}
		if row.On(Gate{SM: sm}) {
			t.Errorf("sm_%d has no features of its own, and is taken", sm)
		}
	}
}

// TestCounts holds which number modifiers say that count elements.
func TestCounts(t *testing.T) {
	for modifier, want := range map[string]int{".3d": 3, ".x128": 128, ".m64n24k16": 24, ".x": 0} {
		if got := (&counter{}).of(modifier); got != want {
			t.Errorf("%s: %d, want %d", modifier, got, want)
		}
	}
	for sign, want := range map[byte]int{'-': 8, '*': 32, '/': 4} {
		if got := (&counter{sign: sign, by: map[byte]int{'-': 8, '*': 2, '/': 4}[sign]}).of(".x16"); got != want {
			t.Errorf("%c: %d, want %d", sign, got, want)
		}
	}
}
