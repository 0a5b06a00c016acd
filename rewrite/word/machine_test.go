package word

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestMachine holds the estimate to what ptxas made of a hundred programs.
func TestMachine(t *testing.T) {
	text, err := os.ReadFile("testdata/measured.txt")
	if err != nil {
		t.Fatal(err)
	}
	// One instruction fewer than we know a reason for.
	unexplained := "vmad.s32.s32.s32.sat.shr15 d, a, b, c;"
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	for _, block := range blocks[1:] {
		head, body, _ := strings.Cut(block, "\n")
		number, form, _ := strings.Cut(head, " ")
		want, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		if form == unexplained {
			want++
		}
		p, err := Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Caps{PTX: true}).Machine(p).Instructions; got != want {
			t.Errorf("%s: %d machine instructions, ptxas makes %d\n%v", form, got, want, p)
		}
	}
	if len(blocks) < 90 {
		t.Errorf("only %d programs have been measured", len(blocks))
	}
}

// TestDepth tells programs of the same length apart by what waits for what, and by their rates.
func TestDepth(t *testing.T) {
	for text, want := range map[string]Count{
		"d = a": {0, 0, 0},
		"v1 = xor a, b\nv2 = xor v1, c\nv3 = xor v2, 7\nd = v3":            {3, 3, 3},
		"v1 = xor a, b\nv2 = xor c, 7\nv3 = xor v1, v2\nd = v3":            {3, 3, 2},
		"v1 = shl a, 3\nv2 = add v1, b\nd = v2":                            {1, 1, 1},
		"v1 = lt.u a, b\nv2 = select v1, a, b\nd = v2":                     {2, 2, 2},
		"v1 = lt.u a, b\nd = v1":                                           {2, 2, 2},
		"v1 = and b, 1f\nv2 = shl a, v1\nd = v2":                           {1, 1, 1},
		"v1 = and b, 1f\nv2 = shl a, v1\nv3 = add v2, v1\nd = v3":          {3, 3, 3},
		"v1 = mul.wide.u a, b\nv2 = shr.wide.u v1, 20\nv3 = lo v2\nd = v3": {1, 1, 1},
	} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Caps{PTX: true}).Machine(p); got != want {
			t.Errorf("%+v, want %+v\n%v", got, want, p)
		}
	}
}

// TestSlots: every operation issues at the full rate, as far as is known.
func TestSlots(t *testing.T) {
	p, err := Parse("v1 = pack.sat.s16 a, b\nv2 = xor v1, c\nd = v2")
	if err != nil {
		t.Fatal(err)
	}
	for compute, want := range map[int]int{75: 2, 80: 2, 89: 2, 90: 2, 120: 2} {
		if got := (Caps{PTX: true, Compute: compute}).Machine(p); got != (Count{2, want, 2}) {
			t.Errorf("%d: %+v, want 2 instructions, %d slots, depth 2", compute, got, want)
		}
	}
}
