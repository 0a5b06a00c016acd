package model

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/vop-ptx/vop/internal/model/ops"
	"github.com/vop-ptx/vop/internal/model/texture"
)

// Sizes of what textured kernels work on.
const (
	spotWords = 512 // of the coordinates that are numbers; so many that are integers are behind them
	ownRow    = 64  // bytes that a thread has in each row of the surface of which each thread has a part
	tallyRow  = 32  // bytes of a row of the surface that all threads reduce into
)

// geometry is a shape of textures.
type geometry struct {
	name          string
	dimensions    int
	layered, cube bool
	coordinates   int // in an instruction, the layer and what is ignored included
}

var geometries = []geometry{
	{"1d", 1, false, false, 1}, {"2d", 2, false, false, 2}, {"3d", 3, false, false, 4},
	{"a1d", 1, true, false, 2}, {"a2d", 2, true, false, 4}, {"cube", 3, false, true, 4}, {"acube", 3, true, true, 4},
}

// flat is how many of the geometries surfaces have: those before the cubes.
const flat = 5

// gathers reports whether tld4 reads it.
func (of *geometry) gathers() bool { return of.dimensions == 2 || of.cube }

// handle is a texture of a kernel, and the register that has its handle.
type handle struct {
	reg     Reg
	texture *Texture
	geometry
}

// textures are what the generator knows of the textures of a kernel.
type textures struct {
	share      float64 // of the statements; 0 of a kernel without textures
	readable   []handle
	own, tally handle
	spots      Reg
	readSum    Reg // of what has been read, so that what is overwritten shows
}

// WithTextures makes the kernel of a seed that reads textures and accesses surfaces, besides all
// else.
func WithTextures(seed uint64) *Kernel { return newKernel(seed, 0x746578, subjects{textures: 0.4}) }

// images makes the textures and the coordinates at which they are read.
func (g *generator) images() {
	add := func(name string, of geometry, t texture.Texture, bound, surface bool) handle {
		g.k.Textures = append(g.k.Textures, &Texture{name, t, bound, surface})
		g.k.Args = append(g.k.Args, Argument{Name: name, Type: ".u64", Texture: true})
		return handle{texture: g.k.Textures[len(g.k.Textures)-1], geometry: of}
	}
	for range 2 + g.rng.IntN(2) {
		of := pick(g, geometries...)
		if g.chance(0.4) { // machine code reads lines and planes
			of = geometries[g.rng.IntN(2)]
		}
		for range 2 { // instructions choose between them
			t := texture.Texture{Image: g.image(of), Sampling: g.sampling()}
			name := fmt.Sprintf("t%d", len(g.k.Textures))
			g.readable = append(g.readable, add(name, of, t, len(g.readable) == 0 || g.chance(0.5), false))
		}
	}
	threads := g.k.Threads() * g.k.Blocks()
	of := pick(g, geometries[:flat]...)
	own := texture.Image{Width: 1, Height: 1, Depth: 1, Count: pick(g, 1, 2, 4), Channel: texture.Channel(g.rng.IntN(int(texture.Channels)))}
	own.Width = ownRow / own.Bytes()
	switch of.name {
	case "1d":
		own.Width *= threads
	case "2d":
		own.Height = threads
	case "a1d":
		own.Depth = threads
	default:
		own.Height, own.Depth = 2, threads
	}
	own.Data = g.content(own.Bytes())
	g.own = add("own", of, texture.Texture{Image: own}, g.chance(0.5), true)
	tally := texture.Image{Width: tallyRow / 4, Height: len(reductions), Depth: 1, Count: 1, Channel: texture.U32}
	tally.Data = g.content(tally.Bytes())
	g.tally = add("tally", geometries[1], texture.Texture{Image: tally}, g.chance(0.5), true)

	var spots []byte
	for range spotWords {
		spots = binary.LittleEndian.AppendUint32(spots, math.Float32bits(g.spot()))
	}
	for range spotWords {
		spots = binary.LittleEndian.AppendUint32(spots, g.wholeSpot())
	}
	g.k.Args = append(g.k.Args, Argument{Name: "spots", Type: ".u64", Buffer: true, Data: spots})
}

