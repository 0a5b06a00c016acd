package vm

import (
	"fmt"
	"strconv"

	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/diag"
)

// checkBlock holds the size of a block against what the kernel says of it: .maxntid, whose
// product it may not exceed, and .reqntid, which it must be (PTX ISA 11.4.2 and 11.4.3).
func (k *Kernel) checkBlock(block Dim) error {
	if k.decl.Tree == nil {
		return nil
	}
	for _, d := range k.decl.Tree.Directives {
		if d.Name.Text != ".maxntid" && d.Name.Text != ".reqntid" {
			continue
		}
		size := [3]int{1, 1, 1}
		for i := range min(len(d.Args), 3) {
			if n, err := strconv.ParseInt(d.Args[i].Text, 0, 32); err == nil {
				size[i] = int(n)
			}
		}
		limit := Dim{size[0], size[1], size[2]}
		switch {
		case d.Name.Text == ".maxntid" && block.count() > limit.count():
			return fmt.Errorf("kernel %s: the block %v has %s; its .maxntid allows at most %d", k.name, block, diag.Count(block.count(), "thread"), limit.count())
		case d.Name.Text == ".reqntid" && block != limit:
			return fmt.Errorf("kernel %s: the block is %v; its .reqntid asks for %v", k.name, block, limit)
		}
	}
	return nil
}

// The limits of memory that no launch may exceed, whatever a text declares: they are looked at
// before anything is allocated.
const (
	maxLocal  = 512 << 10       // of a thread, in bytes: that of the machines (PTX ISA 5.1.5)
	maxMemory = uint64(8 << 30) // of the variables of a module, and of what one CTA needs to run
)

// declaredMemory holds the .global and .const variables of a module against the limit.
func (m *Module) declaredMemory() error {
	var sum uint64
	add := func(variables []*check.Variable) error {
		for _, v := range variables {
			if v.Space != check.Global && v.Space != check.Const || v.Extern {
				continue
			}
			if sum += uint64(v.Size); sum > maxMemory {
				return fmt.Errorf("%s: with %s the variables of the module take %s, and at most %d are there", m.where(v), v.Name, diag.Count(sum, "byte"), maxMemory)
			}
		}
		return nil
	}
	if err := add(m.decl.Variables); err != nil {
		return err
	}
	for _, f := range m.decl.Functions {
		if err := add(f.Variables); err != nil {
			return err
		}
	}
	return nil
}

// layout gives variables places, one after the other.
type layout struct{ end uint64 }

// add returns the place of a variable.
func (l *layout) add(v *check.Variable) int {
	align := uint64(max(v.Align, 1))
	at := (l.end + align - 1) &^ (align - 1)
	l.end = at + uint64(v.Size)
	return int(at)
}

// size returns the size of all, or an error that says what is larger than its limit.
func (l *layout) size(what string, limit uint64) (int, error) {
	if l.end > limit {
		return 0, fmt.Errorf("%s take %s, and at most %d are there", what, diag.Count(l.end, "byte"), limit)
	}
	return int(l.end), nil
}

// machineMemory returns about how many bytes a machine takes for CTAs of so many threads:
// registers, local and shared memory. Calls that are nested take more.
func (k *Kernel) machineMemory(g Grid) uint64 {
	perThread := uint64(0)
	for _, fn := range k.functions {
		perThread += 4*uint64(fn.columns[word]) + 8*uint64(fn.columns[wide]) + uint64(fn.local)
	}
	return perThread*uint64(roundUp(g.Block.count(), 32)) + uint64(k.sharedSize(g))
}

// workers returns how many CTAs run at the same time: as many as are asked for and memory
// allows.
func (k *Kernel) workers(g Grid, want int) (int, error) {
	each := max(k.machineMemory(g), 1)
	if each > maxMemory {
		return 0, fmt.Errorf("kernel %s: the registers and local memory of a block of %s take %s, and at most %d are there", k.name, diag.Count(g.Block.count(), "thread"), diag.Count(each, "byte"), maxMemory)
	}
	return int(min(uint64(want), maxMemory/each)), nil
}
