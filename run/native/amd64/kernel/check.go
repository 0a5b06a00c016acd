package kernel

import (
	"fmt"

	"github.com/vop-ptx/vop/run/simt"
)

// largestChecked bounds the product of blocks and registers, for each of which checkEntered has a byte.
const largestChecked = 1 << 22

// checkEntered returns an error if the code of a block reads a register that whoever enters it there does not load: one that
// no value has of those that are read from there on. It looks at what tests compile, but for the largest functions.
func (k *compiler) checkEntered() error {
	if !k.Options.CheckRegisters || len(k.Blocks)*len(k.Registers) > largestChecked {
		return nil
	}
	loaded := make([]bool, len(k.Registers))
	for b, read := range k.readFromBlocks() {
		clear(loaded)
		for id := range simt.IDs(k.Entered[b]) {
			for _, v := range k.appendRegisters(nil, id) {
				loaded[v] = true
			}
		}
		for v, is := range read {
			if is && !loaded[v] && !k.Registers[v].IsConstant() {
				return fmt.Errorf("amd64: block %d reads register %d, which is of no value that is read from there on", b, v)
			}
		}
	}
	return nil
}

// readFromBlocks tells of each block which registers the code from there on may read before it has written them. A write of
// some lanes, which reads the others, is no read.
func (k *compiler) readFromBlocks() [][]bool {
	read := make([][]bool, len(k.Blocks))
	for b := range read {
		read[b] = make([]bool, len(k.Registers))
	}
	now := make([]bool, len(k.Registers))
	for again := true; again; {
		again = false
		for b := len(k.Blocks) - 1; b >= 0; b-- {
			clear(now)
			first, behind := k.Taken(simt.BlockID(b))
			for _, to := range k.Blocks[b].End.To[first:behind] {
				for v, is := range read[to] {
					now[v] = now[v] || is
				}
			}
			for n := k.Marks[b+1].At - 1; n >= k.Marks[b].At; n-- {
				k.ReadBefore(n, now)
			}
			for v, is := range now {
				if is && !read[b][v] {
					read[b][v], again = true, true
				}
			}
		}
	}
	return read
}
