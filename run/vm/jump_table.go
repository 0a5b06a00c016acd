package vm

import (
	"fmt"
	"strconv"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/engine"
)

// indexedBranch builds brx.idx (PTX ISA 9.7.12.4): the threads go to the labels of a list by a number.
func indexedBranch(b *builder) {
	index := b.source(b.operand(0), narrow, check.U32)
	targets, ok := b.labelsOf(b.operand(1))
	if !ok || len(targets) == 0 {
		b.fail("its list of labels")
		return
	}
	if b.targets += len(targets); b.targets > maxTargets {
		b.fail("the function has more than %d targets of indirect calls and branches", maxTargets)
		return
	}
	at := b.at
	b.transfer(transfer{targets: targets, uses: []register{index}, bind: func(f *frame, blk *block) control {
		c := &jumpTable{index: columnOf[uint32](f, index), targets: blk.targets, meet: blk.meet, at: at}
		c.rest, c.set = make(engine.Mask, len(c.index.values)/64+1), make(engine.Mask, len(c.index.values)/64+1)
		return c
	}})
}

// jumpTable is the control that goes to one of many blocks.
type jumpTable struct {
	index     *column[uint32]
	targets   []int // blocks
	meet      int
	at        int
	rest, set engine.Mask
}

func (c *jumpTable) run(m *machine, p *path) bool {
	c.rest, c.set = c.rest[:m.maskWords], c.set[:m.maskWords]
	index := c.index.all()
	for t := m.next(m.low); t < m.high; t = m.next(t + 1) {
		if int(index[t]) >= len(c.targets) {
			m.fault = &Fault{Kind: Trap, thread: t, Detail: fmt.Sprintf("the index is %d, and the list has %d labels", index[t], len(c.targets))}
			m.fault.locate(m, p.frame, c.at)
			return false
		}
	}
	for {
		to := c.targets[index[first(p.mask)]]
		clear(c.set)
		for t := range m.threads {
			if contains(p.mask, t) && c.targets[index[t]] == to {
				c.set[t/64] |= 1 << (t % 64)
			}
		}
		if covers(c.set, p.mask) {
			p.block = to
			return true
		}
		copy(c.rest, p.mask)
		exclude(c.rest, c.set)
		m.split(p, c.set, to, p.block, c.meet)
	}
}

// labels are the labels of a function and the lists that .branchtargets give.
type labels struct {
	at    map[string]int // instruction that the label stands before: index in check.Function.Body
	lists map[string]*syntax.Directive
}

// findLabels looks for the labels of a function. Names in nested scopes are looked up from the whole
// function: the last of a name counts.
func findLabels(decl *check.Function) *labels {
	found := &labels{map[string]int{}, map[string]*syntax.Directive{}}
	instructions, label := 0, ""
	var walk func(block *syntax.Block)
	walk = func(block *syntax.Block) {
		for _, s := range block.Stmts {
			switch s := s.(type) {
			case *syntax.Label:
				label = s.Name.Text
				found.at[label] = instructions
				continue
			case *syntax.Instruction:
				instructions++
			case *syntax.Directive:
				found.lists[label] = s
			case *syntax.Block:
				walk(s)
			}
			label = ""
		}
	}
	walk(decl.Tree.Body)
	return found
}

// maxTargets bounds what the indirect branches and calls of a function can go to, all together: of a list that n
// branches use, every label counts n times.
const maxTargets = 1 << 20

// labelsOf returns the instructions that the labels of a .branchtargets list stand before.
func (b *builder) labelsOf(o *check.Operand) (targets []int, ok bool) {
	if b.labels == nil {
		b.labels = findLabels(b.decl)
	}
	labels, lists := b.labels.at, b.labels.lists
	list := lists[o.Name]
	if list == nil {
		return nil, false
	}
	for i := range list.Args {
		names := []string{list.Args[i].Text}
		if list.Args[i].Kind == syntax.Range {
			count, err := strconv.Atoi(list.Args[i].Elems[0].Text)
			if err != nil || count > len(labels) {
				return nil, false
			}
			names = nil
			for n := range count {
				names = append(names, list.Args[i].Text+strconv.Itoa(n))
			}
		}
		for _, name := range names {
			at, ok := labels[name]
			if !ok {
				return nil, false
			}
			targets = append(targets, at)
		}
	}
	return targets, true
}
