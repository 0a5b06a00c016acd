package sanitize

import (
	"maps"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// Kind says what has been found.
type Kind uint8

// The kinds of findings.
const (
	BadAccess      Kind = iota // outside of memory, misaligned, or a write to what is only read
	UnsetRegister              // is read
	UnsetMemory                // is read
	Race                       // of warps of a CTA
	WarpRace                   // of lanes of a warp
	BlockRace                  // of CTAs
	PartialBarrier             // threads arrive at a barrier of the CTA in a way that is not allowed
	InactiveLane               // a shuffle reads a lane that does not take part
	MissingLane                // the member mask names a lane that is not there, or not the lane itself
)

// Finding is something wrong that threads of one warp have done together.
type Finding struct {
	Kind     Kind
	Function *simt.Function
	At       int32 // index in check.Function.Body
	CTA      portable.Dim
	Thread   int // the first of them: its number in the CTA
	Count    int // how many have done it
	Access   *simt.Access
	Address  uint64
	Register string         // of UnsetRegister: as the text has it
	Missing  int            // of UnsetMemory: the first unset byte, counted from the address
	Other    Other          // of races
	Lane     int            // of InactiveLane and MissingLane; of the latter -1 if the lane itself is not named
	Mistake  BarrierMistake // of PartialBarrier
	Arrivals [2]Arrival     // of PartialBarrier: here, and elsewhere
}

// Other is the other access of a race.
type Other struct {
	Function *simt.Function
	At       int32
	CTA      portable.Dim
	Thread   int
	Wrote    bool
	Same     bool // it is by the same instruction, at the same time
}

// Region is an allocation in global memory. Unset has a bit for each byte that has not been written; it is nil
// if all have.
type Region struct {
	Base  uint64
	Size  int
	Unset []uint32
}

// Launch is what the sanitizers of a launch share.
type Launch struct {
	grid    portable.Dim
	regions []Region // in the order of their addresses
	sites   *Sites
	blocks  *blocks                             // nil if there is only one CTA
	memory  struct{ ctas, blocks shadowMemory } // of CTAs that run, and of those that have ended

	fences atomic.Uint32 // that order CTAs, so far
	mutex  sync.Mutex
	orders []order // see blocks.go
}

// NewLaunch returns what the sanitizers of a launch share. The regions are in the order of their
// addresses.
func NewLaunch(grid portable.Dim, regions []Region, sites *Sites) *Launch {
	l := &Launch{grid: grid, regions: regions, sites: sites, orders: make([]order, 1)}
	l.memory.ctas.most, l.memory.blocks.most = maxShadow/2, maxShadow/2
	if n := uint64(grid.X) * uint64(grid.Y) * uint64(grid.Z); n > 1 && n <= maxBlocks {
		l.blocks = &blocks{}
	}
	return l
}

// Sites are the accesses to memory of a kernel's functions, by number.
type Sites struct {
	all     []site
	numbers map[*simt.Access]uint32
	needed  map[*simt.Access]uint32 // of loads: the bytes that may have an effect
}

type site struct {
	function *simt.Function
	at       int32
	access   *simt.Access
}

// maxSites is how many accesses of a kernel are looked at for races.
const maxSites = 1 << 16

// add numbers the accesses of a function.
func (s *Sites) add(f *simt.Function) {
	if s.numbers == nil {
		s.numbers, s.needed = map[*simt.Access]uint32{}, map[*simt.Access]uint32{}
	}
	maps.Copy(s.needed, neededBytes(f))
	for b := range f.Blocks {
		for i := range f.Blocks[b].Insts {
			switch in := &f.Blocks[b].Insts[i]; aux := in.Aux.(type) {
			case *simt.Access:
				s.number(f, in.At, aux)
			case *simt.BulkOp:
				for _, a := range aux.Accesses() {
					s.number(f, in.At, a)
				}
			}
		}
	}
}

// number numbers an access.
func (s *Sites) number(f *simt.Function, at int32, a *simt.Access) {
	if len(s.all) < maxSites {
		s.numbers[a] = uint32(len(s.all))
		s.all = append(s.all, site{f, at, a})
	}
}

// Observe makes an observation contain what sanitizers are to be told of.
func Observe(o *portable.Observation) { o.Memory, o.Exchanges, o.Divergence = true, true, true }

// Sanitizer observes the CTAs of a worker.
type Sanitizer struct {
	portable.Indifferent
	launch *Launch
	found  func(f *Finding)
	cta    *portable.CTA
	local  [][]uint8 // by warp: which of the 4 bytes of each word of local memory have been written
	stacks [][]uint8 // likewise, of what alloca gives
	clocks clocks
	// arrivals are, by barrier, those of its present phase.
	arrivals [simt.CTABarriers][]arrival
	cluster  clusterBarrier
	shared   shadow
	global   globalShadow
	event    event
}

// NewSanitizer returns the sanitizer for CTAs of so many threads and bytes of shared memory. It calls found for what
// it finds.
func (l *Launch) NewSanitizer(threads, shared int, found func(f *Finding)) *Sanitizer {
	warps := (threads + simt.WarpSize - 1) / simt.WarpSize
	s := &Sanitizer{launch: l, found: found, local: make([][]uint8, warps), stacks: make([][]uint8, warps)}
	s.clocks = newClocks(warps)
	s.shared = shadow{cells: make([]cell, (shared+3)/4)}
	s.global = globalShadow{shadow: shadow{memory: &l.memory.ctas}, pages: map[page]int32{}}
	return s
}

// Begin prepares for a CTA.
func (s *Sanitizer) Begin(c *portable.CTA) {
	s.cta = c
	s.clocks.begin()
	for n := range s.arrivals {
		s.arrivals[n] = s.arrivals[n][:0]
	}
	s.cluster.begin()
	s.shared.clear()
	s.global.begin()
	for _, local := range s.local {
		clear(local)
	}
}

// End is called when a CTA has ended, whether by itself or by a fault.
func (s *Sanitizer) End() {
	if s.cta != nil {
		s.global.end(s)
	}
	s.cta = nil
}

// report enters a finding of lanes of a warp, at the instruction that it executes.
func (s *Sanitizer) report(w *portable.Warp, lane, count int, f Finding) {
	f.Function, f.At, f.CTA = w.Function(), w.At(), s.cta.Index
	f.Thread, f.Count = w.Number*simt.WarpSize+lane, count
	s.found(&f)
}

// Access checks the accesses of a warp. Those that are not valid are not made.
func (s *Sanitizer) Access(w *portable.Warp, a *portable.Accesses) (made uint32) {
	if bad := a.Lanes &^ a.Valid; bad != 0 {
		lane := bits.TrailingZeros32(bad)
		s.report(w, lane, bits.OnesCount32(bad), Finding{Kind: BadAccess, Access: a.Access, Address: a.Address[lane]})
	}
	if a.Valid == 0 {
		return 0
	}
	if !a.Mixed {
		s.accessIn(w, a, a.In[a.First()], a.Valid)
		return a.Valid
	}
	for rest := a.Valid; rest != 0; {
		space, lanes := a.In[bits.TrailingZeros32(rest)], uint32(0)
		for r := rest; r != 0; r &= r - 1 {
			if lane := bits.TrailingZeros32(r); a.In[lane] == space {
				lanes |= 1 << lane
			}
		}
		s.accessIn(w, a, space, lanes)
		rest &^= lanes
	}
	return a.Valid
}

// accessIn checks accesses that go to one space.
func (s *Sanitizer) accessIn(w *portable.Warp, a *portable.Accesses, space check.Space, lanes uint32) {
	switch space {
	case check.Local:
		s.unsetLocal(w, a, lanes)
	case check.Shared:
		s.unsetShared(w, a, lanes)
		s.races(w, a, lanes, false)
	case check.Global:
		s.unsetGlobal(w, a, lanes)
		s.races(w, a, lanes, true)
	}
}
