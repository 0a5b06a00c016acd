package portable

import "github.com/vop-ptx/vop/run/simt"

// Fault is what stops a launch: a thread has done what it must not.
type Fault struct {
	Kind    FaultKind
	Warp    int
	Lane    int
	Access  *simt.Access    // of BadAccess
	Texture *simt.TextureOp // of NoTexture and BadSurface
	Address uint64          // of BadAccess; the handle, the index or the function otherwise
	Limit   int             // of BadIndex: the number of labels
	Detail  string
	Waits   []Wait // of Deadlocked
	Host    any    // of HostFault: what the host says

	Function *simt.Function
	At       int32 // index in check.Function.Body
}

// FaultKind says what a thread has done.
type FaultKind uint8

// The kinds of faults.
const (
	BadAccess   FaultKind = iota // outside of memory, not aligned, or a write to what is only read
	Trapped                      // trap
	BadIndex                     // brx.idx with an index that the list does not have
	BadFunction                  // a call through a register that holds no function's address
	BadBarrier                   // a barrier that does not exist, or for so many threads
	TooDeep                      // calls are nested too deep
	NoTexture                    // no texture is bound to the handle
	BadSurface                   // outside of a surface
	HostFault                    // a function of the host has failed
	Deadlocked                   // all threads of a CTA wait for each other
)

// fail stops the warp. The fault's lane is the first active one, unless it names another.
func (w *Warp) fail(f *Fault) bool {
	f.Warp = w.Number
	f.Function = w.act.code.Function
	if w.index < len(w.block.insts) {
		f.At = w.block.insts[w.index].At
	} else {
		f.At = w.block.end.At
	}
	w.Fault = f
	return false
}

// Wait is lanes of a warp that wait.
type Wait struct {
	Warp     int
	Lanes    uint32
	Barrier  int // -1 for others of the warp, at its barrier or an exchange
	Function *simt.Function
	At       int32
}
