package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// pattern makes the offset of each thread's access.
type pattern struct {
	name   string
	offset func(rng *rand.Rand, i, size int) int
}

var patterns = []pattern{
	{"contiguous", func(_ *rand.Rand, i, size int) int { return 128 + i*size }},
	{"one place", func(_ *rand.Rand, i, size int) int { return 64 }},
	{"tile", func(_ *rand.Rand, i, size int) int { return i%16/4*size + i/16*48 }},
	{"backwards", func(_ *rand.Rand, i, size int) int { return 8000 - i*size }},
	{"anywhere", func(rng *rand.Rand, i, size int) int { return rng.IntN(8192/size) * size }},
	{"at the end", func(_ *rand.Rand, i, size int) int { return 8192 - size*(1+i%16) }},
	{"one outside", func(_ *rand.Rand, i, size int) int { return 8192 - 100*size + i*size }},
	{"one misaligned", func(_ *rand.Rand, i, size int) int { return i*size + i/67*(size/2) }},
	{"strided", func(_ *rand.Rand, i, size int) int { return i * 2 * size }},
}

// TestVectorAccess compares gathers and scatters with the portable ones.
func TestVectorAccess(t *testing.T) {
	e, err := New(Best())
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []string{"u8", "s8", "u16", "s16", "u32", "s32"} {
		testAccess[uint32, uint32](t, e, typ, ".32.32")
		testAccess[uint32, uint64](t, e, typ, ".32.64")
	}
	testAccess[uint64, uint32](t, e, "u64", ".64.32")
	testAccess[uint64, uint64](t, e, "u64", ".64.64")
}

func testAccess[W, A Word](t *testing.T, e *Engine, typ, words string) {
	gather, vector, ok := PlainOf[Gather[W, A]](e, "gather."+typ+words)
	if !ok || !vector {
		t.Skipf("%v has no vector gather", e.level)
	}
	portableGather, _ := Plain[Gather[W, A]]("gather." + typ + words)
	scatter, _, _ := PlainOf[Scatter[W, A]](e, "scatter."+typ+words)
	portableScatter, _ := Plain[Scatter[W, A]]("scatter." + typ + words)
	var bits int
	fmt.Sscanf(typ[1:], "%d", &bits)
	size := bits / 8
	rng := rand.New(rand.NewPCG(5, uint64(size)))
	for _, p := range patterns {
		for elements := 1; elements <= 4; elements *= 2 {
			for range 8 {
				const threads, base = 160, 0x10000100
				span := size * elements
				data := Allocate(8192)
				for i := range data {
					data[i] = byte(rng.Uint32())
				}
				window := Window{Data: data, Delta: ^uint64(base - 0x40 - 1), Span: uint64(span)}
				address := make([]A, threads)
				for i := range address {
					address[i] = A(base - 0x40 + p.offset(rng, i, span))
				}
				values := make([]W, threads)
				mask := make(Mask, 3)
				for i := range values {
					values[i] = W(rng.Uint64())
				}
				for i := range mask {
					mask[i] = [...]uint64{rng.Uint64(), ^uint64(0), rng.Uint64() & rng.Uint64() & rng.Uint64(), 0}[rng.IntN(4)]
				}
				for at := 0; at < span; at += size {
					name := fmt.Sprintf("%s%s %s, element %d of %d", typ, words, p.name, at/size, elements)
					from := rng.IntN(40)
					got, want := slices.Clone(values), slices.Clone(values)
					gotNext := gather(got, address, mask, from, window, uint64(at))
					wantNext := portableGather(want, address, mask, from, window, uint64(at))
					if gotNext != wantNext || !slices.Equal(got, want) {
						t.Fatalf("gather %s from thread %d: got %x, %d; want %x, %d", name, from, got, gotNext, want, wantNext)
					}
					gotData, wantData := slices.Clone(data), slices.Clone(data)
					window.Data = gotData
					gotNext = scatter(values, address, mask, from, window, uint64(at))
					window.Data = wantData
					wantNext = portableScatter(values, address, mask, from, window, uint64(at))
					if gotNext != wantNext || !slices.Equal(gotData, wantData) {
						t.Fatalf("scatter %s from thread %d: next is %d, want %d", name, from, gotNext, wantNext)
					}
					window.Data = data
				}
			}
		}
	}
}

func BenchmarkGather(b *testing.B) {
	e, _ := New(Best())
	for _, p := range patterns[:5] {
		for _, name := range []string{"portable", "vector"} {
			f, _ := Plain[Gather[uint32, uint64]]("gather.u32.32.64")
			if name == "vector" {
				f, _, _ = PlainOf[Gather[uint32, uint64]](e, "gather.u32.32.64")
			}
			b.Run(p.name+"/"+name, func(b *testing.B) {
				rng := rand.New(rand.NewPCG(5, 6))
				address := make([]uint64, 256)
				for i := range address {
					address[i] = uint64(p.offset(rng, i, 4))
				}
				dst, mask := make([]uint32, 256), Mask{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
				w := Window{Data: Allocate(8192), Span: 4}
				for b.Loop() {
					f(dst, address, mask, 0, w, 0)
				}
			})
		}
	}
}
