package forms

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// reducedFloat is what redux gives of the numbers of some lanes (PTX ISA 9.7.13.12): only NaNs are left out, and of nothing else one comes of it; with
// .NaN each of them is the result. +0 is greater than -0.
func reducedFloat(numbers []uint32, largest, magnitudes, nan bool) uint32 {
	const canonical = 0x7fffffff
	result, any := uint32(canonical), false
	for _, x := range numbers {
		if magnitudes {
			x &^= 1 << 31
		}
		v, old := float64(math.Float32frombits(x)), float64(math.Float32frombits(result))
		switch {
		case v != v && nan:
			return canonical
		case v != v:
			continue
		case !any, v < old && !largest, v > old && largest, v == 0 && old == 0 && (x>>31 == 0) == largest:
			result, any = x, true
		}
	}
	return result
}

// TestReduxOfFloats holds redux of f32 against its description, on all levels: of all kinds of numbers, in warps in which there are few of them, or only
// NaNs, with members that are all, some or what each lane says, and where threads have parted.
func TestReduxOfFloats(t *testing.T) {
	const threads, warps = 80, 40
	edges := []uint32{0, 1 << 31, 1, 1<<31 | 1, 0x7fffff, 0x807fffff, 0x800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0xffc00000, 0xff800001, 0x7fffffff, 0xffffffff}
	rng := rand.New(rand.NewPCG(3, 100))
	for form := range 8 {
		largest, magnitudes, nan := form&1 != 0, form&2 != 0, form&4 != 0
		name := "redux.sync." + map[bool]string{true: "max", false: "min"}[largest] + map[bool]string{true: ".abs"}[magnitudes] + map[bool]string{true: ".NaN"}[nan] + ".f32"
		for _, members := range []uint32{math.MaxUint32, 0xf0f01} {
			for _, guard := range []string{"", "@%p "} {
				text := fmt.Sprintf(`.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .b32 %%t, %%m, %%c; .reg .b64 %%x, %%o; .reg .f32 %%f, %%d; .reg .pred %%p, %%q;
	ld.param.u64 %%x, [in]; ld.param.u64 %%o, [out]; mov.u32 %%t, %%ctaid.x; mad.lo.u32 %%t, %%t, %d, 0; mov.u32 %%c, %%tid.x; add.u32 %%t, %%t, %%c;
	mad.wide.u32 %%x, %%t, 4, %%x; mad.wide.u32 %%o, %%t, 4, %%o; ld.global.f32 %%f, [%%x];
	and.b32 %%c, %%c, 31; shr.u32 %%m, 0x%x, %%c; and.b32 %%m, %%m, 1; setp.ne.u32 %%q, %%m, 0; @!%%q bra PAST; // who is no member does not execute it
	setp.lt.u32 %%p, %%c, 20; mov.u32 %%m, %#[2]x; selp.b32 %%c, 0xfffff, -1, %%p; %s
	mov.b32 %%d, 0xabcdef01; %s%s %%d, %%f, %%m; st.global.f32 [%%o], %%d;
PAST:	ret; }`, threads, members, map[bool]string{true: "and.b32 %m, %m, %c;"}[guard != ""], guard, name)
				in := make([]byte, 4*threads*warps)
				for cta := range warps {
					few := edges
					if rng.IntN(2) == 0 {
						few = []uint32{edges[rng.IntN(len(edges))], edges[14+rng.IntN(6)]}
					}
					if rng.IntN(5) == 0 {
						few = edges[14:]
					}
					for i := range threads {
						x := few[rng.IntN(len(few))]
						if len(few) == len(edges) && rng.IntN(2) == 0 {
							x = rng.Uint32()
						}
						binary.LittleEndian.PutUint32(in[4*(threads*cta+i):], x)
					}
				}
				k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: warps}, Block: vm.Dim{X: threads}}, Args: []any{in, make([]byte, len(in))}}
				m, err := k.Checked()
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				for _, w := range append(vmtest.Ways(), vmtest.PlainWay) {
					e, err := k.Run(m, w)
					if err != nil {
						t.Fatalf("%s, %v: %v\n%s", name, w, err, text)
					}
					for cta := range warps {
						for first := 0; first < threads; first += 32 {
							at := 4 * (threads*cta + first)
							lanes := members & uint32(1<<min(32, threads-first)-1)
							if guard != "" {
								lanes &= 0xfffff
							}
							var numbers []uint32
							for r := lanes; r != 0; r &= r - 1 {
								numbers = append(numbers, binary.LittleEndian.Uint32(in[at+4*bits.TrailingZeros32(r):]))
							}
							for lane := range min(32, threads-first) {
								want := reducedFloat(numbers, largest, magnitudes, nan)
								switch {
								case members>>lane&1 == 0:
									want = 0
								case lanes>>lane&1 == 0:
									want = 0xabcdef01
								}
								if got := binary.LittleEndian.Uint32(e.Buffers[1][at+4*lane:]); got != want {
									t.Fatalf("%s%s of members %#x, %v: lane %d of %#x gets %#x, want %#x", guard, name, members, w, lane, numbers, got, want)
								}
							}
						}
					}
				}
			}
		}
	}
}
