package native

import (
	"runtime"
	"unsafe"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/native/internal/codepage"
	"github.com/vop-ptx/vop/run/simt"
)

// Machine is what a kernel's code runs on: it executes what there is no machine code for. Values are in their homes
// then.
type Machine interface {
	// Step executes an instruction in some lanes. It returns those that have failed, which do not go on. ok is false if the launch is to end.
	Step(block simt.BlockID, inst int, lanes uint32) (failed uint32, ok bool)
	// Window returns the memory that an address of an access is in, and the address of its first byte. ok is false
	// if there is none that machine code may access. 512 bytes before and behind the memory may be read.
	Window(a *simt.Access, address uint64) (data []byte, base uint64, ok bool)
	// Texels tells where the texels of a texture are. ok is false if they cannot be read as machine code does.
	Texels(op *simt.TextureOp, handle uint64) (t *simt.Texels, ok bool)
	// Parks reports whether lanes, some of which may have ended, are all that there are of the warp, so that nothing
	// else runs on its frame meanwhile.
	Parks(lanes uint32) bool
	// Live is the lanes of the warp that had not ended when the code was entered.
	Live() uint32
	// Stopped reports whether the launch is to end.
	Stopped() bool
	// Onward says that the code is at work on the CTA n further on in x than the one that it has been entered for: it has
	// written so in the first lanes of the warp's homes.
	Onward(n int)
}

// Frame is the memory that code runs on: one for each activation of a function.
type Frame struct {
	memory []byte
	start  unsafe.Pointer // a multiple of 64
	seen   []uint32       // by value: the number of the visit that has brought it home
	visit  uint32
	resume uintptr // where a group that is parked goes on, and the way in that it takes
	entry  uintptr
	begun  beginning // what [Kernel.Repeat] writes
	row    uint32    // how many CTAs were to follow
}

// Run is a group of lanes that code executes.
type Run struct {
	Machine Machine
	Homes   unsafe.Pointer
	Frame   *Frame
	Windows *Windows
	Local   []uint32 // word n of lane l of local memory is element 32*n+l
	// Block and Lanes are the block at whose beginning the group is; afterwards where it has left.
	Block simt.BlockID
	Inst  int // of Block, of AtStep
	Lanes uint32
	Ended uint32 // lanes that have ended
	Steps uint64 // about how many instructions have been executed

	refilled uint64 // of these, those that the budget has been filled again for
	// Resumes says that the group is parked, and Outcome how it has left: for and by RunAll. Behind is how many CTAs of a row it
	// has ended, which Outcome does not tell of: by Repeat.
	Resumes bool
	Outcome Outcome
	Behind  int
	// Wait is called for lanes that wait at the beginning of blocks when the code leaves.
	Wait func(block simt.BlockID, lanes uint32)
}

// Outcome says why code has left.
type Outcome uint8

// The outcomes. All values that lanes may still read are in their homes, but of Parked and Stopped.
const (
	Done    Outcome = iota // all lanes have ended
	AtEnd                  // the lanes are at the end of Block, which is to be executed by other means
	Parked                 // the lanes are at the barrier at the end of Block, behind which Resume lets them go on
	Resting                // the lanes are at the beginning of Block, and have had their turn
	Failed                 // the lanes have failed, all of them, and others may wait
	Stopped                // the launch is to end
	Refused                // nothing has been done: lanes that have parted for long differ in what the code takes for the same
	AtStep                 // the lanes are at Inst of Block, an exchange for which they may have to wait for others
	Passed                 // as Parked, and all others have come to the barrier
)

// defaultTurn is how many instructions a group executes before others get their turn: some ten microseconds.
const defaultTurn = 1 << 17

// NewFrame returns a frame for an activation.
func (k *Kernel) NewFrame() *Frame {
	f := &Frame{memory: make([]byte, k.code.Size+63), seen: make([]uint32, len(k.function.Values))}
	p := unsafe.Pointer(unsafe.SliceData(f.memory))
	f.start = unsafe.Add(p, -uintptr(p)&63)
	return f
}

func (f *Frame) at32(offset int32) *uint32 { return (*uint32)(unsafe.Add(f.start, offset)) }
func (f *Frame) at64(offset int32) *uint64 { return (*uint64)(unsafe.Add(f.start, offset)) }

// Run executes a group until it leaves.
func (k *Kernel) Run(r *Run) Outcome {
	at, ok := k.prepare(r)
	if !ok {
		return Refused
	}
	r.alone()
	_, outcome := k.enter(at, r, nil)
	return outcome
}

// Resume lets a group go on that is parked.
func (k *Kernel) Resume(r *Run) Outcome {
	k.unpark(r.Frame)
	r.alone()
	_, outcome := k.enter(r.Frame.entry, r, nil)
	return outcome
}

// unpark writes to the frame of a group that is parked where it goes on.
func (k *Kernel) unpark(f *Frame) {
	*f.at64(frame.Budget) = k.turn
	*f.at64(frame.Resume) = uint64(f.resume)
}

// prepare writes what the code needs to the frame of a group that begins with a block, and returns where it is entered.
func (k *Kernel) prepare(r *Run) (at uintptr, ok bool) {
	f := r.Frame
	f.visit++
	at = k.fresh()
	for _, v := range k.fetched[r.Block] {
		at = k.piece.address
		if !k.fetch(r, v, k.code.Entered[r.Block], r.Lanes) {
			return 0, false
		}
	}
	f.begin(r.Lanes, k.turn, uint64(k.table[r.Block]))
	r.refilled = 0
	*f.at64(frame.Homes) = uint64(uintptr(r.Homes))
	*f.at64(frame.Windows) = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(r.Windows.memory))))
	*f.at64(frame.Table) = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(k.table))))
	*f.at64(frame.Local) = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(r.Local))))
	*f.at64(frame.LocalSize) = uint64(len(r.Local) / simt.WarpSize * 4)
	return at, true
}

