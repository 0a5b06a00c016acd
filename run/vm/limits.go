package vm

import (
	"cmp"
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
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/vm/internal/override"
)

// The limits of memory. What a module, a launch or a buffer asks for is held against them before anything of it is
// allocated. No GPU has more shared memory, local memory or parameters.
const (
	maxShared = 1 << 20       // bytes of shared memory of a CTA, static and dynamic
	maxLocal  = simt.MaxLocal // bytes of local memory of a thread, of all functions it is in together
	maxParams = 32764         // bytes of parameters of a kernel (PTX ISA 5.1.6)
	// maxMemory is what an address space may hold, and what the CTAs that run at the same time may need, if the
	// computer has as much.
	maxMemory = 64 << 30
	// maxFrames bounds the memory of the functions that the threads of a CTA are in, as package portable does.
	maxFrames  = 512 << 20
	stackAlign = 16      // of the local memory of an activation
	warpMemory = 2 << 10 // about what a warp takes besides
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

// frameSize is the memory of an activation of a function in all warps of a CTA, local memory not included. Machine code has
// frames of its own, about as large as those of its values.
func (k *Kernel) frameSize(f *portable.Code, warps int) uint64 {
	size := uint64(f.FrameSize()) * uint64(warps)
	if _, ok := k.module.machineCode(); ok {
		size *= 2
	}
	return size
}

// need is the memory that the functions which a function calls may take while it is in them.
type need struct{ frames, local uint64 }

// callNeeds finds needs. Of a function that may call itself they have no bounds but those of all.
type callNeeds struct {
	kernel *Kernel
	warps  int
	known  map[*portable.Code]need
}

func (c *callNeeds) of(f *portable.Code) need {
	if n, ok := c.known[f]; ok {
		return n
	}
	c.known[f] = need{maxFrames, maxLocal} // for whoever comes back to it from what it calls
	var most need
	if f.Function.UsesStack() {
		most.local = maxLocal
	}
	for _, decl := range calleesOf(f.Function) {
		callee := c.kernel.code.functions[decl]
		n := c.of(callee)
		most.frames = max(most.frames, c.kernel.frameSize(callee, c.warps)+n.frames)
		most.local = max(most.local, uint64(roundUp(f.Function.Local, stackAlign)+callee.Function.Local)+n.local)
	}
	c.known[f] = most
	return most
}

// workers returns how many CTAs of a launch run at the same time, as many as it asks for, but no more than there
// is memory for; and how many may have begun, at most, where they wait for each other. An error says that there is too
// little memory for one.
func (k *Kernel) workers(g Grid) (workers, most int, err error) {
	shared := k.sharedSize(g)
	if err := limit(uint64(shared), maxShared, "kernel "+k.name, "shared memory of a block"); err != nil {
		return 0, 0, err
	}
	entry, warps := k.code.entry, (g.Block.count()+warpSize-1)/warpSize
	lanes := uint64(warps) * warpSize
	own := uint64(warps)*warpMemory + k.frameSize(entry, warps) + uint64(shared) + uint64(entry.Function.Local)*lanes
	all := availableMemory()
	if own > all {
		return 0, 0, limit(own, all, fmt.Sprintf("kernel %s, blocks of %v threads", k.name, g.Block), "memory for the registers and variables of a block")
	}
	called := (&callNeeds{kernel: k, warps: warps, known: map[*portable.Code]need{}}).of(entry)
	one := own + min(called.frames, maxFrames) + min(called.local, maxLocal)*lanes
	workers = g.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = int(min(uint64(workers), uint64(g.blocks()), max(all/one, 1)))
	most = cmp.Or(override.Residents, int(min(maxResidents, all/4/one)))
	return workers, max(workers, most), nil
}

// checkBlock holds the size of a block against what the kernel says of it: .maxntid, whose
// product it may not exceed, and .reqntid, which it must be (PTX ISA 11.4.2 and 11.4.3). Clusters have one block:
// a kernel may not ask for more by .reqnctapercluster (11.8.1).
func (k *Kernel) checkBlock(block Dim) error {
	if k.decl.Tree == nil {
		return nil
	}
	for _, d := range k.decl.Tree.Directives {
		if d.Name.Text != ".maxntid" && d.Name.Text != ".reqntid" && d.Name.Text != ".reqnctapercluster" {
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
		case d.Name.Text == ".reqnctapercluster" && limit != (Dim{1, 1, 1}):
			return fmt.Errorf("kernel %s: its .reqnctapercluster asks for clusters of %v blocks, and here each block is a cluster by itself", k.name, limit)
		case d.Name.Text == ".maxntid" && block.count() > limit.count():
			return fmt.Errorf("kernel %s: the block %v has %s; its .maxntid allows at most %d", k.name, block, diag.Count(block.count(), "thread"), limit.count())
		case d.Name.Text == ".reqntid" && block != limit:
			return fmt.Errorf("kernel %s: the block is %v; its .reqntid asks for %v", k.name, block, limit)
		}
	}
	return nil
}