func (g *generator) sampling() texture.Sampling {
	mode := pick(g, texture.Clamp, texture.Clamp, texture.Border, texture.Wrap, texture.Mirror)
	normalized := 0.3
	if mode == texture.Wrap || mode == texture.Mirror { // which they are for
		normalized = 0.9
	}
	return texture.Sampling{Address: mode, Linear: g.chance(0.4), Normalized: g.chance(normalized)}
}

// image makes an image of a geometry.
func (g *generator) image(of geometry) texture.Image {
	size := func() int { return pick(g, 1, 2, 3, 4, 5, 7, 8, 16, 33) }
	i := texture.Image{Width: size(), Height: 1, Depth: 1, Count: pick(g, 1, 2, 4), Channel: texture.Channel(g.rng.IntN(int(texture.Channels)))}
	if g.chance(0.3) { // machine code reads these
		i.Channel = pick(g, texture.U8, texture.U16, texture.U32, texture.F32)
	}
	switch {
	case of.cube:
		i.Height, i.Depth = i.Width, 6
		if of.layered {
			i.Depth *= 1 + g.rng.IntN(3)
		}
	case of.dimensions > 1:
		i.Height = size()
	}
	if !of.cube && (of.dimensions == 3 || of.layered) {
		i.Depth = pick(g, 1, 2, 3, 5)
	}
	i.Data = make([]byte, i.Bytes())
	wild := g.chance(0.3)
	for at := 0; at < len(i.Data); at += i.Channel.Bytes() {
		v := g.rng.Uint32()
		switch {
		case wild:
			if g.chance(0.2) {
				v = pick[uint32](g, 0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc01234, 0x7c00, 0xfc00, 0x7e01, 0x8000, 1, 0xffffffff, 0x80008000)
			}
		case i.Channel == texture.F32:
			v = math.Float32bits(float32(int32(v)) / 65536)
		case i.Channel == texture.F16:
			v &= 0xbfff // numbers of less than 2
		case g.chance(0.3):
			v = pick[uint32](g, 0, 1, 0xffffffff, 0x80808080, 0x81818181, 0x80008000, 0x80018001, 0x7fff7f7f)
		}
		var word [4]byte
		binary.LittleEndian.PutUint32(word[:], v)
		copy(i.Data[at:], word[:i.Channel.Bytes()])
	}
	return i
}

// spot is a coordinate: at the borders of texels, in their middles, where weights are rounded, and
// next to these; inside of one of the images or outside; or none at all.
func (g *generator) spot() float32 {
	if g.chance(0.1) {
		return pick(g, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Copysign(0, -1)), 0, 1e-45, -1e-45, 1e30, -1e30, 1<<31, -1<<31, 1<<24+2, 3e38,
			math.Float32frombits(g.rng.Uint32()))
	}
	h := pick(g, g.readable...)
	n := float64(pick(g, h.texture.Width, h.texture.Height, h.texture.Depth))
	x := pick(g, 0, 0.5, 1, 1.0/512, 255.0/512, 257.0/512, 511.0/512, g.rng.Float64(), g.rng.Float64()) + float64(g.rng.IntN(int(n)+1))
	switch g.rng.IntN(6) {
	case 0:
		x -= n * float64(g.rng.IntN(4))
	case 1:
		x += n * float64(g.rng.IntN(4))
	}
	if h.texture.Normalized && !g.chance(0.1) {
		x /= n
	}
	if h.cube && g.chance(0.7) {
		x = pick(g, -1, -0.5, 0, 1.0/3, 0.2, 1, 2*g.rng.Float64()-1)
	}
	result := float32(x)
	switch g.rng.IntN(6) {
	case 0:
		result = math.Nextafter32(result, float32(math.Inf(-1)))
	case 1:
		result = math.Nextafter32(result, float32(math.Inf(1)))
	}
	return result
}

