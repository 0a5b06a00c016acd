package native

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/run/native/frame"
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
	waits    []bool      // by header of a loop: see simt.Function.Waits
	orders   bool        // with the race detector: others may learn from the code what has been done before, and it from them
	fetched  [][]simt.ID // by block: the values that the code has, of those that are read from there on

	wrapped atomic.Bool
	stepped atomic.Bool
	mutex   sync.Mutex
	wraps   []int32 // values whose sums have wrapped around, by ID
}

// Wrapped reports whether sums have wrapped around before they were extended, or may have: then other code is better, with
// Wraps as [Options].Wrapping and Stepped as [Options].Stepped.
func (k *Kernel) Wrapped() bool { return k.wrapped.Load() }

// Wraps returns the values whose sums wrap around, as far as that is known.
func (k *Kernel) Wraps() []int32 {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Concat(k.options.Wrapping, k.wraps)
}

// Stepped reports whether NoteStepped has been called.
func (k *Kernel) Stepped() bool { return k.options.Stepped || k.stepped.Load() }

// NoteStepped is to be called where a block has been executed by other means, for lanes that the code then goes on with: it
// may rest on sums that it has looked at itself.
func (k *Kernel) NoteStepped() {
	if k.code.Rests && !k.stepped.Load() {
		k.stepped.Store(true)
		k.wrapped.Store(true)
	}
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

// CompileKernel compiles a function, whose [Homes] are given, for a level of this machine. The error wraps
// [errors.ErrUnsupported] if there is no machine code for it.
func CompileKernel(f *simt.Function, homes *simt.Homes, o Options) (*Kernel, error) {
	if !Supported(o.Level) {
		return nil, unsupported(o.Level)
	}
	code, err := compileKernel(f, homes, o)
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
	k.waits = f.Waits()
	k.orders = race.Enabled && f.Synchronizes()
	for n := range code.Sites {
		k.stepping = append(k.stepping, k.steppingAt(&code.Sites[n]))
	}
	for _, at := range code.Blocks {
		k.table = append(k.table, p.address+uintptr(at))
	}
	for b := range k.live {
		var all []simt.ID
		for v := range simt.IDs(k.live[b]) {
			if len(code.Values[v].Parts) > 0 {
				all = append(all, v)
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
	if o.CheckRegisters {
		return k, k.checkLocations()
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

// String lists the code: offset, bytes and instruction.
func (k *Kernel) String() string {
	o := k.options
	o.Listing = true
	code, err := compileKernel(k.function, k.code.Homes, o)
	if err != nil {
		return err.Error()
	}
	return code.String()
}
