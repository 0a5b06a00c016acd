package portable

import (
	"math/bits"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Host is what kernels run on: memory that all CTAs share, textures, functions that a driver has.
type Host interface {
	// Window returns the memory of the allocation that an address is in, and its address. ok is false if
	// there is none, or if it is not to be written.
	Window(address uint64, writes bool) (data []byte, base uint64, ok bool)
	// Texture reads or writes a texture for one lane: args are the handle, the coordinates and what is
	// written; it fills in defs.
	Texture(op *simt.TextureOp, args, defs []uint64) *Fault
	// Texels reads a texture for all lanes at once. It returns false if that is to be done by Texture, lane by lane.
	Texels(r *Reads) bool
	// TexelsOf tells where the texels of a texture are. ok is false if they are not read one by one, or must be converted.
	TexelsOf(op *simt.TextureOp, handle uint64) (t *simt.Texels, ok bool)
	// Call calls a function for one lane. The thread's memory is read through w.
	Call(w *Warp, lane int, name string, args []uint64) (result uint64, fault *Fault)
	// InSpace reports whether a generic address is one of global or constant memory.
	InSpace(space check.Space, address uint64) bool
	// Clock returns the value of a register that changes while the kernel runs.
	Clock(name string, steps uint64) uint64
	// Stopped reports whether the launch is to end.
	Stopped() bool
	// LetOthersGo lets other CTAs go on, if any wait for that, and reports whether they have. It is called where warps of the CTA at work have
	// had their turns, or a barrier has let them go: turns says about how many they have had since others have gone on, and polls how often in
	// a row the CTA has seemed to wait for another one.
	LetOthersGo(turns, polls int) (gone bool)
}

func (c *Code) typesOf(values []simt.ID) []simt.Type {
	types := make([]simt.Type, len(values))
	for k, v := range values {
		types[k] = c.Function.Values[v].Type
	}
	return types
}

// hostCall makes the step of a call of a function that the host has, which is called for each lane in turn.
func (c *Code) hostCall(i *simt.Inst) step {
	op := i.Aux.(*simt.HostCall)
	args, defs := c.homesOf(i.Args), c.homesOf(i.Defs)
	argTypes, defTypes := c.typesOf(i.Args), c.typesOf(i.Defs)
	return func(w *Warp) bool {
		values := make([]uint64, len(op.In))
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			if w.cta.stopped() {
				return false
			}
			lane := bits.TrailingZeros32(rest)
			for k := range op.In {
				if p := &op.In[k]; p.Register >= 0 {
					values[k] = w.lane(args[p.Register], argTypes[p.Register], lane)
				} else {
					values[k] = w.loadLocal(lane, uint64(w.act.base+p.Offset), uint64(p.Inner.Size))
				}
			}
			result, f := w.cta.host.Call(w, lane, op.Name, values)
			if f != nil {
				f.Lane = lane
				return w.fail(f, rest)
			}
			for k := range op.Out {
				if p := &op.Out[k]; p.Register >= 0 {
					w.setLane(defs[p.Register], defTypes[p.Register], lane, result)
				} else {
					w.storeLocal(lane, uint64(w.act.base+p.Offset), uint64(p.Inner.Size), result)
					if w.cta.observer != nil {
						w.cta.observer.Pass(w, 1<<lane, w.act.base+p.Offset, -1, p.Inner.Size)
					}
				}
			}
		}
		return true
	}
}

// clock makes the step that reads a clock: all lanes read the same.
func (c *Code) clock(i *simt.Inst) step {
	name, d := i.Aux.(string), c.home(i.Defs[0])
	t := c.Function.Values[i.Defs[0]].Type
	return func(w *Warp) bool {
		now := w.cta.host.Clock(name, w.steps)
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			w.setLane(d, t, bits.TrailingZeros32(rest), now)
		}
		return true
	}
}

// inSpace makes the step that asks which space a generic address is in.
func (c *Code) inSpace(i *simt.Inst) step {
	space, address, d := i.Aux.(check.Space), c.home(i.Args[0]), c.home(i.Defs[0])
	windows := map[check.Space]uint64{check.Shared: simt.SharedWindow, check.Local: simt.LocalWindow, check.Param: simt.ParamWindow}
	window, ok := windows[space]
	return func(w *Warp) bool {
		all := w.wides(address)
		found := uint32(0)
		for lane, at := range all {
			if ok {
				found |= bit(at-window < simt.WindowSize) << lane
			} else {
				found |= bit(w.cta.host.InSpace(space, at)) << lane
			}
		}
		blendPredicate(predicateAt(w.frame, d), found, w.mask)
		return true
	}
}

// Byte returns the byte at a generic address, as a lane sees it.
func (w *Warp) Byte(lane int, address uint64) (b byte, ok bool) {
	if isLocal(&readByte, address) {
		at := localOffset(&readByte, address)
		if !w.insideLocal(lane, at, 1) {
			return 0, false
		}
		return byte(w.loadLocal(lane, at, 1)), true
	}
	m := w.window(&readByte, address)
	data := m.at(address, 1)
	if data == nil {
		return 0, false
	}
	return data[0], true
}

// readByte is the access that functions of the host read memory with.
var readByte = simt.Access{Space: check.Generic, Size: 1, Elements: 1, Spelling: "a read by a builtin function"}

// BadRead is the fault of a function of the host that cannot read an address.
func BadRead(address uint64) *Fault {
	return &Fault{Kind: BadAccess, Access: &readByte, Address: address}
}
