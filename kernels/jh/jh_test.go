package jh

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

const (
	rounds  = 42
	columns = 128 // of the state: bits of a slice
	slices  = 8
	words   = 8 // of a message
)

// boxes are the S-boxes of JH, of which a bit of the constants chooses one for each element.
var boxes = [2][16]uint8{
	{9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14},
	{3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8},
}

// twice multiplies by two in the field of 16 elements, modulo x^4 + x + 1.
func twice(a uint8) uint8 {
	if a <<= 1; a&16 != 0 {
		a ^= 16 | 3
	}
	return a
}

// model is the state as elements of four bits: two of each column.
type model [columns][2]uint8

func bit(words []uint64, n int) uint8 { return uint8(words[n/64] >> (n % 64) & 1) }

// add adds words to the state: bit n of slice i. Even slices are the bits of first elements, from the highest on.
func (m *model) add(slice int, data []uint64) {
	for n := range len(data) * 64 {
		i := slice + n/columns
		m[n%columns][i%2] ^= bit(data, n) << (3 - i/2)
	}
}

func (m *model) permute(constants []uint64) {
	for round := range rounds {
		for n := range m {
			a := boxes[bit(constants[4*round:], n)][m[n][0]]
			b := boxes[bit(constants[4*round+2:], n)][m[n][1]]
			b ^= twice(a)
			a ^= twice(b)
			m[n] = [2]uint8{a, b}
		}
		before := *m
		for n := range m { // second elements change places
			m[n][1] = before[n^1<<(round%7)][1]
		}
	}
}

// digest hashes a message.
func digest(message, constants, start []uint64) (d []uint64) {
	var m model
	m.add(0, start)
	for _, block := range [][]uint64{message, {0x80, 0, 0, 0, 0, 0, 0, 0x200}} {
		m.add(0, block)
		m.permute(constants)
		m.add(slices/2, block)
	}
	d = make([]uint64, words)
	for n := range words * 64 {
		i := slices/2 + n/columns
		d[n/64] |= uint64(m[n%columns][i%2]>>(3-i/2)&1) << (n % 64)
	}
	return d
}

func TestJH(t *testing.T) {
	const count = 70 // two warps, and some threads
	rng := rand.New(rand.NewPCG(21, 22))
	random := func(n int) (data []uint64) {
		for range n {
			data = append(data, rng.Uint64())
		}
		return data
	}
	messages, constants, start := random(count*words), random(4*rounds), random(2*words)
	var want []uint64
	for n := range count {
		want = append(want, digest(messages[n*words:][:words], constants, start)...)
	}
	kerneltest.Each(t, "jh", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]uint64, count*words)
		launch(vop.Grid{X: (count + 63) / 64}, vop.Block{X: 64}, messages, count, constants, start, got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.1000s", diff)
		}
	})
}
