package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// Reads of textures, without interpolation, where coordinates outside are those of the edge. What is known of the texture
// stands in a window, which a step finds as it does for an access.

// textureRead is the state of selecting a read.
type textureRead struct {
	*compiler
	op     *simt.TextureOp
	inst   *simt.Inst
	window int32
}

// nativeTexture selects a read of a texture. It reports whether there is machine code for it.
func (k *compiler) nativeTexture(b simt.BlockID, n int) bool {
	inst := &k.Blocks[b].Insts[n]
	op := inst.Aux.(*simt.TextureOp)
	if !op.ReadsPlane() || !k.Known.IsScalar(inst.Args[0]) {
		return false
	}
	t := &textureRead{compiler: k, op: op, inst: inst, window: k.windows}
	k.windows += frame.TextureWindows * WindowSize
	k.BeginApart()
	site := k.site(Site{Kind: AccessSite, Block: b, Inst: int32(n), Window: t.window})
	handle := k.General(inst.Args[0])
	for _, s := range k.Groups {
		for _, at := range inst.Args[1:] {
			s.Value(at)
		}
	}
	k.Fixedly(encode.CMP|encode.S64, handle, machine.Fixed(encode.At(windowsReg, t.window+frame.TextureHandle)))
	uses := k.roots(append([]simt.ID{inst.Guard}, inst.Args...))
	k.leaveIf(encode.CondNE, site, uses)
	k.Fixedly(encode.MOV|encode.S64, rax, machine.Fixed(encode.At(windowsReg, t.window+frame.TextureBase)))
	k.Fixedly(encode.TEST|encode.S64, rax, rax) // a handle of 0 finds a window that nobody has written
	k.leaveIf(encode.CondE, site, uses)
	for _, s := range k.Groups {
		t.read(s)
	}
	k.Do(func() {
		k.Bind(k.resumes[site])
		k.sites[site].Resumed = k.At
	})
	return true
}

// number gives all lanes of a group a number of the window.
func (t *textureRead) number(s *warp.Group, offset int32) machine.Operand {
	return s.New(encode.VPBROADCASTD, machine.Fixed(encode.At(windowsReg, t.window+offset)))
}

// read reads the texels of a group of lanes. All lanes read some, whether they are at work or not.
func (t *textureRead) read(s *warp.Group) {
	x := s.New(encode.VPSLLVD, t.texel(s, 0), t.number(s, frame.TextureLog))
	at := s.New(encode.VPADDD, x, t.number(s, frame.TextureLow))
	if t.op.Dimensions == 2 {
		y := s.New(encode.VPMULLD, t.texel(s, 1), t.number(s, frame.TexturePitch))
		at = s.New(encode.VPADDD, at, y)
	}
	for c, d := range t.inst.Defs {
		if d == 0 || !t.needed[d] {
			continue
		}
		channel := int32(frame.TextureChannels + frame.TextureChannel*c)
		from := s.New(encode.VPADDD, at, t.number(s, channel))
		word := s.And(from, s.Const32(^uint32(3)))
		texels := s.Gather(warp.GatherDD, machine.Indexed(rax, word, 1, 0), s.EveryLane())
		shift := s.New(encode.VPSLLDI, s.And(from, s.Const32(3)), machine.Immediate(3))
		texels = s.And(s.New(encode.VPSRLVD, texels, shift), t.number(s, channel+4))
		s.Vectors[d].Parts[0] = s.Or(texels, t.number(s, channel+8))
	}
}

// texel returns which texel of a dimension a coordinate is in.
func (t *textureRead) texel(s *warp.Group, d int) machine.Operand {
	x := s.Value(t.inst.Args[1+d]).Parts[0]
	last := int32(frame.TextureLast + 8*d)
	if t.op.Whole {
		return s.New(encode.VPMINSD, s.New(encode.VPMAXSD, x, s.Zero()), t.number(s, last))
	}
	// What is no number becomes 0: the maximum with it is the second operand.
	return s.New(encode.VCVTTPS2DQ, s.New(encode.VMINPS, s.New(encode.VMAXPS, x, s.Zero()), t.number(s, last+4)))
}
