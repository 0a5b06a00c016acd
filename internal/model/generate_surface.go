package model

import (
	"github.com/vop-ptx/vop/internal/model/ops"
	"github.com/vop-ptx/vop/internal/model/texture"
)

// reductions are the operations and types of sured.b. Each has a row of its own of the surface that
// all threads reduce into, so that the order does not matter.
var reductions = [][2]string{
	{"add", "u32"}, {"add", "u64"}, {"add", "s32"}, {"min", "u32"}, {"min", "u64"}, {"min", "s32"}, {"min", "s64"},
	{"max", "u32"}, {"max", "u64"}, {"max", "s32"}, {"max", "s64"}, {"and", "b32"}, {"or", "b32"},
}

// valueBytes are the sizes of the types of values of surfaces.
var valueBytes = map[string]int{"b8": 1, "b16": 2, "b32": 4, "b64": 8, "u32": 4, "u64": 8, "s32": 4, "s64": 8}

// surface adds an access to a surface: to the thread's own part of one, to one that all threads
// reduce into, or a load from one that nobody changes.
func (g *generator) surface() {
	switch n := g.rng.IntN(5); {
	case n == 0:
		g.reduceTally()
	case n == 1:
		g.loadImage()
	default:
		g.accessOwn()
	}
}

// valueType draws the type and the number of values that an instruction stores or loads.
func (g *generator) valueType() (typ string, n int, vector string) {
	typ = pick(g, "b8", "b16", "b32", "b32", "b64")
	n = pick(g, 1, 1, 2, 4)
	if typ == "b64" {
		n = min(n, 2)
	}
	return typ, n, map[int]string{1: "", 2: ".v2", 4: ".v4"}[n]
}

// valueClass draws the class of registers of a type of values.
func (g *generator) valueClass(typ string) ops.Class {
	switch valueBytes[typ] {
	case 8:
		return ops.B64
	case 4:
		return ops.B32
	}
	return pick(g, ops.B16, ops.B32)
}

// outside draws what becomes of accesses outside. If none are, or the kernel may fail, that can be
// a fault.
func (g *generator) outside(inside bool) string {
	if inside || g.faults >= 0 && g.chance(0.2) {
		g.k.Traps = g.k.Traps || !inside
		return pick(g, "trap", "clamp", "zero")
	}
	return pick(g, "clamp", "zero")
}

// masked adds the computation of the bits of an operand that a mask has. Its register is written
// nowhere else, as others of a place are computed before it is used.
func (g *generator) masked(of Operand, mask int) Operand {
	if of.Kind == ImmOperand {
		return imm(of.Imm & uint64(uint32(int32(mask))))
	}
	r := g.newReg(ops.B32)
	g.do("and.b32", r, of, imm(uint64(uint32(int32(mask)))))
	return reg(r)
}

// along returns a coordinate that is a multiple of a size, a power of two: inside of what is a
// power of two as well, or anywhere.
func (g *generator) along(extent, span int, inside bool) Operand {
	if inside {
		return g.masked(g.wholeCoordinate(), extent-span)
	}
	return g.masked(g.wholeCoordinate(), -span)
}

// accessOwn adds an access to the thread's own part of a surface.
func (g *generator) accessOwn() {
	own := g.own
	a := texture.Access{Writes: true}
	kind := pick(g, "suld.b", "suld.b", "sust.b", "sust.b", "sust.p")
	if !own.layered {
		kind = pick(g, kind, kind, "sured.b", "sured.p")
	}
	typ, n, vector := g.valueType()
	unit := 1 // bytes that x counts
	cache := ""
	switch kind {
	case "suld.b":
		a.Writes = false
		cache = pick(g, "", "", ".ca", ".cg", ".cv")
	case "sust.b":
		cache = pick(g, "", "", ".wb", ".cs")
	case "sust.p":
		a.Formatted, typ = true, "b32"
		unit = ownRow / g.ownTexels()
	case "sured.b":
		by := pick(g, reductions...)
		a.Reduce, typ, n, vector = by[0], by[1], 1, ""
	case "sured.p":
		a.Formatted, a.Reduce, typ, n, vector = true, pick(g, "add", "min", "max", "and", "or"), "b32", 1, ""
		if a.Reduce[0] == 'm' && g.chance(0.4) {
			typ = "b64"
		}
		unit = valueBytes[typ]
	}
	a.Type = typ
	span := valueBytes[typ] * n
	if kind == "sust.p" {
		span = unit
	}
	inside := own.name == "1d" || g.chance(0.4)
	a.Outside = g.outside(inside)
	name := kind
	if a.Reduce != "" {
		name += "." + a.Reduce
	}
	x := g.along(ownRow/unit, span/unit, inside)
	if own.name == "1d" {
		r := g.newReg(ops.B32)
		g.do("mad.lo.u32", r, reg(g.gtid), imm(uint64(ownRow/unit)), x)
		x = reg(r)
	}
	y := g.along(2, 1, inside)
	place := map[string][]Operand{
		"1d": {x}, "2d": {x, reg(g.gtid)}, "3d": {x, y, reg(g.gtid), imm(0)}, "a1d": {reg(g.gtid), x}, "a2d": {reg(g.gtid), x, y, imm(0)},
	}[own.name]
	g.addAccess(name+"."+own.name+cache+vector+"."+typ+"."+a.Outside, g.surfaceOperand(own), own.geometry, a, place, n)
}

