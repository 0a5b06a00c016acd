package simt

import "slices"

// RemoveDead removes computations and phis whose values nothing uses. What has effects stays, and so
// do loads, which may fail.
func (f *Function) RemoveDead() {
	used := make([]bool, len(f.Values))
	var pending []ID
	use := func(v ID) {
		if v != 0 && !used[v] {
			used[v] = true
			pending = append(pending, v)
		}
	}
	args := make([]*[]ID, len(f.Values)) // by value: what the computation or phi reads that defines it
	for b := range f.Blocks {
		block := &f.Blocks[b]
		for i := range block.Phis {
			args[block.Phis[i].Def] = &block.Phis[i].Args
		}
		for i := range block.Insts {
			if in := &block.Insts[i]; in.Kind == Compute {
				args[in.Defs[0]] = &in.Args
			} else {
				for _, a := range in.Args {
					use(a)
				}
				use(in.Guard)
			}
		}
		for _, a := range block.End.Args {
			use(a)
		}
		use(block.End.Cond)
	}
	for len(pending) > 0 {
		v := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if args[v] != nil {
			for _, a := range *args[v] {
				use(a)
			}
		}
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		block.Phis = slices.DeleteFunc(block.Phis, func(p Phi) bool { return !used[p.Def] })
		kept := 0
		for i := range block.Insts {
			in := &block.Insts[i]
			if in.Kind == Compute && !used[in.Defs[0]] {
				continue
			}
			for k, d := range in.Defs {
				if in.Kind == Load && !used[d] {
					in.Defs[k] = 0
				}
			}
			if kept < i {
				block.Insts[kept] = *in
			}
			kept++
		}
		clear(block.Insts[kept:])
		block.Insts = block.Insts[:kept]
	}
}
