package simt

// Scalars finds the values that a compiler may keep once for all lanes: the uniform ones that are computed from such values and
// constants alone. gives reports whether there is code for an instruction on scalars; scalars tells it whether all of some
// values are scalars or constants, as far as that is known. Predicates that are special values are none, nor what the end
// of a block defines.
func (f *Function) Scalars(uniform []bool, gives func(i *Inst, scalars func(ids []ID) bool) bool) (scalar []bool) {
	scalar = make([]bool, len(f.Values))
	for id := 1; id < len(f.Values); id++ {
		v := &f.Values[id]
		scalar[id] = uniform[id] && v.Kind != Const && (v.Kind != Special || v.Type != Pred)
	}
	all := func(ids []ID) bool { return f.AllScalar(scalar, ids) }
	for again := true; again; {
		again = false
		lose := func(ids ...ID) {
			for _, id := range ids {
				again = again || scalar[id]
				scalar[id] = false
			}
		}
		for b := range f.Blocks {
			block := &f.Blocks[b]
			for i := range block.Phis {
				if phi := &block.Phis[i]; !all(phi.Args) {
					lose(phi.Def)
				}
			}
			for i := range block.Insts {
				if inst := &block.Insts[i]; !gives(inst, all) {
					lose(inst.Defs...)
				}
			}
			lose(block.End.Defs...)
		}
	}
	return scalar
}

// AllScalar reports whether values are scalars or constants.
func (f *Function) AllScalar(scalar []bool, ids []ID) bool {
	for _, id := range ids {
		if id != 0 && !scalar[id] && f.Values[id].Kind != Const {
			return false
		}
	}
	return true
}

// CountUses adds to uses, by value, how often it is read: by instructions, ends of blocks and phis.
func (f *Function) CountUses(uses []int32) {
	count := func(ids []ID) {
		for _, id := range ids {
			uses[id]++
		}
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		for i := range block.Phis {
			count(block.Phis[i].Args)
		}
		for i := range block.Insts {
			count(block.Insts[i].Args)
			uses[block.Insts[i].Guard]++
		}
		count(block.End.Args)
		uses[block.End.Cond]++
	}
}
