package vm

import "github.com/vop-ptx/vop/run/simt"

// read reads the texture at coordinates that are numbers, as tex or tld4.
func (t *Texture) read(op *simt.TextureOp, at [3]coordinate, offset [3]int, layer int) [4]uint32 {
	if op.Gather > 0 {
		return t.gather(at, offset, layer, op.Gather-1, op.Numbers)
	}
	return t.sample(at, offset, layer, op.Dimensions, op.Numbers)
}

// gather reads one component of the four texels around a point: lower left, lower right, upper right, upper left
// (PTX ISA 9.7.10.4). Rows count downwards.
func (t *Texture) gather(at [3]coordinate, offset [3]int, layer, component int, float bool) (values [4]uint32) {
	var whole [3]int
	for d := range 2 {
		at[d].halves--
		whole[d], _ = at[d].split()
		whole[d] += offset[d]
	}
	for n, corner := range [4][2]int{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		place := [3]int{whole[0] + corner[0], whole[1] + corner[1], layer}
		values[n] = t.fetch(place, 2, t.sampling.Normalized, float)[component]
	}
	return values
}
