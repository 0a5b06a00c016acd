package model

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/vop-ptx/vop/internal/model/ops"
	"github.com/vop-ptx/vop/isa"
)

// Sizes of what kernels work on.
const (
	inBytes    = 8192 // of the first input
	in1Bytes   = 2048 // of the second one
	tableBytes = 256  // of the tables in .global and .const memory
	blobBytes  = 64   // of the struct that is a parameter
	ownBytes   = 64   // of a thread's own memory in each of two buffers, and of its local memory
	slotBytes  = 16   // of a thread's own shared memory, and of its slot in exchanges
	sumBytes   = 1024 // of what all threads add to
	ctaBytes   = 64   // of a block's own memory
)

// generator makes a kernel.
type generator struct {
	rng   *rand.Rand
	k     *Kernel
	frame *[ops.Classes]int // of the kernel, or of the function that is made
	list  *[]Node           // where statements go
	style
	textures
	products float64 // how many statements are about matrices
	inStep   bool    // lanes of a warp that have parted go on together as soon as they can
	ops      *ops.Table

	// avail are the registers that all threads have set here, the last set last; uniform those that are the same in
	// all threads of a block and are never set again.
	avail   [ops.Classes][]Reg
	uniform [ops.Classes][]Reg
	spare   [ops.Classes][]Reg // for addresses
	spared  [ops.Classes]int

	tid, gtid                       Reg
	in0, in1, ownA, ownB, sums, cta Reg
	ownShared, ownSharedWide        Reg // offsets
	genericShared, genericLocal     Reg // generic addresses of a thread's own memory
	inFunction, inLoop              bool
	parted                          bool // which threads of a warp go on together is not said: some may still be in a long loop
	writer                          int  // the one thread of a block that writes to the block's memory
}

// style is what one kernel has more of than another.
type style struct {
	fresh     float64 // how often a result goes to a new register
	guards    float64
	numbers   float64 // constants as operands
	uniforms  float64 // uniform registers as operands
	memory    float64
	video     float64
	flow      float64
	unset     bool // registers are used that some threads have not set
	shared    bool
	local     bool
	returns   bool // before the end; no barriers and operations across warps then
	faults    int  // accesses from now on until one that cannot be made; less than 0 for none
	size      int  // about how many statements
	functions int
	apart     bool // the warps: they do not meet, and nothing shows in which order they run
}

// place is how many threads come to a statement.
type place struct {
	depth     int
	converged bool // all threads of the block
	warps     bool // operations across warps may stand here
}

func (g *generator) chance(p float64) bool { return g.rng.Float64() < p }

func pick[T any](g *generator, from ...T) T { return from[g.rng.IntN(len(from))] }

// longEach is the number of kernels of which one has a long loop, if it has few threads: it takes as long as a hundred others.
const longEach = 50

// New makes the kernel of a seed.
func New(seed uint64) *Kernel { return newKernel(seed, 0x6d6f64656c, subjects{}) }

// Flushing makes the kernel of a seed all of whose operations on f32 flush subnormal numbers, or have nothing to do with them.
func Flushing(seed uint64) *Kernel {
	return newKernel(seed, 0x66747a, subjects{flushing: true})
}

// subjects are how many of the statements of a kernel are about what others have nothing of, whether it is for a
// target on which the lanes of a warp keep in step, and whether it flushes subnormal numbers.
type subjects struct {
	textures, matrices float64
	inStep, flushing   bool
}

func newKernel(seed, stream uint64, of subjects) *Kernel {
	g := &generator{rng: rand.New(rand.NewPCG(seed, stream)), k: &Kernel{Seed: seed}}
	g.share, g.products, g.inStep = of.textures, of.matrices, of.inStep
	k := g.k
	k.Target, g.ops = "sm_90", ops.All
	if g.inStep {
		k.Target, g.ops = pick(g, "sm_61", "sm_62"), ops.InStep
	}
	if of.flushing {
		g.ops = ops.Flushing
	}
	k.Reading = pick(g, isa.Readings()...)
	apart := g.chance(0.15)
	g.launch(apart)
	if g.products > 0 {
		g.wholeWarps()
	}
	g.style = style{
		fresh: pick(g, 0, 0.3, 0.9), guards: pick(g, 0, 0.15, 0.5), numbers: pick(g, 0.1, 0.3), uniforms: pick(g, 0.1, 0.2, 0.6),
		memory: pick(g, 0.1, 0.3, 0.6), video: pick(g, 0, 0.1), flow: pick(g, 0, 0.1, 0.25),
		unset: g.chance(0.1), shared: g.chance(0.5), local: g.chance(0.5), returns: g.chance(0.25), faults: -1,
		size: pick(g, 5, 10, 20), apart: apart,
	}
	g.shared = g.shared && !apart
	if g.products > 0 { // which all lanes must come to
		g.returns = false
	}
	if g.products == 0 && g.chance(0.12) {
		g.faults = g.rng.IntN(8)
	}
	if g.faults < 0 && !apart && g.chance(0.25) {
		g.functions = 1 + g.rng.IntN(2)
	}
	g.writer = g.rng.IntN(k.Threads())
	g.arguments()
	for range g.functions {
		g.function()
	}
	g.frame, g.list = &k.counts, &k.Body
	g.prologue()
	all := place{3, true, !g.returns}
	g.statements(all, g.size)
	if seed%longEach == longEach-1 && k.Threads()*k.Blocks() <= 132 {
		g.longLoops(all)
		g.statements(all, g.size/2)
	}
	g.dump()
	return k
}

