package random

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// atomicKernel writes random kernels of atomic operations: on global and shared memory, by addresses of all kinds, under guards
// and where lanes have parted, in a loop. Each thread keeps what comes of its results.
type atomicKernel struct {
	rng *rand.Rand
	b   strings.Builder
	// commutes says that the order of the lanes changes nothing: nobody reads results, and each place has one operation.
	commutes bool
	faults   bool // one access may be bad
	labels   int
	common   map[string]string // the operation of each place
}

// Each space has so many words, and so many of 64 bits behind them.
const atomicSlots = 12

const atomicBytes = 12 * atomicSlots

func (k *atomicKernel) line(format string, args ...any) { fmt.Fprintf(&k.b, format+"\n", args...) }

func (k *atomicKernel) chance(percent int) bool { return k.rng.IntN(100) < percent }

func (k *atomicKernel) pick(all ...string) string { return all[k.rng.IntN(len(all))] }

// text returns a kernel of threads that have two words each of in, and change the words of g.
func (k *atomicKernel) text() string {
	k.common = map[string]string{}
	k.line(".version 8.0\n.target sm_90\n.address_size 64")
	k.line(".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 g, .param .u64 side) {")
	k.line(".shared .align 8 .b8 s[%d]; .reg .pred %%p, %%q; .reg .b16 %%h, %%k; .reg .b32 %%t, %%x, %%v, %%u, %%sa, %%a<3>, %%i, %%r, %%gid, %%n; .reg .f32 %%f;", atomicBytes)
	k.line(".reg .b64 %%out, %%in, %%g, %%gs, %%w<3>, %%z, %%sum, %%at, %%side, %%wr;")
	k.line("ld.param.u64 %%out, [out]; ld.param.u64 %%in, [in]; ld.param.u64 %%g, [g]; ld.param.u64 %%side, [side];")
	k.line("mov.u32 %%t, %%tid.x; mov.u32 %%u, %%ctaid.x; mov.u32 %%n, %%ntid.x; mad.lo.u32 %%gid, %%u, %%n, %%t;")
	k.line("mad.wide.u32 %%in, %%gid, 8, %%in; ld.global.v2.u32 {%%x, %%v}, [%%in]; mov.u64 %%sum, 0; mov.u32 %%u, s; cvt.u64.u32 %%gs, %%u; cvta.shared.u64 %%gs, %%gs;")
	k.line("mad.wide.u32 %%side, %%gid, 4, %%side; setp.ne.u32 %%q, %%t, 0; @%%q bra BEGUN;")
	for n := range atomicBytes / 4 {
		k.line("st.shared.u32 [s+%d], %d;", 4*n, uint32(k.value()))
	}
	k.line("BEGUN: bar.sync 0; mov.u32 %%i, 0;\nTURN:")
	bad := -1
	statements := 2 + k.rng.IntN(7)
	if k.faults {
		bad = k.rng.IntN(statements)
	}
	for n := range statements {
		k.statement(n == bad)
	}
	k.line("add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %d; @%%p bra TURN; bar.sync 0;", 1+k.rng.IntN(3))
	k.line("mad.wide.u32 %%out, %%gid, 8, %%out; st.global.u64 [%%out], %%sum; setp.ne.u32 %%q, %%t, 0; @%%q ret;")
	k.line("mov.u32 %%u, %%ctaid.x; mul.wide.u32 %%z, %%u, %d; add.u64 %%g, %%g, %%z;", atomicBytes)
	for n := range atomicBytes / 4 {
		k.line("ld.shared.u32 %%u, [s+%d]; st.global.u32 [%%g+%d], %%u;", 4*n, 4*n+atomicBytes)
	}
	k.line("ret; }")
	return k.b.String()
}

// value is a number at the end of some range, or small.
func (k *atomicKernel) value() uint64 {
	return []uint64{0, 1, 2, 3, 7, 1 << 31, 1<<31 - 1, 1<<32 - 1, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x00000001, 0x80000000, 0x007fffff, 0x00800000,
		0x7f800000, 0x7fc00001, 0xff800000, 0x7ff0000000000000, 0xfff8000000000001, k.rng.Uint64()}[k.rng.IntN(21)]
}

