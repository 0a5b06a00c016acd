package vmtest

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
)

// Program is a module that runs in one way.
type Program struct {
	testing.TB
	Module *vm.Module
	How    ProgramWay
}

// ProgramWay is a way to run programs, on one level.
type ProgramWay struct {
	Name    string
	Workers int
	Check   bool
	Lanes   int // jumps back after which lanes lose their turn, if not 0
	Turn    int // native.Options.Turn
}

// ProgramWays are the ways that a program runs in on each level.
func ProgramWays() []ProgramWay {
	all := []ProgramWay{
		{Name: "plain", Workers: 1},
		{Name: "checked, two workers", Workers: 2, Check: true},
		{Name: "short turns", Workers: 2, Lanes: 2, Turn: 7},
	}
	return long.Of(append(all, ProgramWay{Name: "two workers", Workers: 2}, ProgramWay{Name: "checked", Workers: 1, Check: true}), all)
}

// EachModule runs a test of a module on every level, in all ways. Launches that are checked run the
// same code on all levels, as TestModelKernels and TestApart of package random show, so that one is
// enough for them.
func EachModule(t *testing.T, module *check.Module, test func(p *Program)) {
	t.Helper()
	for _, l := range level.Levels() {
		for _, how := range ProgramWays() {
			if how.Check && l != level.Portable {
				continue
			}
			t.Run(fmt.Sprintf("%v, %s", l, how.Name), func(t *testing.T) {
				defer WithMachineCode(native.Options{Turn: how.Turn})()
				defer WithTurns(how.Lanes)()
				m, err := vm.NewMemory().Load(module, l)
				if err != nil {
					t.Fatal(err)
				}
				test(&Program{t, m, how})
			})
		}
	}
}

// Launch runs a kernel that must succeed, and of which Check must report nothing, in a line of
// blocks.
func (p *Program) Launch(name string, blocks, threads int, args ...any) {
	p.Helper()
	p.LaunchGrid(name, vm.Dim{X: blocks}, vm.Dim{X: threads}, args...)
}

// LaunchGrid is Launch for any grid.
func (p *Program) LaunchGrid(name string, blocks, block vm.Dim, args ...any) {
	p.Helper()
	if err := p.Try(name, blocks, block, args...); err != nil {
		p.Fatal(err)
	}
}

// Try runs a kernel, 20 seconds at most.
func (p *Program) Try(name string, blocks, block vm.Dim, args ...any) error {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 20*time.Second)
	defer cancel()
	grid := vm.Grid{Grid: blocks, Block: block, Workers: p.How.Workers, Check: p.How.Check}
	return Kernel(p, p.Module, name).Launch(ctx, grid, args...)
}

// Words is a buffer with these words.
func (p *Program) Words(name string, content ...uint32) *vm.Buffer {
	p.Helper()
	data := make([]byte, 4*len(content))
	for i, w := range content {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	return p.Bytes(name, data)
}

// Bytes is a buffer with these bytes.
func (p *Program) Bytes(name string, content []byte) *vm.Buffer {
	p.Helper()
	b, err := p.Module.Memory().Alloc(name, len(content))
	if err != nil {
		p.Fatal(err)
	}
	copy(b.Bytes(), content)
	p.Cleanup(b.Free)
	return b
}

// Filled is a buffer with n words, which are all the same.
func (p *Program) Filled(name string, n int, word uint32) *vm.Buffer {
	p.Helper()
	return p.Words(name, slices.Repeat([]uint32{word}, n)...)
}

// Hold demands that a buffer begins with these words.
func (p *Program) Hold(what string, b *vm.Buffer, want []uint32) {
	p.Helper()
	got := Words(b)
	for i, w := range want {
		if got[i] != w {
			p.Fatalf("%s: word %d is %#x, want %#x", what, i, got[i], w)
		}
	}
}
