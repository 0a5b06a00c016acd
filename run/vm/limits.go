package vm

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
)

// The limits of memory. What a module, a launch or a buffer asks for is held against them before anything of it is
// allocated. No GPU has more shared memory, local memory or parameters.
const (
	maxShared = 1 << 20   // bytes of shared memory of a CTA, static and dynamic
	maxLocal  = 512 << 10 // bytes of local memory of a thread, of all functions it is in together
	maxParams = 32764     // bytes of parameters of a kernel (PTX ISA 5.1.6)
	// maxMemory is what an address space may hold, and what the CTAs that run at the same time may need, if the
	// computer has as much.
	maxMemory = 64 << 30
	// maxFrames bounds the memory of the functions that the threads of a CTA are in: their columns and steps.
	maxFrames = 512 << 20
	// maxText is the longest string that printf reads or writes, in bytes.
	maxText = 1 << 20
)

// LimitError is the error of a module, kernel, launch or buffer that asks for more memory than there is.
type LimitError struct {
	Who          string // "kernel sad16", "buffer frame"
	What         string // "shared memory of a block"
	Bytes, Limit uint64
	Taken        uint64 // of the limit, by others
}

// Error returns the message in one line.
func (e *LimitError) Error() string {
	text := fmt.Sprintf("%s: needs %d bytes of %s, the limit is %d", e.Who, e.Bytes, e.What, e.Limit)
	if e.Taken > 0 {
		text += fmt.Sprintf(", of which %d are taken", e.Taken)
	}
	return text
}

// limit returns a LimitError if bytes are more than the limit.
func limit(bytes, limit uint64, who, what string) error {
	if bytes <= limit {
		return nil
	}
	return &LimitError{Who: who, What: what, Bytes: bytes, Limit: limit}
}

// availableMemory is what there may be of memory altogether: maxMemory, or what the computer has.
var availableMemory = sync.OnceValue(func() uint64 {
	memory := uint64(maxMemory)
	if bits.UintSize == 32 {
		memory = 1 << 30
	}
	// Only Linux has these files. Elsewhere it is the system that refuses what it does not have.
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		memory = min(memory, totalMemory(string(text)))
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			memory = min(memory, n)
		}
	}
	return memory
})

// totalMemory reads the line "MemTotal: N kB" of a text as /proc/meminfo has.
func totalMemory(text string) uint64 {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			if n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 53); err == nil && n > 0 {
				return n << 10
			}
		}
	}
	return math.MaxUint64
}

// layout gives variables their places, side by side.
type layout struct{ size uint64 }

// place returns where the next variable begins. Sizes that do not fit 64 bits stay at their end, which is
// beyond every limit.
func (l *layout) place(v *check.Variable) int {
	align := uint64(max(v.Align, 1))
	at := (l.size + align - 1) &^ (align - 1)
	end, over := bits.Add64(at, uint64(v.Size), 0)
	if at < l.size || over != 0 || v.Size < 0 || end > math.MaxInt64 {
		l.size = math.MaxInt64
		return 0
	}
	l.size = end
	return int(at)
}

// size is the memory of a frame of the function in a CTA of so many threads, local memory not included.
func (fn *function) size(lanes int) uint64 {
	operations := 0
	for i := range fn.blocks {
		operations += len(fn.blocks[i].operations) + 1
	}
	const register, operation = 64, 256 // about what is kept of each besides the columns
	columns := uint64(fn.columns[narrow])*4 + uint64(fn.columns[wide])*8 + uint64(fn.columns[flag])/8
	return columns*uint64(lanes) + uint64(len(fn.registers))*register + uint64(operations)*operation
}

// need is the memory that the functions which a function calls may take while it is in them.
type need struct{ frames, local uint64 }

// callNeeds finds needs. Of a function that may call itself they have no bounds but those of all.
type callNeeds struct {
	lanes int
	known map[*function]need
}

func (c *callNeeds) of(fn *function) need {
	if n, ok := c.known[fn]; ok {
		return n
	}
	c.known[fn] = need{maxFrames, maxLocal} // for whoever comes back to it from what it calls
	var most need
	for _, callee := range fn.callees {
		n := c.of(callee)
		most.frames = max(most.frames, callee.size(c.lanes)+n.frames)
		most.local = max(most.local, uint64(roundUp(fn.local, stackAlign)+callee.local)+n.local)
	}
	c.known[fn] = most
	return most
}

// workers returns how many CTAs of a launch run at the same time: as many as it asks for, but no more than there
// is memory for. An error says that there is too little for one.
func (k *Kernel) workers(g Grid) (int, error) {
	shared := k.sharedSize(g)
	if err := limit(uint64(shared), maxShared, "kernel "+k.name, "shared memory of a block"); err != nil {
		return 0, err
	}
	lanes := roundUp(g.Block.count(), warpSize)
	own := k.entry.size(lanes) + uint64(shared) + uint64(k.entry.local)*uint64(lanes)
	all := availableMemory()
	who := fmt.Sprintf("kernel %s, blocks of %v threads", k.name, g.Block)
	if err := limit(own, all, who, "memory for the registers and variables of a block"); err != nil {
		return 0, err
	}
	called := (&callNeeds{lanes: lanes, known: map[*function]need{}}).of(k.entry)
	one := own + min(called.frames, maxFrames) + min(called.local, maxLocal)*uint64(lanes)
	workers := g.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return int(min(uint64(workers), uint64(g.blocks()), max(all/one, 1))), nil
}

// checkBlock holds the size of a block against what the kernel says of it: .maxntid, whose
// product it may not exceed, and .reqntid, which it must be (PTX ISA 11.4.2 and 11.4.3).
func (k *Kernel) checkBlock(block Dim) error {
	if k.decl.Tree == nil {
		return nil
	}
	for _, d := range k.decl.Tree.Directives {
		if d.Name.Text != ".maxntid" && d.Name.Text != ".reqntid" {
			continue
		}
		size := [3]int{1, 1, 1}
		for i := range min(len(d.Args), 3) {
			if n, err := strconv.ParseInt(d.Args[i].Text, 0, 32); err == nil {
				size[i] = int(n)
			}
		}
		limit := Dim{size[0], size[1], size[2]}
		switch {
		case d.Name.Text == ".maxntid" && block.count() > limit.count():
			return fmt.Errorf("kernel %s: the block %v has %s; its .maxntid allows at most %d", k.name, block, diag.Count(block.count(), "thread"), limit.count())
		case d.Name.Text == ".reqntid" && block != limit:
			return fmt.Errorf("kernel %s: the block is %v; its .reqntid asks for %v", k.name, block, limit)
		}
	}
	return nil
}
