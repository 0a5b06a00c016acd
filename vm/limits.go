package vm

import (
	"fmt"
	"strconv"
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
			return fmt.Errorf("kernel %s: the block %v has %d threads; its .maxntid allows at most %d", k.name, block, block.count(), limit.count())
		case d.Name.Text == ".reqntid" && block != limit:
			return fmt.Errorf("kernel %s: the block is %v; its .reqntid asks for %v", k.name, block, limit)
		}
	}
	return nil
}