// surfaceOperand is an operand for a surface.
func (g *generator) surfaceOperand(h handle) Operand {
	if h.texture.Bound && g.chance(0.4) {
		return named(h.texture.Variable())
	}
	return reg(h.reg)
}

// ownTexels is how many texels there are in a thread's row of its own part.
func (g *generator) ownTexels() int {
	t := g.own.texture
	return ownRow / (t.Count * t.Channel.Bytes())
}

// reduceTally adds a reduction into the surface of all threads.
func (g *generator) reduceTally() {
	row := g.rng.IntN(len(reductions))
	by := reductions[row]
	inside := g.chance(0.5)
	a := texture.Access{Writes: true, Reduce: by[0], Type: by[1], Outside: g.outside(inside)}
	x := g.along(tallyRow, valueBytes[by[1]], inside)
	g.addAccess("sured.b."+by[0]+".2d."+by[1]+"."+a.Outside, g.surfaceOperand(g.tally), g.tally.geometry, a, []Operand{x, imm(uint64(row))}, 1)
}

// loadImage adds a load from one of the images that are read as textures.
func (g *generator) loadImage() {
	h := pick(g, g.readable...)
	if h.cube {
		g.accessOwn()
		return
	}
	typ, n, vector := g.valueType()
	span := valueBytes[typ] * n
	a := texture.Access{Type: typ, Outside: g.outside(false)}
	if row := h.texture.Bytes() / h.texture.Height / h.texture.Depth; row%span != 0 {
		a.Outside = "zero" // the manual does not say what the nearest place is if a row ends within a value
	}
	var place []Operand
	for i := range h.coordinates {
		if i == 0 && !h.layered || i == 1 && h.layered {
			place = append(place, g.along(0, span, false))
		} else {
			place = append(place, g.wholeCoordinate())
		}
	}
	g.addAccess("suld.b."+h.name+vector+"."+typ+"."+a.Outside, reg(h.reg), h.geometry, a, place, n)
}

// addAccess adds an access to a surface at a place, which is as an instruction has it.
func (g *generator) addAccess(name string, at Operand, of geometry, a texture.Access, place []Operand, n int) {
	in := &texelInst{g: g, name: name}
	class := g.valueClass(a.Type)
	if !a.Writes {
		in.results(class, n)
		in.text.WriteString(", ")
	}
	in.text.WriteString("[")
	in.source(ops.B64, at)
	in.text.WriteString(", ")
	in.sources(len(place), func(i int) (ops.Class, Operand) { return ops.B32, place[i] })
	in.text.WriteString("]")
	first := len(in.src)
	if a.Writes {
		in.kept = first
	}
	switch {
	case a.Reduce != "":
		in.text.WriteString(", ")
		in.source(class, reg(g.source(class)))
	case a.Writes:
		in.text.WriteString(", ")
		in.sources(n, func(int) (ops.Class, Operand) { return class, reg(g.source(class)) })
	}
	in.add(func(t *texture.Texture, d, s []uint64) bool {
		var at [3]int64
		words := s[1:first]
		if of.layered { // its number has no sign
			at[2], words = int64(words[0]), words[1:]
		}
		for axis := range of.dimensions {
			at[axis] = int64(int32(words[axis]))
		}
		values := s[first:]
		if !a.Writes {
			values = d
		}
		loaded, ok := t.Access(a, at, values)
		if !a.Writes {
			copy(d, loaded)
		}
		return ok
	})
}