// wholeSpot is a coordinate that is an integer.
func (g *generator) wholeSpot() uint32 {
	return pick(g, g.rng.Uint32N(4), g.rng.Uint32N(8), g.rng.Uint32N(40), -g.rng.Uint32N(20), math.MaxInt32, 1<<31, 1<<30, g.rng.Uint32())
}

// handles loads what textures and spots are.
func (g *generator) handles() {
	load := func(name string) Reg {
		r := g.newReg(ops.B64)
		g.load("ld.param.u64", Param, 8, false, []Reg{r}, named(name), true, 0, true)
		return r
	}
	for i := range g.readable {
		g.readable[i].reg = load(g.readable[i].texture.Name)
	}
	g.own.reg, g.tally.reg, g.spots = load("own"), load("tally"), load("spots")
	g.readSum = g.newReg(ops.B32)
	g.do("mov.u32", g.readSum, imm(0))
}

// texel adds a read of a texture, an access to a surface, or a query.
func (g *generator) texel() {
	switch n := g.rng.IntN(12); {
	case n < 7 || g.inFunction:
		g.sample()
	case n < 11:
		g.surface()
	default:
		g.query()
	}
}

// choose returns an operand for one of the textures of a geometry: a variable, a register, or one
// that is now the one and now the other. In functions it is a variable.
func (g *generator) choose(from []handle) (Operand, handle) {
	h := pick(g, from...)
	if g.inFunction {
		for !h.texture.Bound {
			h = pick(g, g.readable...)
		}
		return named(h.texture.Variable()), h
	}
	other := pick(g, from...)
	switch {
	case h.texture.Bound && g.chance(0.3):
		return named(h.texture.Variable()), h
	case other.name == h.name && other.texture != h.texture && g.chance(0.3):
		t := g.temporary(ops.B64)
		g.do("selp.b64", t, reg(h.reg), reg(other.reg), reg(g.source(ops.Pred)))
		return reg(t), h
	}
	return reg(h.reg), h
}

// texelInst is an instruction that works on a texture, while it is put together.
type texelInst struct {
	g    *generator
	name string
	text strings.Builder // of the operands
	dst  []ops.Class
	src  []ops.Class
	from []Operand
	kept int // so many sources keep threads apart: reducing a kernel does not change them
}

// source adds an operand to the text.
func (in *texelInst) source(c ops.Class, o Operand) {
	in.src, in.from = append(in.src, c), append(in.from, o)
	in.text.WriteByte('$')
}

// sources adds operands in braces.
func (in *texelInst) sources(n int, next func(i int) (ops.Class, Operand)) {
	in.text.WriteByte('{')
	for i := range n {
		if i > 0 {
			in.text.WriteString(", ")
		}
		in.source(next(i))
	}
	in.text.WriteByte('}')
}

// results adds destinations of a class.
func (in *texelInst) results(c ops.Class, n int) {
	for range n {
		in.dst = append(in.dst, c)
	}
	in.text.WriteString("{$" + strings.Repeat(", $", n-1) + "}")
}

// add adds the instruction.
func (in *texelInst) add(does func(t *texture.Texture, d, s []uint64) bool) {
	g := in.g
	guard, sure := g.guard()
	op := &ops.Op{Name: in.name, Text: in.name + " " + in.text.String(), Dst: in.dst, Src: in.src, Only: make([]bool, len(in.src))}
	for i, c := range in.src {
		op.Only[i] = c == ops.B64 || c == ops.B16 || i < in.kept
	}
	inst := &Inst{Guard: guard, Op: op, Src: in.from, Texture: does}
	plain := len(in.dst)
	if plain > 0 && in.dst[plain-1] == ops.Pred {
		plain--
	}
	if plain > 0 {
		inst.Dst = g.destinations(in.dst[0], plain, sure)
	}
	if plain < len(in.dst) {
		inst.Dst = append(inst.Dst, g.destination(ops.Pred, sure))
	}
	g.emit(inst)
	if sure && plain > 0 && !g.inFunction && g.chance(0.6) {
		g.addUp(inst.Dst[:plain])
	}
}

