package random

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// Sizes of a random kernel.
const (
	randomRegisters = 10  // %r0 to %r9 hold data
	randomInputs    = 256 // words of the input buffer
	randomSums      = 16  // words that all threads add to
	randomScratch   = 4   // words of a thread's own in global memory
)

// A writer writes a random structured kernel. Its threads do not race, read nothing unset, and come to
// their end. All barriers are where every thread of the block passes.
//
// The words of the code: %r data, %p data-dependent predicates, %t and %q of one statement, %c and
// %l the counter and the end of a loop. %rd1 is the input, %rd2 the sums, %rd3 the thread's own scratch.
type writer struct {
	strings.Builder
	rng    *rand.Rand
	labels int
	loops  int
}

// linef writes a line.
func (w *writer) linef(format string, args ...any) {
	fmt.Fprintf(w, "\t"+format+"\n", args...)
}

func (w *writer) label() string {
	w.labels++
	return fmt.Sprintf("L%d", w.labels)
}

func (w *writer) register() string  { return fmt.Sprintf("%%r%d", w.rng.IntN(randomRegisters)) }
func (w *writer) predicate() string { return fmt.Sprintf("%%p%d", w.rng.IntN(4)) }

// operand returns a register or, seldom, a constant.
func (w *writer) operand() string {
	switch w.rng.IntN(8) {
	case 0:
		return fmt.Sprint(w.rng.IntN(70) - 3)
	case 1:
		return pick(w.rng, "0", "0x80000000", "0x7fffffff", "0xff", "0x10001", "-1")
	}
	return w.register()
}

func pick(rng *rand.Rand, from ...string) string { return from[rng.IntN(len(from))] }

// integerInstructions are instructions on words: d is the destination, a, b and c are operands, r a
// register, p a predicate, n an 8-bit constant and i a position among bits.
var integerInstructions = []string{
	"add.u32 d, a, b", "sub.s32 d, a, b", "mul.lo.s32 d, a, b", "mul.hi.u32 d, a, b", "mul.hi.s32 d, a, b",
	"mad.lo.s32 d, a, b, c", "mad.hi.u32 d, a, b, c", "mul24.lo.u32 d, a, b", "sad.s32 d, a, b, c", "sad.u32 d, a, b, c",
	"and.b32 d, a, b", "or.b32 d, a, b", "xor.b32 d, a, b", "not.b32 d, a", "cnot.b32 d, a", "neg.s32 d, a", "abs.s32 d, a",
	"shl.b32 d, a, b", "shr.u32 d, a, b", "shr.s32 d, a, b", "shf.l.wrap.b32 d, a, b, c", "shf.r.clamp.b32 d, a, b, c",
	"min.s32 d, a, b", "max.s32 d, a, b", "min.u32 d, a, b", "max.u32 d, a, b",
	"popc.b32 d, r", "clz.b32 d, r", "brev.b32 d, r", "bfind.u32 d, r", "bfind.s32 d, r",
	"bfe.u32 d, a, i, i", "bfe.s32 d, a, i, i", "bfi.b32 d, r, a, i, i", "lop3.b32 d, r, a, b, n", "prmt.b32 d, a, b, c",
	"selp.b32 d, a, b, p", "slct.s32.s32 d, a, b, r", "mov.u32 d, a", "cvt.s32.s8 d, r", "cvt.u32.u16 d, r",
	"dp4a.u32.u32 d, r, a, b", "dp4a.s32.s32 d, r, a, b", "add.sat.s32 d, a, b", "sub.sat.s32 d, a, b",
}

// integer returns a random instruction on words.
func (w *writer) integer() string {
	opcode, operands, _ := strings.Cut(integerInstructions[w.rng.IntN(len(integerInstructions))], " ")
	fields := strings.Split(operands, ", ")
	for i, f := range fields {
		switch f {
		case "d", "r":
			fields[i] = w.register()
		case "p":
			fields[i] = w.predicate()
		case "n":
			fields[i] = fmt.Sprint(w.rng.IntN(256))
		case "i":
			if fields[i] = w.register(); w.rng.IntN(4) == 0 {
				fields[i] = pick(w.rng, "0", "1", "31", "32", "33", "255")
			}
		default:
			fields[i] = w.operand()
		}
	}
	return opcode + " " + strings.Join(fields, ", ") + ";"
}

