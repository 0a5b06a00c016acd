package vop

import "github.com/vop-ptx/vop/run/vm"

// Stats counts what launches execute: see [LaunchOptions]. The counts are exact, and the same whatever the number of workers.
// Those of several launches add up. It may be read when no launch that it was given to is running.
type Stats struct{ counts vm.Stats }

// OpcodeCount says how often an instruction is executed: by so many threads whose guard holds, of so many warps.
type OpcodeCount struct {
	Opcode         string // "ld.global.u32"
	Warps, Threads uint64
	Stepped        uint64 // of Warps, those by instructions that have no machine code on the engine of the module
}

// Requests counts accesses of warps, and the bytes that all their threads ask for.
type Requests struct{ Requests, Bytes uint64 }

// Traffic is the traffic with a memory space. A request is an access by a warp, of all its threads together.
type Traffic struct {
	Space                  string // "global"
	Loads, Stores, Atomics Requests
	Sectors                uint64 // of global memory: 32-byte sectors that requests touch
	Passes, Conflicts      uint64 // of shared memory: passes over the banks, and how many of them are for bank conflicts
}

// Instructions returns the counts of each opcode with its modifiers, the most executed first.
func (s *Stats) Instructions() (all []OpcodeCount) {
	for _, o := range s.counts.Instructions {
		all = append(all, OpcodeCount(o))
	}
	return all
}

// Warps is how many instructions warps have executed.
func (s *Stats) Warps() uint64 { return s.counts.Warps }

// Threads is how many instructions threads have executed.
func (s *Stats) Threads() uint64 { return s.counts.Threads }

// ActiveLanes is the mean number of threads of a warp that execute an instruction.
func (s *Stats) ActiveLanes() float64 { return s.counts.ActiveLanes() }

// Branches returns how many branches warps have executed, and at how many of them threads of the warp part.
func (s *Stats) Branches() (all, divergent uint64) { return s.counts.Branches, s.counts.Divergent }

// Traffic returns the traffic with a space, by its name: "global", "shared", "local", "param" or "const".
func (s *Stats) Traffic(space string) Traffic {
	t := s.counts.Of(space)
	return Traffic{t.Space, Requests(t.Loads), Requests(t.Stores), Requests(t.Atomics), t.Sectors, t.Passes, t.Conflict}
}

// String returns the counts as a table.
func (s *Stats) String() string { return s.counts.String() }

// MarshalJSON returns the counts as an object, as vop run --stats --json does.
func (s *Stats) MarshalJSON() ([]byte, error) { return s.counts.MarshalJSON() }
