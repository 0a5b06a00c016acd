package peer

import (
	"math/rand/v2"

	"github.com/vop-ptx/vop"
)

const queryLength, subjectLength, aligners = 48, 60, 4096

func gotohInput() []uint32 {
	rng := random()
	input := []uint32{queryLength, subjectLength, aligners}
	for range queryLength {
		input = append(input, rng.Uint32N(4))
	}
	for range subjectLength * aligners {
		input = append(input, rng.Uint32()&0x03030303)
	}
	return input
}

func prepareGotoh(d *device, input []uint32) (l launch) {
	query := make([]byte, queryLength)
	for i := range query {
		query[i] = byte(input[3+i])
	}
	bases, err := vop.NewBuffer(d.module, "query", query)
	d.note(err)
	subjects := d.upload(input[3+queryLength:])
	best, trace := d.upload(make([]uint32, aligners)), d.upload(make([]uint32, aligners*queryLength*subjectLength))
	l.grid, l.block = vop.Grid{X: aligners / 256}, vop.Block{X: 256}
	l.args, l.results = []any{bases, queryLength, subjects, subjectLength, best, trace}, []*vop.Buffer{best, trace}
	return l
}

// What jh reads and writes, in words of 32 bits.
const jhMessages, jhConstants, jhStart, jhBlock = 16384, 42 * 4 * 2, 16 * 2, 8 * 2

func jhInput() []uint32 {
	return appendRandom(random(), []uint32{jhMessages}, jhConstants+jhStart+jhMessages*jhBlock)
}

func appendRandom(rng *rand.Rand, words []uint32, n int) []uint32 {
	for range n {
		words = append(words, rng.Uint32())
	}
	return words
}

func prepareJH(d *device, input []uint32) (l launch) {
	rest := input[1:]
	constants := d.upload(rest[:jhConstants])
	start := d.upload(rest[jhConstants:][:jhStart])
	messages := d.upload(rest[jhConstants+jhStart:])
	digests := d.upload(make([]uint32, jhMessages*jhBlock))
	l.grid, l.block = vop.Grid{X: jhMessages / 128}, vop.Block{X: 128}
	l.args, l.results = []any{messages, jhMessages, constants, start, digests}, []*vop.Buffer{digests}
	return l
}

// How many words reduce reads, and how many blocks share them.
const reduceWords, reduceBlocks = 1 << 20, 64

// reduceInput has bytes around 100, of which some are much more frequent than others, as in pictures.
func reduceInput() []uint32 {
	rng := random()
	input := []uint32{reduceWords}
	for range reduceWords {
		word := uint32(0)
		for range 4 {
			word = word<<8 | uint32(uint8(100+30*rng.NormFloat64()))
		}
		input = append(input, word)
	}
	return input
}

func prepareReduce(d *device, input []uint32) (l launch) {
	in, out := d.upload(input[1:]), d.upload(make([]uint32, 3+256))
	l.grid, l.block = vop.Grid{X: reduceBlocks}, vop.Block{X: 128}
	l.args, l.results = []any{in, reduceWords, out}, []*vop.Buffer{out}
	return l
}