// video returns a random video instruction.
func (w *writer) video() string {
	ops := isa.Ops()
	f := isa.SampleOp(ops[w.rng.IntN(len(ops))], w.rng)
	return f.Spell(w.register(), w.register(), w.register(), w.register())
}

// straight writes an instruction without control flow, or a few that belong together.
func (w *writer) straight() {
	guard := ""
	if w.rng.IntN(4) == 0 {
		guard = pick(w.rng, "@", "@!") + w.predicate() + " "
	}
	switch n := w.rng.IntN(20); {
	case n < 8:
		w.linef("%s%s", guard, w.integer())
	case n < 14:
		w.linef("%s%s", guard, w.video())
	case n < 16:
		w.linef("%ssetp.%s.%s %s, %s, %s;", guard, pick(w.rng, "lt", "le", "gt", "ge", "eq", "ne"),
			pick(w.rng, "u32", "s32"), w.predicate(), w.register(), w.operand())
	case n == 16:
		w.linef("%s%s.pred %s, %s, %s;", guard, pick(w.rng, "and", "or", "xor"), w.predicate(), w.predicate(), w.predicate())
	case n == 17:
		w.linef("add.cc.u32 %s, %s, %s;", w.register(), w.register(), w.operand())
		w.linef("addc.u32 %s, %s, %s;", w.register(), w.register(), w.operand())
	case n == 18:
		w.linef("mul.wide.%s %%w0, %s, %s;", pick(w.rng, "u32", "s32"), w.register(), w.register())
		w.linef("%smov.b64 {%%r0, %%r1}, %%w0;", guard)
	default:
		w.memory(guard)
	}
}

// memory writes an access to global memory: a gather from the input, an addition to a word of the
// sums, whose order does not matter, or an access to the thread's own scratch.
func (w *writer) memory(guard string) {
	address := func(words, base int) {
		w.linef("and.b32 %%t0, %s, %d;", w.register(), words*4-4)
		w.linef("cvt.u64.u32 %%w0, %%t0;")
		w.linef("add.s64 %%w0, %%rd%d, %%w0;", base)
	}
	switch w.rng.IntN(4) {
	case 0:
		address(randomInputs, 1)
		w.linef("%sld.global.%s %s, [%%w0+%d];", guard, pick(w.rng, "u8", "s8"), w.register(), w.rng.IntN(4))
	case 1:
		address(randomInputs, 1)
		w.linef("%sld.global.%s %s, [%%w0];", guard, pick(w.rng, "u16", "s16", "u32"), w.register())
	case 2:
		address(randomSums, 2)
		w.linef("%sred.global.add.u32 [%%w0], %s;", guard, w.register())
	default:
		address(randomScratch, 3)
		w.linef("%sst.global.%s [%%w0], %s;", guard, pick(w.rng, "u8", "u16", "u32"), w.register())
		address(randomScratch, 3)
		w.linef("%sld.global.u32 %s, [%%w0];", guard, w.register())
	}
}

// exchange writes an exchange over shared memory: every thread writes its slot, and reads another's
// after the barrier; which one is the same distance away for all, or depends on its data.
func (w *writer) exchange() {
	w.linef("st.shared.u32 [%%slot], %s;", w.register())
	w.linef("bar.sync 0;")
	if w.rng.IntN(2) == 0 {
		w.linef("add.u32 %%t0, %%tid0, %d;", w.rng.IntN(40))
		w.linef("rem.u32 %%t0, %%t0, %%threads;")
	} else {
		w.linef("rem.u32 %%t0, %s, %%threads;", w.register())
	}
	w.linef("shl.b32 %%t0, %%t0, 2;")
	w.linef("mov.u32 %%t1, slots;")
	w.linef("add.u32 %%t0, %%t0, %%t1;")
	w.linef("ld.shared.u32 %s, [%%t0];", w.register())
	w.linef("bar.sync 0;")
}