// addUp adds words that have been read to their sum.
func (g *generator) addUp(read []Reg) {
	for _, r := range read {
		word := r
		if r.Class != ops.B32 {
			word = g.temporary(ops.B32)
			convert := map[ops.Class]string{ops.B16: "cvt.u32.u16", ops.F32: "mov.b32", ops.B64: "cvt.u32.u64"}[r.Class]
			g.emit(&Inst{Op: ops.NewOp(convert+" r, "+strings.ToUpper(r.Class.Letter()), func(d, s []uint64) { d[0] = s[0] }), Dst: []Reg{word}, Src: []Operand{reg(r)}})
		}
		g.do("mad.lo.u32", g.readSum, reg(g.readSum), imm(31), reg(word))
	}
}

// sample adds a tex or a tld4.
func (g *generator) sample() {
	at, h := g.choose(g.readable)
	in := &texelInst{g: g}
	f := texture.Form{Dimensions: h.dimensions, Layered: h.layered, Cube: h.cube}
	result, how := pick(g, "u32", "s32", "f32", "f32", "f32", "f16", "f16x2"), ""
	switch {
	case h.gathers() && g.chance(0.3):
		f.Gather = 1 + g.rng.IntN(4)
		result = pick(g, "u32", "s32", "f32")
	case h.cube:
		how = pick(g, "", "", ".level", ".grad", ".base")
	default:
		f.Whole = g.chance(0.35)
		how = pick(g, "", "", "", ".base")
		if !f.Whole && g.chance(0.3) {
			how = pick(g, ".level", ".grad")
		}
	}
	f.Numbers = result[0] == 'f'
	coordinates := "f32"
	if f.Whole {
		coordinates = "s32"
	}
	n, vector, class := 4, ".v4.", ops.B32
	switch result {
	case "f32":
		class = pick(g, ops.F32, ops.B32)
	case "f16":
		class = ops.B16
	case "f16x2":
		n, vector = 2, ".v2."
	}
	in.name = "tex" + how + "." + h.name + vector + result + "." + coordinates
	if f.Gather > 0 {
		in.name = "tld4." + "rgba"[f.Gather-1:f.Gather] + "." + h.name + vector + result + "." + coordinates
	}
	in.results(class, n)
	resident := g.chance(0.1)
	if resident {
		in.dst = append(in.dst, ops.Pred)
		in.text.WriteString("|$")
	}
	in.text.WriteString(", [")
	in.source(ops.B64, at)
	in.text.WriteString(", ")
	in.sources(h.coordinates, func(i int) (ops.Class, Operand) {
		if f.Whole || h.layered && i == 0 {
			return ops.B32, g.wholeCoordinate()
		}
		return ops.F32, g.coordinate()
	})
	in.text.WriteString("]")
	zero := func(int) (ops.Class, Operand) { return ops.F32, imm(0) }
	switch how {
	case ".level":
		in.text.WriteString(", ")
		in.source(zero(0))
	case ".grad":
		for range 2 {
			in.text.WriteString(", ")
			in.sources(map[int]int{1: 1, 2: 2, 3: 4}[h.dimensions], zero)
		}
	}
	offset := len(in.src)
	offsets := !h.cube && g.chance(0.15)
	if offsets {
		in.text.WriteString(", ")
		in.sources(map[int]int{1: 1, 2: 2, 3: 4}[h.dimensions], func(int) (ops.Class, Operand) {
			if g.chance(0.3) {
				return ops.B32, reg(g.source(ops.B32))
			}
			return ops.B32, imm(uint64(g.rng.IntN(16)-8) & ops.B32.Mask())
		})
	}
	in.add(func(t *texture.Texture, d, s []uint64) bool {
		words := make([]uint32, len(s))
		for i, v := range s {
			words[i] = uint32(v)
		}
		layer, first := uint32(0), words[1:]
		if h.layered {
			layer, first = first[0], first[1:]
		}
		var shifts []uint32
		if offsets {
			shifts = words[offset:]
		}
		got := t.Read(f, layer, first, shifts)
		for c, bits := range got {
			if result[:3] == "f16" {
				bits = texture.ToHalf(bits)
			}
			switch {
			case n == 4:
				d[c] = uint64(bits)
			case c%2 == 0:
				d[c/2] = uint64(bits)
			default:
				d[c/2] |= uint64(bits) << 16
			}
		}
		if resident {
			d[n] = 1
		}
		return true
	})
}

