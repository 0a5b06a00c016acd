package simt

// LoopText returns the first instruction of the text in the innermost loop around a block, and the last
// one that leads back to it or stands behind it; if the block is in no loop, its own first
// instruction and -1.
func (f *Function) LoopText(b BlockID) (first, last int) {
	loop := f.Blocks[b].Loop
	if loop == NoBlock {
		return int(f.Blocks[b].From), -1
	}
	first, last = -1, -1
	for n := loop; n <= f.LoopLast(loop); n++ {
		block := &f.Blocks[n]
		if block.From == block.To { // made for the loop
			continue
		}
		if first < 0 || int(block.From) < first {
			first = int(block.From)
		}
		last = max(last, int(block.To)-1)
	}
	return max(first, 0), last
}
