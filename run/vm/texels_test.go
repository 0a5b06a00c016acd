package vm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// A warp that reads texels at once gets what its lanes get one after the other: of all images and samplings, inside and
// far outside, and lanes that do not take part keep what they have.
func TestTexelsOfAWarp(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	m := vmtest.Load(t, vmtest.Header+".visible .entry test() { ret; }")
	read := 0
	for texel := vm.TexelU8; texel <= vm.TexelF32; texel++ {
		for _, channels := range []int{1, 2, 4} {
			for dimensions := 1; dimensions <= 3; dimensions++ {
				image := vm.Image{Width: 7, Channels: channels, Texel: texel}
				size := 7
				if dimensions > 1 {
					image.Height, size = 5, 7*5
				}
				if dimensions > 2 {
					image.Depth, size = 3, 7*5*3
				}
				for range size * channels * texel.Bytes() {
					image.Data = append(image.Data, byte(rng.Uint32()))
				}
				for variant := range 16 {
					s := vm.Sampling{Address: vm.AddressMode(variant % 4), Linear: variant&4 != 0, Normalized: variant&8 != 0}
					texture, err := m.Memory().NewTexture(image, s)
					if err != nil {
						t.Fatal(err)
					}
					for way := range 4 {
						op := &simt.TextureOp{Dimensions: dimensions, Read: true, Numbers: way&1 != 0, Whole: way&2 != 0}
						if texelsOfAWarp(t, texture, fmt.Sprintf("%v x %d, %+v, %+v", texel, channels, s, op), op, rng) {
							read++
						}
					}
				}
			}
		}
	}
	if want := 8 * 3 * 3 * 16 * 4 * 7 / 8; read != want { // all but linear reads of numbers at numbers
		t.Errorf("%d kinds of reads were made for a warp at once, want %d", read, want)
	}
}

func texelsOfAWarp(t *testing.T, texture *vm.Texture, what string, op *simt.TextureOp, rng *rand.Rand) bool {
	t.Helper()
	var at [3][simt.WarpSize]uint32
	var to [4][simt.WarpSize]uint32
	r := &portable.Reads{Op: op, Handle: texture.Handle(), Lanes: math.MaxUint32}
	if rng.IntN(2) == 0 {
		r.Lanes = rng.Uint32()
	}
	for d := range at {
		for lane := range at[d] {
			at[d][lane] = coordinate(rng, op.Whole)
		}
		r.At[d] = &at[d]
	}
	for c := range to {
		for lane := range to[c] {
			to[c][lane] = rng.Uint32()
		}
		r.To[c] = &to[c]
	}
	want, ok := vm.ReadTexels(texture, r)
	if ok && to != want {
		t.Errorf("%s, lanes %#x: coordinates %x\nread %x\nwant %x", what, r.Lanes, at, to, want)
	}
	return ok
}

// coordinate draws one that is mostly in the image or near it.
func coordinate(rng *rand.Rand, whole bool) uint32 {
	if whole {
		return []uint32{rng.Uint32N(8), -rng.Uint32N(20), rng.Uint32N(40), rng.Uint32(), math.MaxInt32, 1 << 31}[rng.IntN(6)]
	}
	x := []float32{rng.Float32(), 8 * rng.Float32(), 40 * (rng.Float32() - 0.5), float32(rng.IntN(9)), 1e30, -1e30, math.Float32frombits(rng.Uint32()), float32(math.NaN())}
	return math.Float32bits(x[rng.IntN(len(x))])
}
