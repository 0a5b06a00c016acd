package native

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/native/internal/codepage"
	"github.com/vop-ptx/vop/run/simt"
)

// Kernel is machine code of a function for warps. It may be run by several goroutines at once, each with frames
// of its own.
type Kernel struct {
	code     *frame.Code
	piece    *piece
	function *simt.Function
	live     [][]uint64
	defined  []place                     // by value: the computation that defines it
	table    []uintptr                   // the addresses of blocks
	leaving  []atomic.Pointer[[]simt.ID] // by site: see valuesAt
	stepping []stepping                  // by site: what is not in its home where a step is executed
	options  Options
	turn     uint64
	fetched  [][]simt.ID // by block: the values that the code has, of those that are read from there on

	wrapped atomic.Bool
	mutex   sync.Mutex
	wraps   []int32 // values whose sums have wrapped around, by ID
}

// Wrapped reports whether sums have wrapped around before they were extended: then other code is better, with Wraps as
// [Options].Wrapping.
func (k *Kernel) Wrapped() bool { return k.wrapped.Load() }

// Wraps returns the values whose sums wrap around, as far as that is known.
func (k *Kernel) Wraps() []int32 {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Concat(k.options.Wrapping, k.wraps)
}

// noteWrap notes that a sum has wrapped around.
func (k *Kernel) noteWrap(site *frame.Site) {
	v := int32(k.function.Blocks[site.Block].Insts[site.Inst].Defs[0])
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if !slices.Contains(k.wraps, v) {
		k.wraps = append(k.wraps, v)
	}
	k.wrapped.Store(true)
}

// place is an instruction of a block; Inst is -1 of none.
type place struct {
	block simt.BlockID
	inst  int32
}

// Machine is what a kernel's code runs on: it executes what there is no machine code for. Values are in their homes
// then.
type Machine interface {
	// Step executes an instruction in some lanes. It returns false if that fails.
	Step(block simt.BlockID, inst int, lanes uint32) bool
	// Window returns the memory that an address of an access is in, and the address of its first byte. ok is false
	// if there is none that machine code may access. 512 bytes before and behind the memory may be read.
	Window(a *simt.Access, address uint64) (data []byte, base uint64, ok bool)
	// Texels tells where the texels of a texture are. ok is false if they cannot be read as machine code does.
	Texels(op *simt.TextureOp, handle uint64) (t *simt.Texels, ok bool)
	// Parks reports whether lanes, some of which may have ended, are all that there are of the warp, so that nothing
	// else runs on its frame meanwhile.
	Parks(lanes uint32) bool
	// Stopped reports whether the launch is to end.
	Stopped() bool
}

// Frame is the memory that code runs on: one for each activation of a function.
type Frame struct {
	memory []byte
	start  unsafe.Pointer // a multiple of 64
	seen   []uint32       // by value: the number of the visit that has brought it home
	visit  uint32
	resume uintptr // where a group that is parked goes on, and the way in that it takes
	entry  uintptr
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
	Lanes uint32
	Ended uint32 // lanes that have ended
	Steps uint64 // about how many instructions have been executed
	// Resumes says that the group is parked, and Outcome how it has left: for and by RunAll.
	Resumes bool
	Outcome Outcome
	// Wait is called for lanes that wait at the beginning of blocks when the code leaves.
	Wait func(block simt.BlockID, lanes uint32)
}

// Outcome says why code has left.
type Outcome uint8

// The outcomes. All values that lanes may still read are in their homes, but of Parked, Failed and Stopped.
const (
	Done    Outcome = iota // all lanes have ended
	AtEnd                  // the lanes are at the end of Block, which is to be executed by other means
	Parked                 // the lanes are at the barrier at the end of Block, behind which Resume lets them go on
	Resting                // the lanes are at the beginning of Block, and have had their turn
	Failed                 // a step has failed
	Stopped                // the launch is to end
	Refused                // nothing has been done: lanes that have parted for long differ in what the code takes for the same
	Passed                 // as Parked, and all others have come to the barrier
)

