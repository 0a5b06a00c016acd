package portable

import (
	"math"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt"
)

// Fast executes blocks of a function in another way than by steps, on the same homes.
type Fast interface {
	// Run executes a block from a step on, and those that follow, for the state's lanes. It comes back with
	// the block it has come to, and why.
	Run(s *State, block simt.BlockID, step int) (at simt.BlockID, index int, why Why)
	// Missed is told the memory that the first lane of a load or store that was left to
	// steps has its address in: if ok, data, at the address base.
	Missed(s *State, block simt.BlockID, step int, data []byte, base uint64, ok bool)
}

// State is what the code of a Fast works on.
type State struct {
	Frame    unsafe.Pointer
	Mask     uint32
	Frontier simt.BlockID // the first block at which other lanes of the warp wait to go on
	Budget   int32        // jumps back that are left
	Worker   any          // what the Fast keeps for the CTAs of one worker
}

// Why says why a Fast has come back.
type Why uint8

// The reasons.
const (
	AtEnd  Why = iota // at the end of a block, which it leaves to the warp
	AtStep            // at a step that it leaves to the warp
	AtJump            // at the beginning of a block, at which others wait or before which they go, or without budget
)

// UseFast lets blocks of the function be executed by f.
func (c *Code) UseFast(f Fast) { c.fast = f }

// frontier returns the first block of the function at work at which other lanes wait to go on.
func (w *Warp) frontier() simt.BlockID {
	first := simt.BlockID(math.MaxInt32)
	for n := range w.groups {
		switch g := &w.groups[n]; {
		case g.waits != forNothing:
		case g.act != w.act:
			return 0 // which of them goes first is not seen from here
		default:
			first = min(first, g.block)
		}
	}
	return first
}

// followFast is follow by the function's Fast, from the beginning of a block on.
func (w *Warp) followFast(at simt.BlockID) (status, bool, simt.BlockID) {
	s := &w.state
	s.Frame, s.Mask, s.Worker = w.frame, w.mask, w.cta.Worker
	s.Frontier, s.Budget = w.frontier(), turn
	code := w.act.code
	for index := 0; ; {
		var why Why
		at, index, why = code.fast.Run(s, at, index)
		b := &code.blocks[at]
		w.block = b
		switch why {
		case AtJump:
			w.enter(w.act, at, w.mask, s.Budget < 0)
			if s.Budget < 0 {
				return rests, false, at
			}
			return waits, false, at
		case AtEnd:
			w.index = len(b.steps)
			return 0, true, at
		}
		w.index = index
		if !b.steps[index](w) {
			return faulted, false, at
		}
		w.missed(code, at, index)
		index++
	}
}

// missed tells the Fast where the first lane of an access has found its memory.
func (w *Warp) missed(code *Code, block simt.BlockID, index int) {
	i := code.blocks[block].insts[index]
	a, ok := i.Aux.(*simt.Access)
	if !ok || i.Kind == simt.Atomic || w.mask == 0 {
		return
	}
	address := code.addressesOf(i, a).of(w, w.firstLane())
	if isLocal(a, address) {
		return
	}
	m := w.window(a, address)
	code.fast.Missed(&w.state, block, index, m.data, m.base, m.ok)
}