// branch writes an if, with or without an else.
func (w *writer) branch(depth int) {
	otherwise, end := w.label(), w.label()
	w.linef("%s%s bra %s;", pick(w.rng, "@", "@!"), w.predicate(), otherwise)
	w.block(depth-1, false)
	if w.rng.IntN(3) == 0 {
		fmt.Fprintf(w, "%s:\n", otherwise)
		return
	}
	w.linef("bra%s %s;", pick(w.rng, "", ".uni"), end)
	fmt.Fprintf(w, "%s:\n", otherwise)
	w.block(depth-1, false)
	fmt.Fprintf(w, "%s:\n", end)
}

// loop writes a loop of at most 3 or 7 turns: the same number for all threads, so that barriers may
// be in it, or a number that depends on the data of the thread, with or without a break.
func (w *writer) loop(depth int, converged bool) {
	n := w.loops
	w.loops++
	head, end := w.label(), w.label()
	same := converged && w.rng.IntN(2) == 0
	if same {
		w.linef("mov.u32 %%c%d, %d;", n, w.rng.IntN(4))
	} else {
		w.linef("and.b32 %%c%d, %s, %s;", n, w.register(), pick(w.rng, "3", "7"))
	}
	fmt.Fprintf(w, "%s:\n", head)
	if w.rng.IntN(2) == 0 {
		w.linef("setp.eq.u32 %%q0, %%c%d, 0;", n)
		w.linef("@%%q0 bra %s;", end)
		w.linef("sub.u32 %%c%d, %%c%d, 1;", n, n)
		w.block(depth-1, same)
		if !same && w.rng.IntN(3) == 0 {
			w.linef("@%s bra %s;", w.predicate(), end)
			w.straight()
		}
		w.linef("bra %s;", head)
	} else {
		w.block(depth-1, same)
		w.linef("setp.ne.u32 %%q0, %%c%d, 0;", n)
		w.linef("sub.u32 %%c%d, %%c%d, 1;", n, n)
		w.linef("@%%q0 bra %s;", head)
	}
	fmt.Fprintf(w, "%s:\n", end)
}

// block writes statements that nest at most depth deep; converged says that all threads of the block
// come there together.
func (w *writer) block(depth int, converged bool) {
	for range 2 + w.rng.IntN(6) {
		switch n := w.rng.IntN(12); {
		case n == 0 && converged:
			w.exchange()
		case n == 1 && depth > 0:
			w.loop(depth, converged)
		case n <= 3 && depth > 0:
			w.branch(depth)
		default:
			w.straight()
		}
	}
}