// defaultTurn is how many instructions a group executes before others get their turn: some ten microseconds.
const defaultTurn = 1 << 17

// CompileKernel compiles a function for the best level of this machine. The error wraps
// [errors.ErrUnsupported] if there is no machine code for it.
func CompileKernel(f *simt.Function, o Options) (*Kernel, error) {
	if !Supported(o.Level) {
		return nil, unsupported(o.Level)
	}
	code, err := compileKernel(f, o)
	if err != nil {
		return nil, err
	}
	p, err := space.add(code.Bytes)
	if err != nil {
		return nil, err
	}
	k := &Kernel{code: code, piece: p, function: f, live: code.Live, leaving: make([]atomic.Pointer[[]simt.ID], len(code.Sites)), options: o}
	if k.turn = uint64(o.Turn); k.turn == 0 {
		k.turn = defaultTurn
	}
	for n := range code.Sites {
		k.stepping = append(k.stepping, k.steppingAt(&code.Sites[n]))
	}
	for _, at := range code.Blocks {
		k.table = append(k.table, p.address+uintptr(at))
	}
	for b := range k.live {
		var all []simt.ID
		for w, set := range k.live[b] {
			for ; set != 0; set &= set - 1 {
				if v := simt.ID(64*w + bits.TrailingZeros64(set)); len(code.Values[v].Parts) > 0 {
					all = append(all, v)
				}
			}
		}
		k.fetched = append(k.fetched, all)
	}
	k.defined = make([]place, len(f.Values))
	for v := range k.defined {
		k.defined[v].inst = -1
	}
	for b := range f.Blocks {
		for i := range f.Blocks[b].Insts {
			if inst := &f.Blocks[b].Insts[i]; inst.Kind == simt.Compute {
				k.defined[inst.Defs[0]] = place{simt.BlockID(b), int32(i)}
			}
		}
	}
	return k, nil
}

// Steps calls f for what the code leaves to the machine each time it is executed: the PTX instructions that it has no
// machine code for, by their index in the function's body.
func (k *Kernel) Steps(f func(at int32)) {
	for _, s := range k.code.Sites {
		block := &k.function.Blocks[s.Block]
		switch s.Kind {
		case frame.StepSite:
			f(block.Insts[s.Inst].At)
		case frame.EndSite:
			f(block.End.At)
		}
	}
}

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
		left := codepage.Enter(at, uintptr(r.Frame.start))
		runtime.KeepAlive(r)
		if others != nil && left != r.Frame.address() {
			r = withFrame(others, left)
		}
		f := r.Frame
		number := *f.at32(frame.SiteAt)
		site := &k.code.Sites[number]
		lanes := *f.at32(frame.Lanes)
		switch site.Kind {
		case frame.StepSite, frame.AccessSite:
			if !k.step(r, number, lanes) {
				r.Ended = 0
				return r, Failed
			}
			*f.at64(frame.Resume) = uint64(k.piece.address + uintptr(site.Resume))
			continue
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
		}
		r.Block, r.Lanes = site.Block, lanes
		r.Ended = *f.at32(frame.Ended)
		r.Steps = k.turn - *f.at64(frame.Budget)
		if site.Kind == frame.DoneSite {
			r.Lanes = 0
			return r, Done
		}
		k.leave(r, site, k.valuesOf(number))
		if site.Kind == frame.WrapSite {
			k.noteWrap(site)
			for n := int(site.Inst); n < len(k.function.Blocks[site.Block].Insts); n++ {
				if !r.Machine.Step(site.Block, n, lanes) {
					return r, Failed
				}
			}
			return r, AtEnd
		}
		if site.Kind == frame.EndSite || site.Kind == frame.BarrierSite {
			return r, AtEnd
		}
		return r, Resting
	}
}

