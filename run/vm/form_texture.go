package vm

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
)

// textureForms read textures (PTX ISA 9.7.10), and read and write surfaces (9.7.11). Textures have one level.
var textureForms = []row{
	{"tex.(1d|2d|3d|a1d|a2d).v4.(u32|s32|f32).(s32|f32)", readTexture},
	{"tex.level.(1d|2d|3d|a1d|a2d).v4.(u32|s32|f32).f32", readTexture},
	{"txq.(width|height|depth|num_mipmap_levels|array_size).b32", queryTexture},
	{"suq.(width|height|depth|array_size).b32", queryTexture},
	{"sust.b.(1d|2d|3d|a1d|a2d){.(wb|cg|cs|wt)}{.(v2|v4)}.(b8|b16|b32|b64).(trap|clamp|zero)", accessSurface},
	{"suld.b.(1d|2d|3d|a1d|a2d){.(ca|cg|cs|cv)}{.(v2|v4)}.(b8|b16|b32|b64).(trap|clamp|zero)", accessSurface},
}

// geometries are the dimensions of a form, and whether the first coordinate is a layer.
var geometries = map[string]struct {
	dimensions int
	layered    bool
}{
	"1d": {1, false}, "2d": {2, false}, "3d": {3, false}, "a1d": {1, true}, "a2d": {2, true},
}

// textureAccess is what reads of textures and accesses to surfaces have in common.
type textureAccess struct {
	texture    *column[uint64] // handles
	coordinate []*column[uint32]
	dimensions int
	layered    bool
	spelling   string
}

// textureOperand returns the handle and the coordinates of an operand [a, {x, y}], and what binds them.
func (b *builder) textureOperand(o *check.Operand) (uses []register, bind func(f *frame) textureAccess) {
	geometry := geometries[""]
	for _, m := range b.inst.modifiers {
		if g, ok := geometries[m]; ok {
			geometry = g
		}
	}
	access := textureAccess{dimensions: geometry.dimensions, layered: geometry.layered, spelling: b.inst.String()}
	if o.Kind != check.OpTexture {
		b.fail("the operand %s", b.name(o))
		return nil, nil
	}
	texture := b.source(&o.Elems[0], wide, check.U64)
	want := geometry.dimensions
	if geometry.layered {
		want++
	}
	elements := vectorElements(&o.Elems[1])
	if len(elements) < want {
		b.fail("it has %d coordinates, and needs %d", len(elements), want)
		return nil, nil
	}
	var coordinates []register
	for i := range want {
		t := b.inst.lastType()
		if b.inst.name != "tex" || i == 0 && geometry.layered {
			t = check.S32
		}
		coordinates = append(coordinates, b.source(&elements[i], narrow, t))
	}
	return append([]register{texture}, coordinates...), func(f *frame) textureAccess {
		bound := access
		bound.texture = columnOf[uint64](f, texture)
		for _, r := range coordinates {
			bound.coordinate = append(bound.coordinate, columnOf[uint32](f, r))
		}
		return bound
	}
}

// of returns a thread's texture. Without one, m.fault is set.
func (a *textureAccess) of(m *machine, thread int) *Texture {
	handle := a.texture.all()[thread]
	t := m.launch.kernel.module.memory.texture(handle)
	if t == nil {
		m.fault = &Fault{Kind: NoTexture, Access: a.spelling, Address: handle, thread: thread, Detail: "no texture is bound there"}
		for v, b := range m.launch.kernel.module.variables {
			if b.address == handle {
				m.fault.Detail = "no texture is bound to " + v.Name
			}
		}
	}
	return t
}

// at returns a thread's coordinates and layer.
func (a *textureAccess) at(thread int) (coordinate [3]uint32, layer int) {
	all := a.coordinate
	if a.layered {
		layer = int(int32(all[0].all()[thread]))
		all = all[1:]
	}
	for i, c := range all {
		coordinate[i] = c.all()[thread]
	}
	return coordinate, layer
}

// readTexture builds tex.
func readTexture(b *builder) {
	types := b.inst.types()
	numbers, whole := types[0] == check.F32, types[1] == check.S32
	uses, bind := b.textureOperand(b.operand(1))
	elements := vectorElements(b.operand(0))
	if bind == nil || len(elements) != 4 {
		b.fail("its destination has %s", diag.Count(len(elements), "element"))
		return
	}
	var defs []register
	for i := range elements {
		defs = append(defs, b.destination(&elements[i], narrow))
	}
	b.emit(defs, uses, func(f *frame, private bool) step {
		s := &textureRead{textureAccess: bind(f), numbers: numbers, whole: whole}
		for _, d := range defs {
			s.d = append(s.d, columnOf[uint32](f, d))
		}
		return s
	})
}

// textureRead reads a texel, or a mixture of some, for each thread.
type textureRead struct {
	textureAccess
	d              []*column[uint32]
	numbers, whole bool // results are f32; coordinates are s32
}

