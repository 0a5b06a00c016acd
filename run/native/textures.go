package native

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// findTexture notes the texture that a read has found, if machine code can read it.
func (k *Kernel) findTexture(r *Run, site *frame.Site, inst *simt.Inst, op *simt.TextureOp, lanes uint32) {
	if inst.Guard != 0 {
		return // nobody knows that the handle is one
	}
	lane := bits.TrailingZeros32(lanes)
	handle := *(*uint64)(unsafe.Add(r.Homes, int(k.code.Homes.Offset[inst.Args[0]])+8*lane))
	t, ok := r.Machine.Texels(op, handle)
	if !ok || len(t.Data) > math.MaxInt32-64 {
		return
	}
	r.Windows.data[site.Window/frame.WindowSize] = t.Data
	w := r.Windows.memory[site.Window:]
	put := func(at int, n uint32) { binary.LittleEndian.PutUint32(w[at:], n) }
	address := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(t.Data))))
	binary.LittleEndian.PutUint64(w[frame.TextureHandle:], handle)
	binary.LittleEndian.PutUint64(w[frame.TextureBase:], address&^3)
	for d, size := range t.Size {
		put(frame.TextureLast+8*d, uint32(size-1))
		put(frame.TextureLast+8*d+4, math.Float32bits(float32(size-1)))
	}
	put(frame.TexturePitch, uint32(t.Size[0]*t.Bytes))
	put(frame.TextureLog, uint32(bits.TrailingZeros(uint(t.Bytes))))
	put(frame.TextureLow, uint32(address&3))
	for c, channel := range t.Channels {
		at := frame.TextureChannels + frame.TextureChannel*c
		put(at, uint32(channel.Offset))
		put(at+4, channel.Mask)
		put(at+8, channel.Set)
	}
}
