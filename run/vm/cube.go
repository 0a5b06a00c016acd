package vm

import (
	"fmt"
	"math"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// faces is how many layers of a texture are the faces of a cube: to +x, -x, +y, -y, +z and -z.
const faces = 6

// notCubes returns the fault of a read of a texture that is not made of cubes, or nil.
func (t *Texture) notCubes() *portable.Fault {
	i := &t.image
	if i.Width == i.Height && i.Depth%faces == 0 {
		return nil
	}
	return &portable.Fault{Kind: portable.NoTexture, Address: t.handle,
		Detail: fmt.Sprintf("what is bound there is no cube: it has %d x %d texels in %s; want a square, and six layers for each cube", i.Width, i.Height, diag.Count(i.Depth, "layer"))}
}

// cubeFace returns the face that a direction goes through, its major axis, and where on the face it does so, in parts of that from
// the middle of the face: the place is (s/major+1)/2 from 0 to 1 from its left edge, and so for t from the upper one (CUDA C++
// Programming Guide, cubemap textures). Of components that are equally large it takes z before y before x (ruling O10).
func cubeFace(x, y, z float64) (face int, major, s, t float64) {
	switch ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z); {
	case ax != ax || ay != ay || az != az: // no direction (ruling O24)
		major = math.NaN()
	case az >= ax && az >= ay:
		if face, major, s, t = 4, z, x, -y; z < 0 {
			face, major, s = 5, -z, -x
		}
	case ay >= ax:
		if face, major, s, t = 2, y, x, z; y < 0 {
			face, major, t = 3, -y, -z
		}
	default:
		if face, major, s, t = 0, x, -z, -y; x < 0 {
			face, major, s = 1, -x, z
		}
	}
	return face, major, s, t
}

// readCube reads a cube in a direction, as tex or tld4. Texels are interpolated within a face.
func (t *Texture) readCube(op *simt.TextureOp, direction [3]float64, cube int) [4]uint32 {
	face, major, u, v := cubeFace(direction[0], direction[1], direction[2])
	cube = min(cube, t.image.Depth/faces-1)
	flat := *op
	flat.Dimensions, flat.Layered, flat.Cube = 2, true, false
	square := Texture{image: t.image, sampling: t.sampling}
	square.sampling.Normalized = true
	// From the middle of the face, (s/major)*(n/2) is rounded once: a place at the border of texels is there, and one next to it is not.
	n := t.image.Width
	along := func(x float64) coordinate {
		return coordinate{t.sampling.repeated(x*float64(n)/(2*major), n), n}
	}
	return square.read(&flat, [3]coordinate{along(u), along(v)}, [3]int{}, cube*faces+face)
}
