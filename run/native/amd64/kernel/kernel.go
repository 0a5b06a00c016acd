package kernel

import (
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// The registers that a kernel's code has for itself: the frame, the homes of values, and the windows of
// accesses. RAX, RCX and RDX are for short sequences, K6 and K7 are the lanes at work, of both groups of AVX-512. With
// AVX2 the code has the last vector register instead.
var (
	frameReg   = encode.RDI
	homesReg   = encode.RBX
	windowsReg = encode.R15
	lanesRegs  = [2]encode.Operand{encode.K6, encode.K7}
)

// The machine registers that are allocated, as sets of numbers.
const (
	maskRegs    = 0b111110              // K1 to K5
	generalRegs = 0b0111_1111_0110_0000 // RBP, RSI, R8 to R14
)

// vectorsOf returns the vector registers that are allocated.
func vectorsOf(t *amd64.Target) uint32 {
	all := uint32(1<<t.Vectors - 1)
	if t.Level == amd64.AVX2 {
		all &^= 1 << scratch
	}
	return all
}

// compiler compiles a function of any blocks for warps of 32 lanes. Every value has registers of its own for as
// long as any lane needs it, so that lanes that wait have theirs there, and most of what is computed
// needs no mask (see [simt.Function] on the order of blocks). What is the same in all lanes is computed
// once, in general registers.
type compiler struct {
	*vector.Compiler
	groups    []*group
	homes     *simt.Homes
	uniform   []bool
	scalar    []bool            // by value: it is in a general register
	generals  []machine.Operand // of such values
	known     *affine.Known
	affines   []*affine.Value      // by value, or nil: what is known of affine values
	apart     [][2]machine.Operand // of such values the scalars, of both halves of the warp
	addresses address.Finder
	same      sameScalars
	bounds    map[simt.ID]*bound // by condition, those that only branches read
	apartFor  map[simt.ID]*bound // by what is computed for such a condition alone
	defined   []*simt.Inst       // by value: the instruction that computes it
	atBlock   []blockNodes
	needed    []bool
	stepped   []bool // there is no machine code for what computes it
	parting   []bool // by block: lanes may part at its end

	current      simt.BlockID
	borrowed     []simt.ID // values that have been brought into general registers for this block
	noKeep       bool      // what is brought is not kept for the rest of the block
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
	backCopies   []machine.BackCopy // the registers of phis, and what is copied to them at the ends of loops
	streams      bool               // there are stores that may go past the caches
	windows      int32              // bytes of windows of accesses

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
	BarrierSite, BudgetSite, DoneSite             = frame.BarrierSite, frame.BudgetSite, frame.DoneSite
	WindowSize, WindowBase, WindowLimit           = frame.WindowSize, frame.WindowBase, frame.WindowLimit
	WindowDelta, WindowStreams, WindowRange       = frame.WindowDelta, frame.WindowStreams, frame.WindowRange
	WindowSpans, WindowHost                       = frame.WindowSpans, frame.WindowHost
	FrameResume, FrameSite, FrameLanes            = frame.Resume, frame.SiteAt, frame.Lanes
	FrameFrontier, FrameEnded, FrameBudget        = frame.Frontier, frame.Ended, frame.Budget
	FrameHomes, FrameWindows, FrameTable          = frame.Homes, frame.Windows, frame.Table
	FrameLocal, FrameLocalSize, frameYes, frameNo = frame.Local, frame.LocalSize, frame.Yes, frame.No
	FrameNext, FrameFirst, FrameAll, FrameGone    = frame.Next, frame.First, frame.All, frame.Gone
	NoFrontier                                    = frame.NoFrontier
)

// What this compiler keeps in frames for itself.
const (
	frameStreamed = frame.Own // in the first frame, 32 bits: stores have gone past the caches
	frameOffsets  = 128       // of the lanes of a group, which store one after the other, and what they store
	frameData     = 256
	frameAtWork   = 320 // with AVX2: the lanes at work, of all groups
	frameVectors  = 448
	frameGenerals = frameVectors + 32*64
	frameMasks    = frameGenerals + 16*8
	FrameWaiting  = frameMasks + 64 // by block: the lanes that wait there, 32 bits
)

// Homes says where values are between blocks that are not executed by machine code. It is the same for all code that is
// made of a function.
func Homes(f *simt.Function) *simt.Homes {
	k := &compiler{Compiler: &vector.Compiler{Function: f}}
	k.findDefinitions()
	return simt.NewHomes(f, k.also)
}

// maxBlocks bounds what is compiled: frames have a word for each block.
const maxBlocks = 1 << 14

// maxLive bounds the product of blocks and values, for each of which it is noted whether the value is read from the
// block on.
const maxLive = 1 << 28

// Compile compiles a function.
func Compile(f *simt.Function, o amd64.Options) (*Code, error) {
	if len(f.Blocks) > maxBlocks || len(f.Blocks)*len(f.Values) > maxLive {
		return nil, fmt.Errorf("native: no code for functions of %d blocks: %w", len(f.Blocks), errors.ErrUnsupported)
	}
	k := &compiler{Compiler: vector.NewCompiler(f, o)}
	k.Free = [machine.NumClasses]uint32{machine.Vector: vectorsOf(k.Target), machine.Mask: maskRegs, machine.General: generalRegs}
	k.AllLoops, k.Packed, k.FrameBase = k.findLoops, true, frameReg
	k.frameSomeWait = int32(FrameWaiting+4*len(f.Blocks)+7) &^ 7
	k.FrameStart = (k.frameSomeWait + int32(4*k.waitingWords()) + 63) &^ 63
	k.uniform = f.Uniform(func(name string) bool {
		a := affine.Thread(name, o.Block)
		return a != nil && a.Uniform()
	})
	k.prepare()
	k.findNodes()
	k.homes = simt.NewHomes(f, k.also)
	k.Code = make([]machine.Instr, 0, 8*len(k.groups)*len(k.Nodes)+512)
	k.selectAll()
	k.coalesce()
	k.PlaceConstants()
	if err := k.Allocate(); err != nil {
		return nil, err
	}
	return k.write()
}

// also returns what the machine code of an access may read besides the operands of the instruction: all that its
// address is computed from by operations that addresses are taken apart at. It must be kept for the access. It
// depends on nothing but the function, so that all variants of the code have the same homes.
func (k *compiler) also(i *simt.Inst) (all []simt.ID) {
	if i.Kind != simt.Load && i.Kind != simt.Store || i.Aux.(*simt.Access).Space == check.Local {
		return nil
	}
	var visit func(id simt.ID)
	visit = func(id simt.ID) {
		of := k.defined[id]
		if len(all) > address.MaxLeaves || of == nil || of.Kind != simt.Compute || !address.Apart[of.Op.String()] {
			return
		}
		for _, a := range of.Args {
			all = append(all, a)
			visit(a)
		}
	}
	visit(i.Args[0])
	return all
}

// prepare finds what defines each value, and which values are scalars.
func (k *compiler) prepare() {
	n := len(k.Values)
	k.findDefinitions()
	k.generals = make([]machine.Operand, n)
	k.needed, k.stepped, k.LastUse = make([]bool, n), make([]bool, n), make([]int32, n)
	k.parting = make([]bool, len(k.Blocks))
	for b := range k.Blocks {
		block := &k.Blocks[b]
		if kind := block.End.Kind; kind == simt.Branch || kind == simt.Switch {
			k.parting[b] = !k.uniform[block.End.Cond]
		}
	}
	for g := range simt.WarpSize / k.Target.Lanes {
		s := &group{Selection: &vector.Selection{Compiler: k.Compiler, Vectors: make([]vector.Value, n)}, number: g}
		s.Bring = func(id simt.ID) { k.bring(s, id) }
		k.groups = append(k.groups, s)
	}
	k.exit, k.rejoin, k.dispatch, k.done = k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel()
	k.begin, k.relays = k.Asm.NewLabel(), k.sameBarrier()
	for range k.Blocks {
		k.blockLabel = append(k.blockLabel, k.Asm.NewLabel())
	}
	k.scalar = k.Scalars(k.uniform, k.givesScalars)
	k.findAffine()
	k.findSame()
	k.findPairs()
	k.findBounds()
}

// findDefinitions finds the instruction that defines each value.
func (k *compiler) findDefinitions() {
	k.defined = make([]*simt.Inst, len(k.Values))
	for b := range k.Blocks {
		insts := k.Blocks[b].Insts
		for i := range insts {
			for _, d := range insts[i].Defs {
				k.defined[d] = &insts[i]
			}
		}
	}
}

// findLoops tells where the loops are in the code.
func (k *compiler) findLoops() (all []machine.Loop) {
	for b := range k.Blocks {
		if k.Blocks[b].Loop == simt.BlockID(b) {
			last := k.LoopLast(simt.BlockID(b))
			all = append(all, machine.Loop{First: int32(k.Marks[b].At), Last: int32(k.Marks[last+1].At - 1)})
		}
	}
	return all
}

// selectAll selects the code of all blocks.
func (k *compiler) selectAll() {
	for b := range k.Blocks {
		k.current = simt.BlockID(b)
		k.Mark()
		k.forget()
		label := k.blockLabel[b]
		k.do(func() { k.Bind(label) })
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
		for next < nodes.last && nodes.at(next) == int32(i) {
			next++
		}
		switch {
		case inst.Kind != simt.Compute || k.stepped[inst.Defs[0]]:
			k.selectNodes(b, next)
			k.effect(b, i)
		case !k.needed[inst.Defs[0]]:
		case k.scalar[inst.Defs[0]]:
			k.generals[inst.Defs[0]] = k.scalarOf(inst)
		case k.affines[inst.Defs[0]] != nil:
			if k.known.MayWrap(inst) {
				k.selectNodes(b, next)
			}
			k.selectAffine(b, i)
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
			for _, s := range k.groups {
				s.Run(n)
			}
		}
		return
	}
	for _, s := range k.groups {
		for n := first; n < last; n++ {
			s.Run(n)
		}
	}
}

// isMade reports whether a phi has registers.
func (k *compiler) isMade(id simt.ID) bool {
	switch {
	case k.scalar[id]:
		return !k.generals[id].None()
	case k.affines[id] != nil:
		return k.affines[id].None || !k.apart[id][0].None()
	}
	return !k.groups[0].Vectors[id].Parts[0].None()
}

// forget drops what has been brought into registers for one block.
func (k *compiler) forget() {
	for _, s := range k.groups {
		for _, id := range s.Cached {
			v := &s.Vectors[id]
			v.Halves = [2]machine.Operand{}
			if k.isBrought(id) {
				v.Parts = [2]machine.Operand{}
			}
		}
		s.Cached = s.Cached[:0]
	}
	for _, id := range k.borrowed {
		k.generals[id], k.apart[id] = machine.Operand{}, [2]machine.Operand{}
	}
	k.borrowed = k.borrowed[:0]
}

// isBrought reports whether a value is not in vector registers by itself.
func (k *compiler) isBrought(id simt.ID) bool {
	kind := k.Values[id].Kind
	return k.scalar[id] || k.affines[id] != nil || kind == simt.Special || kind == simt.Const
}

// bring brings a value that is in a general register, or in its home, into vector or mask registers.
func (k *compiler) bring(s *group, id simt.ID) {
	v := &s.Vectors[id]
	home := k.homes.Offset[id]
	switch typ := k.Values[id].Type; {
	case k.affines[id] != nil:
		k.bringAffine(s, id)
	case k.scalar[id] && typ == simt.Pred:
		v.Parts[0] = k.maskOf(s, id)
	case k.scalar[id]:
		x := s.broadcast(k.general(id), typ == simt.B64)
		v.Parts = [2]machine.Operand{x}
		if typ == simt.B64 {
			v.Parts[1] = x
		}
		for _, other := range k.groups {
			if other != s && !k.noKeep {
				other.Vectors[id].Parts = v.Parts
				other.Cached = append(other.Cached, id)
			}
		}
	case k.Values[id].Kind != simt.Special:
		panic("amd64: a value is used before it is computed")
	case typ == simt.Pred && k.HasMasks():
		v.Parts[0] = s.Test(encode.KMOVW, machine.MemoryAt(machine.Fixed(homesReg), home+int32(2*s.number)))
	case typ == simt.Pred:
		v.Parts[0] = s.expand(s.New(encode.VPBROADCASTD, machine.MemoryAt(machine.Fixed(homesReg), home)))
	case typ == simt.B64:
		for p := range v.Parts {
			v.Parts[p] = s.New(k.Target.Move, machine.MemoryAt(machine.Fixed(homesReg), home+int32(k.Target.Bytes*(2*s.number+p))))
		}
	default:
		v.Parts[0] = s.New(k.Target.Move, machine.MemoryAt(machine.Fixed(homesReg), home+int32(k.Target.Bytes*s.number)))
	}
	s.Cached = append(s.Cached, id)
}

// do adds what writes something else than an instruction on registers.
//
//go:noinline
func (k *compiler) do(write func()) { k.Code = append(k.Code, machine.Instr{Write: write}) }

// doWith is do for what needs registers, wherever they are.
//
//go:noinline
func (k *compiler) doWith(uses []machine.VReg, write func()) {
	k.Code = append(k.Code, machine.Instr{Write: write, Uses: uses})
}

// fixedly adds an instruction that defines no virtual register.
//
//go:noinline
func (k *compiler) fixedly(op encode.Op, operands ...machine.Operand) {
	i := machine.Instr{Op: k.groups[0].Sized(op)}
	i.N = uint8(copy(i.Args[:], operands))
	k.Code = append(k.Code, i)
}

// at returns the address of something in the frame.
func (k *compiler) inFrame(offset int32) machine.Operand {
	return machine.Fixed(encode.At(frameReg, offset))
}
