package forms

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// ptxShuffle follows the pseudo-code of shfl in the PTX ISA (9.7.9.6), for threads of which the first
// so many of the warp are there. Threads that are not there give 0.
func ptxShuffle(mode string, lane, b, c, present uint32, value func(lane uint32) uint32) (d uint32, p bool) {
	segment := c >> 8 & 31
	maxLane := lane&segment | c&31&^segment
	minLane := lane & segment
	var j int32
	switch mode {
	case "up":
		j = int32(lane) - int32(b&31)
		p = j >= int32(maxLane)
	case "down":
		j = int32(lane) + int32(b&31)
		p = j <= int32(maxLane)
	case "bfly":
		j = int32(lane ^ b&31)
		p = j <= int32(maxLane)
	case "idx":
		j = int32(minLane | b&31&^segment)
		p = j <= int32(maxLane)
	}
	if !p {
		j = int32(lane)
	}
	if uint32(j) >= present {
		return 0, p
	}
	return value(uint32(j)), p
}

// versioned gives a module the version and the target that its instructions need: shfl and vote
// without .sync are gone from later ones, and elect is in no earlier ones.
func versioned(module string) string {
	switch {
	case regexp.MustCompile(`\b(shfl|vote)\.[^s]`).MatchString(module):
		return strings.Replace(module, vmtest.Header, ".version 6.3\n.target sm_70\n.address_size 64\n", 1)
	case strings.Contains(module, "elect."):
		return strings.Replace(module, vmtest.Header, ".version 8.0\n.target sm_90\n.address_size 64\n", 1)
	}
	return module
}

func TestShuffle(t *testing.T) {
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		for _, c := range []uint32{0x1f, 0, 0x101f, 0x1c1f, 0x1800, 0x0f, 0x0707} {
			for _, b := range []string{"0", "1", "5", "16", "31", "%r1"} {
				for _, sync := range []bool{false, true} {
					form, members := "shfl."+mode, ""
					if sync {
						form, members = "shfl.sync."+mode, ", -1"
					}
					code := fmt.Sprintf("mul.lo.u32 %%r2, %%r1, 3; add.u32 %%r2, %%r2, 1;\n%s.b32 %%r0|%%p0, %%r2, %s, %#x%s; @%%p0 or.b32 %%r0, %%r0, 0x10000;", form, b, c, members)
					m := vmtest.Load(t, versioned(vmtest.PerThread(code)))
					for _, threads := range []uint32{20, 32, 96} {
						out, _ := m.Memory().Alloc("out", int(4*threads))
						vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: int(threads)}}, out)
						for tid, got := range vmtest.Words(out) {
							tid := uint32(tid)
							amount := tid
							if b != "%r1" {
								fmt.Sscan(b, &amount)
							}
							base := tid &^ 31
							want, p := ptxShuffle(mode, tid&31, amount, c, min(32, threads-base), func(lane uint32) uint32 { return 3*(base+lane) + 1 })
							if p {
								want |= 0x10000
							}
							if got != want {
								t.Fatalf("%s with %d threads: thread %d got %#x, want %#x", code, threads, tid, got, want)
							}
						}
					}
				}
			}
		}
	}
}

