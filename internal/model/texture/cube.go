package texture

import (
	"math"
	"math/big"
)

// faces are the cases of the guide's table of cube maps, in the order in which faces are layers,
// each with the major axis m and the coordinates s and t of the face.
var faces = [6]func(x, y, z float64) (m, s, t float64){
	func(x, y, z float64) (m, s, t float64) { return x, -z, -y },
	func(x, y, z float64) (m, s, t float64) { return -x, z, -y },
	func(x, y, z float64) (m, s, t float64) { return y, x, z },
	func(x, y, z float64) (m, s, t float64) { return -y, x, -z },
	func(x, y, z float64) (m, s, t float64) { return z, x, -y },
	func(x, y, z float64) (m, s, t float64) { return -z, -x, -y },
}

// readCube reads a cube in a direction: the face of the largest component, at (s/m+1)/2 and
// (t/m+1)/2. Of components that are equally large, z goes before y before x (ruling O10).
func (t *Texture) readCube(f Form, cube uint32, v [3]float64) [4]uint32 {
	if v[0] != v[0] || v[1] != v[1] || v[2] != v[2] { // no direction: the first texel of all (ruling O24)
		v[0] = math.NaN()
	}
	major := 0
	switch x, y, z := math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]); {
	case z >= x && z >= y:
		major = 2
	case y >= x:
		major = 1
	}
	face := 2 * major
	if v[major] < 0 {
		face++
	}
	m, s, u := faces[face](v[0], v[1], v[2]) // no numbers if m is none
	cube = min(cube, uint32(t.Depth/len(faces)-1))
	square := *t
	square.Normalized = true
	at := []*big.Rat{onFace(s, m), onFace(u, m)}
	return square.read(f, cube*uint32(len(faces))+uint32(face), at, nil)
}

// onFace is (s/m+1)/2, or nil if that is no number.
func onFace(s, m float64) *big.Rat {
	if quotient := s / m; quotient != quotient || math.IsInf(quotient, 0) {
		return rational(quotient)
	}
	at := new(big.Rat)
	if !math.IsInf(m, 0) {
		at.Quo(rational(s), rational(m))
	}
	at.Add(at, big.NewRat(1, 1))
	return at.Mul(at, big.NewRat(1, 2))
}
