package explain

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// drawings has one case for each thing a drawing can show.
var drawings = []struct {
	name    string
	form    isa.Form
	a, b, c uint32
	reading sem.Reading
}{
	{"vadd4-sat", isa.Form{Op: isa.Vadd4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 0xf, ALane: 0x3210, BLane: 0x7654}, 0x7f017f01, 0x01010101, 0, sem.ISA},
	{"vset4-mask", isa.Form{Op: isa.Vset4, Cmp: isa.Ge, Mask: 0b0110, ALane: 0x0123, BLane: 0x4444}, 0x11223344, 0x00000033, 0xaabbccdd, sem.ISA},
	{"vabsdiff4-add", isa.Form{Op: isa.Vabsdiff4, Second: isa.SecondAdd, Mask: 0b1101, ALane: 0x3210, BLane: 0x7654}, 0x01020304, 0x04030201, 0x00000100, sem.ISA},
	{"vavrg2", isa.Form{Op: isa.Vavrg2, DType: isa.S32, AType: isa.S32, BType: isa.U32, Mask: 0b11, ALane: 0x10, BLane: 0x32}, 0x8000ffff, 0x00010001, 0, sem.ISA},
	{"vmin-op2", isa.Form{Op: isa.Vmin, DType: isa.S32, AType: isa.S32, BType: isa.S32, Second: isa.SecondMax, ASel: isa.B1}, 0x00008000, 5, 0xfffffff0, sem.ISA},
	{"vsub-merge", isa.Form{Op: isa.Vsub, DType: isa.U32, AType: isa.S32, Sat: true, DSel: isa.B2, BSel: isa.H1}, 7, 0x00090000, 0x11223344, sem.ISA},
	{"vshl-wrap", isa.Form{Op: isa.Vshl, Mode: isa.Wrap, BSel: isa.B3}, 3, 0x21000000, 0, sem.ISA},
	{"vmad-negated", isa.Form{Op: isa.Vmad, AType: isa.S32, NegC: true, Sat: true, Scale: isa.Shr7}, 0x7fffffff, 0x00010000, 1, sem.ISA},
	{"vmad-po", isa.Form{Op: isa.Vmad, PlusOne: true, ASel: isa.H0}, 0xffff, 2, 3, sem.ISA},

	// The other reading gives another value: because of a stage, of an operand, of two rules.
	{"differs-merge", isa.Form{Op: isa.Vadd, DType: isa.S32, AType: isa.S32, BType: isa.S32, DSel: isa.H1}, 0, 1, 0x12345678, sem.ISA},
	{"differs-factor", isa.Form{Op: isa.Vmad, Scale: isa.Shr7}, 1, 0x80000000, 0, sem.ISA},
	{"differs-twice", isa.Form{Op: isa.Vshl, Mode: isa.Clamp, Second: isa.SecondMax}, 2, 32, 1, sem.SM86},
	{"differs-range", isa.Form{Op: isa.Vsub, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, DSel: isa.B1}, 0, 1, 0, sem.SM86},
	{"differs-c", isa.Form{Op: isa.Vmad, Scale: isa.Shr15, ASel: isa.H0, BSel: isa.H0}, 3, 5, 0x80000000, sem.SM86},
}

func TestDrawings(t *testing.T) {
	for _, c := range drawings {
		t.Run(c.name, func(t *testing.T) {
			got := String(sem.TraceOf(c.reading, c.form, c.a, c.b, c.c))
			golden := filepath.Join("testdata", c.name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("drawing differs from %s (-update rewrites it):\n%s", golden, diff)
			}
		})
	}
}

// TestColor checks that colour adds escape codes and changes nothing else.
func TestColor(t *testing.T) {
	codes := regexp.MustCompile("\x1b\\[[0-9]+m")
	for _, c := range drawings {
		trace := sem.TraceOf(c.reading, c.form, c.a, c.b, c.c)
		var colored strings.Builder
		if err := Write(&colored, trace, true); err != nil {
			t.Fatal(err)
		}
		if !codes.MatchString(colored.String()) {
			t.Errorf("%s: no colours", c.name)
		}
		if diff := cmp.Diff(String(trace), codes.ReplaceAllString(colored.String(), "")); diff != "" {
			t.Errorf("%s: colour changes the layout:\n%s", c.name, diff)
		}
	}
}

// TestWidth demands that drawings fit a terminal of 80 columns, whatever the form and the operands.
func TestWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ends := []uint32{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0x80008000, 0x80808080, 0xffffffff}
	widest := 0
	n := 0
	for f := range isa.Sample(rng) {
		if n++; n > 20000 {
			break
		}
		pick := func() uint32 { return ends[rng.IntN(len(ends))] }
		reading := []sem.Reading{sem.ISA, sem.SM86}[rng.IntN(2)]
		text := String(sem.TraceOf(reading, f, pick(), pick(), pick()))
		for line := range strings.Lines(text) {
			widest = max(widest, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
			if widest > Width {
				t.Fatalf("%d columns:\n%s", widest, text)
			}
		}
	}
	t.Logf("the widest line has %d columns", widest)
}
