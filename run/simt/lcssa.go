package simt

// CloseLoops gives every value that a loop defines and that is used behind it a phi where the loop is
// left: loop-closed form. Lanes leave a loop in different turns, and those that go on compute the value
// anew; the phi keeps what each lane had when it left.
func (f *Function) CloseLoops() {
	uses := f.usesBehind()
	var values []ID
	for header := len(f.Blocks) - 1; header >= 0; header-- { // inner loops stand behind outer ones
		if f.Blocks[header].Loop != BlockID(header) {
			continue
		}
		last := f.LoopLast(BlockID(header))
		for b := BlockID(header); b <= last; b++ {
			values = f.AppendDefined(values[:0], b)
			for _, v := range values {
				f.closeValue(v, BlockID(header), last, uses, BlockID(header))
			}
		}
	}
}

// use is a place where a value is read: in a block, or, by a phi, at the end of one that leads to it.
type use struct {
	block BlockID
	at    *ID
}

// useLists are by value where it is used: most values have no list.
type useLists map[ID][]use

func (l useLists) add(v ID, u use) { l[v] = append(l[v], u) }

// usesBehind returns where values are used outside the innermost loop that defines them.
func (f *Function) usesBehind() useLists {
	lists := useLists{}
	f.eachUse(func(u use) {
		v := &f.Values[*u.at]
		if v.Kind == Const || v.Kind == Special {
			return
		}
		if l := f.Blocks[v.Block].Loop; l != NoBlock && !f.InLoop(u.block, l) {
			lists.add(*u.at, u)
		}
	})
	return lists
}

// eachUse calls see for each use of a value, in the order of the code.
func (f *Function) eachUse(see func(u use)) {
	all := func(b BlockID, ids []ID) {
		for i := range ids {
			see(use{b, &ids[i]})
		}
	}
	one := func(b BlockID, id *ID) {
		if *id != 0 {
			see(use{b, id})
		}
	}
	for n := range f.Blocks {
		b, block := BlockID(n), &f.Blocks[n]
		for _, phi := range block.Phis {
			for k := range phi.Args {
				see(use{block.Preds[k], &phi.Args[k]})
			}
		}
		for i := range block.Insts {
			all(b, block.Insts[i].Args)
			one(b, &block.Insts[i].Guard)
		}
		all(b, block.End.Args)
		one(b, &block.End.Cond)
	}
}

// AppendDefined appends the values that a block defines.
func (f *Function) AppendDefined(values []ID, b BlockID) []ID {
	block := &f.Blocks[b]
	for _, phi := range block.Phis {
		values = append(values, phi.Def)
	}
	for i := range block.Insts {
		values = append(values, block.Insts[i].Defs...)
	}
	return append(values, block.End.Defs...)
}

// closeValue closes the loop of blocks from first to last for a value. Loops whose headers stand behind done have been
// closed.
func (f *Function) closeValue(v ID, first, last BlockID, uses useLists, done BlockID) {
	if v == 0 {
		return
	}
	inside := func(b BlockID) bool { return first <= b && b <= last }
	var behind []use
	for _, u := range uses[v] {
		if *u.at == v && !inside(u.block) { // an inner loop may have given the use another value
			behind = append(behind, u)
		}
	}
	if len(behind) == 0 {
		return
	}
	at := map[BlockID]ID{} // what the value is at the beginning of blocks behind the loop
	var made []ID
	var reach func(b BlockID) ID
	reach = func(b BlockID) ID {
		if inside(b) {
			return v
		}
		if id, ok := at[b]; ok {
			return id
		}
		preds := f.Blocks[b].Preds
		if len(preds) == 1 && !inside(preds[0]) {
			at[b] = reach(preds[0])
			return at[b]
		}
		id := f.DefinePhi(f.Values[v].Type, b)
		at[b] = id
		made = append(made, id)
		args := make([]ID, len(preds))
		for k, p := range preds {
			args[k] = reach(p)
		}
		f.Blocks[b].Phis = append(f.Blocks[b].Phis, Phi{Def: id, Args: args})
		for k := range args {
			uses.add(args[k], use{preds[k], &args[k]})
		}
		return id
	}
	for _, u := range behind {
		*u.at = reach(u.block)
		uses.add(*u.at, u)
	}
	// A phi may stand in a loop behind this one, which has been closed already.
	for _, id := range made {
		for l := f.Blocks[f.Values[id].Block].Loop; l > done; l = f.Outer(l) {
			f.closeValue(id, l, f.LoopLast(l), uses, done)
		}
	}
}
