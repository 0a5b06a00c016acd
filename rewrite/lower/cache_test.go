package lower

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// TestCacheIsBounded adds many programs; those that are asked for again and again stay.
func TestCacheIsBounded(t *testing.T) {
	c := cache[cacheKey, *word.Program]{generation: generation}
	built := map[uint32]int{}
	get := func(k uint32) *word.Program {
		return c.get(cacheKey{facts: Facts{Known: [3]Known{Constant(k)}}}, func() *word.Program {
			built[k]++
			return &word.Program{Insts: []word.Inst{{Op: word.Const, Imm: uint64(k)}}}
		})
	}
	for k := range uint32(10 * generation) {
		for _, k := range []uint32{k, 0} {
			if p := get(k); p.Insts[0].Imm != uint64(k) {
				t.Fatalf("the program of %d is that of %d", k, p.Insts[0].Imm)
			}
		}
		if n := len(c.young) + len(c.old); n > 2*generation {
			t.Fatalf("the cache holds %d programs, want at most %d", n, 2*generation)
		}
	}
	if built[0] != 1 {
		t.Errorf("a program that is always in use was built %d times", built[0])
	}
	if get(1); built[1] != 2 {
		t.Errorf("a program that was long out of use was built %d times, want 2: it stayed", built[1])
	}
}

// TestCacheTellsProgramsApart asks for forms that differ in one thing.
func TestCacheTellsProgramsApart(t *testing.T) {
	f := isa.Form{Op: isa.Vadd, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, DSel: isa.H1}
	signs := f
	signs.AType = isa.U32
	same := Facts{SameAB: true}
	all := map[string]string{}
	for name, p := range map[string]*word.Program{
		"form":     Form(f, SM80),
		"types":    Form(signs, SM80),
		"target":   Form(f, word.Portable),
		"facts":    FormWith(f, SM80, same),
		"constant": FormWith(f, SM80, Facts{Known: [3]Known{Constant(7)}}),
		"reading":  FormAs(isa.SM86, f, SM80, Facts{}),
	} {
		if other, ok := all[p.String()]; ok {
			t.Errorf("%s and %s have the same program\n%v", name, other, p)
		}
		all[p.String()] = name
	}
}

// TestCacheAtTheSameTime is for the race detector.
func TestCacheAtTheSameTime(t *testing.T) {
	var running sync.WaitGroup
	for n := range 4 {
		running.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			for range 200 {
				f := isa.Form{Op: isa.Vadd, ASel: isa.Part(rng.IntN(7)), BSel: isa.Part(rng.IntN(7))}
				if got, want := Form(f, SM80), lowered(isa.Manual, f, SM80, Facts{}); got.String() != want.String() {
					t.Errorf("%v is remembered as\n%vwant\n%v", f, got, want)
				}
			}
		})
	}
	running.Wait()
}

// forget empties the cache: what it holds was made of something that a test has changed.
func (c *cache[K, V]) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old = nil, nil
}
