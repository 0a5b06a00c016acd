package random

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// rowKernel does in each CTA what a word says of it, besides writing where it is: machine code executes CTAs of a row one
// behind the other until one leaves it.
const rowKernel = `
.visible .entry k(.param .u64 what, .param .u64 out)
{
	.reg .pred %p<4>;
	.reg .b16 %h<4>;
	.reg .b32 %r<20>;
	.reg .b64 %d<20>;
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ctaid.y;
	mov.u32 %r2, %nctaid.x;
	mad.lo.u32 %r3, %r1, %r2, %r0;
	mov.u32 %r4, %ntid.x;
	mov.u32 %r5, %tid.x;
	mov.u32 %r11, %tid.y;
	mad.lo.u32 %r5, %r11, %r4, %r5;
	mov.u32 %r11, %ntid.y;
	mul.lo.u32 %r4, %r4, %r11;
	mad.lo.u32 %r6, %r3, %r4, %r5;
	ld.param.u64 %d0, [what];
	ld.param.u64 %d1, [out];
	mad.wide.u32 %d2, %r3, 4, %d0;
	mad.wide.u32 %d3, %r6, 4, %d1;
	ld.global.u32 %r7, [%d2];
	shl.b32 %r8, %r0, 8;
	add.u32 %r8, %r8, %r5;
	st.global.u32 [%d3], %r8;
	ts: .branchtargets PLAIN, RETURN, LOOP, STEP, VOTE, BARRIER, PART, TRAP;
	brx.idx %r7, ts;
LOOP:
	mov.u32 %r9, 3000;
AGAIN:
	mad.lo.u32 %r8, %r8, 7, %r0;
	sub.u32 %r9, %r9, 1;
	setp.ne.u32 %p0, %r9, 0;
	@%p0 bra AGAIN;
	bra PLAIN;
STEP:
	mov.u16 %h2, 3;
	cvt.u16.u32 %h0, %r0;
	mov.u16 %h1, 0;
	atom.global.cas.b16 %h2, [%d3+2], %h1, %h0;
	cvt.u32.u16 %r9, %h2;
	add.u32 %r8, %r8, %r9;
	fns.b32 %r9, %r0, 0, 1;
	xor.b32 %r8, %r8, %r9;
	bra PLAIN;
VOTE:
	setp.eq.u32 %p2, %r5, %r0;
	bar.red.popc.u32 %r9, 0, %p2;
	mad.lo.u32 %r8, %r9, %r0, %r8;
	bra PLAIN;
BARRIER:
	and.b32 %r9, %r0, 1;
	mul.lo.u32 %r9, %r9, 32;
	setp.lt.u32 %p3, %r5, %r9;
	@%p3 bra PLAIN;
	setp.ge.u32 %p3, %r5, 64;
	@%p3 bra PLAIN;
	bar.sync 0;
	xor.b32 %r8, %r8, 0x5000;
	bra PLAIN;
PART:
	setp.lt.u32 %p3, %r5, 7;
	@%p3 exit;
	and.b32 %r9, %r5, 5;
	add.u32 %r9, %r9, %r0;
	and.b32 %r9, %r9, 7;
	add.u32 %r9, %r9, 1;
TURN:
	mad.lo.u32 %r8, %r8, 5, %r1;
	sub.u32 %r9, %r9, 1;
	setp.ne.u32 %p0, %r9, 0;
	@%p0 bra TURN;
	bra PLAIN;
TRAP:
	setp.ne.u32 %p1, %r5, 33;
	@%p1 bra PLAIN;
	trap;
PLAIN:
	shl.b32 %r10, %r3, 16;
	add.u32 %r8, %r8, %r10;
	st.global.u32 [%d3], %r8;
RETURN:
	ret;
}
`

// rowVoting is an instruction of rowKernel at which machine code is left. Kernels without it go on at barriers in machine code.
const rowVoting = "bar.red.popc.u32 %r9, 0, %p2;"

// rowMeeting are those by which warps meet. Kernels without them may go through a row warp by warp.
var rowMeeting = []string{rowVoting, "bar.sync 0;", "atom.global.cas.b16 %h2, [%d3+2], %h1, %h0;"}

// What a CTA of rowKernel does.
const (
	rowPlain = iota
	rowReturn
	rowLoop
	rowStep
	rowVote
	rowBarrier
	rowPart
	rowTrap
)