// statement changes values, or lets lanes part for an operation, or adds one for all.
func (k *atomicKernel) statement(bad bool) {
	k.line("mad.lo.u32 %%x, %%x, 1664525, %s;", k.pick("1013904223", "%t", "%i"))
	if k.chance(25) {
		k.line("xor.b32 %%v, %%v, %%x;")
	}
	if k.chance(20) && !k.commutes {
		k.line("st.global.u32 [%%side], %%x;")
	}
	parts := k.chance(35)
	if parts {
		k.line("shr.u32 %%u, %%x, %d; setp.%s.u32 %%p, %%u, %d; @%%p bra L%d;", 32-k.rng.IntN(5)-1, k.pick("eq", "ne", "lt", "ge"), k.rng.IntN(5), k.labels)
	}
	k.operation(bad)
	if parts {
		k.line("L%d:", k.labels)
		k.labels++
	}
}

// operation adds one.
func (k *atomicKernel) operation(bad bool) {
	wide := k.chance(40)
	space := k.pick(".global", ".global", "", ".shared", ".shared", "generic of shared")
	address := k.address(space, wide, bad)
	if space == "generic of shared" {
		space = ""
	}
	type operation struct {
		name  string
		types []string
	}
	some := []operation{{"add", []string{"u32", "s32", "u64"}}, {"min", []string{"u32", "s32", "u64", "s64"}}, {"max", []string{"u32", "s32", "u64", "s64"}},
		{"and", []string{"b32", "b64"}}, {"or", []string{"b32", "b64"}}, {"xor", []string{"b32", "b64"}}}
	if !k.commutes {
		some = append(some, operation{"inc", []string{"u32"}}, operation{"dec", []string{"u32"}}, operation{"add", []string{"f32", "f64"}},
			operation{"exch", []string{"b32", "b64"}}, operation{"cas", []string{"b32", "b64"}}, operation{"add.noftz", []string{"f16x2"}}, operation{"cas", []string{"b16"}})
	}
	var name, typ string
	for name == "" || strings.HasSuffix(typ, "64") != wide {
		o := some[k.rng.IntN(len(some))]
		name, typ = o.name, o.types[k.rng.IntN(len(o.types))]
	}
	if k.commutes {
		kind := fmt.Sprint(wide)
		if was := k.common[kind]; was != "" {
			name, typ, _ = strings.Cut(was, ".")
		}
		k.common[kind] = name + "." + typ
	}
	first, second, result, h := k.operand(wide, 1), k.operand(wide, 2), "%r", "cvt.u64.u32 %wr, %r; "
	switch {
	case typ == "b16":
		k.line("cvt.u16.u32 %%h, %%v; cvt.u16.u32 %%k, %%x;")
		first, second, result, h = "%h", "%k", "%h", "cvt.u64.u16 %wr, %h; "
	case wide:
		result, h = "%wr", ""
		if n, err := strconv.ParseInt(first, 10, 64); err == nil && typ == "f64" {
			first = fmt.Sprintf("0d%016x", uint64(n))
		}
	case typ == "f32":
		k.line("mov.b32 %%f, %s;", first)
		first, result, h = "%f", "%f", "mov.b32 %r, %f; cvt.u64.u32 %wr, %r; "
	}
	if name == "cas" {
		first += ", " + second
	}
	guard := ""
	if k.chance(35) {
		k.line("and.b32 %%u, %%x, 0x%x; setp.eq.u32 %%q, %%u, 0;", uint32(1)<<(8+k.rng.IntN(16)))
		guard = k.pick("@%q ", "@!%q ")
	}
	order := k.pick("", "", ".relaxed.gpu", ".acq_rel.cta")
	if k.commutes || name != "exch" && name != "cas" && k.chance(40) {
		k.line("%sred%s%s.%s.%s [%s], %s;", guard, strings.Replace(order, "acq_rel", "release", 1), space, name, typ, address, first)
		return
	}
	to := result
	if k.chance(10) {
		to, h = "_", ""
	} else if typ == "f32" {
		k.line("mov.f32 %%f, %s;", first) // lanes that the guard does not let have what they had
	}
	k.line("%satom%s%s.%s.%s %s, [%s], %s;", guard, order, space, name, typ, to, address, first)
	if to != "_" {
		k.line("%smad.lo.u64 %%sum, %%sum, 31, %%wr;", h)
	}
}

