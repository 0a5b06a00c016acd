package sass

import "testing"

// TestCount holds the counter to what is known of a few snippets.
func TestCount(t *testing.T) {
	if !Available() {
		t.Skip("ptxas and cuobjdump are not installed")
	}
	snippets := []string{
		"add.u32 %r4, %r1, %r2;",
		"and.b32 %r4, %r1, %r2; xor.b32 %r4, %r4, %r3;", // one lop3
		"min.s32 %r4, %r1, %r2; max.s32 %r4, %r4, %r3;", // no names in cuobjdump 11.8, sm_90
		"vsub4.s32.s32.s32.sat %r4, %r1, %r2, %r3;",
	}
	for _, target := range []string{"sm_80", "sm_90"} {
		counts, err := Count(target, Module(target, snippets))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{1, 1, 2, 40} {
			if counts[i] != want {
				t.Errorf("%s: %s: %d machine instructions, want %d", target, snippets[i], counts[i], want)
			}
		}
	}
}

func TestBadPTX(t *testing.T) {
	if !Available() {
		t.Skip("ptxas and cuobjdump are not installed")
	}
	if _, err := Count("sm_80", Module("sm_80", []string{"vadd9 %r4, %r1;"})); err == nil {
		t.Error("no error for an instruction that does not exist")
	}
}
