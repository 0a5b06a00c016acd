package vm

import (
	"time"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// host is what package portable runs a launch's CTAs on.
type host struct {
	launch *launch
	worker *worker
}

// Window finds an allocation.
func (h host) Window(address uint64, writes bool) (data []byte, base uint64, ok bool) {
	b := find(h.launch.allocations, address)
	if b == nil || b.readOnly && writes {
		return nil, 0, false
	}
	if b.heap != nil && h.launch.grid.Check {
		return b.heap.window(address)
	}
	return b.data, b.address, true
}

// InSpace asks which of global and constant memory an address is in.
func (h host) InSpace(space check.Space, address uint64) bool {
	return h.launch.kernel.module.memory.inSpace(space, address)
}

// Stopped reports whether the CTA at work is to end.
func (h host) Stopped() bool { return h.launch.end.stops(h.worker.number()) }

// LetOthersGo lets other CTAs go on.
func (h host) LetOthersGo(turns, polls int) bool { return h.launch.residents.letOthersGo(turns, polls) }

// Clock returns the value of a special register that changes. The clock counts operations, so that it does not depend
// on the computer's.
func (h host) Clock(name string, steps uint64) uint64 {
	switch name {
	case "%clock_hi":
		return steps >> 32
	case "%globaltimer", "%globaltimer_lo":
		return uint64(time.Now().UnixNano())
	case "%globaltimer_hi":
		return uint64(time.Now().UnixNano()) >> 32
	}
	return steps
}

// Texture executes a texture instruction for one lane.
func (h host) Texture(op *simt.TextureOp, args, defs []uint64) *portable.Fault {
	t := h.launch.kernel.module.memory.texture(args[0])
	if t == nil {
		return &portable.Fault{Kind: portable.NoTexture, Address: args[0]}
	}
	return t.execute(op, args, defs)
}

// Texels reads a texture for a warp.
func (h host) Texels(r *portable.Reads) bool {
	t := h.launch.kernel.module.memory.texture(r.Handle)
	return t != nil && t.readWarp(r)
}

// TexelsOf tells where the texels of a texture are.
func (h host) TexelsOf(op *simt.TextureOp, handle uint64) (texels *simt.Texels, ok bool) {
	t := h.launch.kernel.module.memory.texture(handle)
	if t == nil {
		return nil, false
	}
	return t.texels(op)
}
