package matrix

import (
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// element is a type of elements of matrices.
type element struct {
	name   string
	bits   int // that an element has in a register
	offset int // of its lowest bit in these
	whole  bool
	signed bool
}

// elements are the types of elements. Those of six and four bits are in bytes, of e2m1 in the middle (PTX ISA 9.7.14.5.14).
var elements = func() map[string]element {
	all := map[string]element{}
	for _, e := range []element{
		{name: "f64", bits: 64}, {name: "f32", bits: 32}, {name: "tf32", bits: 32}, {name: "f16", bits: 16}, {name: "bf16", bits: 16},
		{name: "e4m3", bits: 8}, {name: "e5m2", bits: 8}, {name: "e3m2", bits: 8}, {name: "e2m3", bits: 8}, {name: "e2m1", bits: 8, offset: 2},
		{name: "s32", bits: 32, whole: true, signed: true}, {name: "s8", bits: 8, whole: true, signed: true}, {name: "u8", bits: 8, whole: true},
		{name: "s4", bits: 4, whole: true, signed: true}, {name: "u4", bits: 4, whole: true}, {name: "b1", bits: 1, whole: true},
	} {
		all[e.name] = e
	}
	return all
}()

// each is how many elements a register has.
func (e element) each() int { return max(32/e.bits, 1) }

// register is the type of a register of elements.
func (e element) register() simt.Type {
	if e.bits == 64 {
		return simt.B64
	}
	return simt.B32
}

// sign is the type that dp4a calls bytes by.
func (e element) sign() string {
	if e.signed {
		return "s32"
	}
	return "u32"
}

// scale says how many bits to the left an integer is in the bytes that are multiplied.
func (e element) scale() int {
	if e.bits == 4 {
		return 4
	}
	return 0
}

// elementTypes returns the types of elements among the modifiers, in order.
func elementTypes(f form.Form) (types []string) {
	for _, m := range f.Modifiers {
		if _, ok := elements[m]; ok {
			types = append(types, m)
		}
	}
	return types
}

// shapeOf returns the shape of matrices among the modifiers: "m16n16k16".
func shapeOf(f form.Form) string {
	i := slices.IndexFunc(f.Modifiers, func(m string) bool { return len(m) > 1 && m[0] == 'm' && '0' <= m[1] && m[1] <= '9' })
	return f.Modifiers[i]
}

// roundingOf returns the rounding mode among the modifiers, or the default one.
func roundingOf(f form.Form) string {
	for _, m := range []string{"rz", "rm", "rp"} {
		if f.Has(m) {
			return m
		}
	}
	return "rn"
}

// tiling says what registers a lane has of the matrices of a product: one for each eight rows, or columns, and each step along k.
type tiling struct {
	m, n, k       int
	rows, columns int // of eight each
	steps         int
}

// tilingOf returns the tiling of a shape, with elements of a and b of a type.
func tilingOf(shape, typ string) (t tiling) {
	fmt.Sscanf(shape, "m%dn%dk%d", &t.m, &t.n, &t.k)
	t.rows, t.columns, t.steps = t.m/8, t.n/8, t.k/(4*elements[typ].each())
	return t
}

// held is how many registers a lane has of a matrix whose elements are of a type. Those of f16 that wmma multiplies are eight, whatever the
// shape (PTX ISA 9.7.14.4.1): where they are more than the elements need, these come again.
func (t tiling) held(f form.Form, matrix byte, typ string) int {
	switch {
	case matrix == 'c' && typ == "f16":
		return t.rows * t.columns
	case matrix == 'c':
		return 2 * t.rows * t.columns
	case typ == "f16" && f.Name == "wmma":
		return 8
	case matrix == 'a':
		return t.rows * t.steps
	}
	return t.steps * t.columns
}
