package texture

import (
	"math"
	"math/big"
)

// Form is how an instruction reads a texture.
type Form struct {
	Dimensions int
	Layered    bool
	Cube       bool // the coordinates are a direction
	Numbers    bool // the components are numbers, as f32, and not bits
	Whole      bool // the coordinates are integers
	Gather     int  // which component of four texels, counted from 1 on, or 0: all components of one
}

// Read gives the four components that an instruction reads. The coordinates are those behind the
// layer, and as many as there are dimensions; so are the offsets, if there are any.
func (t *Texture) Read(f Form, layer uint32, coordinates, offsets []uint32) [4]uint32 {
	at := make([]*big.Rat, f.Dimensions)
	var numbers [3]float64
	for axis := range at {
		numbers[axis] = float64(math.Float32frombits(coordinates[axis]))
		if f.Whole {
			numbers[axis] = float64(int32(coordinates[axis]))
		}
		at[axis] = rational(numbers[axis])
	}
	if f.Cube {
		return t.readCube(f, layer, numbers)
	}
	return t.read(f, layer, at, offsets)
}

// infinity stands for one among rational numbers.
var infinity = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 1000))

// rational is a number as it is, or nil if it is none.
func rational(x float64) *big.Rat {
	switch {
	case x != x:
		return nil
	case math.IsInf(x, 1):
		return infinity
	case math.IsInf(x, -1):
		return new(big.Rat).Neg(infinity)
	}
	return new(big.Rat).SetFloat64(x)
}

// read is Read of what is no cube.
func (t *Texture) read(f Form, layer uint32, coordinates []*big.Rat, offsets []uint32) (components [4]uint32) {
	linear := t.Linear && f.Numbers && !f.Whole
	normalized := t.Normalized && !f.Whole
	whole := make([]*big.Int, len(coordinates))
	weights := make([]float64, len(coordinates))
	for axis, x := range coordinates {
		whole[axis], weights[axis] = t.split(axis, x, normalized, linear || f.Gather > 0)
		if offsets != nil { // the four lowest bits, with a sign (ruling O22)
			whole[axis].Add(whole[axis], big.NewInt(int64(int8(offsets[axis]<<4)>>4)))
		}
	}
	around := func(corner int) texel { // the texel, or one of those behind it: bits for axes
		at := make([]*big.Int, len(whole))
		for axis := range at {
			at[axis] = new(big.Int).Add(whole[axis], big.NewInt(int64(corner>>axis&1)))
		}
		return t.find(at, layer, normalized)
	}
	switch {
	case f.Gather > 0: // counter-clockwise, from the lower left on
		for n, corner := range []int{2, 3, 1, 0} {
			components[n] = t.component(around(corner), f.Gather-1, f.Numbers)
		}
	case linear:
		corners := make([]texel, 1<<len(weights))
		for n := range corners {
			corners[n] = around(n)
		}
		for c := range components {
			components[c] = t.between(weights, func(corner int) uint32 { return t.component(corners[corner], c, true) })
		}
	default:
		at := around(0)
		for c := range components {
			components[c] = t.component(at, c, f.Numbers)
		}
	}
	return components
}

// split gives the texel that a coordinate is in; or, if texels are to be interpolated or gathered,
// the one before its place between two, the whole part of x - 0.5, and the weight of the one behind
// it, frac(x - 0.5) with 8 bits behind the point. What is no number stands for the first texel, and
// so does an infinity where images repeat, of which frac is none (ruling O24).
func (t *Texture) split(axis int, x *big.Rat, normalized, between bool) (whole *big.Int, weight float64) {
	if x == nil || t.repeats(normalized) && new(big.Rat).Abs(x).Cmp(infinity) == 0 {
		return new(big.Int), 0
	}
	at := new(big.Rat).Set(x)
	if normalized {
		at.Mul(at, new(big.Rat).SetInt64(int64(t.size(axis))))
	}
	if !between {
		return floor(at), 0
	}
	at.Sub(at, big.NewRat(1, 2))
	whole = floor(at)
	at.Sub(at, new(big.Rat).SetInt(whole)) // its fraction
	// To the nearest, halves upwards (ruling O24).
	at.Mul(at, big.NewRat(256, 1))
	steps := floor(at.Add(at, big.NewRat(1, 2)))
	return whole, float64(steps.Int64()) / 256
}

// floor is the greatest integer that is not greater.
func floor(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

// repeats reports whether the image goes on beyond its borders: with normalized coordinates only.
func (t *Texture) repeats(normalized bool) bool {
	return normalized && (t.Address == Wrap || t.Address == Mirror)
}

// find is the texel at whole coordinates, which may be outside, of a layer, which is the nearest
// that there is.
func (t *Texture) find(at []*big.Int, layer uint32, normalized bool) texel {
	var place [3]int
	if len(at) < 3 {
		place[2] = int(min(layer, uint32(t.Depth-1)))
	}
	for axis, i := range at {
		n := big.NewInt(int64(t.size(axis)))
		last := new(big.Int).Sub(n, big.NewInt(1))
		outside := i.Sign() < 0 || i.Cmp(n) >= 0
		switch {
		case !outside:
		case t.Address == Border:
			return texel{}
		case t.Address == Wrap && t.repeats(normalized):
			i = new(big.Int).Mod(i, n)
		case t.Address == Mirror && t.repeats(normalized): // the second one of each two images is mirrored (ruling O24)
			i = new(big.Int).Mod(i, new(big.Int).Lsh(n, 1))
			if i.Cmp(n) >= 0 {
				i.Sub(last, i.Sub(i, n))
			}
		case i.Sign() < 0:
			i = new(big.Int)
		default:
			i = last
		}
		place[axis] = int(i.Int64())
	}
	return texel{place[0], place[1], place[2], true}
}

// between interpolates between texels, by the weight of the one behind along each axis. The
// products of the guide's sum are exact in f64, and are added there from the left to the right;
// those with a weight of 0 are left out. The sum is rounded to f32 (ruling O24).
func (t *Texture) between(weights []float64, corner func(int) uint32) uint32 {
	sum := 0.0
	for n := range 1 << len(weights) {
		weight := 1.0
		for axis, behind := range weights {
			if n>>axis&1 != 0 {
				weight *= behind
			} else {
				weight *= 1 - behind
			}
		}
		if weight != 0 {
			sum += weight * float64(math.Float32frombits(corner(n)))
		}
	}
	if sum != sum {
		return nan32
	}
	return math.Float32bits(float32(sum))
}
