package sanitize

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Registers are the names of the registers that the arguments of a probe are shadows of.
type Registers []string

// Instrument adds to literal code what tells of registers that are read before they are written. Each
// value that may be an unset register gets a shadow: a predicate that holds in the lanes in which it
// is one. Shadows go the ways of the values, over phis, over the selections that guards make and
// over moves, since compilers move registers that are unset where nobody will read what they are moved
// to. Any other instruction that reads such a value has a probe before it. The accesses to memory are
// numbered in sites.
func Instrument(f *simt.Function, sites *Sites) {
	sites.add(f)
	s := shadows{Function: f, of: map[simt.ID]simt.ID{}}
	s.find()
	if len(s.of) == 0 {
		return
	}
	for b := range f.Blocks {
		s.instrument(simt.BlockID(b))
	}
}

// shadows are the shadows of values.
type shadows struct {
	*simt.Function
	of map[simt.ID]simt.ID
}

// moves reports whether an instruction only moves values.
func moves(in *check.Inst) bool { return in.Tree.Name.Text == "mov" }

// passes reports whether an instruction's result may be unset, and which of its arguments make it so.
func (s *shadows) passes(i *simt.Inst) (args []simt.ID, ok bool) {
	switch {
	case i.Kind != simt.Compute || i.At < 0:
		return nil, false
	case i.Merge:
		return i.Args[:2], true
	}
	return i.Args, moves(&s.Decl.Body[i.At])
}

// find finds the values that may be unset, and gives them shadows.
func (s *shadows) find() {
	var pending []simt.ID
	for v := range s.Values {
		if value := &s.Values[v]; v > 0 && value.Kind == simt.Special && strings.HasPrefix(value.Name, simt.UnsetName) {
			pending = append(pending, simt.ID(v))
		}
	}
	if len(pending) == 0 {
		return
	}
	to := map[simt.ID][]simt.ID{} // what values pass to
	for b := range s.Blocks {
		for _, p := range s.Blocks[b].Phis {
			for _, arg := range p.Args {
				to[arg] = append(to[arg], p.Def)
			}
		}
		for i := range s.Blocks[b].Insts {
			in := &s.Blocks[b].Insts[i]
			args, _ := s.passes(in)
			if _, ok := s.passes(in); ok {
				for _, arg := range args {
					to[arg] = append(to[arg], in.Defs[0])
				}
			}
		}
	}
	for len(pending) > 0 {
		v := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if _, ok := s.of[v]; ok {
			continue
		}
		value := s.Values[v]
		if value.Kind == simt.Special {
			s.of[v] = s.Special(simt.Pred, simt.ShadowName+strings.TrimPrefix(value.Name, simt.UnsetName))
		} else {
			s.of[v] = simt.ID(len(s.Values))
			s.Values = append(s.Values, simt.Value{Type: simt.Pred, Kind: value.Kind, Block: value.Block})
		}
		pending = append(pending, to[v]...)
	}
}

// shadow returns the shadow of a value: one that holds nowhere if it is always set.
func (s *shadows) shadow(v simt.ID) simt.ID {
	if shadow, ok := s.of[v]; ok {
		return shadow
	}
	return s.Constant(simt.Pred, 0)
}

var (
	choose = op.Must("selp.pred")
	either = op.Must("or.pred")
	copied = op.Must("mov.pred")
)

// instrument adds the shadows' phis and instructions, and the probes, to a block.
func (s *shadows) instrument(b simt.BlockID) {
	block := &s.Blocks[b]
	for _, p := range slices.Clone(block.Phis) {
		if def, ok := s.of[p.Def]; ok {
			phi := simt.Phi{Def: def}
			for _, arg := range p.Args {
				phi.Args = append(phi.Args, s.shadow(arg))
			}
			block.Phis = append(block.Phis, phi)
		}
	}
	reads := block.Reads
	var insts []simt.Inst
	probe := func(at int32) { // for the reads of an instruction
		n := 0
		for n < len(reads) && reads[n].At == at {
			n++
		}
		insts = append(insts, s.probes(at, reads[:n])...)
		reads = reads[n:]
	}
	last := int32(-1)
	for i := range block.Insts {
		in := &block.Insts[i]
		if in.At != last && in.At >= 0 {
			last = in.At
			probe(last)
		}
		insts = append(insts, *in)
		args, ok := s.passes(in)
		if !ok {
			continue
		}
		def, ok := s.of[in.Defs[0]]
		if !ok {
			continue
		}
		if in.Merge {
			insts = append(insts, simt.Inst{Op: choose, Defs: []simt.ID{def}, Args: []simt.ID{s.shadow(args[0]), s.shadow(args[1]), in.Args[2]}, At: in.At})
			continue
		}
		insts = append(insts, s.anyOf(def, args, in, b)...)
	}
	if block.End.At >= 0 {
		probe(block.End.At)
	}
	block.Insts = insts
}

// anyOf makes the shadow of what a move makes of some values: it holds where one of theirs does.
func (s *shadows) anyOf(def simt.ID, args []simt.ID, in *simt.Inst, b simt.BlockID) (insts []simt.Inst) {
	so := s.shadow(args[0])
	for k, arg := range args[1:] {
		to := def
		if k < len(args)-2 {
			to = simt.ID(len(s.Values))
			s.Values = append(s.Values, simt.Value{Type: simt.Pred, Kind: simt.InstDef, Block: b})
		}
		insts = append(insts, simt.Inst{Op: either, Defs: []simt.ID{to}, Args: []simt.ID{so, s.shadow(arg)}, At: in.At})
		so = to
	}
	if len(args) == 1 {
		insts = append(insts, simt.Inst{Op: copied, Defs: []simt.ID{def}, Args: []simt.ID{so}, At: in.At})
	}
	return insts
}

// probes returns the probes of what an instruction reads: of its guard, for all lanes, and of the others for
// those for which the guard holds.
func (s *shadows) probes(at int32, reads []simt.Read) (insts []simt.Inst) {
	in := &s.Decl.Body[at]
	// gcc broadcasts registers that only one thread of a warp has set.
	broadcast := in.Tree.Name.Text == "shfl" && len(in.Operands) > 1 && in.Operands[1].Kind == check.OpReg
	var guard simt.ID
	var of [2]simt.Inst
	var names [2]Registers
	for _, r := range reads {
		k := 1
		switch {
		case r.Guard:
			k, guard = 0, r.Value
		case moves(in):
			continue
		case broadcast:
			broadcast = false
			continue
		}
		if shadow, ok := s.of[r.Value]; ok && !slices.Contains(of[k].Args, shadow) {
			of[k].Args = append(of[k].Args, shadow)
			names[k] = append(names[k], r.Register)
		}
	}
	for k := range of {
		if len(of[k].Args) > 0 {
			of[k].Kind, of[k].At, of[k].Aux = simt.Probe, at, names[k]
			if k == 1 {
				of[k].Guard, of[k].GuardNot = guard, in.GuardNot
			}
			insts = append(insts, of[k])
		}
	}
	return insts
}

// Probe reports lanes that read a register without having written it.
func (s *Sanitizer) Probe(w *portable.Warp, probe *simt.Inst, arg int, lanes uint32) {
	s.report(w, first(lanes), count(lanes), Finding{Kind: UnsetRegister, Register: probe.Aux.(Registers)[arg]})
}
