package vm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/run/vm/counters"
)

// Stats counts what launches execute: see [Grid.Stats]. The counts are exact, and the same whatever the
// number of workers. Those of several launches add up. It may be read when no launch that it was given
// to is running.
type Stats struct {
	// Instructions has the counts of each opcode with its modifiers, the most executed first.
	Instructions []OpcodeCount `json:"instructions"`
	// Warps and Threads are the sums of Instructions.
	Warps   uint64 `json:"warps"`
	Threads uint64 `json:"threads"`

	// Branches counts bra and brx, once for each warp that executes it; of these, Divergent are those
	// at which threads of the warp part.
	Branches  uint64 `json:"branches"`
	Divergent uint64 `json:"divergent"`

	// Memory has the traffic of each space, in the order of the spaces' names.
	Memory []Traffic `json:"memory"`

	mutex sync.Mutex
}

// OpcodeCount says how often an instruction is executed.
type OpcodeCount struct {
	Opcode string `json:"opcode"` // "ld.global.u32"
	// Threads counts those whose guard holds; Warps those with at least one such thread. Branches count
	// whether they are taken or not.
	Warps   uint64 `json:"warps"`
	Threads uint64 `json:"threads"`
	// Stepped counts, of Warps, those by instructions that have no machine code on the level of the module: a launch that is
	// not counted leaves its machine code for each of them. It is 0 on the level portable.
	Stepped uint64 `json:"stepped,omitempty"`
}

// Traffic is the traffic with a memory space. A request is an access by a warp, of all its
// threads together.
type Traffic struct {
	Space    string   `json:"space"` // "global"
	Loads    Requests `json:"loads"`
	Stores   Requests `json:"stores"`
	Atomics  Requests `json:"atomics"`
	Sectors  uint64   `json:"sectors"`   // of global memory: 32-byte sectors that the requests touch, each counted once for a request
	Passes   uint64   `json:"passes"`    // of shared memory: in how many passes over the banks the requests are served
	Conflict uint64   `json:"conflicts"` // of shared memory: passes more than without bank conflicts
}

// Requests counts accesses of warps, and the bytes that all their threads ask for.
type Requests struct {
	Requests uint64 `json:"requests"`
	Bytes    uint64 `json:"bytes"`
}

// requests is the number of requests of all kinds.
func (t *Traffic) requests() uint64 {
	return t.Loads.Requests + t.Stores.Requests + t.Atomics.Requests
}

// SectorsPerRequest is the mean number of 32-byte sectors that a request to global memory touches: 4 for a
// warp that reads 32 words side by side, 32 at worst.
func (t *Traffic) SectorsPerRequest() float64 { return ratio(t.Sectors, t.requests()) }

// ActiveLanes is the mean number of threads of a warp that execute an instruction.
func (s *Stats) ActiveLanes() float64 { return ratio(s.Threads, s.Warps) }

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Of returns the traffic with a space, by its name: "global", "shared", "local", "param" or "const".
func (s *Stats) Of(space string) Traffic {
	for _, t := range s.Memory {
		if t.Space == space {
			return t
		}
	}
	return Traffic{Space: space}
}

// String returns the counts as a table.
func (s *Stats) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d warp instructions, %d thread instructions: %.1f of 32 lanes active\n", s.Warps, s.Threads, s.ActiveLanes())
	fmt.Fprintf(&text, "%d branches, %d divergent\n", s.Branches, s.Divergent)
	w := tabwriter.NewWriter(&text, 0, 8, 2, ' ', tabwriter.AlignRight)
	if len(s.Memory) > 0 {
		fmt.Fprintln(w, "\nmemory\tload requests\tbytes\tstore requests\tbytes\tatomic requests\tbytes\tsectors/request\tbank conflicts\t")
	}
	for i := range s.Memory {
		t := &s.Memory[i]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t", t.Space, t.Loads.Requests, t.Loads.Bytes, t.Stores.Requests, t.Stores.Bytes, t.Atomics.Requests, t.Atomics.Bytes)
		sectors, conflicts := "-", "-"
		switch t.Space {
		case "global":
			sectors = fmt.Sprintf("%.2f", t.SectorsPerRequest())
		case "shared":
			conflicts = fmt.Sprint(t.Conflict)
		}
		fmt.Fprintf(w, "%s\t%s\t\n", sectors, conflicts)
	}
	w.Flush()
	fmt.Fprintf(&text, "\n%14s %14s  %s\n", "warps", "threads", "instruction")
	for _, i := range s.Instructions {
		fmt.Fprintf(&text, "%14d %14d  %s", i.Warps, i.Threads, i.Opcode)
		switch i.Stepped {
		case 0:
		case i.Warps:
			text.WriteString("  (no machine code)")
		default:
			fmt.Fprintf(&text, "  (%d without machine code)", i.Stepped)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// MarshalJSON returns the counts as an object; its names are those of the fields, in lower case.
func (s *Stats) MarshalJSON() ([]byte, error) {
	type plain Stats
	return json.Marshal((*plain)(s))
}

// add adds what a worker has counted. stepped tells which instructions have no machine code.
func (s *Stats) add(c *counters.Counter, stepped steppedAt) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	branches, divergent := c.Branches()
	s.Branches += branches
	s.Divergent += divergent
	for opcode, n := range c.Opcodes(stepped.has) {
		s.Warps += n.Warps
		s.Threads += n.Threads
		i := slices.IndexFunc(s.Instructions, func(o OpcodeCount) bool { return o.Opcode == opcode })
		if i < 0 {
			i = len(s.Instructions)
			s.Instructions = append(s.Instructions, OpcodeCount{Opcode: opcode})
		}
		s.Instructions[i].Warps += n.Warps
		s.Instructions[i].Threads += n.Threads
		s.Instructions[i].Stepped += n.Stepped
	}
	sorting.Stable(s.Instructions, func(a, b OpcodeCount) int {
		return cmp.Or(cmp.Compare(b.Warps, a.Warps), cmp.Compare(b.Threads, a.Threads), cmp.Compare(a.Opcode, b.Opcode))
	})
	for space, n := range c.Memory() {
		name := space.String()[1:]
		i := slices.IndexFunc(s.Memory, func(t Traffic) bool { return t.Space == name })
		if i < 0 {
			i = len(s.Memory)
			s.Memory = append(s.Memory, Traffic{Space: name})
		}
		s.Memory[i].add(n)
	}
	sorting.Stable(s.Memory, func(a, b Traffic) int { return cmp.Compare(a.Space, b.Space) })
}

func (t *Traffic) add(n *counters.Traffic) {
	t.Loads.add(n.Loads)
	t.Stores.add(n.Stores)
	t.Atomics.add(n.Atomics)
	t.Sectors += n.Sectors
	t.Passes += n.Passes
	t.Conflict += n.Conflict
}

func (r *Requests) add(n counters.Requests) {
	r.Requests += n.Requests
	r.Bytes += n.Bytes
}
