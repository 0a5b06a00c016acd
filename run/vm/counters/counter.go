// Package counters counts what a launch executes: instructions, divergence, memory traffic. A [Counter] is
// the observer of one CTA after the other; what several of them have counted is added up.
package counters

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// Executed says how often an instruction is executed: by how many warps of which at least one lane's
// guard holds, and by how many threads whose guard holds.
type Executed struct{ Warps, Threads uint64 }

// Counts are the counts of an opcode.
type Counts struct {
	Executed
	Stepped uint64 // of Warps, those by instructions that have no machine code
}

// Requests counts accesses of warps, and the bytes that all their threads ask for.
type Requests struct{ Requests, Bytes uint64 }

// Traffic is the traffic with a memory space.
type Traffic struct {
	Loads, Stores, Atomics Requests
	Sectors                uint64 // of global memory: 32-byte sectors that the requests touch
	Passes, Conflict       uint64 // of shared memory: passes over the banks, and those more than without conflicts
}

// Counter counts what the CTAs of a worker execute.
type Counter struct {
	portable.Indifferent
	observation *portable.Observation
	readOnly    func(address uint64) bool // of global memory: it is constant memory
	runs        []Executed
	divergent   uint64
	memory      [check.Tex + 1]Traffic
	asked       [check.Tex + 1]bool
	parts       [check.Tex + 1][]lane // of the present request, by space
}

// NewCounter returns a counter for code that has been bound with an observation. readOnly tells which
// addresses of global memory are those of constants.
func NewCounter(o *portable.Observation, readOnly func(address uint64) bool) *Counter {
	return &Counter{observation: o, readOnly: readOnly, runs: make([]Executed, len(o.Runs))}
}

// Observe makes an observation contain what counters are to be told of.
func Observe(o *portable.Observation) { o.Instructions, o.Memory, o.Divergence = true, true, true }

// Executed counts a run.
func (c *Counter) Executed(_ *portable.Warp, run int, lanes uint32) {
	r := &c.runs[run]
	r.Warps++
	r.Threads += uint64(bits.OnesCount32(lanes))
}

// isBranch reports whether an instruction counts as a branch.
func isBranch(f *simt.Function, at int32) bool {
	name := f.Decl.Body[at].Tree.Name.Text
	return name == "bra" || name == "brx"
}

// Diverge counts the branches at which threads part.
func (c *Counter) Diverge(w *portable.Warp, end *simt.End, _ uint32) {
	if end.At >= 0 && isBranch(w.Function(), end.At) {
		c.divergent++
	}
}

// Branches returns how many branches have been executed by warps, and at how many of them threads
// have parted.
func (c *Counter) Branches() (all, divergent uint64) {
	for i, r := range c.observation.Runs {
		for _, at := range r.At {
			if isBranch(r.Function, at) {
				all += c.runs[i].Warps
			}
		}
	}
	return all, c.divergent
}

// Opcodes returns the counts of each opcode with its modifiers. stepped tells which instructions have no machine code.
func (c *Counter) Opcodes(stepped func(f *check.Function, at int32) bool) map[string]Counts {
	all := map[string]Counts{}
	for i, r := range c.observation.Runs {
		n := c.runs[i]
		if n.Warps == 0 {
			continue
		}
		for _, at := range r.At {
			opcode := opcodeOf(&r.Function.Decl.Body[at])
			sum := all[opcode]
			sum.Warps += n.Warps
			sum.Threads += n.Threads
			if stepped(r.Function.Decl, at) {
				sum.Stepped += n.Warps
			}
			all[opcode] = sum
		}
	}
	return all
}

// opcodeOf returns an instruction's name with its modifiers: "ld.global.u32".
func opcodeOf(in *check.Inst) string {
	words := []string{in.Tree.Name.Text}
	for _, m := range in.Tree.Modifiers {
		words = append(words, strings.TrimPrefix(m.Text, "."))
	}
	return strings.Join(words, ".")
}

// Memory returns the traffic with the spaces that have any.
func (c *Counter) Memory() map[check.Space]*Traffic {
	all := map[check.Space]*Traffic{}
	for space := range c.memory {
		if c.asked[space] {
			all[check.Space(space)] = &c.memory[space]
		}
	}
	return all
}

