package build

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// textureForms read textures (PTX ISA 9.7.10), and read and write surfaces (9.7.11). Textures have one level.
var textureForms = []row{
	{"tex.(1d|2d|3d|a1d|a2d).v4.(u32|s32|f16|f32).(s32|f32)", readTexture},
	{"tex.(level|grad|base).(1d|2d|3d|a1d|a2d).v4.(u32|s32|f16|f32).f32", readTexture},
	{"tex.base.(1d|2d|3d|a1d|a2d).v4.(u32|s32|f16|f32).s32", readTexture},
	{"tex{.(level|grad|base)}.(cube|acube).v4.(u32|s32|f16|f32).f32", readTexture},
	{"tex.(1d|2d|3d|a1d|a2d).v2.f16x2.(s32|f32)", readTexture},
	{"tex.(level|grad|base).(1d|2d|3d|a1d|a2d).v2.f16x2.f32", readTexture},
	{"tex.base.(1d|2d|3d|a1d|a2d).v2.f16x2.s32", readTexture},
	{"tex{.(level|grad|base)}.(cube|acube).v2.f16x2.f32", readTexture},
	{"tld4.(r|g|b|a).(2d|a2d|cube|acube).v4.(u32|s32|f32).f32", readTexture},
	{"txq.(width|height|depth|num_mipmap_levels|array_size).b32", queryTexture},
	{"suq.(width|height|depth|array_size).b32", queryTexture},
	{"sust.b.(1d|2d|3d|a1d|a2d){.(wb|cg|cs|wt)}{.(v2|v4)}.(b8|b16|b32|b64).(trap|clamp|zero)", accessSurface},
	{"sust.p.(1d|2d|3d|a1d|a2d){.(wb|cg|cs|wt)}{.(v2|v4)}.b32.(trap|clamp|zero)", accessSurface},
	{"sured.b.add.(1d|2d|3d).(u32|u64|s32).(trap|clamp|zero)", accessSurface},
	{"sured.b.(min|max).(1d|2d|3d).(u32|u64|s32|s64).(trap|clamp|zero)", accessSurface},
	{"sured.b.(and|or).(1d|2d|3d).b32.(trap|clamp|zero)", accessSurface},
	{"sured.p.(add|min|max|and|or).(1d|2d|3d).b32.(trap|clamp|zero)", accessSurface},
	{"sured.p.(min|max).(1d|2d|3d).b64.(trap|clamp|zero)", accessSurface},
	{"suld.b.(1d|2d|3d|a1d|a2d){.(ca|cg|cs|cv)}{.(v2|v4)}.(b8|b16|b32|b64).(trap|clamp|zero)", accessSurface},
}

// geometries are the dimensions of a form, whether the first coordinate is a layer, and whether the others are a direction.
var geometries = map[string]struct {
	dimensions    int
	layered, cube bool
}{
	"1d": {dimensions: 1}, "2d": {dimensions: 2}, "3d": {dimensions: 3}, "cube": {dimensions: 3, cube: true},
	"a1d": {dimensions: 1, layered: true}, "a2d": {dimensions: 2, layered: true}, "acube": {dimensions: 3, layered: true, cube: true},
}

// newTextureOp returns what a form, with its modifiers in the order of the table, asks for.
func newTextureOp(f form) *simt.TextureOp {
	x := &simt.TextureOp{Spelling: f.String()}
	for _, m := range f.modifiers {
		if g, ok := geometries[m]; ok {
			x.Dimensions, x.Layered, x.Cube = g.dimensions, g.layered, g.cube
		}
		if m == "trap" || m == "clamp" || m == "zero" {
			x.Mode = m
		}
	}
	switch types := f.types(); f.name {
	case "tld4":
		x.Read, x.Numbers, x.Gather = true, types[0] == check.F32, 1+strings.Index("rgba", f.modifiers[0])
	case "tex":
		x.Pairs = types[0] == check.F16x2
		x.Half = x.Pairs || types[0] == check.F16
		x.Read, x.Numbers, x.Whole = true, x.Half || types[0] == check.F32, types[1] == check.S32
	case "txq", "suq":
		x.Query = f.modifiers[0]
	case "sured":
		x.Writes, x.Size, x.Formatted, x.Reduce = true, types[0].Bytes(), f.modifiers[0] == "p", f.modifiers[1]
		x.Signed = types[0] == check.S32 || types[0] == check.S64
	default:
		x.Writes, x.Size, x.Formatted = f.name == "sust", f.lastType().Bytes(), f.modifiers[0] == "p"
	}
	return x
}

