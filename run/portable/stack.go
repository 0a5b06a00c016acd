package portable

import (
	"fmt"
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
)

// Dynamic local memory stands apart from that of functions, since functions that are called later have theirs behind that of their
// callers, in all lanes alike. Machine code finds none of its addresses in the local memory that it knows, and leaves for a step.

// stack is the dynamic local memory of a warp.
type stack struct {
	words []uint32              // word n of lane l is element 32*n+l
	tops  [simt.WarpSize]uint32 // by lane: how many bytes have been allocated
	used  bool                  // it is one of CTA.stacks
}

// stackStep makes the step of an operation on the stack.
func (c *Code) stackStep(i *simt.Inst) step {
	o := i.Aux.(*simt.StackOp)
	x, d := int32(-1), int32(-1)
	if len(i.Args) > 0 {
		x = c.home(i.Args[0])
	}
	if len(i.Defs) > 0 {
		d = c.home(i.Defs[0])
	}
	do := map[string]func(w *Warp, lane int, x uint64) (d uint64, problem string){
		"alloca": func(w *Warp, lane int, x uint64) (uint64, string) { return w.allocate(lane, x, o.Align) },
		"stacksave": func(w *Warp, lane int, _ uint64) (uint64, string) {
			return simt.DynamicLocal + uint64(w.stack.tops[lane]), ""
		},
		"stackrestore": func(w *Warp, lane int, x uint64) (uint64, string) { return 0, w.restoreStack(lane, x) },
	}[o.Name]
	return func(w *Warp) bool {
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			operand := uint64(0)
			if x >= 0 {
				operand = w.wides(x)[lane]
			}
			result, problem := do(w, lane, operand)
			if problem != "" {
				return w.fail(&Fault{Kind: BadStack, Lane: lane, Detail: problem}, rest)
			}
			if d >= 0 {
				w.wides(d)[lane] = result
			}
		}
		return true
	}
}

// allocate gives a lane so many bytes, and returns their address, or says why there are none.
func (w *Warp) allocate(lane int, size, align uint64) (address uint64, problem string) {
	top := &w.stack.tops[lane]
	address = (simt.DynamicLocal + uint64(*top) + align - 1) &^ (align - 1)
	begin := address - simt.DynamicLocal
	taken := uint64(w.act.base + w.act.code.Function.Local)
	if free := simt.MaxLocal - taken; begin > free || size > free-begin {
		return 0, fmt.Sprintf("alloca of %d bytes, aligned to %d: a thread has %d bytes of local memory, of which %d are taken", size, align, simt.MaxLocal, taken+uint64(*top))
	}
	w.needStack(int(begin + size))
	*top = uint32(begin + size)
	if !w.stack.used {
		w.stack.used = true
		w.cta.stacks = append(w.cta.stacks, w)
	}
	if w.cta.observer != nil {
		w.cta.observer.Enter(w, 1<<lane, int(address), int(size))
	}
	return address, ""
}

// restoreStack gives back what a lane has allocated since its stack ended at an address.
func (w *Warp) restoreStack(lane int, address uint64) (problem string) {
	top := &w.stack.tops[lane]
	if address-simt.DynamicLocal > uint64(*top) {
		return fmt.Sprintf("0x%x is not where the stack has ended: it is from 0x%x to 0x%x now", address, simt.DynamicLocal, simt.DynamicLocal+uint64(*top))
	}
	*top = uint32(address - simt.DynamicLocal)
	return ""
}

// needStack makes the stack as large as it has to be. What is new is 0.
func (w *Warp) needStack(size int) {
	need := (size + 3) / 4 * simt.WarpSize
	has := len(w.stack.words)
	if need <= has {
		return
	}
	if need > cap(w.stack.words) {
		larger := make([]uint32, need, max(need, min(2*need, simt.MaxLocal/4*simt.WarpSize)))
		copy(larger, w.stack.words)
		w.stack.words = larger
		return
	}
	w.stack.words = w.stack.words[:need]
	clear(w.stack.words[has:])
}

// clearStacks makes the stacks of all warps empty that alloca has taken anything of.
func (c *CTA) clearStacks() {
	for _, w := range c.stacks {
		w.stack.words = w.stack.words[:0]
		w.stack.tops = [simt.WarpSize]uint32{}
		w.stack.used = false
	}
	c.stacks = c.stacks[:0]
}

// StackSize is the number of bytes that alloca has given to a lane.
func (w *Warp) StackSize(lane int) int { return int(w.stack.tops[lane]) }

// StackSize is the number of bytes that alloca has given to a thread.
func (c *CTA) StackSize(thread int) int {
	return c.warps[thread/simt.WarpSize].StackSize(thread % simt.WarpSize)
}

// keepTops notes where the stacks of lanes end that enter a function; returnTops lets them end there again.
func (a *activation) keepTops(w *Warp, lanes uint32) {
	if !w.stack.used {
		return
	}
	if a.tops == nil {
		a.tops = new([simt.WarpSize]uint32)
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		a.tops[lane] = w.stack.tops[lane]
	}
}

func (a *activation) returnTops(w *Warp, lanes uint32) {
	if !w.stack.used {
		return
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		w.stack.tops[lane] = 0 // as nobody had a stack when it came
		if a.tops != nil {
			w.stack.tops[lane] = a.tops[lane]
		}
	}
}

// stackBeyond returns the first of some lanes whose stack leaves no room for functions with so many bytes of local memory.
func (w *Warp) stackBeyond(size int, lanes uint32) (lane int, ok bool) {
	if w.stack.used {
		for rest := lanes; rest != 0; rest &= rest - 1 {
			if lane = bits.TrailingZeros32(rest); size+int(w.stack.tops[lane]) > simt.MaxLocal {
				return lane, true
			}
		}
	}
	return 0, false
}
