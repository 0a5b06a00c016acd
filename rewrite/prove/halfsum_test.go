package prove

import (
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
)

// TestHalfSumOfEqualLanes: lane 1 is compared with itself.
func TestHalfSumOfEqualLanes(t *testing.T) {
	f := parsed(t, "vmin4.u32.s32.s32.add d.b310, a.b3753, b.b6550, c")
	p := lower.Form(f, lower.SM80)
	if r, decided := byHalfSum(t.Context(), f, p, Options{Solver: solver(t), Timeout: time.Minute}); !decided || r.Verdict != Proved {
		t.Errorf("%v: %v\n%v", f, r, p)
	}
}

// TestHalfSums proves extremes that are added as half of a sum, and none of the programs
// that a slip has made of theirs.
func TestHalfSums(t *testing.T) {
	s := solver(t)
	o := Options{Solver: s, Timeout: time.Minute}
	for _, test := range []struct {
		form  string
		slips [][2]string // in the text of the program
	}{
		{"vmax4.s32.s32.s32.add d, a, b, c", [][2]string{
			{"shr.s", "shr.u"}, {"sad.s8 a, b, 0", "sad.s8 a, b, 1"}, {"sad.s8 a, b, 0", "sad.s8 a, c, 0"}, {"sad.s8", "sad.u8"},
			{", 1010101\nv6", ", 1010001\nv6"}, {", 1\n", ", 2\n"}, {"dot.s8 b", "dot.s8 a"},
		}},
		{"vmin4.s32.s32.s32.add d, a, b, c", [][2]string{
			{"mul.wide.s", "mul.wide.u"}, {", 80000000", ", 40000000"}, {"sad.s8 a, b, 0", "sad.s8 a, b, 1"}, {"sad.s8", "sad.u8"},
			{", ffffffff", ", fffeffff"}, {", ffffffff", ", 1010101"}, {"dot.s8 b", "dot.s8 a"}, {"wide.u c", "wide.u b"}, {", 20\n", ", 1f\n"},
		}},
		{"vmin4.u32.u32.u32.add d.b320, a, b, c", [][2]string{{"sub", "add"}, {"shr.u", "shr.s"}, {"1010001", "1010002"}}},
	} {
		f := parsed(t, test.form)
		p := lower.Form(f, lower.SM80)
		if strings.HasPrefix(test.form, "vmin4.u32") { // the lowering has a shorter way
			q, err := word.Parse("v1 = perm a, b, 7614\nv2 = sad.u8 a, v1, 0\nv3 = dot.u8 a, 0, 1010001\nv4 = dot.u8 b, v3, 1010001\nv5 = sub v4, v2\nv6 = shr.u v5, 1\nv7 = add v6, c\nd = v7")
			if err != nil {
				t.Fatal(err)
			}
			p = q
		}
		if r, decided := byHalfSum(t.Context(), f, p, o); !decided || r.Verdict != Proved {
			t.Errorf("%v: %v\n%v", f, r, p)
		}
		for _, slip := range test.slips {
			text := strings.Replace(p.String(), slip[0], slip[1], 1)
			wrong, err := word.Parse(text)
			if err != nil || text == p.String() {
				t.Fatalf("%v: %v\n%s", slip, err, text)
			}
			r, decided := byHalfSum(t.Context(), f, wrong, o)
			if slip == [2]string{"shr.u", "shr.s"} { // the sum is not below 0
				if r.Verdict != Proved {
					t.Errorf("%v with %v: %v\n%v", f, slip, r, wrong)
				}
			} else if decided {
				t.Errorf("%v with %v: %v\n%v", f, slip, r, wrong)
			}
		}
	}
}