// park notes where a group goes on that is at a barrier.
func (k *Kernel) park(r *Run, site *frame.Site) {
	f := r.Frame
	f.visit++
	for _, v := range k.function.Blocks[site.Block].End.Args {
		k.bringHome(r, v, site.Left)
	}
	r.Ended = *f.at32(frame.Ended)
	*f.at32(frame.Ended) = 0
	f.resume, f.entry = k.piece.address+uintptr(site.Resume), k.piece.address
	if site.Fresh {
		f.entry = k.fresh()
	}
}

// leave brings all values home that lanes may still read, and tells which lanes wait.
func (k *Kernel) leave(r *Run, site *frame.Site, values []simt.ID) {
	f := r.Frame
	f.visit++
	for _, v := range values {
		k.bringHome(r, v, site.Left)
	}
	first := *f.at32(frame.Frontier)
	for b := int32(first); b < int32(len(k.function.Blocks)) && first != frame.NoFrontier; b++ {
		waiting := f.at32(k.code.Waiting + 4*b)
		if *waiting == 0 {
			continue
		}
		for w, set := range k.live[b] {
			for ; set != 0; set &= set - 1 {
				k.bringHome(r, simt.ID(64*w+bits.TrailingZeros64(set)), site.Left)
			}
		}
		r.Wait(simt.BlockID(b), *waiting)
		*waiting = 0
	}
	if at := k.code.SomeWait; at != 0 && first != frame.NoFrontier {
		for n := range int32(len(k.function.Blocks)+63) / 64 {
			*f.at64(at + 8*n) = 0
		}
	}
}

// valuesOf returns valuesAt for a site, which is found out once.
func (k *Kernel) valuesOf(number uint32) []simt.ID {
	known := k.leaving[number].Load()
	if known == nil {
		values := k.valuesAt(&k.code.Sites[number])
		known = &values
		k.leaving[number].Store(known)
	}
	return *known
}

// valuesAt returns the values that are read where the code leaves for good.
func (k *Kernel) valuesAt(site *frame.Site) (values []simt.ID) {
	var set []uint64
	switch site.Kind {
	case frame.EndSite, frame.BarrierSite:
		set = k.function.LiveAtEnd(site.Block, k.live)
	case frame.WrapSite:
		set = k.function.LiveBefore(site.Block, int(site.Inst), k.live, k.code.Also)
	case frame.BudgetSite:
		set = k.live[site.Block]
	}
	for w, bit := range set {
		for ; bit != 0; bit &= bit - 1 {
			if v := simt.ID(64*w + bits.TrailingZeros64(bit)); v != 0 {
				values = append(values, v)
			}
		}
	}
	return values
}

// stepping are the values that a step reads and defines, but for those that code keeps in their homes.
type stepping struct{ reads, defines []simt.ID }

// steppingAt finds them for a site.
func (k *Kernel) steppingAt(site *frame.Site) (s stepping) {
	if site.Kind != frame.StepSite && site.Kind != frame.AccessSite {
		return s
	}
	inst := &k.function.Blocks[site.Block].Insts[site.Inst]
	for _, id := range append([]simt.ID{inst.Guard}, inst.Args...) {
		if id != 0 && !k.code.Values[id].AtHome {
			s.reads = append(s.reads, id)
		}
	}
	for _, id := range inst.Defs { // what is at home may be elsewhere too
		if l := &k.code.Values[id]; id != 0 && (!l.AtHome || len(l.Parts) > 0) {
			s.defines = append(s.defines, id)
		}
	}
	return s
}