// TestWarp runs the other exchanges, with all threads and with some of a warp in a branch.
func TestWarp(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       func(tid, threads uint32) uint32
	}{
		{"ballot", "and.b32 %r2, %r1, 3; setp.eq.u32 %p0, %r2, 1; vote.sync.ballot.b32 %r0, %p0, -1;",
			func(tid, threads uint32) uint32 { return 0x22222222 & field32(threads-tid&^31) }},
		{"ballot without sync", "and.b32 %r2, %r1, 3; setp.eq.u32 %p0, %r2, 1; vote.ballot.b32 %r0, !%p0;",
			func(tid, threads uint32) uint32 { return 0xdddddddd & field32(threads-tid&^31) }},
		{"all and any", `setp.lt.u32 %p0, %r1, 40; vote.sync.all.pred %p1, %p0, -1; vote.sync.any.pred %p2, %p0, -1; vote.uni.pred %p3, %p0;
			selp.u32 %r0, 1, 0, %p1; @%p2 or.b32 %r0, %r0, 2; @%p3 or.b32 %r0, %r0, 4;`,
			func(tid, threads uint32) uint32 {
				warp := tid &^ 31
				all := min(warp+32, threads) <= 40
				any := warp < 40
				return uint32(bool64(all) + 2*bool64(any) + 4*bool64(all || !any))
			}},
		{"activemask in a branch", "mov.u32 %r0, 0; and.b32 %r2, %r1, 1; setp.eq.u32 %p0, %r2, 0; @%p0 bra EVEN; activemask.b32 %r0; EVEN:",
			func(tid, threads uint32) uint32 {
				if tid&1 == 0 {
					return 0
				}
				return 0xaaaaaaaa & field32(threads-tid&^31)
			}},
		{"match.any", "and.b32 %r2, %r1, 7; match.any.sync.b32 %r0, %r2, -1;",
			func(tid, threads uint32) uint32 { return 0x01010101 << (tid & 7) & field32(threads-tid&^31) }},
		{"match.all", "shr.u32 %r2, %r1, 6; cvt.u64.u32 %rd3, %r2; activemask.b32 %r3; match.all.sync.b64 %r0|%p0, %rd3, %r3; @!%p0 mov.u32 %r0, 7;",
			func(tid, threads uint32) uint32 { return field32(threads - tid&^31) }},
		{"match.all that differ", "match.all.sync.b32 %r0|%p0, %r1, -1; @!%p0 mov.u32 %r0, 7;", func(tid, threads uint32) uint32 {
			if threads-tid&^31 == 1 {
				return 1 // the other lanes that are named are not there
			}
			return 7
		}},
		{"redux", "and.b32 %r2, %r1, 31; redux.sync.add.u32 %r0, %r2, -1; neg.s32 %r2, %r2; redux.sync.min.s32 %r2, %r2, -1; sub.s32 %r0, %r0, %r2;",
			func(tid, threads uint32) uint32 { n := min(32, threads-tid&^31); return n*(n-1)/2 + n - 1 }},
		{"elect", "elect.sync %r2|%p0, -1; selp.u32 %r0, 1, 0, %p0;", func(tid, _ uint32) uint32 { return uint32(bool64(tid&31 == 0)) }},
		{"lane masks", "mov.u32 %r0, %lanemask_lt; mov.u32 %r2, %lanemask_ge; popc.b32 %r0, %r0; popc.b32 %r2, %r2; shl.b32 %r2, %r2, 8; or.b32 %r0, %r0, %r2;",
			func(tid, _ uint32) uint32 { return tid&31 | (32-tid&31)<<8 }},
		{"warp-synchronous sum without barriers", `
	.shared .align 4 .b8 s[8192];
	mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; mov.u32 %r4, 0;
	st.volatile.shared.u32 [%r2+4096], %r4; st.volatile.shared.u32 [%r2], %r1;
	and.b32 %r6, %r1, 31; mov.u32 %r7, 16;
LOOP:
	shl.b32 %r8, %r7, 2; add.u32 %r8, %r2, %r8;
	ld.volatile.shared.u32 %r4, [%r2]; ld.volatile.shared.u32 %r5, [%r8];
	add.u32 %r4, %r4, %r5; setp.lt.u32 %p0, %r6, %r7; @%p0 st.volatile.shared.u32 [%r2], %r4;
	shr.u32 %r7, %r7, 1; setp.ne.u32 %p1, %r7, 0; @%p1 bra LOOP;
	ld.volatile.shared.u32 %r0, [%r2]; shfl.sync.idx.b32 %r0, %r0, 0, 31, -1;`,
			func(tid, threads uint32) (sum uint32) {
				for i := tid &^ 31; i < tid&^31+32 && i < threads; i++ {
					sum += i
				}
				return sum
			}},
		{"counting at a barrier", "setp.lt.u32 %p0, %r1, 9; bar.red.popc.u32 %r0, 0, %p0; bar.red.and.pred %p1, 0, %p0; bar.red.or.pred %p2, 0, !%p0; @%p1 add.u32 %r0, %r0, 100; @%p2 add.u32 %r0, %r0, 1000;",
			func(_, threads uint32) uint32 {
				n := min(threads, 9)
				if threads <= 9 {
					return n + 100
				}
				return n + 1000
			}},
		{"warps that wait for each other with named barriers", `
	.shared .align 4 .b8 s[4];
	setp.lt.u32 %p0, %r1, 32; @%p0 bra FIRST;
	setp.ge.u32 %p1, %r1, 64; @%p1 bra REST;
	mov.u32 %r2, 5; st.shared.u32 [s], %r2; bar.arrive 3, 64; mov.u32 %r0, 2; bra.uni END;
FIRST: bar.sync 3, 64; ld.shared.u32 %r0, [s]; bra.uni END;
REST: mov.u32 %r0, 3;
END:`, func(tid, threads uint32) uint32 {
			if threads <= 32 {
				return 0 // not run
			}
			return [3]uint32{5, 2, 3}[min(tid/32, 2)]
		}},
		{"a warp that spins until another has written", `
	.shared .align 4 .b8 s[4];
	setp.lt.u32 %p0, %r1, 32; @!%p0 bra WRITE;
SPIN: ld.volatile.shared.u32 %r0, [s]; setp.eq.u32 %p1, %r0, 0; @%p1 bra SPIN; bra.uni END;
WRITE: mov.u32 %r0, 8; st.volatile.shared.u32 [s], %r0;
END:`, func(tid, threads uint32) uint32 { return 8 }},
		{"a thread that spins until a later part of another warp", `
	.shared .align 4 .b8 s[4];
	setp.lt.u32 %p0, %r1, 32; @!%p0 bra JOIN;
SPIN: ld.volatile.shared.u32 %r0, [s]; setp.eq.u32 %p1, %r0, 0; @%p1 bra SPIN;
JOIN: mov.u32 %r0, 8; st.volatile.shared.u32 [s], %r0;`, func(tid, threads uint32) uint32 { return 8 }},
	} {
		m := vmtest.Load(t, versioned(vmtest.PerThread(c.code)))
		for _, threads := range []int{1, 32, 33, 64, 96, 1000} {
			if threads <= 32 && (c.want(0, uint32(threads)) == 0 && c.name[0] == 'w' || c.name[0] == 'a' && c.name[1] == ' ') {
				continue // needs two warps
			}
			t.Run(fmt.Sprintf("%s/%d", c.name, threads), func(t *testing.T) {
				out, _ := m.Memory().Alloc("out", 4*threads)
				vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: threads}}, out)
				for tid, got := range vmtest.Words(out) {
					if want := c.want(uint32(tid), uint32(threads)); got != want {
						t.Fatalf("thread %d: got %#x, want %#x", tid, got, want)
					}
				}
			})
		}
	}
}

