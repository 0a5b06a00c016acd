package simt

// TextureOp is a read of a texture, an access to a surface, or a query. Args are the handle, then
// coordinates, of which the first is a layer if Layered, then the offsets of the others or the values that are written.
type TextureOp struct {
	Dimensions int
	Layered    bool
	Cube       bool   // the coordinates are a direction, which chooses one of six faces and a place there; layers are cubes
	Read       bool   // tex: Defs are the four components
	Numbers    bool   // of a read: the components are f32, or f16
	Half       bool   // of a read: they are f16
	Pairs      bool   // of a read: Defs are two pairs of f16
	Offset     bool   // of a read: there are offsets, as many as Dimensions
	Whole      bool   // of a read: the coordinates are s32
	Gather     int    // tld4: Defs are of four texels, in the counts of components from 1 on, this one; or 0
	Query      string // of a query: "width"; Defs is one
	Writes     bool   // of a surface
	Formatted  bool   // of a surface: x counts texels, and values become what its texels are; otherwise x counts bytes, which are copied
	Reduce     string // of a surface that is written: "add", what becomes of what is there and the value; x counts values if Formatted
	Signed     bool   // of Reduce: the values have signs; if Formatted, as the texels have
	Size       int    // of a surface: bytes of one value
	Mode       string // of a surface: what becomes of accesses outside: "trap", "clamp", "zero"
	Spelling   string // for messages
}

// ReadsPlane reports whether it reads texels of a line or a plane, one for each lane: machine code does that.
func (x *TextureOp) ReadsPlane() bool {
	return x.Read && !x.Layered && x.Gather == 0 && x.Dimensions <= 2 && !x.Half && !x.Offset
}

// Coordinates is how many coordinates an operation has, the layer included.
func (x *TextureOp) Coordinates() int {
	if x.Layered {
		return x.Dimensions + 1
	}
	return x.Dimensions
}

// Texels are the texels of a texture, as they are read one by one: without interpolation, and with those of the edge for
// coordinates outside. x runs fastest.
type Texels struct {
	Data     []byte
	Size     [2]int // texels, of each dimension: fewer than 2^24
	Bytes    int    // of a texel, a power of two
	Channels [4]TexelChannel
}

// TexelChannel is a component: bits of a little-endian word of a texel, from a byte on that is a multiple of their size, with
// others set. Without any it is a constant.
type TexelChannel struct {
	Offset    int
	Mask, Set uint32
}
