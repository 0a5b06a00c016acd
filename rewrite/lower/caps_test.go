package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// TestProgramsKeepToCaps checks that no program has an operation that its target lacks.
func TestProgramsKeepToCaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	forms := 2000
	if !long.Tests() {
		forms = 500
	}
	for f := range isa.Sample(rng) {
		for _, caps := range lower.Targets() {
			p := lower.Form(f, caps)
			for _, i := range p.Insts {
				if !caps.Has(i.Op) {
					t.Fatalf("%v for %s has %v\n%v", f, caps.Name, i.Op, p)
				}
				if i.Op == word.DotS8 && caps.NonNegativeDotS8 && i.Imm&0x80808080 != 0 {
					t.Fatalf("%v for %s has the weights %08x\n%v", f, caps.Name, i.Imm, p)
				}
			}
		}
		if forms--; forms == 0 {
			return
		}
	}
}

func TestTarget(t *testing.T) {
	for _, caps := range lower.Targets() {
		if found, err := lower.Target(caps.Name); err != nil || found != caps {
			t.Errorf("Target(%q) is %v, %v", caps.Name, found.Name, err)
		}
	}
	if found, err := lower.Target("sm_90a"); err != nil || found != lower.SM90.With("sm_90a") {
		t.Errorf("sm_90a is %v, %v, want sm_90 under another name", found, err)
	}
	for name, want := range map[string]string{
		"sm_81":   `no target "sm_81": did you mean sm_80 or sm_86? (besides, there are portable, c, avx2, avx512, neon)`,
		"avx512f": `no target "avx512f": did you mean avx512?`,
	} {
		if _, err := lower.Target(name); err == nil || err.Error() != want {
			t.Errorf("Target(%q): %v, want %s", name, err, want)
		}
	}
}

// TestPTX checks what older targets and versions lack.
func TestPTX(t *testing.T) {
	for _, test := range []struct {
		sm           int
		major, minor int
		op           word.Op
		want         bool
	}{
		{30, 3, 0, word.PermS, true},
		{30, 3, 0, word.Logic3, false},
		{50, 4, 3, word.Logic3, true},
		{50, 4, 2, word.Logic3, false},
		{60, 8, 0, word.DotU8, false},
		{61, 5, 0, word.DotU8, true},
		{60, 8, 0, word.DotU8S8, false},
		{61, 5, 0, word.DotU16U8, true},
		{32, 3, 0, word.FunnelL, false},
		{30, 3, 1, word.FunnelL, false},
		{32, 3, 1, word.FunnelR, true},
		{70, 8, 0, word.PackSatS8, false},
		{72, 6, 5, word.PackSatS8, true},
		{72, 6, 4, word.PackSatS8, false},
		{72, 8, 0, word.AbsDiffU8, false},
		{75, 6, 3, word.AbsDiffS8, true},
		{90, 7, 8, word.MinS16, false},
		{90, 8, 0, word.MinS16, true},
		{86, 8, 0, word.MinS16, false},
	} {
		caps := lower.PTX(test.sm, isa.Version{Major: test.major, Minor: test.minor})
		if caps.Has(test.op) != test.want {
			t.Errorf("sm_%d with .version %d.%d has %v: %v, want %v", test.sm, test.major, test.minor, test.op, !test.want, test.want)
		}
		if caps.Has(word.Add8) {
			t.Errorf("%s has packed bytes, which need the features of a family", caps.Name)
		}
		if !caps.Has(word.MinWideS) || !caps.Has(word.Select) {
			t.Errorf("%s lacks a plain operation", caps.Name)
		}
	}
}

// TestFamily checks which targets have the packed bytes of PTX ISA 9.2: those of sm_120's family
// whose names ask for its features.
func TestFamily(t *testing.T) {
	for _, test := range []struct {
		target string
		minor  int // of PTX ISA 9
		want   bool
	}{
		{"sm_120f", 2, true}, {"sm_120a", 2, true}, {"sm_121f", 2, true}, {"sm_121a", 2, true},
		{"sm_120", 2, false}, {"sm_120f", 1, false}, {"sm_103f", 2, false}, {"sm_100a", 2, false}, {"sm_90a", 2, false}, {"sm_110f", 2, false},
	} {
		caps := lower.PTXTarget(test.target, isa.Version{Major: 9, Minor: test.minor})
		for _, op := range []word.Op{word.Add8, word.SubSatS8, word.MaxS8, word.AddSatU16} {
			if caps.Has(op) != test.want {
				t.Errorf("%s with .version 9.%d has %v: %v, want %v", test.target, test.minor, op, !test.want, test.want)
			}
		}
		if !caps.Has(word.MinS16) || caps.Has(word.SubSatU16) || caps.Has(word.CmpEq8) {
			t.Errorf("%s: packed halves are not those of PTX ISA 8.0 and 9.2", test.target)
		}
	}
}
