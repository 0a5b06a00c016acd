package builder

import (
	"strconv"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/syntax"
)

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

// AddTargets counts the targets of an indirect branch or call. The function may have only so many.
func (b *Builder) AddTargets(n int) bool {
	if b.targets += n; b.targets > maxTargets {
		b.Fail("the function has more than %d targets of indirect calls and branches", maxTargets)
		return false
	}
	return true
}

// LabelsOf returns the instructions that the labels of a .branchtargets list stand before.
func (b *Builder) LabelsOf(o *check.Operand) (targets []int, ok bool) {
	if b.labels == nil {
		b.labels = findLabels(b.Decl)
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