// randomKernel returns a launch of a random kernel.
func randomKernel(seed uint64) vmtest.Trial {
	rng := rand.New(rand.NewPCG(seed, 0x766f70))
	readings := isa.Readings()
	c := vmtest.Trial{Kernel: "k", Reading: readings[rng.IntN(len(readings))]}
	sizes := []int{1, 7, 31, 32, 33, 64, 67, 100, 256}
	threads, blocks := sizes[rng.IntN(len(sizes))], 1+rng.IntN(3)
	c.Grid = vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}

	body := &writer{rng: rng}
	for body.Len() < 1200 {
		body.block(3, true)
	}

	var text writer
	fmt.Fprintf(&text, "%s.visible .entry k(.param .u64 in, .param .u64 sums, .param .u64 scratch, .param .u64 out, .param .u32 seed)\n{\n", vmtest.Header)
	text.linef(".reg .pred %%p<4>, %%q<1>;")
	text.linef(".reg .b32 %%r<%d>, %%t<2>, %%c<%d>, %%tid0, %%threads, %%slot, %%thread;", randomRegisters, body.loops+1)
	text.linef(".reg .b64 %%rd<5>, %%w<1>;")
	text.linef(".shared .align 4 .b32 slots[%d];", threads)
	for i, name := range []string{"in", "sums", "scratch", "out"} {
		text.linef("ld.param.u64 %%rd%d, [%s];", i+1, name)
	}
	text.linef("mov.u32 %%tid0, %%tid.x;")
	text.linef("mov.u32 %%threads, %%ntid.x;")
	text.linef("mov.u32 %%t0, %%ctaid.x;")
	text.linef("mad.lo.u32 %%thread, %%t0, %%threads, %%tid0;")
	text.linef("mov.u32 %%slot, slots;")
	text.linef("mad.lo.u32 %%slot, %%tid0, 4, %%slot;")
	text.linef("mul.wide.u32 %%w0, %%thread, %d;", randomScratch*4)
	text.linef("add.s64 %%rd3, %%rd3, %%w0;")
	text.linef("mul.wide.u32 %%w0, %%thread, %d;", randomRegisters*4)
	text.linef("add.s64 %%rd4, %%rd4, %%w0;")
	// Some registers are the same in all threads of the block, the others are not.
	text.linef("ld.param.u32 %%r0, [seed];")
	text.linef("mov.u32 %%r1, %%t0;")
	text.linef("mov.u32 %%r2, %%tid0;")
	text.linef("mov.u32 %%r3, %d;", rng.Uint32())
	text.linef("and.b32 %%t0, %%thread, %d;", randomInputs/2-1)
	text.linef("mul.wide.u32 %%w0, %%t0, 4;")
	text.linef("add.s64 %%w0, %%rd1, %%w0;")
	for i := 4; i < randomRegisters; i++ {
		text.linef("ld.global.u32 %%r%d, [%%w0+%d];", i, rng.IntN(randomInputs/2)*4)
	}
	for i := range 4 {
		text.linef("setp.%s.s32 %%p%d, %%r%d, %%r%d;", pick(rng, "lt", "ge", "ne"), i, i+2, rng.IntN(randomRegisters))
	}
	text.WriteString(body.String())
	for i := range randomRegisters {
		text.linef("st.global.u32 [%%rd4+%d], %%r%d;", i*4, i)
	}
	text.linef("ret;")
	text.WriteString("}\n")
	c.Text = text.String()

	var in []byte
	for range randomInputs {
		word := rng.Uint32()
		if rng.IntN(4) == 0 {
			word >>= rng.UintN(32)
		}
		in = binary.LittleEndian.AppendUint32(in, word)
	}
	all := threads * blocks
	c.Args = []any{in, make([]byte, randomSums*4), make([]byte, all*randomScratch*4), make([]byte, all*randomRegisters*4), rng.Uint32()}
	return c
}

// testRandomKernel runs a random kernel in all ways, and returns its trial.
func testRandomKernel(t *testing.T, seed uint64) vmtest.Trial {
	c := randomKernel(seed)
	if err := c.Differ(vmtest.Ways()); err != nil {
		t.Fatalf("seed %d, reading %v, %d blocks of %d threads: %v\n%s", seed, c.Reading, c.Grid.Grid.X, c.Grid.Block.X, err, c.Text)
	}
	return c
}

// TestRandomKernels runs random kernels on all levels, on several workers, and checked.
func TestRandomKernels(t *testing.T) {
	missing := []string{"bra", "bar.sync", "ld.shared", "red.global", "vadd", "vset4", "@!%p", "addc"}
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](80, 16))
	for seed := from; seed < to; seed++ {
		c := testRandomKernel(t, seed)
		missing = slices.DeleteFunc(missing, func(part string) bool { return strings.Contains(c.Text, part) })
	}
	if len(missing) > 0 && to-from >= 16 {
		t.Errorf("no kernel has any of %q", missing)
	}
}

// TestRandomKernelEffect looks whether what a random kernel stores depends on its arguments, so that
// there is something to compare.
func TestRandomKernelEffect(t *testing.T) {
	c := randomKernel(1)
	m, err := c.Checked()
	if err != nil {
		t.Fatal(err)
	}
	one, err := c.Run(m, vmtest.PlainWay)
	if err != nil {
		t.Fatal(err)
	}
	c.Args[4] = c.Args[4].(uint32) + 1
	other, err := c.Run(m, vmtest.PlainWay)
	if err != nil {
		t.Fatal(err)
	}
	if slices.EqualFunc(one.Buffers, other.Buffers, slices.Equal) {
		t.Error("another argument, yet the same effect")
	}
}

// FuzzKernels is TestRandomKernels for any seed.
func FuzzKernels(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) { testRandomKernel(t, seed) })
}
