package engine

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// pattern makes the offset of each thread's access.
type pattern struct {
	name   string
	simple bool // for gathers and scatters of words
	offset func(rng *rand.Rand, i, size int) int
}

var patterns = []pattern{
	{"contiguous", true, func(_ *rand.Rand, i, size int) int { return 128 + i*size }},
	{"one place", true, func(_ *rand.Rand, i, size int) int { return 64 }},
	{"tile", true, func(_ *rand.Rand, i, size int) int { return i%16/4*size + i/16*48 }},
	{"backwards", true, func(_ *rand.Rand, i, size int) int { return 8000 - i*size }},
	{"anywhere", true, func(rng *rand.Rand, i, size int) int { return rng.IntN(8192/size) * size }},
	{"at the end", true, func(_ *rand.Rand, i, size int) int { return 8192 - size*(1+i%16) }},
	{"one outside", false, func(_ *rand.Rand, i, size int) int { return 8192 - 100*size + i*size }},
	{"one misaligned", false, func(_ *rand.Rand, i, size int) int { return i*size + i/67*(size/2) }},
	{"strided", true, func(_ *rand.Rand, i, size int) int { return i * 2 * size }},
}

// TestLinkAccess compares gathers and scatters in chains with the plain ones.
func TestLinkAccess(t *testing.T) {
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
	gather, ok := e.LinkAccess("gather." + typ + words)
	if !ok {
		t.Skipf("%v has no links that load", e.level)
	}
	portableGather, _ := Plain[Gather[W, A]]("gather." + typ + words)
	scatter, _ := e.LinkAccess("scatter." + typ + words)
	portableScatter, _ := Plain[Scatter[W, A]]("scatter." + typ + words)
	one, _ := e.LinkAccess("one." + typ + words)
	var width int
	fmt.Sscanf(typ[1:], "%d", &width)
	size := width / 8
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
				addend := A(rng.IntN(3)) * 0x1000
				less := slices.Clone(address)
				for i := range less {
					less[i] -= addend
				}
				run := func(op LinkOp, values []W, data []byte, at int) (done bool) {
					var c Chain
					n := c.AddAccess(op, AtWork, PlaceOf(values), PlaceOf(less), PlaceOf(mask), PlaceOf([]A{addend}))
					c.End(e)
					spans := &Spans{AtWork: {0, threads}}
					if stopped := c.Run(spans, 0); stopped != n && count(mask) > 0 {
						t.Fatalf("a link without a window did not stop")
					}
					c.SetWindow(n, Window{data, window.Delta, window.Span}, uint64(at))
					return c.Run(spans, 0) < 0
				}
				for at := 0; at < span; at += size {
					name := fmt.Sprintf("%s%s %s, element %d of %d", typ, words, p.name, at/size, elements)
					got, want := slices.Clone(values), slices.Clone(values)
					done := run(gather, got, data, at)
					next := portableGather(want, address, mask, 0, window, uint64(at))
					if done && (next < threads || !slices.Equal(got, want)) {
						t.Fatalf("gather %s: got %x; want %x, up to %d", name, got, want, next)
					}
					if !done && next == threads && p.simple {
						t.Fatalf("gather %s was not done", name)
					}
					if got[0] = ^W(0); run(one, got, data, at) && got[0] != one1(portableGather, address, window, at) {
						t.Fatalf("one %s: got %x", name, got[0])
					}
					gotData, wantData := slices.Clone(data), slices.Clone(data)
					done = run(scatter, values, gotData, at)
					window.Data = wantData
					next = portableScatter(values, address, mask, 0, window, uint64(at))
					if done && (next < threads || !slices.Equal(gotData, wantData)) {
						t.Fatalf("scatter %s: the memory differs", name)
					}
					if !done && next == threads && p.simple && size >= 4 {
						t.Fatalf("scatter %s was not done", name)
					}
					window.Data = data
				}
			}
		}
	}
}

// one1 loads the first thread's value.
func one1[W, A Word](gather Gather[W, A], address []A, w Window, at int) W {
	var value [1]W
	gather(value[:], address[:1], Mask{1}, 0, w, uint64(at))
	return value[0]
}

func count(m Mask) (n int) {
	for _, word := range m {
		n += bits.OnesCount64(word)
	}
	return n
}

func BenchmarkGather(b *testing.B) {
	e, _ := New(Best())
	op, ok := e.LinkAccess("gather.u32.32.64")
	if !ok {
		b.Skip("there are no links that load")
	}
	for _, p := range patterns[:5] {
		b.Run(p.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(5, 6))
			address := Columns[uint64](256)
			for i := range address {
				address[i] = uint64(p.offset(rng, i, 4))
			}
			var c Chain
			all := Mask{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
			for range 8 {
				n := c.AddAccess(op, AtWork, PlaceOf(Columns[uint32](256)), PlaceOf(address), PlaceOf(all), Place{})
				c.SetWindow(n, Window{Data: Allocate(8192), Span: 4}, 0)
			}
			c.End(e)
			for b.Loop() {
				c.Run(&Spans{AtWork: {0, 256}}, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8, "ns/gather")
		})
	}
}
