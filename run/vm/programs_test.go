package vm_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
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
	all := []programWay{
		{name: "plain", workers: 1},
		{name: "checked, two workers", workers: 2, check: true},
		{name: "short turns", workers: 2, lanes: 2, turn: 7},
	}
	return long.Of(append(all, programWay{name: "two workers", workers: 2}, programWay{name: "checked", workers: 1, check: true}), all)
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

// TestProgramsAreBuilt holds that the PTX of programs is what testdata/programs/build makes of their sources.
func TestProgramsAreBuilt(t *testing.T) {
	if _, err := exec.LookPath("clang-16"); err != nil {
		t.Skip("clang-16 is not installed")
	}
	folder, built := filepath.Join("testdata", "programs"), t.TempDir()
	command := exec.Command("./build", "-o", built)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.ptx"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	for _, file := range files {
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(built, filepath.Base(file)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what ./build makes (%v): run it again", file, err)
		}
	}
}

// eachProgram runs a test of a program on every level, in all ways. Launches that are checked run the same code on all levels,
// as [TestModelKernels] and [TestApart] show, so that one is enough for them.
func eachProgram(t *testing.T, name string, test func(p *program)) {
	t.Helper()
	eachModule(t, programModule(t, name), test)
}

// eachModule is eachProgram of a module.
func eachModule(t *testing.T, module *check.Module, test func(p *program)) {
	t.Helper()
	for _, l := range level.Levels() {
		for _, how := range programWays() {
			if how.check && l != level.Portable {
				continue
			}
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