// TestRows runs grids of CTAs, most of which are done with in machine code, while some leave it in the middle of a row, or
// fail: what is written, and which one fails, is as if each were run by itself.
func TestRows(t *testing.T) {
	for name, o := range map[string]native.Options{"default": {}, "short turns": {Turn: 100}} {
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(o)()
			from, to := vmtest.SeedRange(t, long.Seeds[uint64](400, 40))
			vmtest.EachSeed(t, from, to, testRows)
		})
	}
}

var rowBlocks = []vm.Dim{{X: 32}, {X: 64}, {X: 100}, {X: 32, Y: 3}, {X: 16, Y: 5}, {X: 7, Y: 11}, {X: 32, Y: 2, Z: 2}}

func testRows(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 12))
	grid := vm.Grid{Grid: vm.Dim{X: 1 + rng.IntN(70), Y: 1 + rng.IntN(3)}, Block: rowBlocks[rng.IntN(len(rowBlocks))], Workers: 1}
	what := make([]uint32, grid.Grid.X*grid.Grid.Y)
	often := []int{4, 20, 1000}[rng.IntN(3)]
	for n := range what {
		if rng.IntN(often) == 0 {
			what[n] = uint32(rng.IntN(rowTrap))
		}
		if rng.IntN(20*often) == 0 {
			what[n] = rowTrap
		}
	}
	text := vmtest.Header + rowKernel
	switch rng.IntN(3) {
	case 0:
		text = strings.Replace(text, rowVoting, "popc.b32 %r9, %r0;", 1)
	case 1:
		for _, line := range rowMeeting {
			text = strings.Replace(text, line, "", 1)
		}
	}
	want, wantErr := launchRows(t, level.Portable, text, grid, what)
	for _, l := range vmtest.MachineLevels(t) {
		for _, workers := range []int{1, 3} {
			grid.Workers = workers
			got, err := launchRows(t, l, text, grid, what)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("seed %d, %v, %d workers: got %v, want %v", seed, l, workers, err, wantErr)
			} else if err == nil && !bytes.Equal(got, want) {
				t.Errorf("seed %d, %v, %d workers: differs at byte %d", seed, l, workers, vmtest.FirstDifference(got, want))
			}
		}
	}
}

func launchRows(t *testing.T, l level.Level, text string, grid vm.Grid, what []uint32) ([]byte, error) {
	t.Helper()
	m := vmtest.LoadOn(t, l, text)
	words, _ := m.Memory().Alloc("what", 4*len(what))
	for n, w := range what {
		binary.LittleEndian.PutUint32(words.Bytes()[4*n:], w)
	}
	out, _ := m.Memory().Alloc("out", 4*len(what)*grid.Block.X*max(grid.Block.Y, 1)*max(grid.Block.Z, 1))
	err := vmtest.Kernel(t, m, "k").Launch(t.Context(), grid, words, out)
	return out.Bytes(), err
}

// TestFaultIsTheFirstBlocks: of blocks that all fail the first one's fault is told, however many run at the same time.
func TestFaultIsTheFirstBlocks(t *testing.T) {
	grid := vm.Grid{Grid: vm.Dim{X: 40, Y: 2}, Block: vm.Dim{X: 64}, Workers: 4}
	what := make([]uint32, grid.Grid.X*grid.Grid.Y)
	for n := range what[5:] {
		what[5+n] = rowTrap
	}
	for _, l := range level.Levels() {
		for range 50 {
			var fault *vm.Fault
			if _, err := launchRows(t, l, vmtest.Header+rowKernel, grid, what); !errors.As(err, &fault) || fault.Block != (vm.Dim{X: 5}) {
				t.Fatalf("%v: got %v, want the fault of block (5, 0, 0)", l, err)
			}
		}
	}
}

// TestFaultEndsBlocksThatWait: the first block waits for another one, which fails.
func TestFaultEndsBlocksThatWait(t *testing.T) {
	for _, l := range level.Levels() {
		m := vmtest.LoadOn(t, l, vmtest.Header+`
.visible .entry k(.param .u64 flag)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %d<2>;
	ld.param.u64 %d0, [flag];
	mov.u32 %r0, %ctaid.x;
	setp.eq.u32 %p0, %r0, 1;
	@!%p0 bra WAIT;
	trap;
WAIT:
	ld.volatile.global.u32 %r1, [%d0];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra WAIT;
	ret;
}`)
		flag, _ := m.Memory().Alloc("flag", 4)
		var fault *vm.Fault
		err := vmtest.Kernel(t, m, "k").Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 32}, Workers: 2}, flag)
		if !errors.As(err, &fault) || fault.Block != (vm.Dim{X: 1}) {
			t.Errorf("%v: got %v, want the fault of block (1, 0, 0)", l, err)
		}
	}
}
