package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// Reads of textures, without interpolation, where coordinates outside are those of the edge. What is known of the texture
// stands in a window, which a step finds as it does for an access.

// nativeTexture reports whether there is machine code for an instruction as a read of a texture. With a guard nobody knows
// that the handle is one.
func (k *compiler) nativeTexture(inst *simt.Inst) bool {
	op, ok := inst.Aux.(*simt.TextureOp)
	return ok && op.ReadsPlane() && inst.Guard == 0 && k.allScalar(inst.Args[:1])
}

// textureRead is the state of writing a read.
type textureRead struct {
	*compiler
	op     *simt.TextureOp
	inst   *simt.Inst
	window int32
}

// readTexture writes a read of a texture.
func (k *compiler) readTexture(b simt.BlockID, n int) error {
	inst := &k.Blocks[b].Insts[n]
	t := &textureRead{compiler: k, op: inst.Aux.(*simt.TextureOp), inst: inst, window: k.windows}
	k.windows += frame.TextureWindows * frame.WindowSize
	site := k.site(frame.Site{Kind: frame.AccessSite, Block: b, Inst: int32(n), Window: t.window})
	miss := k.outOfLine(site)
	k.Access(encode.LDRX, x0, windowsReg, t.window+frame.TextureHandle)
	k.Emit(encode.CMPX, k.general(inst.Args[0]), x0)
	k.Branch(encode.BNE, miss)
	k.Access(encode.LDRX, baseReg, windowsReg, t.window+frame.TextureBase)
	k.Emit(encode.CBZ, baseReg, encode.At(miss)) // a handle of 0 finds a window that nobody has written
	if err := k.strips(t.read, nil); err != nil {
		return err
	}
	k.resume(site)
	return nil
}

// number gives all lanes a number of the window.
func (t *textureRead) number(offset int32) machine.Register {
	return t.From(machine.Place{Base: windowsReg, Offset: t.window + offset, Size: machine.Word})
}

// read reads the texels of a group of lanes. All lanes read some, whether they are at work or not.
func (t *textureRead) read(s *strip) {
	at := s.New(encode.ADD|encode.S4, s.New(encode.USHL|encode.S4, t.texel(s, 0), t.number(frame.TextureLog)), t.number(frame.TextureLow))
	if t.op.Dimensions == 2 {
		at = s.Change(encode.MLA|encode.S4, at, t.texel(s, 1), t.number(frame.TexturePitch))
	}
	for c, d := range t.inst.Defs {
		if d == 0 || t.uses[d] == 0 {
			continue
		}
		channel := int32(frame.TextureChannels + frame.TextureChannel*c)
		from := s.New(encode.ADD|encode.S4, at, t.number(channel))
		texels := s.New(encode.BIC, from, s.Const32(3)) // each becomes the word that is there
		for lane := range 4 {
			s.Take(encode.UMOVW, x0, texels, lane)
			s.Generally(encode.LDRWIndexed, x0, baseReg, x0)
			texels = s.Put(encode.INSW, texels, lane, x0)
		}
		shift := s.NewImm(encode.SHL|encode.S4, 3, s.New(encode.AND, from, s.Const32(3)))
		texels = s.New(encode.USHL|encode.S4, texels, s.New(encode.NEG|encode.S4, shift))
		texels = s.New(encode.ORR, s.New(encode.AND, texels, t.number(channel+4)), t.number(channel+8))
		places, _ := s.places(d)
		s.Save(places[0], texels, false)
	}
}

// texel returns which texel of a dimension a coordinate is in. What is no number becomes 0.
func (t *textureRead) texel(s *strip, d int) machine.Register {
	x := s.V(t.inst.Args[1+d])
	if !t.op.Whole {
		x = s.New(encode.FCVTZS|encode.S4, x)
	}
	x = s.New(encode.SMAX|encode.S4, x, s.Const32(0))
	return s.New(encode.SMIN|encode.S4, x, t.number(int32(frame.TextureLast+8*d)))
}
