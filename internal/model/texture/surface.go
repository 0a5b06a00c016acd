package texture

import (
	"encoding/binary"
	"math/big"
)

// Access is how an instruction accesses a surface.
type Access struct {
	Formatted bool   // sust.p, sured.p: x counts texels, or values, and not bytes
	Writes    bool   // sust, sured
	Reduce    string // sured: "add", "min", "max", "and", "or"
	Type      string // of values: "b32", "s64"
	Outside   string // "trap", "clamp", "zero"
}

// size is the size of a value.
func (a *Access) size() int {
	return map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[a.Type[1:]]
}

// Access does what an instruction says at a place, of which a layer is the third coordinate: it
// stores values, or combines one with what is there; or it returns as many as values has. It
// reports whether it can be done: outside of the surface, .trap cannot.
func (i *Image) Access(a Access, at [3]int64, values []uint64) (loaded []uint64, ok bool) {
	loaded = make([]uint64, len(values))
	if a.Formatted && a.Reduce == "" {
		place, inside := i.inside(a, at, int64(i.Width-1))
		if inside {
			i.format(texel{int(place[0]), int(place[1]), int(place[2]), true}, values)
		}
		return nil, inside || a.Outside != "trap"
	}
	if a.Formatted { // a count of values from the beginning of the row (ruling O23)
		at[0] *= int64(a.size())
	}
	span := a.size() * len(values)
	place, inside := i.inside(a, at, int64(i.row()-span))
	if !inside {
		return loaded, a.Outside != "trap"
	}
	begin := int((place[2]*int64(i.Height)+place[1])*int64(i.row()) + place[0])
	for n := range values {
		var word [8]byte
		data := i.Data[begin+n*a.size():][:a.size()]
		copy(word[:], data)
		old := binary.LittleEndian.Uint64(word[:])
		loaded[n] = old
		if !a.Writes {
			continue
		}
		value := values[n]
		if a.Reduce != "" {
			value = i.reduced(a, old, value)
		}
		binary.LittleEndian.PutUint64(word[:], value)
		copy(data, word[:])
	}
	return loaded, true
}

// inside gives the place that coordinates stand for, of which the first goes up to last: with
// .clamp the nearest that there is, otherwise none if they are outside.
func (i *Image) inside(a Access, at [3]int64, last int64) (place [3]int64, ok bool) {
	ends := [3]int64{last, int64(i.Height - 1), int64(i.Depth - 1)}
	for axis, x := range at {
		place[axis] = min(max(x, 0), ends[axis])
		if place[axis] != x && a.Outside != "clamp" || ends[axis] < 0 {
			return place, false
		}
	}
	return place, true
}

// format stores values as a texel has them: integers as the nearest that it holds, numbers rounded;
// for channels without a value zeros (ruling O9).
func (i *Image) format(t texel, values []uint64) {
	size := i.Channel.Bytes()
	for c := range i.Count {
		bits := uint32(0)
		if c < len(values) {
			bits = uint32(values[c])
		}
		switch i.Channel {
		case U8, U16:
			bits = min(bits, 1<<(8*size)-1)
		case S8, S16:
			greatest := int32(1)<<(8*size-1) - 1
			bits = uint32(min(max(int32(bits), -greatest-1), greatest))
		case F16:
			bits = ToHalf(bits)
		}
		at := ((t.z*i.Height+t.y)*i.Width+t.x)*i.texelBytes() + c*size
		var word [4]byte
		binary.LittleEndian.PutUint32(word[:], bits)
		copy(i.Data[at:at+size], word[:])
	}
}

// reduced combines a value with the old one. Values of sured.p have signs if the texels are
// integers that have (ruling O23).
func (i *Image) reduced(a Access, old, value uint64) uint64 {
	signed := a.Type[0] == 's'
	if a.Formatted {
		signed = i.Channel == S8 || i.Channel == S16 || i.Channel == S32
	}
	number := func(bits uint64) *big.Int {
		n := new(big.Int).SetUint64(bits)
		width := 8 * uint(a.size())
		n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), width), big.NewInt(1)))
		if signed && n.Bit(int(width)-1) != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), width))
		}
		return n
	}
	less := number(old).Cmp(number(value)) < 0
	switch {
	case a.Reduce == "add":
		return old + value
	case a.Reduce == "and":
		return old & value
	case a.Reduce == "or":
		return old | value
	case less == (a.Reduce == "max"):
		return value
	}
	return old
}