// step executes an instruction by other means.
func (k *Kernel) step(r *Run, number uint32, lanes uint32) bool {
	site, values := &k.code.Sites[number], &k.stepping[number]
	r.Frame.visit++
	for _, v := range values.reads {
		k.bringHome(r, v, site.Left)
	}
	if !r.Machine.Step(site.Block, int(site.Inst), lanes) {
		return false
	}
	for _, d := range values.defines {
		k.fetch(r, d, site.Resumed, lanes)
	}
	if site.Kind == frame.AccessSite {
		inst := &k.function.Blocks[site.Block].Insts[site.Inst]
		if op, ok := inst.Aux.(*simt.TextureOp); ok {
			k.findTexture(r, site, inst, op, lanes)
		} else {
			k.findWindow(r, site, inst, lanes)
		}
	}
	return true
}

// home returns the address of a value's home.
func (k *Kernel) home(r *Run, v simt.ID) unsafe.Pointer {
	return unsafe.Add(r.Homes, k.code.Homes.Offset[v])
}

// bringHome writes a value to its home, as it is where the code has left. What no machine code computes is computed
// now.
func (k *Kernel) bringHome(r *Run, v simt.ID, at int32) {
	f := r.Frame
	if f.seen[v] == f.visit {
		return
	}
	f.seen[v] = f.visit
	if kind := k.function.Values[v].Kind; v == 0 || kind == simt.Const || kind == simt.Special {
		return
	}
	l := &k.code.Values[v]
	if l.AtHome {
		return
	}
	if l.Lanes != nil {
		k.bringLanesHome(r, v, l, at)
		return
	}
	if len(l.Parts) == 0 {
		where := k.defined[v]
		if where.inst < 0 {
			return // nobody reads it
		}
		for _, a := range k.function.Blocks[where.block].Insts[where.inst].Args {
			k.bringHome(r, a, at)
		}
		r.Machine.Step(where.block, int(where.inst), math.MaxUint32)
		return
	}
	for p := range l.Parts {
		if !l.Parts[p].Covers(at) {
			return
		}
	}
	to := k.home(r, v)
	if l.Scalar {
		fill(to, k.function.Values[v].Type, *f.at64(l.Parts[0].Offset))
		return
	}
	for p := range l.Parts {
		from := unsafe.Add(f.start, l.Parts[p].Offset)
		if k.function.Values[v].Type == simt.Pred {
			k.setHome(to, p, from)
		} else {
			k.copyVector(unsafe.Add(to, p*k.code.VectorBytes), from)
		}
	}
}

// copyVector copies a part of a value.
func (k *Kernel) copyVector(to, from unsafe.Pointer) {
	switch k.code.VectorBytes {
	case 64:
		*(*[64]byte)(to) = *(*[64]byte)(from)
	case 32:
		*(*[32]byte)(to) = *(*[32]byte)(from)
	default:
		*(*[16]byte)(to) = *(*[16]byte)(from)
	}
}

// setHome writes part p of a predicate to its home, and fetchSet reads it from there.
func (k *Kernel) setHome(home unsafe.Pointer, p int, from unsafe.Pointer) {
	if k.code.VectorBytes == 64 {
		*(*uint16)(unsafe.Add(home, 2*p)) = *(*uint16)(from)
		return
	}
	words := unsafe.Slice((*uint32)(from), k.code.VectorBytes/4)
	set, first := (*uint32)(home), p*len(words)
	*set &^= (1<<len(words) - 1) << first
	for lane, word := range words {
		*set |= word >> 31 << (first + lane)
	}
}

func (k *Kernel) fetchSet(to, home unsafe.Pointer, p int) {
	if k.code.VectorBytes == 64 {
		*(*uint16)(to) = *(*uint16)(unsafe.Add(home, 2*p))
		return
	}
	words := unsafe.Slice((*uint32)(to), k.code.VectorBytes/4)
	for lane := range words {
		words[lane] = -(*(*uint32)(home) >> (p*len(words) + lane) & 1)
	}
}