// field32 is a mask of the low n bits.
func field32(n uint32) uint32 { return uint32(1<<min(n, 32) - 1) }

// TestAtomics lets all threads of several blocks work on a few words.
func TestAtomics(t *testing.T) {
	const blocks, threads, places = 8, 96, 4
	type reduce func(old, x uint64) uint64
	for _, c := range []struct {
		op, typ string
		start   uint64
		f       reduce
	}{
		{"add", "u32", 5, func(old, x uint64) uint64 { return old + x }},
		{"add", "s32", 5, func(old, x uint64) uint64 { return old + x }},
		{"add", "u64", 1 << 40, func(old, x uint64) uint64 { return old + x }},
		{"min", "u32", 50, func(old, x uint64) uint64 { return min(old, x) }},
		{"max", "s32", 50, func(old, x uint64) uint64 { return max(old, x) }},
		{"max", "u64", 50, func(old, x uint64) uint64 { return max(old, x) }},
		{"and", "b32", 0xffff, func(old, x uint64) uint64 { return old & x }},
		{"or", "b32", 0, func(old, x uint64) uint64 { return old | x }},
		{"xor", "b64", 0, func(old, x uint64) uint64 { return old ^ x }},
		{"inc", "u32", 0, func(old, x uint64) uint64 {
			if old >= 100 {
				return 0
			}
			return old + 1
		}},
		{"dec", "u32", 7, func(old, x uint64) uint64 {
			if old == 0 || old > 100 {
				return 100
			}
			return old - 1
		}},
		{"add", "f32", uint64(math.Float32bits(0.5)), func(old, x uint64) uint64 {
			return uint64(math.Float32bits(math.Float32frombits(uint32(old)) + 1))
		}},
	} {
		for _, space := range []string{"global", "shared", "generic"} {
			for _, instruction := range []string{"atom", "red"} {
				t.Run(instruction+"."+space+"."+c.op+"."+c.typ, func(t *testing.T) {
					n := bitsOf(c.typ)
					suffix := "." + space
					if space == "generic" {
						suffix = ""
					}
					operand, d := "%x", "%d, "
					if c.op == "inc" || c.op == "dec" {
						operand = "100"
					}
					if c.typ == "f32" {
						operand = "0f3F800000"
					}
					if instruction == "red" {
						d = ""
					}
					address, setup, finish := "%at", "", ""
					if space == "shared" {
						address = "%in"
						setup = fmt.Sprintf("mov.u64 %%in, s; add.s64 %%in, %%in, %%off; ld.global.b%d %%d, [%%at]; st.shared.b%d [%%in], %%d; bar.sync 0;", n, n)
						finish = fmt.Sprintf("bar.sync 0; ld.shared.b%d %%d, [%%in]; st.global.b%d [%%at], %%d;", n, n)
					}
					m := vmtest.Load(t, vmtest.Header+fmt.Sprintf(`
.visible .entry test(.param .u64 out) {
	.reg .b32 %%i, %%j, %%k; .reg .b64 %%base, %%off, %%at, %%in; .reg .b%d %%d, %%x;
	.shared .align 8 .b8 s[64];
	ld.param.u64 %%base, [out]; mov.u32 %%i, %%tid.x; mov.u32 %%j, %%ctaid.x; mad.lo.u32 %%i, %%j, %d, %%i;
	and.b32 %%k, %%i, %d; mul.wide.u32 %%off, %%k, %d; add.s64 %%at, %%base, %%off; %s
	cvt.u%d.u32 %%x, %%i;
	%s%s.%s.%s %s[%s], %s;
	%s
	ret;
}`, n, threads, places-1, n/8, setup, n, instruction, suffix, c.op, c.typ, d, address, operand, finish))
					out, _ := m.Memory().Alloc("out", places*n/8)
					for i := range places {
						vmtest.Put(out.Bytes(), i, n, c.start)
					}
					grid := vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}
					if space == "shared" {
						grid.Grid.X = 1 // each has its own
					}
					vmtest.Launch(t, vmtest.Kernel(t, m, "test"), grid, out)
					for place := range places {
						want := c.start
						for i := place; i < grid.Grid.X*threads; i += places {
							want = c.f(want, uint64(i))
						}
						want &= 1<<n - 1
						if got := vmtest.Get(out.Bytes(), place, n); got != want {
							t.Errorf("place %d: got %#x, want %#x", place, got, want)
						}
					}
				})
			}
		}
	}
}