func (s *textureRead) run(m *machine) bool {
	for t := m.next(m.low); t < m.high; t = m.next(t + 1) {
		texture := s.of(m, t)
		if texture == nil {
			return false
		}
		coordinate, layer := s.at(t)
		var texel [4]uint32
		if s.whole {
			at := [3]int{}
			for d := range s.dimensions {
				at[d] = int(int32(coordinate[d]))
			}
			if s.dimensions < 3 {
				at[s.dimensions] = layer
			}
			texel = texture.fetch(at, s.dimensions, false, s.numbers)
		} else {
			at := [3]float64{}
			for d := range s.dimensions {
				at[d] = float64(math.Float32frombits(coordinate[d]))
			}
			texel = texture.sample(at, layer, s.dimensions, s.numbers)
		}
		for c, d := range s.d {
			d.update()[t] = texel[c]
		}
	}
	return true
}

// queryTexture builds txq and suq.
func queryTexture(b *builder) {
	o := b.operand(1)
	if o.Kind == check.OpAddress && len(o.Elems) == 1 {
		o = &o.Elems[0]
	}
	d, texture := b.destination(b.operand(0), narrow), b.source(o, wide, check.U64)
	what, spelling := b.inst.modifiers[0], b.inst.String()
	b.emit([]register{d}, []register{texture}, func(f *frame, private bool) step {
		return &textureQuery{textureAccess{texture: columnOf[uint64](f, texture), spelling: spelling}, columnOf[uint32](f, d), what}
	})
}

type textureQuery struct {
	textureAccess
	d    *column[uint32]
	what string
}

func (s *textureQuery) run(m *machine) bool {
	for t := m.next(m.low); t < m.high; t = m.next(t + 1) {
		texture := s.of(m, t)
		if texture == nil {
			return false
		}
		i := &texture.image
		s.d.update()[t] = uint32(map[string]int{"width": i.Width, "height": i.Height, "depth": i.Depth, "array_size": i.Depth, "num_mipmap_levels": 1}[s.what])
	}
	return true
}

// accessSurface builds sust.b and suld.b, which copy bits.
func accessSurface(b *builder) {
	writes := b.inst.name == "sust"
	place, data := 1, 0
	if writes {
		place, data = 0, 1
	}
	t := b.inst.lastType()
	uses, bind := b.textureOperand(b.operand(place))
	elements := vectorElements(b.operand(data))
	want := 1
	if b.inst.has("v2") {
		want = 2
	} else if b.inst.has("v4") {
		want = 4
	}
	if bind == nil || len(elements) != want {
		b.fail("it has %s", diag.Count(len(elements), "element"))
		return
	}
	var values, defs []register
	for i := range elements {
		if writes {
			values = append(values, b.source(&elements[i], classOf(t), t))
		} else {
			values = append(values, b.destination(&elements[i], classOf(t)))
		}
	}
	if writes {
		uses = append(uses, values...)
	} else {
		defs = values
	}
	mode := b.inst.modifiers[slices.IndexFunc(b.inst.modifiers, func(m string) bool { return m == "trap" || m == "clamp" || m == "zero" })]
	b.emit(defs, uses, func(f *frame, private bool) step {
		s := &surfaceAccess{textureAccess: bind(f), writes: writes, size: t.Bytes(), mode: mode}
		for _, r := range values {
			s.values = append(s.values, f.columns[r])
		}
		return s
	})
}

// surfaceAccess copies bits between registers and a surface.
type surfaceAccess struct {
	textureAccess
	values []any // columns
	writes bool
	size   int // of one value, in bytes
	mode   string
}

func (s *surfaceAccess) run(m *machine) bool {
	for t := m.next(m.low); t < m.high; t = m.next(t + 1) {
		texture := s.of(m, t)
		if texture == nil {
			return false
		}
		coordinate, layer := s.at(t)
		at := [3]int{}
		for d := range s.dimensions {
			at[d] = int(int32(coordinate[d]))
		}
		if s.dimensions < 3 {
			at[s.dimensions] = layer
		}
		data, ok := texture.surface(at, s.size*len(s.values), s.mode)
		if !ok && s.mode == "trap" {
			i := &texture.image
			m.fault = &Fault{Kind: OutOfBounds, Access: s.spelling, Address: s.texture.all()[t], thread: t,
				Detail: fmt.Sprintf("byte %d of row %d of layer %d, in a surface of %d bytes x %d x %d", at[0], at[1], at[2], i.Width*i.texelSize(), i.Height, i.Depth)}
			return false
		}
		for i, v := range s.values {
			s.copy(v, t, data, i)
		}
	}
	return true
}

// copy copies one value; data is nil where there is no such place.
func (s *surfaceAccess) copy(column_ any, thread int, data []byte, i int) {
	var all [8]byte
	var part []byte
	if data != nil {
		part = data[i*s.size:][:s.size]
	}
	switch c := column_.(type) {
	case *column[uint32]:
		if s.writes {
			binary.LittleEndian.PutUint32(all[:], c.all()[thread])
			copy(part, all[:])
			return
		}
		copy(all[:], part)
		c.update()[thread] = binary.LittleEndian.Uint32(all[:])
	case *column[uint64]:
		if s.writes {
			binary.LittleEndian.PutUint64(all[:], c.all()[thread])
			copy(part, all[:])
			return
		}
		copy(all[:], part)
		c.update()[thread] = binary.LittleEndian.Uint64(all[:])
	}
}
