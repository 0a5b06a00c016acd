package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/arm64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// ending is what a run does besides to compute: it is the last of its block.
type ending struct {
	cond   simt.ID // a predicate whose lanes are wanted in X0
	moves  []simt.Move
	masked bool // the moves leave what lanes have that are not at work
}

// run writes the operations of a block from one instruction to another: those on scalars first, then the others for one
// group after the other. What the scalars' homes have had may be read until then.
func (k *compiler) run(b simt.BlockID, first, last int, e *ending) error {
	if err := k.compute(b, first, last, e); err != nil {
		return err
	}
	insts := k.Blocks[b].Insts[first:last]
	for n := range insts {
		if i := &insts[n]; i.Kind == simt.Compute && k.scalar[i.Defs[0]] && k.stepped[i.Defs[0]] {
			k.bringHome(i.Defs[0], k.general(i.Defs[0]))
		}
	}
	return nil
}

// compute is run without that.
func (k *compiler) compute(b simt.BlockID, first, last int, e *ending) error {
	insts := k.Blocks[b].Insts[first:last]
	for n := range insts {
		if i := &insts[n]; i.Kind == simt.Compute && k.scalar[i.Defs[0]] && k.uses[i.Defs[0]] > 0 {
			k.computeScalar(i)
		}
	}
	if e == nil {
		e = &ending{}
	}
	also := map[simt.ID]bool{e.cond: true}
	for _, m := range e.moves {
		also[m.From] = true
	}
	wanted := func(i *simt.Inst) bool { return k.outside[i.Defs[0]] || also[i.Defs[0]] }
	nodes, err := k.FuseRun(insts, k.inVectors, wanted, k.uses)
	if err != nil {
		return err
	}
	if len(nodes) == 0 && e.cond == 0 && len(e.moves) == 0 {
		return nil
	}
	k.Nodes = nodes
	busy := k.busy(nodes, e)
	var cond word
	return k.strips(func(s *strip) { s.compute(nodes, e, busy, &cond) }, func() {
		if e.cond != 0 {
			cond.extract(k, encode.X(0))
		}
	})
}

// location tells the homes of values, and the places of predicates, apart.
type location struct {
	home   bool
	offset int32
}

func (k *compiler) location(id simt.ID) location {
	if k.Values[id].Type == simt.Pred {
		return location{false, k.place[id]}
	}
	return location{true, k.homes.Offset[id]}
}

// busy returns the places that a run reads, or writes at its end: what it computes goes there at the end only.
func (k *compiler) busy(nodes []vector.Node, e *ending) map[location]bool {
	busy := map[location]bool{}
	inside := map[simt.ID]bool{}
	read := func(id simt.ID) {
		if !inside[id] && !k.scalar[id] {
			busy[k.location(id)] = true
		}
	}
	for n := range nodes {
		for _, a := range nodes[n].Args() {
			read(a)
		}
		inside[nodes[n].Def()] = true
	}
	read(e.cond)
	for _, m := range e.moves {
		read(m.From)
		busy[k.location(m.To)] = true
	}
	return busy
}

// saved is a vector that goes to a place.
type saved struct {
	to    machine.Place
	value machine.Register
}

// compute selects the run for a group.
func (s *strip) compute(nodes []vector.Node, e *ending, busy map[location]bool, cond *word) {
	var late []saved
	save := func(id simt.ID, v vector.Value, now bool) {
		places, n := s.places(id)
		for p := range n {
			if now {
				s.Save(places[p], v[p], true)
			} else {
				late = append(late, saved{places[p], v[p]})
			}
		}
	}
	for n := range nodes {
		d := nodes[n].Def()
		s.k.touched = append(s.k.touched, d)
		if err := s.Run(n); err != nil {
			panic(err) // [vector.Compiler.Can] has said that there is code
		}
		if s.k.outside[d] {
			save(d, s.Vectors[d], !busy[s.k.location(d)])
		}
	}
	if e.cond != 0 {
		cond.add(s, s.V(e.cond))
	}
	for _, m := range e.moves {
		save(m.To, s.moved(m, e.masked), false)
	}
	s.saveAll(late)
}

// moved is what a phi becomes: lanes that are not at work keep what they have.
func (s *strip) moved(m simt.Move, masked bool) vector.Value {
	new := s.Both(m.From)
	if !masked {
		return new
	}
	old, lanes := s.Both(m.To), s.atWork()
	if s.Values[m.To].Type != simt.B64 {
		return vector.Value{s.Change(encode.BIT, old[0], new[0], lanes)}
	}
	both := s.wide(lanes)
	return vector.Value{s.Change(encode.BIT, old[0], new[0], both[0]), s.Change(encode.BIT, old[1], new[1], both[1])}
}

// saveAll saves vectors as if all at once: one that is still where another one goes is read before.
func (s *strip) saveAll(all []saved) {
	written := map[machine.Place]bool{}
	for _, x := range all {
		written[x.to] = true
	}
	for n := range all {
		if at, ok := s.PlaceOf(all[n].value); ok && written[at] && at != all[n].to {
			all[n].value = s.New(encode.ORR, all[n].value, all[n].value)
		}
	}
	for _, x := range all {
		if at, ok := s.PlaceOf(x.value); !ok || at != x.to {
			s.Save(x.to, x.value, false)
		}
	}
}