// operand is a value of a thread, or a constant. It may be kept in registers that have its number.
func (k *atomicKernel) operand(wide bool, number int) string {
	if wide {
		switch k.rng.IntN(4) {
		case 0:
			return fmt.Sprint(int64(k.value()))
		case 1:
			k.line("and.b32 %%u, %%v, 3; cvt.u64.u32 %%w%d, %%u;", number)
		case 2:
			k.line("mov.b64 %%w%d, {%%x, %%v};", number)
		default:
			k.line("cvt.s64.s32 %%w%d, %%v;", number)
		}
		return fmt.Sprint("%w", number)
	}
	switch k.rng.IntN(6) {
	case 0:
		k.line("and.b32 %%a%d, %%v, 3;", number)
		return fmt.Sprint("%a", number)
	case 1:
		return "%x"
	case 2:
		return "%i"
	case 3:
		return "%t"
	}
	return "%v"
}

// address returns an address of a space, with its displacement. A bad one is outside or not aligned, in all lanes or in some.
func (k *atomicKernel) address(space string, wide, bad bool) string {
	size, first := 4, 0
	if wide {
		size, first = 8, 4*atomicSlots
	}
	slot := k.rng.IntN(atomicSlots)
	disp := 0
	index := "" // in %u
	switch k.rng.IntN(4) {
	case 0: // one place
		disp = first + slot*size
	case 1: // side by side, again and again
		k.line("rem.u32 %%u, %%t, %d; mul.lo.u32 %%u, %%u, %d;", atomicSlots, size)
		index, disp = "%u", first
	case 2: // anywhere
		k.line("shr.u32 %%u, %%x, %d; rem.u32 %%u, %%u, %d; mul.lo.u32 %%u, %%u, %d;", k.rng.IntN(20), atomicSlots, size)
		index, disp = "%u", first
	default: // two places
		k.line("and.b32 %%u, %%x, %d; setp.ne.u32 %%p, %%u, 0; selp.b32 %%u, %d, %d, %%p;", 1<<(8+k.rng.IntN(16)), slot*size, (atomicSlots-1)*size)
		index, disp = "%u", first
	}
	if bad {
		wrong := []int{2, 1, -size - disp, 1 << 20, 1 << 30}[k.rng.IntN(5)]
		if k.chance(50) {
			disp += wrong
		} else { // in a lane, in a turn
			if index == "" {
				k.line("mov.u32 %%u, 0;")
			}
			k.line("setp.eq.u32 %%p, %%t, %d; @%%p add.u32 %%u, %%u, %d;", k.rng.IntN(40), wrong)
			index = "%u"
		}
	}
	base := map[string]string{".global": "%g", "": "%g", "generic of shared": "%gs"}[space]
	switch {
	case space == ".shared" && index == "":
		return fmt.Sprintf("s+%d", disp)
	case space == ".shared":
		k.line("mov.u32 %%sa, s; add.u32 %%sa, %%sa, %%u;")
		return fmt.Sprintf("%%sa+%d", disp)
	case index == "":
		return fmt.Sprintf("%s+%d", base, disp)
	}
	k.line("cvt.%s %%at, %%u; add.s64 %%at, %s, %%at;", k.pick("u64.u32", "s64.s32"), base)
	return fmt.Sprintf("%%at+%d", disp)
}

// newAtomicTrial returns such a kernel with its blocks and what is in memory.
func newAtomicTrial(seed uint64, commutes, faults bool) vmtest.Trial {
	k := &atomicKernel{rng: rand.New(rand.NewPCG(seed, 77)), commutes: commutes, faults: faults}
	text := k.text()
	blocks, threads := 1, 1+k.rng.IntN(64)
	if k.chance(50) {
		threads = 32 * (1 + k.rng.IntN(3))
	}
	if !faults && k.chance(50) {
		blocks = 1 + k.rng.IntN(5)
	}
	in, g := make([]byte, 8*blocks*threads), make([]byte, atomicBytes*(1+blocks))
	for n := range len(in) / 4 {
		binary.LittleEndian.PutUint32(in[4*n:], uint32(k.value()))
		if n%2 == 0 {
			binary.LittleEndian.PutUint32(in[4*n:], k.rng.Uint32())
		}
	}
	for n := range atomicBytes / 4 {
		binary.LittleEndian.PutUint32(g[4*n:], uint32(k.value()))
	}
	return vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}},
		Args: []any{make([]byte, 8*blocks*threads), in, g, make([]byte, 4*blocks*threads)}}
}
