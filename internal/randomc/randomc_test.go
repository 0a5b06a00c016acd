package randomc_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/randomc"
)

// TestNothingIsUndefined lets clang's sanitizer watch programs, and holds what it makes of them without optimizing against
// what it makes of them at its best.
func TestNothingIsUndefined(t *testing.T) {
	clang, err := randomc.Clang()
	if err != nil {
		t.Skip(err)
	}
	for seed := range long.Of[uint64](20, 2) {
		p := randomc.New(seed, 8, randomc.External{})
		var want []byte
		for _, options := range [][]string{{"-O0", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=function,vptr", "-fsanitize-trap=all"}, {"-O0"}, {"-O3"}} {
			file := filepath.Join(t.TempDir(), "host")
			if err := p.BuildHost(clang, file, options...); err != nil {
				t.Fatal(err)
			}
			got, err := randomc.Run(file, words(seed), 40, 17)
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, options, err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d: %v gives other results", seed, options)
			}
		}
		if len(want) != 8*40*4*randomc.Outputs {
			t.Fatalf("seed %d: %d bytes", seed, len(want))
		}
	}
}

// TestProgramsDiffer holds that kernels compute something of their inputs: most words are not the same for all threads.
func TestProgramsDiffer(t *testing.T) {
	clang, err := randomc.Clang()
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "host")
	if err := randomc.New(1, 20, randomc.External{}).BuildHost(clang, file, "-O1"); err != nil {
		t.Fatal(err)
	}
	out, err := randomc.Run(file, words(1), 32, 32)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := 0; n < len(out); n += 4 {
		if w := binary.LittleEndian.Uint32(out[n:]); w != 0 {
			seen[fmt.Sprint(n/4/32/randomc.Outputs, n/4%randomc.Outputs, w)] = true
		}
	}
	if len(seen) < 20*32*4 {
		t.Errorf("of %d words %d are different ones", len(out)/4, len(seen))
	}
}

func words(seed uint64) []uint32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	all := make([]uint32, randomc.Inputs)
	for n := range all {
		all[n] = rng.Uint32() >> rng.IntN(32)
	}
	return all
}