// bringLanesHome writes a value home that is a scalar, or one for each half of the warp, and a constant for each lane.
func (k *Kernel) bringLanesHome(r *Run, v simt.ID, l *frame.Location, at int32) {
	var scalars [2]uint64
	for p := range l.Parts {
		if !l.Parts[p].Covers(at) {
			return
		}
		scalars[p] = *r.Frame.at64(l.Parts[p].Offset)
	}
	if len(l.Parts) == 1 {
		scalars[1] = scalars[0]
	}
	to := k.home(r, v)
	for lane, c := range l.Lanes {
		x := scalars[lane/16] + uint64(c)
		if k.function.Values[v].Type == simt.B64 {
			*(*uint64)(unsafe.Add(to, 8*lane)) = x
		} else {
			*(*uint32)(unsafe.Add(to, 4*lane)) = uint32(x)
		}
	}
}

// fetchLanes is fetch for such values.
func (k *Kernel) fetchLanes(r *Run, from unsafe.Pointer, t simt.Type, l *frame.Location, lanes uint32) bool {
	width := uint64(math.MaxUint64)
	if t == simt.B32 {
		width = math.MaxUint32
	}
	var scalars [2]uint64
	known := [2]bool{len(l.Parts) == 0, len(l.Parts) == 0}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		g := lane / 16
		if len(l.Parts) < 2 {
			g = 0
		}
		x := (laneOf(from, t, lane) - uint64(l.Lanes[lane])) & width
		if known[g] && x != scalars[g] {
			return false
		}
		scalars[g], known[g] = x, true
	}
	for g := range l.Parts { // a half of the warp without lanes has what the other has
		if !known[g] {
			scalars[g] = scalars[1-g]
		}
		*r.Frame.at64(l.Parts[g].Offset) = scalars[g]
	}
	return true
}

// fill gives all lanes of a home one value.
func fill(to unsafe.Pointer, t simt.Type, value uint64) {
	switch t {
	case simt.Pred:
		*(*uint32)(to) = -uint32(value & 1)
	case simt.B32:
		words := (*[simt.WarpSize]uint32)(to)
		for lane := range words {
			words[lane] = uint32(value)
		}
	default:
		wides := (*[simt.WarpSize]uint64)(to)
		for lane := range wides {
			wides[lane] = value
		}
	}
}

// fetch reads a value that some lanes have from its home to where the code expects it. It returns false if the code
// takes it for the same in all lanes, and it is not.
func (k *Kernel) fetch(r *Run, v simt.ID, at int32, lanes uint32) bool {
	l := &k.code.Values[v]
	for p := range l.Parts {
		if !l.Parts[p].Covers(at) {
			return true
		}
	}
	from, t := k.home(r, v), k.function.Values[v].Type
	if l.Lanes != nil {
		return k.fetchLanes(r, from, t, l, lanes)
	}
	if l.Scalar {
		value := laneOf(from, t, bits.TrailingZeros32(lanes))
		for rest := lanes & (lanes - 1); rest != 0; rest &= rest - 1 {
			if laneOf(from, t, bits.TrailingZeros32(rest)) != value {
				return false
			}
		}
		*r.Frame.at64(l.Parts[0].Offset) = value
		return true
	}
	for p := range l.Parts {
		to := unsafe.Add(r.Frame.start, l.Parts[p].Offset)
		if t == simt.Pred {
			k.fetchSet(to, from, p)
		} else {
			k.copyVector(to, unsafe.Add(from, p*k.code.VectorBytes))
		}
	}
	return true
}

// laneOf returns what a lane has in a home.
func laneOf(home unsafe.Pointer, t simt.Type, lane int) uint64 {
	switch t {
	case simt.Pred:
		return uint64(*(*uint32)(home) >> lane & 1)
	case simt.B32:
		return uint64(*(*uint32)(unsafe.Add(home, 4*lane)))
	}
	return *(*uint64)(unsafe.Add(home, 8*lane))
}

// String lists the code: offset, bytes and instruction.
func (k *Kernel) String() string {
	o := k.options
	o.Listing = true
	code, err := compileKernel(k.function, o)
	if err != nil {
		return err.Error()
	}
	return code.String()
}
