package vm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// counted launches a kernel with the text given, on a buffer of 1 MiB, and returns the counts.
func counted(t *testing.T, text string, grid vm.Grid) *vm.Stats {
	t.Helper()
	m := vmtest.Load(t, checkHeader+text+"\n}")
	buffer, _ := m.Memory().Alloc("buffer", 1<<20)
	grid.Stats = &vm.Stats{}
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), grid, buffer)
	return grid.Stats
}

// Every instruction is counted once, those that do nothing here included, for the threads whose guard holds.
func TestStatsInstructions(t *testing.T) {
	got := counted(t, `
	setp.lt.u32 %p0, %r0, 40;
	@%p0 add.u32 %r1, %r0, 1;
	@!%p0 membar.gl;
	setp.lt.u32 %p1, %r0, 8;
	@%p1 bra ODD;
	cvt.u64.u32 %d1, %laneid;
	bar.warp.sync 0xffffff00;
	bra.uni END;
ODD:
	mov.b64 {%r2, %r3}, %d0;
END:
	bar.sync 0;
	@%p1 exit;
	ret;`, vm.Grid{Grid: vm.Dim{X: 3}, Block: vm.Dim{X: 70}})
	want := map[string][2]uint64{ // for each block: warps, threads
		"ld.param.u64": {3, 70}, "mov.u32": {3, 70}, "setp.lt.u32": {6, 140},
		"add.u32": {2, 40}, "membar.gl": {2, 30},
		"bra": {3, 70}, "cvt.u64.u32": {3, 62}, "bar.warp.sync": {3, 62}, "bra.uni": {3, 62}, "mov.b64": {1, 8},
		"bar.sync": {3, 70}, "exit": {1, 8}, "ret": {3, 62},
	}
	var warps, threads uint64
	for _, i := range got.Instructions {
		w, ok := want[i.Opcode]
		if !ok || i.Warps != 3*w[0] || i.Threads != 3*w[1] {
			t.Errorf("%s: got %d warps, %d threads; want %d and %d", i.Opcode, i.Warps, i.Threads, 3*w[0], 3*w[1])
		}
		delete(want, i.Opcode)
		warps += i.Warps
		threads += i.Threads
	}
	for opcode := range want {
		t.Errorf("%s is not counted", opcode)
	}
	if got.Warps != warps || got.Threads != threads {
		t.Errorf("sums: %d warps, %d threads; want %d, %d", got.Warps, got.Threads, warps, threads)
	}
	if got.Branches != 3*(3+3) || got.Divergent != 3 {
		t.Errorf("%d branches, %d divergent; want 18 and 3", got.Branches, got.Divergent)
	}
}

func TestStatsMemory(t *testing.T) {
	warp := vm.Grid{Block: vm.Dim{X: 32}}
	for _, test := range []struct {
		name, text string
		grid       vm.Grid
		want       vm.Traffic // of its space
	}{
		{"words side by side", "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0; ld.global.u32 %r1, [%d1]; ret;", warp,
			vm.Traffic{Space: "global", Loads: vm.Requests{Requests: 1, Bytes: 128}, Sectors: 4}},
		{"words side by side, not at a sector's begin", "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0; st.global.u32 [%d1+4], %r1; ret;", warp,
			vm.Traffic{Space: "global", Stores: vm.Requests{Requests: 1, Bytes: 128}, Sectors: 5}},
		{"bytes of three warps", "cvt.u64.u32 %d1, %r0; add.u64 %d1, %d1, %d0; ld.global.u8 %r1, [%d1]; ret;", vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 65}},
			vm.Traffic{Space: "global", Loads: vm.Requests{Requests: 6, Bytes: 130}, Sectors: 6}},
		{"far apart", "mul.wide.u32 %d1, %r0, 64; add.u64 %d1, %d1, %d0; atom.global.add.u32 %r1, [%d1], 1; ret;", warp,
			vm.Traffic{Space: "global", Atomics: vm.Requests{Requests: 1, Bytes: 128}, Sectors: 32}},
		{"one address", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0]; ret;", warp,
			vm.Traffic{Space: "global", Loads: vm.Requests{Requests: 1, Bytes: 512}, Sectors: 1}},
		{"banks in order", "shl.b32 %r1, %r0, 2; st.shared.u32 [%r1], %r0; ret;", warp,
			vm.Traffic{Space: "shared", Stores: vm.Requests{Requests: 1, Bytes: 128}, Passes: 1}},
		{"every second bank", "shl.b32 %r1, %r0, 3; st.shared.u32 [%r1], %r0; ret;", warp,
			vm.Traffic{Space: "shared", Stores: vm.Requests{Requests: 1, Bytes: 128}, Passes: 2, Conflict: 1}},
		{"one bank", "shl.b32 %r1, %r0, 7; st.shared.u32 [%r1], %r0; ret;", vm.Grid{Block: vm.Dim{X: 32}, Shared: 4096},
			vm.Traffic{Space: "shared", Stores: vm.Requests{Requests: 1, Bytes: 128}, Passes: 32, Conflict: 31}},
		{"one word", "ld.shared.u32 %r1, [64]; ret;", warp,
			vm.Traffic{Space: "shared", Loads: vm.Requests{Requests: 1, Bytes: 128}, Passes: 1}},
		{"64 bits in order", "shl.b32 %r1, %r0, 3; st.shared.u64 [%r1], %d0; ret;", warp,
			vm.Traffic{Space: "shared", Stores: vm.Requests{Requests: 1, Bytes: 256}, Passes: 2}},
		{"128 bits in order, generic address", "shl.b32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; ld.v4.u32 {%r1, %r2, %r3, %r4}, [%d1]; ret;", warp,
			vm.Traffic{Space: "shared", Loads: vm.Requests{Requests: 1, Bytes: 512}, Passes: 4}},
		{"local", "mov.u64 %d1, l; st.local.u32 [%d1+4], %r0; ld.local.u16 %r1, [%d1+6]; ret;", warp,
			vm.Traffic{Space: "local", Loads: vm.Requests{Requests: 1, Bytes: 64}, Stores: vm.Requests{Requests: 1, Bytes: 128}}},
		{"none at all", "setp.gt.u32 %p0, %r0, 99; @%p0 st.global.u32 [%d0], %r0; ret;", warp, vm.Traffic{Space: "global"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, counted(t, test.text, test.grid).Of(test.want.Space)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Counts do not depend on the number of workers, and add up over launches.
func TestStatsAddUp(t *testing.T) {
	text := `
	shl.b32 %r1, %r0, 3;
	st.shared.u32 [%r1], %r0;
	mov.u32 %r1, %ctaid.x;
	setp.lt.u32 %p0, %r0, %r1;
	@%p0 bra END;
	mul.wide.u32 %d1, %r1, 4;
	add.u64 %d1, %d1, %d0;
	st.global.u32 [%d1], %r0;
END:
	ret;`
	ignore := cmpopts.IgnoreUnexported(vm.Stats{})
	grid := vm.Grid{Grid: vm.Dim{X: 50}, Block: vm.Dim{X: 48}, Workers: 1}
	one := counted(t, text, grid)
	grid.Workers = 4
	if diff := cmp.Diff(one, counted(t, text, grid), ignore); diff != "" {
		t.Error("with four workers:", diff)
	}
	m := vmtest.Load(t, checkHeader+text+"\n}")
	buffer, _ := m.Memory().Alloc("buffer", 400)
	grid.Grid.X = 25
	grid.Stats = &vm.Stats{}
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), grid, buffer)
	half := grid.Stats.Warps
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), grid, buffer)
	if grid.Stats.Warps != 2*half || half == 0 {
		t.Errorf("two launches: %d warp instructions, after one %d", grid.Stats.Warps, half)
	}
}

