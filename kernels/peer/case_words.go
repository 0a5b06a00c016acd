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

func prepareGotoh(d *device, input []uint32) (grid vop.Grid, args []any, results []*vop.Buffer) {
	query := make([]byte, queryLength)
	for i := range query {
		query[i] = byte(input[3+i])
	}
	bases, err := vop.NewBuffer(d.module, "query", query)
	d.note(err)
	subjects := d.upload(input[3+queryLength:])
	best, trace := d.upload(make([]uint32, aligners)), d.upload(make([]uint32, aligners*queryLength*subjectLength))
	grid = vop.Grid{Grid: vop.Dim{X: aligners / 256}, Block: vop.Dim{X: 256}}
	return grid, []any{bases, queryLength, subjects, subjectLength, best, trace}, []*vop.Buffer{best, trace}
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

func prepareJH(d *device, input []uint32) (grid vop.Grid, args []any, results []*vop.Buffer) {
	rest := input[1:]
	constants := d.upload(rest[:jhConstants])
	start := d.upload(rest[jhConstants:][:jhStart])
	messages := d.upload(rest[jhConstants+jhStart:])
	digests := d.upload(make([]uint32, jhMessages*jhBlock))
	grid = vop.Grid{Grid: vop.Dim{X: jhMessages / 128}, Block: vop.Dim{X: 128}}
	return grid, []any{messages, jhMessages, constants, start, digests}, []*vop.Buffer{digests}
}
