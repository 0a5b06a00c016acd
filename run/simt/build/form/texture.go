package form

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// geometries are the dimensions of a form, whether the first coordinate is a layer, and whether the others are a direction.
var geometries = map[string]struct {
	dimensions    int
	layered, cube bool
}{
	"1d": {dimensions: 1}, "2d": {dimensions: 2}, "3d": {dimensions: 3}, "cube": {dimensions: 3, cube: true},
	"a1d": {dimensions: 1, layered: true}, "a2d": {dimensions: 2, layered: true}, "acube": {dimensions: 3, layered: true, cube: true},
}

// NewTexture returns what a form, with its modifiers in the order of the table, asks for.
func NewTexture(f Form) *simt.TextureOp {
	x := &simt.TextureOp{Spelling: f.String()}
	for _, m := range f.Modifiers {
		if g, ok := geometries[m]; ok {
			x.Dimensions, x.Layered, x.Cube = g.dimensions, g.layered, g.cube
		}
		if m == "trap" || m == "clamp" || m == "zero" {
			x.Mode = m
		}
	}
	switch types := f.Types(); f.Name {
	case "tld4":
		x.Read, x.Numbers, x.Gather = true, types[0] == check.F32, 1+strings.Index("rgba", f.Modifiers[0])
	case "tex":
		x.Pairs = types[0] == check.F16x2
		x.Half = x.Pairs || types[0] == check.F16
		x.Read, x.Numbers, x.Whole = true, x.Half || types[0] == check.F32, types[1] == check.S32
	case "txq", "suq":
		x.Query = f.Modifiers[0]
	case "sured":
		x.Writes, x.Size, x.Formatted, x.Reduce = true, types[0].Bytes(), f.Modifiers[0] == "p", f.Modifiers[1]
		x.Signed = types[0] == check.S32 || types[0] == check.S64
	default:
		x.Writes, x.Size, x.Formatted = f.Name == "sust", f.LastType().Bytes(), f.Modifiers[0] == "p"
	}
	return x
}
