package kernel

import (
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/kernel/definition"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/scalar"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Short names for what package warp has.
var (
	frameReg, homesReg, windowsReg = warp.FrameReg, warp.HomesReg, warp.WindowsReg
	rax, rcx, rdx                  = warp.RAX, warp.RCX, warp.RDX
)

// compiler compiles a function of any blocks for warps of 32 lanes. Every value has registers of its own for as
// long as any lane needs it, so that lanes that wait have theirs there, and most of what is computed
// needs no mask (see [simt.Function] on the order of blocks). What is the same in all lanes is computed
// once, in general registers.
type compiler struct {
	scalar.Compiler
	uniform   []bool
	addresses address.Finder
	loads     relatedLoads
	bounds    map[simt.ID]*bound // by condition, those that only branches read
	apartFor  map[simt.ID]*bound // by what is computed for such a condition alone
	defined   definition.Table
	atBlock   []blockNodes
	nodeAt    []int32 // by node: the index of the instruction that it stands in the place of
	needed    []bool
	kept      []simt.ID  // that are needed though the code does not read them: see lost
	stepped   []bool     // there is no machine code for what computes it
	parting   []bool     // by block: lanes may part at its end
	stepsRead [][]uint64 // by block: the set of values that steps may read from there on
	visited   []int32    // by value: the last call of roots that has come to it
	visit     int32
	ids       []simt.ID // memory for rootsOf

	blockLabel   []encode.Label
	exit, rejoin encode.Label
	dispatch     encode.Label
	done         encode.Label // leaves without storing registers
	begin        encode.Label // goes on where a frame says; no registers are to be loaded
	relays       bool         // what is at a barrier lets the warp behind it go on
	relayed      int          // barriers that do so
	cold         []func()     // writes what stands behind the code
	sites        []Site
	resumes      []encode.Label     // by site: where the code goes on
	copyList     []phiCopy          // memory for the copies of an edge
	readers      []int32            // by register: how many of the copies that are being emitted read it
	backCopies   []machine.BackCopy // the registers of phis, and what is copied to them at the ends of loops
	streams      bool               // there are stores that may go past the caches
	byWarp       bool               // as Code has it
	onward       simt.BlockID       // where a warp goes on with the next CTA of a row, if that is so
	windows      int32              // bytes of windows of accesses
	params       int32              // of these, at the beginning, those of the parameters of the kernel

	frameSomeWait int32 // where the frame has a bit for each block at which lanes wait
}

// Sites and the layout of frames and windows are those of all machine code for warps.
type (
	Code     = frame.Code     // of a function
	Site     = frame.Site     // where the code leaves
	Location = frame.Location // of a value
	Part     = frame.Part     // of a value
)

// The names of package frame that this one uses all over.
const (
	StepSite, AccessSite, EndSite, WrapSite       = frame.StepSite, frame.AccessSite, frame.EndSite, frame.WrapSite
	AwaitSite                                     = frame.AwaitSite
	BarrierSite, BudgetSite, DoneSite             = frame.BarrierSite, frame.BudgetSite, frame.DoneSite
	WindowSize, WindowBase, WindowLimit           = frame.WindowSize, frame.WindowBase, frame.WindowLimit
	WindowDelta, WindowStreams, WindowRange       = frame.WindowDelta, frame.WindowStreams, frame.WindowRange
	WindowSpans, WindowHost                       = frame.WindowSpans, frame.WindowHost
	FrameResume, FrameSite, FrameLanes            = frame.Resume, frame.SiteAt, frame.Lanes
	FrameFrontier, FrameEnded, FrameBudget        = frame.Frontier, frame.Ended, frame.Budget
	FrameHomes, FrameWindows, FrameTable          = frame.Homes, frame.Windows, frame.Table
	FrameLocal, FrameLocalSize, frameYes, frameNo = frame.Local, frame.LocalSize, frame.Yes, frame.No
	FrameNext, FrameFirst, FrameAll, FrameGone    = frame.Next, frame.First, frame.All, frame.Gone
	frameRow, frameWarps                          = frame.Row, frame.Warps
	NoFrontier, NoSite                            = frame.NoFrontier, frame.NoSite
)

// The memory of compilers.
var (
	nodesMemory   machine.Memory[vector.Node]
	nodeAtMemory  machine.Memory[int32]
	valuesMemory  machine.Memory[int32]
	readersMemory machine.Memory[int32]
)

// Release takes away all that is of no use when the code is written.
func (k *compiler) Release() {
	nodesMemory.Leave(k.Nodes)
	nodeAtMemory.Leave(k.nodeAt)
	valuesMemory.Leave(k.LastUse)
	valuesMemory.Leave(k.visited)
	readersMemory.Leave(k.readers)
	k.Compiler.Release()
}

// Homes says where values are between blocks that are not executed by machine code. It is the same for all code that is
// made of a function.
func Homes(f *simt.Function) *simt.Homes { return simt.NewHomes(f, definition.Of(f).Also) }

// maxBlocks bounds what is compiled: frames have a word for each block.
const maxBlocks = 1 << 14

// maxLive bounds the product of blocks and values, for each of which it is noted whether the value is read from the
// block on.
const maxLive = 1 << 28

// Compile compiles a function, whose homes are given.
func Compile(f *simt.Function, homes *simt.Homes, o amd64.Options) (*Code, error) {
	if len(f.Blocks) > maxBlocks || len(f.Blocks)*len(f.Values) > maxLive {
		return nil, fmt.Errorf("native: no code for functions of %d blocks: %w", len(f.Blocks), errors.ErrUnsupported)
	}
	k := newCompiler(f, o, nil)
	for lost := k.lost(); len(lost) > 0; lost = k.lost() {
		k = newCompiler(f, o, append(lost, k.kept...))
	}
	k.Homes = homes
	k.Reserve(5*len(k.Groups)*len(k.Nodes)/2 + 512) // most nodes are one or two instructions
	defer k.Release()
	k.selectAll()
	k.coalesce()
	if err := k.checkEntered(); err != nil {
		return nil, err
	}
	k.PlaceConstants()
	if err := k.Allocate(); err != nil {
		return nil, err
	}
	return k.write()
}

// newCompiler returns a compiler that knows what is to be computed, certain values among it in any case.
func newCompiler(f *simt.Function, o amd64.Options, kept []simt.ID) *compiler {
	k := &compiler{Compiler: scalar.New(f, o), defined: definition.Of(f), kept: kept}
	k.Flushing = o.Without&amd64.FuseFlush == 0 && vector.Flushes(o.Level, f)
	k.AllLoops = k.findLoops
	k.frameSomeWait = int32(warp.FrameWaiting+4*len(f.Blocks)+7) &^ 7
	k.FrameStart = (k.frameSomeWait + int32(4*k.waitingWords()) + 63) &^ 63
	k.uniform = f.Uniform(func(name string) bool {
		a := affine.Thread(name, o.Block)
		return a != nil && a.Uniform()
	})
	k.byWarp = byWarp(f, o.Block)
	k.prepare()
	k.need(kept...)
	k.findNodes()
	k.findOnward()
	return k
}

// prepare finds which values are scalars, and which accesses and conditions go together.
func (k *compiler) prepare() {
	n := len(k.Values)
	k.needed, k.stepped, k.LastUse, k.visited = make([]bool, n), make([]bool, n), valuesMemory.Take(n), valuesMemory.Take(n)
	k.parting = make([]bool, len(k.Blocks))
	for b := range k.Blocks {
		block := &k.Blocks[b]
		if kind := block.End.Kind; kind == simt.Branch || kind == simt.Switch {
			k.parting[b] = !k.uniform[block.End.Cond]
		}
	}
	k.exit, k.rejoin, k.dispatch, k.done = k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel()
	k.begin, k.relays = k.Asm.NewLabel(), k.sameBarrier()
	for range k.Blocks {
		k.blockLabel = append(k.blockLabel, k.Asm.NewLabel())
	}
	k.reserveParameters()
	k.OnWrap = k.leaveOnWrap
	k.Entered, k.stepsRead = k.Live(k.defined.Also), k.Live(nil)
	k.Find(k.uniform)
	k.findTogether()
	k.findPairs()
	k.findBounds()
}

// findLoops tells where the loops are in the code.
func (k *compiler) findLoops() (all []machine.Loop) {
	if k.onward > 0 {
		all = append(all, machine.Loop{First: int32(k.Marks[k.onward].At), Last: int32(len(k.Code) - 1)})
	}
	for b := range k.Blocks {
		if k.Blocks[b].Loop == simt.BlockID(b) {
			last := k.LoopLast(simt.BlockID(b))
			all = append(all, machine.Loop{First: int32(k.Marks[b].At), Last: int32(k.Marks[last+1].At - 1)})
		}
	}
	return all
}

// selectAll selects the code of all blocks. What steps may read from a block on, if they execute it in the place of the
// code, is in registers up to there: the code itself may have no need of it.
func (k *compiler) selectAll() {
	for b := range k.Blocks {
		k.Mark()
		k.Forget()
		label := k.blockLabel[b]
		k.DoWith(k.rootsOf(k.stepsRead[b]), func() { k.Bind(label) })
		k.selectBlock(simt.BlockID(b))
	}
	k.Mark()
}

// selectBlock selects the code of a block: its phis have been written on the edges, unless no edge leads to it that is
// ever taken.
func (k *compiler) selectBlock(b simt.BlockID) {
	block := &k.Blocks[b]
	for i := range block.Phis {
		if d := block.Phis[i].Def; !k.isMade(d) {
			k.defineUnknown([]simt.ID{d})
		}
	}
	nodes := k.atBlock[b]
	next := nodes.first
	for i := range block.Insts {
		inst := &block.Insts[i]
		for next < nodes.last && k.nodeAt[next] == int32(i) {
			next++
		}
		switch {
		case inst.Kind != simt.Compute || k.stepped[inst.Defs[0]]:
			k.selectNodes(b, next)
			k.effect(b, i)
		case !k.needed[inst.Defs[0]]:
		case k.Scalar[inst.Defs[0]]:
			k.SelectScalar(inst)
		case k.Affines[inst.Defs[0]] != nil:
			if k.Known.MayWrap(inst) {
				k.selectNodes(b, next)
			}
			k.SelectAffine(b, i)
		}
	}
	k.selectNodes(b, nodes.last)
	k.end(b)
}

// selectNodes selects those nodes of a block that come before one, after those that have been selected. Where registers are
// few, one group after the other is computed, so that what is computed on the way has registers.
func (k *compiler) selectNodes(b simt.BlockID, last int) {
	at := &k.atBlock[b]
	first := at.first + at.selected
	at.selected = last - at.first
	if k.Target.Level == amd64.AVX512 {
		for n := first; n < last; n++ {
			for _, s := range k.Groups {
				s.Run(n)
			}
		}
		return
	}
	for _, s := range k.Groups {
		for n := first; n < last; n++ {
			s.Run(n)
		}
	}
}

// isMade reports whether a value has registers.
func (k *compiler) isMade(id simt.ID) bool {
	if k.InGenerals(id) {
		return k.IsMade(id)
	}
	return !k.Groups[0].Vectors[id].Parts[0].None()
}