func TestStatsText(t *testing.T) {
	s := counted(t, "st.global.u32 [%d0], %r0; ld.shared.u32 %r1, [0]; ret;", vm.Grid{Block: vm.Dim{X: 48}})
	for _, want := range []string{"10 warp instructions, 240 thread instructions: 24.0 of 32 lanes active", "0 branches", "st.global.u32", "shared", "1.00"} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("%q is not in\n%s", want, s)
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Warps        int
		Instructions []struct {
			Opcode         string
			Warps, Threads int
		}
	}
	if err := json.Unmarshal(text, &back); err != nil || back.Warps != 10 || len(back.Instructions) != 5 || back.Instructions[0].Threads != 48 {
		t.Errorf("%v: %s", err, text)
	}
}

// A call whose result is taken, and a bar.red, are counted once: what takes their results was counted as another.
func TestStatsCountResultsOnce(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.func (.param .b32 result) twice(.param .b32 x) {
	.reg .b32 %r; ld.param.b32 %r, [x]; add.u32 %r, %r, %r; st.param.b32 [result], %r; ret;
}
.visible .entry test(.param .u64 buffer) {
	.reg .b32 %r<3>; .reg .pred %p; .param .b32 x; .param .b32 y;
	mov.u32 %r0, %tid.x;
	st.param.b32 [x], %r0;
	call (y), twice, (x);
	call (%r1), twice, (%r0);
	setp.lt.u32 %p, %r0, 7;
	bar.red.popc.u32 %r2, 0, %p;
	ret;
}`)
	buffer, _ := m.Memory().Alloc("buffer", 4)
	stats := &vm.Stats{}
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 40}, Stats: stats}, buffer)
	for _, i := range stats.Instructions {
		want, ok := map[string]uint64{"call": 2, "bar.red.popc.u32": 1}[i.Opcode]
		if ok && (i.Warps != 2*want || i.Threads != 40*want) {
			t.Errorf("%s: %d warps and %d threads, want %d and %d", i.Opcode, i.Warps, i.Threads, 2*want, 40*want)
		}
	}
}

// The guard of an instruction that does nothing here may have no other use, or none in the same block. Watched launches of
// such kernels panicked.
func TestWatchedGuardsOfNothing(t *testing.T) {
	for _, code := range []string{
		"@%p0 membar.gl; ret;",
		"setp.lt.u32 %p0, %r0, 7; bra NEXT; NEXT: @!%p0 membar.gl; ret;",
		"setp.lt.u32 %p0, %r0, 7; @%p0 mov.b64 {_, _}, %d0; ret;",
	} {
		for _, checks := range []bool{false, true} {
			m := vmtest.Load(t, checkHeader+code+"\n}")
			buffer, _ := m.Memory().Alloc("buffer", 4)
			stats := &vm.Stats{}
			err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 40}, Check: checks, Stats: stats}, buffer)
			if unset := strings.HasPrefix(code, "@"); (err != nil) != (unset && checks) {
				t.Errorf("%s: %v", code, err)
			}
			for _, i := range stats.Instructions {
				want, ok := map[string]uint64{"membar.gl": 33, "mov.b64": 7}[i.Opcode]
				if strings.HasPrefix(code, "@") {
					want = 0
				}
				if ok && i.Threads != want {
					t.Errorf("%s: %s is counted in %d threads", code, i.Opcode, i.Threads)
				}
			}
		}
	}
}
