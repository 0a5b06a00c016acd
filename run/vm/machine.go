package vm

import (
	"github.com/vop-ptx/vop/run/engine"
	"github.com/vop-ptx/vop/run/vm/counters"
)

// region is the set of threads at work.
type region struct {
	active engine.Mask
	// full says that all threads that have not ended are at work: what the others have in
	// their registers does not matter.
	full bool
	// low and high bound the columns to work on. They are as the mask's words need it: low is
	// a multiple of 64, high one of 64 or the end of the columns.
	low, high int
	// first and last are the ends of the active threads; dense says that all between are active.
	first, last int
	dense       bool
}

// machine runs CTAs, one after the other, with columns and memory of its own.
type machine struct {
	region
	launch    *launch
	counter   *counters.Counter // of a launch with Stats
	threads   int               // of a CTA
	lanes     int               // threads, rounded up to whole warps
	maskWords int
	block     Dim // %ctaid

	root   *frame
	shared []byte
	local  []uint32 // local memory: word n of thread t is at n*lanes + t

	path         *path       // that is at work, or nil
	live         engine.Mask // threads that have not ended
	runnable     []*path
	barriers     [16]barrier
	warpBarriers []warpBarrier // nil until threads wait at one
	steps        uint64        // operations executed in this CTA: the clock
	lookAt       uint64        // the step before which it is looked whether the launch has been stopped
	patience     int           // backward jumps until another path gets its turn
	pauses       int
	fault        *Fault
	failedAt     int           // the instruction that is executed: index in check.Function.Body
	stopped      *StoppedError // where it was when the launch was stopped

	freePaths  []*path
	freeJoins  []*join
	freeFrames map[*function][]*frame
	frames     uint64 // bytes of those of functions that are called, free ones included

	scratch32   []uint32
	scratch64   []uint64
	scratchMask engine.Mask
	oneMask     engine.Mask
	exchange    warp
	chains      chainRoom
}

// newMachine returns a machine for the CTAs of a launch.
func newMachine(l *launch) *machine {
	threads := l.grid.Block.count()
	m := &machine{launch: l, threads: threads, lanes: roundUp(threads, warpSize), maskWords: (threads + 63) / 64}
	m.shared = engine.Allocate(l.kernel.sharedSize(l.grid))
	m.live = make(engine.Mask, m.maskWords)
	m.scratch32 = engine.Columns[uint32](m.lanes)
	m.scratch64 = engine.Columns[uint64](m.lanes)
	m.scratchMask = make(engine.Mask, m.maskWords)
	m.oneMask = make(engine.Mask, 1)
	m.chains = newChainRoom(m)
	m.root = newFrame(l.kernel.entry, m)
	m.freeFrames = map[*function][]*frame{}
	m.root.place(m, 0)
	m.root.setThreadSpecials(m)
	return m
}

// scratch returns a column for intermediate values.
func scratch[W engine.Word](m *machine) []W {
	var all any = m.scratch32
	if s, ok := all.([]W); ok {
		return s
	}
	all = m.scratch64
	return all.([]W)
}

// enter puts a set of threads, not empty, to work.
func (m *machine) enter(active engine.Mask) {
	m.active = active
	m.full = covers(active, m.live)
	m.first, m.last = first(active), last(active)
	m.dense = m.last-m.first+1 == count(active)
	m.low = m.first &^ 63
	m.high = min(m.last|63+1, m.lanes)
}

// run runs one CTA, and reports whether it came to its end.
func (m *machine) run(block Dim) bool {
	m.block = block
	clear(m.shared)
	clear(m.local)
	for _, c := range m.root.unset {
		setColumn(c, 0)
	}
	m.root.setBlockSpecials(m)
	m.steps, m.lookAt = 0, stepsToLook
	fillTo(m.live, m.threads)
	for i := range m.barriers {
		m.barriers[i].reset(m)
	}
	m.runnable = append(m.runnable[:0], m.newPath(m.root, 0, m.live, nil))
	for {
		for len(m.runnable) > 0 {
			p := m.runnable[len(m.runnable)-1]
			m.runnable = m.runnable[:len(m.runnable)-1]
			m.path = p
			ok := m.follow(p)
			m.path = nil
			if !ok {
				if m.fault == nil {
					m.stopped = m.stoppedAt(p)
				}
				return false
			}
		}
		if isEmpty(m.live) {
			return true
		}
		if !m.unlock(wholeWarps) && !m.unlock(anyThreads) {
			m.fault = m.deadlock()
			return false
		}
	}
}

// patience is how many backward jumps a path may take while others wait for their turn.
const patience = 1 << 12

// stepsToLook is how many steps are run between looks at whether the launch has been stopped.
const stepsToLook = 256

// follow runs a path until it ends, waits or has had its turn. It returns false
// if the CTA has failed.
func (m *machine) follow(p *path) bool {
	if m.launch.stopped.Load() {
		return false
	}
	m.patience = patience
	m.enter(p.mask)
	for {
		if p.join != nil && p.join.block == p.block && p.join.frame == p.frame {
			m.arrive(p)
			return true
		}
		b := &p.frame.blocks[p.block]
		for i, s := range b.steps {
			m.failedAt = int(b.at[i])
			if i%stepsToLook == stepsToLook-1 && m.launch.stopped.Load() {
				return false
			}
			if !s.run(m) {
				if m.fault != nil {
					m.fault.locate(m, p.frame, m.failedAt)
				}
				return false
			}
		}
		if m.steps += uint64(len(b.steps)) + 1; m.steps >= m.lookAt {
			if m.lookAt = m.steps + stepsToLook; m.launch.stopped.Load() {
				return false
			}
		}
		from := p.block
		if b.control == nil {
			p.block = b.next
			continue
		}
		if !b.control.run(m, p) {
			return m.fault == nil
		}
		if p.block <= from {
			if m.patience--; m.patience < 0 && !m.pause(p) {
				return !m.launch.stopped.Load()
			}
		}
	}
}