// begin writes where lanes begin.
func (f *Frame) begin(lanes uint32, turn, at uint64) {
	*f.at32(frame.Lanes) = lanes
	*f.at32(frame.Frontier) = frame.NoFrontier
	*f.at32(frame.Ended) = 0
	*f.at64(frame.Budget) = turn
	*f.at64(frame.Resume) = at
}

// beginning is what is written in a frame where lanes begin: all up to its homes. As a whole that is a few instructions.
type beginning [frame.Homes / 8]uint64

// noteBeginning notes what a frame has where lanes begin, for those that begin at an address.
func (f *Frame) noteBeginning(at uint64) {
	f.begun = *(*beginning)(f.start)
	f.begun[frame.Resume/8] = at
}

// beginAgain writes what noteBeginning has noted.
func (f *Frame) beginAgain() { *(*beginning)(f.start) = f.begun }

// spent is how many instructions a group has executed since it was last asked.
func (k *Kernel) spent(r *Run) uint64 {
	all := r.refilled + k.turn - *r.Frame.at64(frame.Budget)
	r.refilled = 0
	return all
}

// fresh is where the code is entered that no registers are to be loaded for.
func (k *Kernel) fresh() uintptr { return k.piece.address + uintptr(k.code.Fresh) }

// alone says in the frame that no other warp is executed in the same call.
func (r *Run) alone() {
	f := r.Frame
	*f.at32(frame.All) = 0
	*f.at64(frame.First) = f.address()
}

// enter executes a group until it leaves, and others that go on behind it, of which it is one. It returns the one that has
// left, and why.
func (k *Kernel) enter(at uintptr, r *Run, others []*Run) (*Run, Outcome) {
	for ; ; at = k.piece.address {
		if k.orders {
			race.Release()
		}
		enter := codepage.Enter
		if k.code.Flushes {
			enter = codepage.EnterFlushing
		}
		left := enter(at, uintptr(r.Frame.start))
		runtime.KeepAlive(r)
		if k.orders {
			race.Acquire()
		}
		if others != nil {
			if left != r.Frame.address() {
				r = withFrame(others, left)
			}
			k.noteOnward(r, others[0])
		}
		f := r.Frame
		number := *f.at32(frame.SiteAt)
		site := &k.code.Sites[number]
		lanes := *f.at32(frame.Lanes)
		switch site.Kind {
		case frame.StepSite, frame.AccessSite:
			failed, ok := k.step(r, number, lanes)
			if !ok {
				r.Block, r.Lanes = site.Block, lanes
				return r, Stopped
			}
			if failed != 0 {
				f.remove(failed)
			}
			if lanes &^= failed; lanes == 0 {
				return r, k.leaveFailed(r, site)
			}
			*f.at64(frame.Resume) = uint64(k.piece.address + uintptr(site.Resume))
			continue
		case frame.AwaitSite:
			if !k.mustAwait(r, site, lanes) {
				*f.at64(frame.Resume) = uint64(k.piece.address + uintptr(site.Resume))
				continue
			}
		case frame.BarrierSite:
			r.Block, r.Lanes = site.Block, lanes
			if *f.at32(frame.Frontier) == frame.NoFrontier && r.Machine.Parks(lanes|*f.at32(frame.Ended)) {
				k.park(r, site)
				return r, Parked
			}
		case frame.BudgetSite:
			if r.Machine.Stopped() {
				r.Block, r.Lanes = site.Block, lanes
				return r, Stopped
			}
			if !k.waits[site.Block] {
				r.refilled += k.turn
				*f.at64(frame.Budget) += k.turn
				*f.at64(frame.Resume) = uint64(k.piece.address + uintptr(site.Resume))
				continue
			}
		}
		r.Block, r.Lanes = site.Block, lanes
		r.Ended = *f.at32(frame.Ended)
		r.Steps = k.spent(r)
		if site.Kind == frame.DoneSite {
			r.Lanes = 0
			return r, Done
		}
		k.leave(r, site, k.valuesOf(number))
		if site.Kind == frame.WrapSite {
			k.noteWrap(site)
			for n := int(site.Inst); n < len(k.function.Blocks[site.Block].Insts); n++ {
				failed, ok := r.Machine.Step(site.Block, n, r.Lanes)
				if !ok {
					return r, Stopped
				}
				if r.Lanes &^= failed; r.Lanes == 0 {
					return r, Failed
				}
			}
			return r, AtEnd
		}
		if site.Kind == frame.AwaitSite {
			r.Inst = int(site.Inst)
			return r, AtStep
		}
		if site.Kind == frame.EndSite || site.Kind == frame.BarrierSite {
			return r, AtEnd
		}
		return r, Resting
	}
}

// remove takes lanes out that have failed. The warp is by itself from now on: the code leaves where its other lanes end, or come to a barrier.
func (f *Frame) remove(failed uint32) {
	*f.at32(frame.Lanes) &^= failed
	*f.at32(frame.All) = 0
}

// leaveFailed leaves for good at a step that all lanes at work have failed in.
func (k *Kernel) leaveFailed(r *Run, site *frame.Site) Outcome {
	r.Block, r.Lanes, r.Ended = site.Block, 0, *r.Frame.at32(frame.Ended)
	r.Steps = k.spent(r)
	k.leave(r, site, nil)
	return Failed
}