// launch chooses the sizes of the launch.
func (g *generator) launch(apart bool) {
	g.k.Block = [3]int{pick(g, 1, 2, 17, 31, 32, 33, 33, 50, 50, 64, 65, 96, 128, 250), 1, 1}
	if g.chance(0.25) {
		g.k.Block = pick(g, [3]int{5, 3, 1}, [3]int{8, 4, 2}, [3]int{33, 2, 1}, [3]int{3, 1, 11}, [3]int{16, 8, 1}, [3]int{32, 2, 1}, [3]int{20, 3, 1})
	}
	g.k.Grid = [3]int{pick(g, 1, 1, 1, 2, 3), 1, 1}
	if g.chance(0.15) {
		g.k.Grid = pick(g, [3]int{2, 2, 1}, [3]int{1, 1, 3}, [3]int{1, 2, 1})
	}
	if apart && g.chance(0.7) { // each warp goes through a row of blocks by itself
		g.k.Block = pick(g, [3]int{32, 2, 1}, [3]int{20, 3, 1}, [3]int{7, 5, 1}, [3]int{3, 1, 11})
		g.k.Grid = pick(g, [3]int{2, 1, 1}, [3]int{5, 1, 1}, [3]int{7, 2, 1}, [3]int{12, 1, 1}, [3]int{4, 3, 1})
		return
	}
	if g.k.Threads() <= 66 && g.chance(0.2) { // rows of blocks, which begin behind each other
		g.k.Grid = pick(g, [3]int{5, 1, 1}, [3]int{7, 2, 1}, [3]int{12, 1, 1}, [3]int{4, 3, 1})
	}
}

