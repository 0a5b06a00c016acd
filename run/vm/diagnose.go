package vm

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// faultOf makes the report of a CTA that has failed.
func (w *worker) faultOf(from *portable.Fault) *Fault {
	l := w.launch
	thread := from.Warp*warpSize + from.Lane
	f := &Fault{thread: thread, Detail: from.Detail}
	switch from.Kind {
	case portable.BadAccess:
		f = w.accessFault(from.Access, thread, from.Address)
	case portable.BadSize:
		f.Access, f.Address = fmt.Sprintf("%s of %d bytes", from.Access.Spelling, from.Bytes), from.Address
		if f.Kind, f.Detail = Misaligned, fmt.Sprintf("the number of bytes is not a multiple of %d", from.Limit); from.Bytes > math.MaxInt32 {
			f.Kind, f.Detail = OutOfBounds, "no memory has so many bytes"
		}
	case portable.BadTrim:
		f.Kind, f.Access, f.Address, f.Detail = OutOfBounds, from.Access.String(), from.Address, fmt.Sprintf("at most %d bytes are ignored at either end", from.Limit)
	case portable.BadIndex:
		f.Kind, f.Detail = Trap, fmt.Sprintf("the index is %d, and the list has %d labels", from.Address, from.Limit)
	case portable.BadFunction:
		f.Kind, f.Detail = Trap, fmt.Sprintf("0x%x is not the address of a function with such parameters and results", from.Address)
	case portable.TooDeep:
		f.Kind = RecursionOverflow
	case portable.BadStack:
		f.Kind = StackOverflow
	case portable.HostFault:
		f = from.Host.(*Fault)
		f.thread = thread
	case portable.NoTexture:
		f.Kind, f.Access, f.Address, f.Detail = NoTexture, from.Texture.Spelling, from.Address, from.Detail
		if f.Detail != "" {
			break
		}
		f.Detail = "no texture is bound there"
		for v, b := range l.kernel.module.variables {
			if b.address == from.Address {
				f.Detail = "no texture is bound to " + v.Name
			}
		}
	case portable.BadSurface:
		f.Kind, f.Access, f.Address = OutOfBounds, from.Texture.Spelling, from.Address
	case portable.Deadlocked:
		f.Kind, f.Detail = Deadlock, l.waits(from.Waits)
	default:
		f.Kind = Trap
	}
	l.locate(f, from.Function, from.At, w.block())
	return f
}

// locate fills in where a fault has happened.
func (l *launch) locate(f *Fault, in *simt.Function, at int32, block Dim) {
	f.Kernel, f.Block, f.Thread = l.kernel.name, block, l.grid.Block.at(f.thread)
	f.function, f.at = in.Decl, int(at)
	f.File, f.Line, f.Col, f.Source = placeOf(f.function, f.at)
}

// waits says who waits for whom.
func (l *launch) waits(waits []portable.Wait) string {
	type place struct {
		function *simt.Function
		at       int32
		barrier  int
	}
	counts := map[place]int{}
	firsts := map[place]int{}
	var order []place
	for _, w := range waits {
		p := place{w.Function, w.At, w.Barrier}
		if _, ok := counts[p]; !ok {
			order = append(order, p)
			firsts[p] = w.Warp*warpSize + bits.TrailingZeros32(w.Lanes)
		}
		counts[p] += bits.OnesCount32(w.Lanes)
	}
	var all []string
	for _, p := range order {
		at := l.grid.Block.at(firsts[p])
		text := fmt.Sprintf("thread %v waits", at)
		if n := counts[p]; n > 1 {
			text = fmt.Sprintf("%d threads (from thread %v on) wait", n, at)
		}
		line := l.kernel.module.line(p.function.Decl, p.at)
		if p.barrier == simt.ClusterBarrier {
			text += " at the barrier of the cluster, " + line
		} else if p.barrier < 0 {
			text += " for others of the warp, " + line
		} else {
			text += fmt.Sprintf(" at barrier %d, %s", p.barrier, line)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}
