package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// textureForms read textures (PTX ISA 9.7.10), and read and write surfaces (9.7.11). Textures have one level.
var textureForms = builder.Table{
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

// textureOperand returns the handle and the coordinates of an operand [a, {x, y}].
func textureOperand(b *builder.Builder, x *simt.TextureOp, o *check.Operand) (args []simt.ID, ok bool) {
	if o.Kind != check.OpTexture {
		b.Fail("the operand %s", b.Text(o))
		return nil, false
	}
	if len(o.Elems) != 2 {
		b.Lack("samplers apart from textures")
		return nil, false
	}
	args = append(args, b.Source(&o.Elems[0], simt.B64, check.U64))
	want := x.Coordinates()
	elements := b.Elements(&o.Elems[1])
	if len(elements) < want {
		b.Fail("it has %d coordinates, and needs %d", len(elements), want)
		return nil, false
	}
	for i := range want {
		t := b.Form.LastType()
		if b.Form.Name != "tex" && b.Form.Name != "tld4" || i == 0 && x.Layered {
			t = check.S32
		}
		args = append(args, b.Source(&elements[i], simt.B32, t))
	}
	return args, true
}

// levelOperands is how many operands choose among the levels of a texture, of which there is one.
var levelOperands = map[string]int{"level": 1, "grad": 2}

// readTexture builds tex and tld4.
func readTexture(b *builder.Builder) {
	x := form.NewTexture(b.Form)
	args, ok := textureOperand(b, x, b.Operand(1))
	for _, i := range textureExtras(b) {
		if o := b.Operand(i); !ok || !isOffset(b, o) {
			b.Lack("comparisons with a depth")
			return
		}
		x.Offset = true
		args = append(args, offsets(b, x, b.Operand(i))...)
	}
	d := b.Operand(0)
	var resident *check.Operand // whether the texels are in memory, as all are
	if d.Kind == check.OpPair {
		d, resident = &d.Elems[0], &d.Elems[1]
	}
	elements := b.Elements(d)
	if !ok || len(elements) != b.Form.Elements() {
		b.Fail("its destination has %s", diag.Count(len(elements), "element"))
		return
	}
	defs := make([]simt.ID, len(elements))
	for i := range defs {
		defs[i] = b.Result(simt.B32)
	}
	b.Effect(simt.Inst{Kind: simt.Texture, Defs: b.List(defs...), Args: b.List(args...), Aux: x})
	for i := range elements {
		b.Set(&elements[i], defs[i])
	}
	if resident != nil {
		b.Set(resident, b.Constant(simt.Pred, 1))
	}
}

// textureExtras returns the numbers of the operands behind the coordinates and those that choose a level.
func textureExtras(b *builder.Builder) (at []int) {
	for i := 2 + levelOperands[b.Form.Modifiers[0]]; i < len(b.Inst.Operands); i++ {
		at = append(at, i)
	}
	return at
}

// isOffset reports whether an operand of a texture is its offset, and not a depth: a vector, or an integer.
func isOffset(b *builder.Builder, o *check.Operand) bool {
	switch o.Kind {
	case check.OpVector:
		return true
	case check.OpImm:
		return o.Float == 0
	case check.OpReg:
		t := b.Decl.Registers[o.Reg].Type
		return b.IsVector(o) || t == check.S32 || t == check.U32 || b.Form.LastType() == check.S32
	}
	return false
}

// offsets returns the offsets of the coordinates, layers apart. One alone is that of all.
func offsets(b *builder.Builder, x *simt.TextureOp, o *check.Operand) (args []simt.ID) {
	elements := b.Elements(o)
	for d := range x.Dimensions {
		args = append(args, b.Source(&elements[min(d, len(elements)-1)], simt.B32, check.S32))
	}
	return args
}

// queryTexture builds txq and suq.
func queryTexture(b *builder.Builder) {
	o := b.Operand(1)
	if o.Kind == check.OpAddress && len(o.Elems) == 1 {
		o = &o.Elems[0]
	}
	x := form.NewTexture(b.Form)
	d := b.Result(simt.B32)
	b.Effect(simt.Inst{Kind: simt.Texture, Defs: b.List(d), Args: b.List(b.Source(o, simt.B64, check.U64)), Aux: x})
	b.Set(b.Operand(0), d)
}

// accessSurface builds sust and suld.
func accessSurface(b *builder.Builder) {
	x := form.NewTexture(b.Form)
	place, data := 1, 0
	if x.Writes {
		place, data = 0, 1
	}
	t := b.Form.LastType()
	args, ok := textureOperand(b, x, b.Operand(place))
	elements := b.Elements(b.Operand(data))
	want := b.Form.Elements()
	if !ok || len(elements) != want {
		b.Fail("it has %s", diag.Count(len(elements), "element"))
		return
	}
	var defs []simt.ID
	for i := range elements {
		if x.Writes {
			args = append(args, b.Source(&elements[i], simt.TypeOf(t), t))
		} else {
			defs = append(defs, b.Result(simt.TypeOf(t)))
		}
	}
	b.Effect(simt.Inst{Kind: simt.Texture, Defs: defs, Args: b.List(args...), Aux: x})
	for i, d := range defs {
		b.Set(&elements[i], d)
	}
}
