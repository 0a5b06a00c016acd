package model

import (
	"slices"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// Reduce returns the smallest kernel it finds for which fails still holds: without statements, arms, guards, operands and
// threads that the failure does not need. The kernel itself is changed.
func (k *Kernel) Reduce(fails func(*Kernel) bool) *Kernel {
	for changed := true; changed; {
		changed = k.reduceLists(fails)
		changed = k.reduceNodes(fails) || changed
		changed = k.reduceLaunch(fails) || changed
	}
	k.compact(fails)
	return k
}

// try makes a change, and takes it back if the kernel does not fail then.
func (k *Kernel) try(fails func(*Kernel) bool, change, back func()) bool {
	change()
	if fails(k) {
		return true
	}
	back()
	return false
}

// reduceLists takes statements away, many at first, then single ones, from the end to the begin.
func (k *Kernel) reduceLists(fails func(*Kernel) bool) (changed bool) {
	for size := 64; size >= 1; size /= 2 {
		for _, list := range k.lists() {
			for end := len(*list); end > 0; end -= size {
				begin := max(0, end-size)
				if end > len(*list) {
					continue
				}
				old := *list
				var kept []Node
				used := k.used()
				if k.Threads()*k.Blocks() == 1 {
					used = nil // nobody to race with
				}
				for i, n := range old {
					if i < begin || i >= end || needed(n, used) {
						kept = append(kept, n)
					}
				}
				if len(kept) < len(old) && k.try(fails, func() { *list = kept }, func() { *list = old }) {
					changed = true
				}
			}
		}
	}
	return changed
}

// needed reports whether a statement keeps threads apart: it computes an address that something uses.
func needed(n Node, used map[Reg]bool) bool {
	in, ok := n.(*Inst)
	if !ok || !in.Fixed {
		return false
	}
	for _, d := range in.Dst {
		if used[d] {
			return true
		}
	}
	return false
}

// used returns the registers whose values matter: that something reads but what computes an address nobody uses.
func (k *Kernel) used() map[Reg]bool {
	used := map[Reg]bool{}
	var fixed []*Inst
	read := func(n Node) {
		eachOperand(n, func(r *Reg, writes bool) {
			if !writes {
				used[*r] = true
			}
		})
	}
	k.each(func(n Node) {
		if in, ok := n.(*Inst); ok && in.Fixed && len(in.Dst) > 0 {
			fixed = append(fixed, in)
			return
		}
		read(n)
	})
	for _, f := range k.Funcs {
		used[f.Result] = true
	}
	for changed := true; changed; {
		changed = false
		for i, in := range fixed {
			if in != nil && needed(in, used) {
				read(in)
				fixed[i], changed = nil, true
			}
		}
	}
	return used
}

// each calls f for all statements, those of groups included.
func (k *Kernel) each(f func(n Node)) {
	var visit func(nodes []Node)
	visit = func(nodes []Node) {
		for _, n := range nodes {
			if g, ok := n.(*Group); ok {
				visit(g.Body)
				continue
			}
			f(n)
		}
	}
	for _, list := range k.lists() {
		visit(*list)
	}
}

// eachOperand calls f for all registers of a statement, but for those in the lists that it has.
func eachOperand(n Node, f func(r *Reg, writes bool)) {
	operand := func(o *Operand) {
		if o.Kind == RegOperand {
			f(&o.Reg, false)
		}
	}
	guard := func(g *Guard) {
		if g.On {
			f(&g.Reg, false)
		}
	}
	switch n := n.(type) {
	case *Inst:
		guard(&n.Guard)
		for i := range n.Src {
			operand(&n.Src[i])
		}
		if n.Mem != nil {
			operand(&n.Mem.Base)
		}
		for i := range n.Dst {
			f(&n.Dst[i], true)
		}
	case *If:
		guard(&n.Cond)
	case *Loop:
		operand(&n.Count)
		f(&n.Counter, true)
		f(&n.Test, true)
	case *Leave:
		guard(&n.Cond)
	case *Return:
		guard(&n.Guard)
	case *Switch:
		operand(&n.Of)
		f(&n.Index, true)
	case *Maze:
		f(&n.Counter, true)
		f(&n.Test, true)
		for i := range n.Next {
			guard(&n.Next[i].Cond)
		}
	case *Idle:
		guard(&n.Guard)
	case *Call:
		guard(&n.Guard)
		for i := range n.Args {
			operand(&n.Args[i])
		}
		f(&n.Result, true)
	}
}

// reduceNodes makes single statements simpler.
func (k *Kernel) reduceNodes(fails func(*Kernel) bool) (changed bool) {
	for _, list := range k.lists() {
		for i := 0; i < len(*list); i++ {
			n := (*list)[i]
			// The statements within take the place of the one around them.
			if inner := children(n); len(inner) > 0 {
				if k.inline(fails, list, i, inner) {
					changed = true
					continue
				}
			}
			switch n := n.(type) {
			case *Inst:
				changed = k.reduceInst(fails, n) || changed
			case *Loop:
				old := n.Count
				if old.Kind == RegOperand {
					changed = k.try(fails, func() { n.Count = imm(2 & n.Mask) }, func() { n.Count = old }) || changed
				} else if old.Imm > 1 {
					changed = k.try(fails, func() { n.Count = imm(old.Imm - 1) }, func() { n.Count = old }) || changed
				}
			case *Maze:
				if n.Rounds > 0 {
					changed = k.try(fails, func() { n.Rounds-- }, func() { n.Rounds++ }) || changed
				}
			}
		}
	}
	return changed
}

// inline puts the statements of one list of a statement, or of all, into the place of the statement.
func (k *Kernel) inline(fails func(*Kernel) bool, list *[]Node, at int, inner []*[]Node) bool {
	old := *list
	put := func(nodes []Node) bool {
		for _, n := range nodes {
			if _, leaves := n.(*Leave); leaves {
				return false
			}
		}
		var with []Node
		with = append(with, old[:at]...)
		with = append(with, nodes...)
		with = append(with, old[at+1:]...)
		return k.try(fails, func() { *list = with }, func() { *list = old })
	}
	var all []Node
	for _, l := range inner {
		if put(*l) {
			return true
		}
		all = append(all, *l...)
	}
	return put(all)
}

// reduceInst takes the guard away, and makes operands numbers.
func (k *Kernel) reduceInst(fails func(*Kernel) bool, in *Inst) (changed bool) {
	if in.Guard.On && !in.Fixed {
		old := in.Guard
		changed = k.try(fails, func() { in.Guard = Guard{} }, func() { in.Guard = old })
	}
	if in.Fixed || in.Op.Warp != nil || in.Op.Vote != nil {
		return changed
	}
	for i, o := range in.Src {
		if o.Kind == ImmOperand && o.Imm == 0 || in.Mem == nil && (in.Op.Only[i] || in.Op.Nonzero || in.Op.Number) {
			continue
		}
		if in.Mem != nil && o.Kind != RegOperand {
			continue
		}
		if in.Mem == nil {
			changed = k.try(fails, func() { in.Src[i] = imm(0) }, func() { in.Src[i] = o }) || changed
		}
	}
	return changed
}

// reduceLaunch takes threads and blocks away, but none of a warp that must be whole. What depends on the number of threads
// in the text stays.
func (k *Kernel) reduceLaunch(fails func(*Kernel) bool) (changed bool) {
	whole := false
	k.each(func(n Node) {
		in, ok := n.(*Inst)
		whole = whole || ok && in.Op.Whole
	})
	for axis := 2; axis >= 0; axis-- {
		for _, size := range []*int{&k.Grid[axis], &k.Block[axis]} {
			for _, smaller := range []int{1, 2, *size / 2, *size - 1} {
				old := *size
				if smaller >= old || smaller <= 0 {
					continue
				}
				allowed := func(k *Kernel) bool { return (!whole || k.Threads()%32 == 0) && fails(k) }
				changed = k.try(allowed, func() { *size = smaller }, func() { *size = old }) || changed
			}
		}
	}
	return changed
}

// Alter makes the model compute another value, by one more, in the first instruction that computes data in words. It reports
// whether there is one. Tests look by it whether they would notice.
func (k *Kernel) Alter() (ok bool) {
	k.each(func(n Node) {
		in, isInst := n.(*Inst)
		if ok || !isInst || in.Fixed || in.Mem != nil || in.Op.Eval == nil || len(in.Dst) != 1 || in.Dst[0].Class != ops.B32 {
			return
		}
		original := in.Op
		altered := *original
		altered.Eval = func(d, s []uint64) {
			original.Eval(d, s)
			d[0] = (d[0] + 1) & ops.B32.Mask()
		}
		in.Op, ok = &altered, true
	})
	return ok
}

// compact takes away what nothing names: functions, parameters and tables.
func (k *Kernel) compact(fails func(*Kernel) bool) {
	called := map[*Func]bool{}
	named := map[string]bool{}
	k.each(func(n Node) {
		switch n := n.(type) {
		case *Call:
			called[n.Func] = true
		case *Inst:
			for _, o := range n.Src {
				named[o.Name] = true
			}
			if n.Mem != nil {
				named[n.Mem.Base.Name] = true
			}
		}
	})
	old := *k
	k.Funcs = slices.DeleteFunc(slices.Clone(k.Funcs), func(f *Func) bool { return !called[f] })
	k.Tables = slices.DeleteFunc(slices.Clone(k.Tables), func(t Table) bool { return !named[t.Name] })
	k.Args = slices.DeleteFunc(slices.Clone(k.Args), func(a Argument) bool { return !named[a.Name] })
	k.Textures = slices.DeleteFunc(slices.Clone(k.Textures), func(t *Texture) bool { return !named[t.Name] && !named[t.Variable()] })
	if !named["sh"] {
		k.Shared = 0
	}
	if !named["loc"] {
		k.Local = 0
	}
	if !fails(k) {
		*k = old
	}
}
