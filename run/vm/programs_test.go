package vm_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
)

// The tests of files programs_*_test.go run kernels as people write them, which are in testdata/programs: algorithms whose threads wait for each
// other, whose lanes take very different numbers of turns before they exchange something, and that many CTAs work on at once. Each
// is held against a model in plain Go that knows nothing of warps.

// program is a module that runs in one way.
type program struct {
	testing.TB
	module *vm.Module
	how    programWay
}

// programWay is a way to run programs, on one level.
type programWay struct {
	name    string
	workers int
	check   bool
	lanes   int // jumps back after which lanes lose their turn, if not 0
	turn    int // native.Options.Turn
}

// programWays are the ways that a program runs in on each level.
func programWays() []programWay {
	return []programWay{
		{name: "plain", workers: 1},
		{name: "two workers", workers: 2},
		{name: "checked", workers: 1, check: true},
		{name: "checked, two workers", workers: 2, check: true},
		{name: "short turns", workers: 2, lanes: 2, turn: 7},
	}
}

// programModule reads a program of testdata.
func programModule(t testing.TB, name string) *check.Module {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "programs", name+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return checked(t, name+".ptx", string(text))
}

// eachProgram runs a test of a program on every level, in all ways.
func eachProgram(t *testing.T, name string, test func(p *program)) {
	t.Helper()
	eachModule(t, programModule(t, name), test)
}

// eachModule is eachProgram of a module.
func eachModule(t *testing.T, module *check.Module, test func(p *program)) {
	t.Helper()
	for _, l := range level.Levels() {
		for _, how := range programWays() {
			t.Run(fmt.Sprintf("%v, %s", l, how.name), func(t *testing.T) {
				defer vm.WithMachineCode(native.Options{Turn: how.turn})()
				defer vm.WithTurns(how.lanes)()
				m, err := vm.NewMemory().Load(module, l)
				if err != nil {
					t.Fatal(err)
				}
				test(&program{t, m, how})
			})
		}
	}
}

// launch runs a kernel that must succeed, and of which Check must report nothing, in a line of blocks.
func (p *program) launch(name string, blocks, threads int, args ...any) {
	p.Helper()
	p.launchGrid(name, vm.Dim{X: blocks}, vm.Dim{X: threads}, args...)
}

// launchGrid is launch for any grid.
func (p *program) launchGrid(name string, blocks, block vm.Dim, args ...any) {
	p.Helper()
	if err := p.try(name, blocks, block, args...); err != nil {
		p.Fatal(err)
	}
}

// try runs a kernel, 20 seconds at most.
func (p *program) try(name string, blocks, block vm.Dim, args ...any) error {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 20*time.Second)
	defer cancel()
	grid := vm.Grid{Grid: blocks, Block: block, Workers: p.how.workers, Check: p.how.check}
	return kernel(p, p.module, name).Launch(ctx, grid, args...)
}

// words is a buffer with these words.
func (p *program) words(name string, content ...uint32) *vm.Buffer {
	p.Helper()
	data := make([]byte, 4*len(content))
	for i, w := range content {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	return p.bytes(name, data)
}

// bytes is a buffer with these bytes.
func (p *program) bytes(name string, content []byte) *vm.Buffer {
	p.Helper()
	b, err := p.module.Memory().Alloc(name, len(content))
	if err != nil {
		p.Fatal(err)
	}
	copy(b.Bytes(), content)
	p.Cleanup(b.Free)
	return b
}

// filled is a buffer with n words, which are all the same.
func (p *program) filled(name string, n int, word uint32) *vm.Buffer {
	p.Helper()
	return p.words(name, slices.Repeat([]uint32{word}, n)...)
}

// hold demands that a buffer begins with these words.
func (p *program) hold(what string, b *vm.Buffer, want []uint32) {
	p.Helper()
	got := words(b)
	for i, w := range want {
		if got[i] != w {
			p.Fatalf("%s: word %d is %#x, want %#x", what, i, got[i], w)
		}
	}
}

// blocksFor is the number of blocks for n threads, at least one.
func blocksFor(n, threads int) int { return max(1, (n+threads-1)/threads) }