// content makes bytes that are worth computing with: numbers of all sizes, and floating-point numbers.
func (g *generator) content(n int) []byte {
	var data []byte
	for len(data) < n {
		var v uint64
		switch g.rng.IntN(6) {
		case 0:
			v = g.rng.Uint64()
		case 1:
			v = g.rng.Uint64() >> g.rng.UintN(64)
		case 2:
			v = uint64(g.rng.IntN(40)-8)&0xffffffff | uint64(g.rng.IntN(300))<<32
		case 3:
			v = math.Float64bits((g.rng.Float64() - 0.5) * math.Ldexp(1, g.rng.IntN(40)))
		default:
			for half := range 2 {
				x := (g.rng.Float32() - 0.5) * float32(math.Ldexp(1, g.rng.IntN(20)))
				v |= uint64(math.Float32bits(x)) << (32 * half)
			}
		}
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	return data[:n]
}

// arguments makes the parameters and the variables.
func (g *generator) arguments() {
	k := g.k
	threads := k.Threads() * k.Blocks()
	buffer := func(name string, data []byte) {
		k.Args = append(k.Args, Argument{Name: name, Type: ".u64", Buffer: true, Data: data})
	}
	value := func(name, typ string, bytes int) {
		k.Args = append(k.Args, Argument{Name: name, Type: typ, Data: g.content(8)[:bytes]})
	}
	buffer("in0", g.content(inBytes))
	value("s16", ".u16", 2)
	value("s32", ".u32", 4)
	buffer("in1", g.content(in1Bytes))
	buffer("own0", g.content(ownBytes*threads))
	value("s8", ".u8", 1)
	buffer("own1", g.content(ownBytes*threads))
	buffer("sums", g.content(sumBytes))
	value("sf", ".f32", 4)
	k.Args = append(k.Args, Argument{Name: "blob", Data: g.content(blobBytes)})
	buffer("cta", g.content(ctaBytes*k.Blocks()))
	value("s64", ".u64", 8)
	value("se", ".f64", 8)
	if g.share > 0 {
		g.images()
	}
	buffer("out", nil) // as long as the registers at the end need
	k.Tables = []Table{{"gtab", false, g.content(tableBytes)}, {"ctab", true, g.content(tableBytes)}}
	if g.shared {
		k.Shared = 2 * slotBytes * k.Threads()
		if g.inStep {
			k.Shared += slotBytes * k.Threads()
		}
	}
	if g.local {
		k.Local = ownBytes
	}
}

// emit adds an instruction.
func (g *generator) emit(in *Inst) *Inst {
	*g.list = append(*g.list, in)
	return in
}

// group begins a group of statements, to which statements are added until end is called.
func (g *generator) group() (end func()) {
	outer, group := g.list, &Group{}
	*outer = append(*outer, group)
	g.list = &group.Body
	return func() { g.list = outer }
}

// do adds an operation that addresses depend on.
func (g *generator) do(name string, dst Reg, src ...Operand) {
	g.emit(&Inst{Op: ops.Named(name), Dst: []Reg{dst}, Src: src, Fixed: true})
}

// newReg makes a register.
func (g *generator) newReg(c ops.Class) Reg {
	g.frame[c]++
	return Reg{c, g.frame[c] - 1}
}

// temporary returns a register for an address. In kernels of few registers it is one of a few.
func (g *generator) temporary(c ops.Class) Reg {
	const few = 6
	if g.fresh < 0.5 && len(g.spare[c]) == few {
		g.spared[c]++
		return g.spare[c][g.spared[c]%few]
	}
	r := g.newReg(c)
	g.spare[c] = append(g.spare[c], r)
	return r
}

// source returns a register that is set, most often one that was set late.
func (g *generator) source(c ops.Class) Reg {
	if len(g.uniform[c]) > 0 && g.chance(g.uniforms) {
		return pick(g, g.uniform[c]...)
	}
	from := g.avail[c]
	if n := len(from); n > 4 && g.chance(0.5) {
		from = from[n-4:]
	}
	return pick(g, from...)
}

// destination returns a register to write; sure says that all threads will write it.
func (g *generator) destination(c ops.Class, sure bool) Reg {
	if (sure || g.unset) && g.chance(g.fresh) && len(g.avail[c]) < 40 {
		r := g.newReg(c)
		g.avail[c] = append(g.avail[c], r)
		return r
	}
	return pick(g, g.avail[c]...)
}

// destinations returns registers of a class that differ.
func (g *generator) destinations(c ops.Class, n int, sure bool) (all []Reg) {
	for range n {
		r := g.destination(c, sure)
		for _, other := range all {
			if other == r {
				r.N = -1
			}
		}
		if r.N < 0 {
			r = g.newReg(c)
			if sure || g.unset {
				g.avail[c] = append(g.avail[c], r)
			}
		}
		all = append(all, r)
	}
	return all
}

// number returns a constant of a class.
func (g *generator) number(c ops.Class) Operand {
	switch c {
	case ops.F32:
		return imm(pick(g, 0, 0x3f800000, 0xbf000000, 0x80000000, 0x7f800000, 0x7fffffff, 0x00000001, uint64(math.Float32bits(g.rng.Float32()*100))))
	case ops.F64:
		return imm(pick(g, 0, math.Float64bits(1), math.Float64bits(-0.5), 1<<63, math.Float64bits(math.Inf(1)), ops.NanDouble, 1, math.Float64bits(g.rng.Float64()*100)))
	}
	v := pick(g, 0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 255, 256, ^uint64(0), ^uint64(1), 1<<(c.Bits()-1), c.Mask()>>1, g.rng.Uint64(), g.rng.Uint64()>>g.rng.UintN(64))
	return imm(v & c.Mask())
}

// guard returns the guard of the next instruction, and whether all threads will execute it.
func (g *generator) guard() (guard Guard, sure bool) {
	if !g.chance(g.guards) {
		return Guard{}, true
	}
	return Guard{true, g.source(ops.Pred), g.chance(0.4)}, false
}

// operate adds an operation.
func (g *generator) operate(op *ops.Op) {
	guard, sure := g.guard()
	if op.Reads || op.Writes || op.Vote != nil {
		guard, sure = Guard{}, true
	}
	in := &Inst{Guard: guard, Op: op, Src: g.sources(op)}
	in.Dst = g.results(op, sure)
	g.emit(in)
}

func (g *generator) sources(op *ops.Op) (all []Operand) {
	for i, c := range op.Src {
		last := i == len(op.Src)-1
		switch {
		case last && op.Nonzero:
			all = append(all, imm(uint64(1+g.rng.IntN(50))))
		case last && op.Number:
			all = append(all, imm(uint64(g.rng.IntN(256))))
		case !op.Only[i] && g.chance(g.numbers):
			n := g.number(c)
			if i >= len(op.Src)-op.Positions {
				n = imm(n.Imm & 255)
			}
			all = append(all, n)
		default:
			all = append(all, reg(g.source(c)))
		}
	}
	return all
}

// results returns the registers that an operation writes.
func (g *generator) results(op *ops.Op, sure bool) []Reg {
	if len(op.Dst) == 2 && op.Dst[0] != op.Dst[1] {
		return []Reg{g.destination(op.Dst[0], sure), g.destination(op.Dst[1], sure)}
	}
	return g.destinations(op.Dst[0], len(op.Dst), sure)
}

// scope makes the statements of a list that only some threads come to, or not all in the same round.
func (g *generator) scope(list *[]Node, f func()) {
	outer, avail := g.list, g.avail
	g.list = list
	f()
	g.list = outer
	if !g.unset {
		for c := range avail {
			g.avail[c] = g.avail[c][:len(avail[c])]
		}
	}
}

// statements adds about n statements.
func (g *generator) statements(at place, n int) {
	for range max(1, n/2+g.rng.IntN(n+1)) {
		switch {
		case at.depth > 0 && g.chance(g.flow):
			g.control(at)
		case g.share > 0 && g.chance(g.share):
			g.texel()
		case g.products > 0 && at.converged && at.warps && !g.inFunction && g.chance(g.products):
			g.matrix()
		case g.chance(g.memory):
			g.access(at)
		default:
			g.compute(at)
		}
	}
}

// compute adds an operation on registers, or a few.
func (g *generator) compute(at place) {
	switch n := g.rng.IntN(20); {
	case n < 5:
		g.operate(pick(g, g.ops.Tests...))
	case n == 5:
		pair := pick(g, g.ops.Carry...)
		g.operate(pair[0])
		g.operate(pair[1])
	case n == 6 && at.warps:
		if g.inStep && g.shared && g.chance(0.3) {
			g.wordsInStep()
			break
		}
		g.across()
	case n == 7 && g.functions > 0 && !g.inFunction:
		g.call(at)
	case n == 9 && at.converged && at.warps && !g.inFunction && g.chance(0.3):
		g.operate(pick(g, g.ops.Votes...))
	case n == 10 && !g.inFunction && g.chance(0.3):
		g.idle(at)
	case n == 11 && !g.inFunction && g.chance(0.3):
		g.space()
	case n == 8 && !g.inFunction:
		// What is the same in all threads in some rounds of a loop.
		g.do("setp.lt.u32", g.destination(ops.Pred, true), reg(g.gtid), reg(g.source(ops.B32)))
	case g.chance(g.video * 2):
		g.operate(ops.Video(g.rng, g.k.Reading))
	default:
		g.operate(pick(g, g.ops.Plain...))
	}
}

// idle adds an instruction that has no effect, or a barrier of the warp.
func (g *generator) idle(at place) {
	if at.converged && at.warps && !g.inStep && g.chance(0.3) {
		g.emit(&Inst{Op: ops.Meet, Src: []Operand{imm(0xffffffff)}, Fixed: true})
		return
	}
	n := &Idle{Text: g.spelled(pick(g, "membar.gl", "membar.cta", "fence.acq_rel.gpu", "prefetch.global.L2 ["+g.in0.String()+"]", "nanosleep.u32 1"))}
	n.Guard, _ = g.guard()
	*g.list = append(*g.list, n)
}

// space adds the question whether an address is in a space.
func (g *generator) space() {
	space := pick(g, "shared", "local", "global")
	op := ops.NewOp("isspacep."+space+" p, D", func(d, s []uint64) {
		in := "global"
		switch {
		case s[0]-sharedWindow < windowSize:
			in = "shared"
		case s[0]-localWindow < windowSize:
			in = "local"
		}
		d[0] = ops.Choose(in == space, 1, 0)
	})
	address := pick(g, g.ownA, g.in1)
	if g.shared && g.chance(0.5) {
		address = g.genericShared
	}
	if g.local && g.chance(0.5) {
		address = g.genericLocal
	}
	g.emit(&Inst{Op: op, Dst: []Reg{g.destination(ops.Pred, true)}, Src: []Operand{reg(address)}})
}

// across adds an operation across warps, and returns it. Its members are all threads there are, if it names them.
func (g *generator) across() *Inst {
	active := ops.Named("activemask.b32")
	op := pick(g, g.ops.Warp...)
	for g.parted && !g.inStep && op == active {
		op = pick(g, g.ops.Warp...)
	}
	in := &Inst{Op: op, Src: g.sources(op)}
	if n := len(op.Src); !op.Together {
		members := imm(0xffffffff)
		if !g.parted && g.chance(0.3) {
			r := g.temporary(ops.B32)
			g.emit(&Inst{Op: active, Dst: []Reg{r}, Fixed: true})
			members = reg(r)
		}
		in.Src[n-1] = members
	}
	in.Dst = g.results(op, true)
	g.emit(in)
	return in
}