// lane is a thread's part of a request.
type lane struct {
	number          int
	address, offset uint64
}

// Access counts an access of a warp. The spaces that it goes to, of which there may be several if its
// addresses are generic, have a request each.
func (c *Counter) Access(_ *portable.Warp, a *portable.Accesses) (made uint32) {
	if a.Implicit {
		return a.Lanes
	}
	if !a.Mixed && a.Valid != 0 {
		if space := a.In[bits.TrailingZeros32(a.Valid)]; space == check.Local || space == check.Param {
			c.requests(a, space, bits.OnesCount32(a.Valid)) // nothing else is counted there
			return a.Lanes
		}
	}
	for i := range c.parts {
		c.parts[i] = c.parts[i][:0]
	}
	// Accesses that are not valid stop the launch, or are not made.
	last, constant := ^uint64(0), false // allocations begin at multiples of 256
	for rest := a.Valid; rest != 0; rest &= rest - 1 {
		n := bits.TrailingZeros32(rest)
		space := a.In[n]
		if space == check.Global {
			if near := a.Address[n] / 256; near != last {
				last, constant = near, c.readOnly(a.Address[n])
			}
			if constant {
				space = check.Const
			}
		}
		c.parts[space] = append(c.parts[space], lane{n, a.Address[n], a.Offset[n]})
	}
	for space, lanes := range c.parts {
		if len(lanes) == 0 {
			continue
		}
		t := c.requests(a, check.Space(space), len(lanes))
		switch check.Space(space) {
		case check.Global:
			t.Sectors += sectors(lanes)
		case check.Shared:
			passes, least := bankPasses(lanes, int(a.Span()))
			t.Passes += passes
			t.Conflict += passes - least
		}
	}
	return a.Lanes
}

// requests counts a request of so many lanes to a space.
func (c *Counter) requests(a *portable.Accesses, space check.Space, lanes int) *Traffic {
	t := &c.memory[space]
	c.asked[space] = true
	r := &t.Loads
	switch {
	case a.Update != "":
		r = &t.Atomics
	case a.Writes:
		r = &t.Stores
	}
	r.Requests++
	r.Bytes += a.Span() * uint64(lanes)
	return t
}

// sectors is the number of 32-byte sectors that lanes touch. An access is aligned, so each touches one.
func sectors(lanes []lane) uint64 {
	var seen [simt.WarpSize]uint64
	n := 0
	for _, l := range lanes {
		sector := l.address / 32
		if n > 0 && seen[n-1] == sector { // as most are that lie side by side
			continue
		}
		if !slices.Contains(seen[:n], sector) {
			seen[n] = sector
			n++
		}
	}
	return uint64(n)
}

// bankPasses is the number of passes that a request to shared memory takes, and that it would take without
// conflicts. There are 32 banks of 4 bytes, side by side; a pass gets one word of each, for all lanes that want it.
// Accesses of 8 bytes are made for half the lanes at a time and those of 16 for a quarter (CUDA C++ Programming
// Guide, compute capability 5.x, shared memory).
func bankPasses(lanes []lane, span int) (passes, least uint64) {
	group := 32 / max(span/4, 1)
	for from := 0; from < 32; from += group {
		if most := conflicts(lanes, from, from+group, uint64(span)); most > 0 {
			passes += most
			least++
		}
	}
	return passes, least
}

// conflicts is the most words of one bank that the lanes of a range touch.
func conflicts(lanes []lane, from, to int, span uint64) (most uint64) {
	var words, next [128]uint64 // what is touched, and the next word of the same bank, its index plus 1
	var begin, count [32]uint64 // by bank
	n := uint64(0)
touch:
	for _, l := range lanes {
		if l.number < from || l.number >= to {
			continue
		}
		for word := l.offset / 4; word*4 < l.offset+span; word++ {
			bank := word % 32
			for i := begin[bank]; i != 0; i = next[i-1] {
				if words[i-1] == word {
					continue touch // and so are the others of this access
				}
			}
			words[n], next[n] = word, begin[bank]
			n++
			begin[bank] = n
			count[bank]++
			most = max(most, count[bank])
		}
	}
	return most
}