// loadSpot loads a coordinate from the spots, the same for all threads or not.
func (g *generator) loadSpot(d Reg, first int) {
	w := Operand{}
	offset := int64(4 * first)
	if index := g.index(spotWords); index.Kind == ImmOperand {
		w, offset = reg(g.spots), offset+int64(4*index.Imm)
	} else {
		t := g.temporary(ops.B64)
		g.do("mad.wide.u32", t, index, imm(4), reg(g.spots))
		w = reg(t)
	}
	g.load("ld.global.b32", Global, 4, false, []Reg{d}, w, true, offset, true)
}

// coordinate returns a coordinate that is a number.
func (g *generator) coordinate() Operand {
	n := g.rng.IntN(10)
	switch {
	case n == 0:
		return imm(uint64(math.Float32bits(g.spot())))
	case n < 4 || g.inFunction:
		return reg(g.source(ops.F32))
	case n == 4: // it grows with the thread, by a part of a texel or by several
		t := g.temporary(ops.F32)
		g.do("cvt.rn.f32.u32", t, reg(g.tid))
		g.do("fma.rn.f32", t, reg(t), imm(uint64(math.Float32bits(pick[float32](g, 1, 0.5, 0.125, 1.0/256, -1, 3)))), imm(uint64(math.Float32bits(g.spot()))))
		return reg(t)
	}
	t := g.temporary(ops.F32)
	g.loadSpot(t, 0)
	return reg(t)
}

// wholeCoordinate returns a coordinate that is an integer, or the number of a layer.
func (g *generator) wholeCoordinate() Operand {
	n := g.rng.IntN(10)
	switch {
	case n == 0:
		return imm(uint64(g.wholeSpot()))
	case n < 3 || g.inFunction:
		return reg(g.source(ops.B32))
	case n < 5:
		return g.index(pick(g, 2, 4, 8, 32))
	case n == 5:
		return reg(pick(g, g.tid, g.gtid))
	}
	t := g.temporary(ops.B32)
	g.loadSpot(t, spotWords)
	return reg(t)
}

// query adds a question for the size of a texture.
func (g *generator) query() {
	at, h := g.choose(g.readable)
	in := &texelInst{g: g}
	what := pick(g, "width", "height", "depth", "array_size", "num_mipmap_levels")
	if h.cube { // how large their arrays are is not asked
		what = "width"
	}
	family := "txq."
	if what != "num_mipmap_levels" && at.Kind == RegOperand && g.chance(0.5) {
		family = "suq."
	}
	in.name = family + what + ".b32"
	in.dst = []ops.Class{ops.B32}
	in.text.WriteString("$, [")
	in.source(ops.B64, at)
	in.text.WriteString("]")
	in.add(func(t *texture.Texture, d, s []uint64) bool {
		d[0] = uint64(map[string]int{"width": t.Width, "height": t.Height, "depth": t.Depth, "array_size": t.Depth, "num_mipmap_levels": 1}[what])
		return true
	})
}