// textureOperand returns the handle and the coordinates of an operand [a, {x, y}].
func (b *builder) textureOperand(x *simt.TextureOp, o *check.Operand) (args []simt.ID, ok bool) {
	if o.Kind != check.OpTexture {
		b.fail("the operand %s", b.name(o))
		return nil, false
	}
	if len(o.Elems) != 2 {
		b.lack("samplers apart from textures")
		return nil, false
	}
	args = append(args, b.source(&o.Elems[0], simt.B64, check.U64))
	want := x.Coordinates()
	elements := b.vectorElements(&o.Elems[1])
	if len(elements) < want {
		b.fail("it has %d coordinates, and needs %d", len(elements), want)
		return nil, false
	}
	for i := range want {
		t := b.inst.lastType()
		if b.inst.name != "tex" && b.inst.name != "tld4" || i == 0 && x.Layered {
			t = check.S32
		}
		args = append(args, b.source(&elements[i], simt.B32, t))
	}
	return args, true
}

// levelOperands is how many operands choose among the levels of a texture, of which there is one.
var levelOperands = map[string]int{"level": 1, "grad": 2}

// readTexture builds tex and tld4.
func readTexture(b *builder) {
	x := newTextureOp(b.inst)
	args, ok := b.textureOperand(x, b.operand(1))
	for _, i := range b.textureExtras() {
		if o := b.operand(i); !ok || !b.isOffset(o) {
			b.lack("comparisons with a depth")
			return
		}
		x.Offset = true
		args = append(args, b.offsets(x, b.operand(i))...)
	}
	d := b.operand(0)
	var resident *check.Operand // whether the texels are in memory, as all are
	if d.Kind == check.OpPair {
		d, resident = &d.Elems[0], &d.Elems[1]
	}
	elements := b.vectorElements(d)
	if !ok || len(elements) != b.inst.elements() {
		b.fail("its destination has %s", diag.Count(len(elements), "element"))
		return
	}
	defs := make([]simt.ID, len(elements))
	for i := range defs {
		defs[i] = b.result(simt.B32)
	}
	b.effect(simt.Inst{Kind: simt.Texture, Defs: b.list(defs...), Args: b.list(args...), Aux: x})
	for i := range elements {
		b.set(&elements[i], defs[i])
	}
	if resident != nil {
		b.set(resident, b.Constant(simt.Pred, 1))
	}
}

// textureExtras returns the numbers of the operands behind the coordinates and those that choose a level.
func (b *builder) textureExtras() (at []int) {
	for i := 2 + levelOperands[b.inst.modifiers[0]]; i < len(b.current.Operands); i++ {
		at = append(at, i)
	}
	return at
}

// isOffset reports whether an operand of a texture is its offset, and not a depth: a vector, or an integer.
func (b *builder) isOffset(o *check.Operand) bool {
	switch o.Kind {
	case check.OpVector:
		return true
	case check.OpImm:
		return o.Float == 0
	case check.OpReg:
		t := b.decl.Registers[o.Reg].Type
		return b.isVector(o) || t == check.S32 || t == check.U32 || b.inst.lastType() == check.S32
	}
	return false
}

// offsets returns the offsets of the coordinates, layers apart. One alone is that of all.
func (b *builder) offsets(x *simt.TextureOp, o *check.Operand) (args []simt.ID) {
	elements := b.vectorElements(o)
	for d := range x.Dimensions {
		args = append(args, b.source(&elements[min(d, len(elements)-1)], simt.B32, check.S32))
	}
	return args
}

// queryTexture builds txq and suq.
func queryTexture(b *builder) {
	o := b.operand(1)
	if o.Kind == check.OpAddress && len(o.Elems) == 1 {
		o = &o.Elems[0]
	}
	x := newTextureOp(b.inst)
	d := b.result(simt.B32)
	b.effect(simt.Inst{Kind: simt.Texture, Defs: b.list(d), Args: b.list(b.source(o, simt.B64, check.U64)), Aux: x})
	b.set(b.operand(0), d)
}

// accessSurface builds sust and suld.
func accessSurface(b *builder) {
	x := newTextureOp(b.inst)
	place, data := 1, 0
	if x.Writes {
		place, data = 0, 1
	}
	t := b.inst.lastType()
	args, ok := b.textureOperand(x, b.operand(place))
	elements := b.vectorElements(b.operand(data))
	want := b.inst.elements()
	if !ok || len(elements) != want {
		b.fail("it has %s", diag.Count(len(elements), "element"))
		return
	}
	var defs []simt.ID
	for i := range elements {
		if x.Writes {
			args = append(args, b.source(&elements[i], simt.TypeOf(t), t))
		} else {
			defs = append(defs, b.result(simt.TypeOf(t)))
		}
	}
	b.effect(simt.Inst{Kind: simt.Texture, Defs: defs, Args: b.list(args...), Aux: x})
	for i, d := range defs {
		b.set(&elements[i], d)
	}
}
