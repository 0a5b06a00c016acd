package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/arm64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// strip is what is selected for a group of four lanes.
type strip struct {
	*vector.Selection
	k      *compiler
	number int
}

// strips selects code for every group, one after the other, then what comes behind all, and writes it. Nothing is left in
// vector registers.
func (k *compiler) strips(each func(s *strip), last func()) error {
	p := &machine.Piece{}
	k.Fresh()
	k.Begin(p)
	k.groups(each)
	if last != nil {
		last()
	}
	if k.Asm.Len() > maxCode || len(p.Code) > maxCode/4 {
		return errTooLarge
	}
	if err := k.AllocatePiece(p); err != nil {
		return err
	}
	k.Assemble(p)
	return nil
}

// groups selects code for every group, in a piece that has been begun.
func (k *compiler) groups(each func(s *strip)) {
	for g := range numGroups {
		s := &strip{k.selection, k, g}
		k.selection.Bring = s.bring
		each(s)
		for _, id := range k.touched {
			k.selection.Vectors[id] = vector.Value{}
		}
		k.touched = k.touched[:0]
	}
}

// places returns where the group's part of a value is: two places of values of 64 bits.
func (s *strip) places(id simt.ID) (all [2]machine.Place, n int) {
	g := int32(s.number)
	switch home := s.k.homes.Offset[id]; s.Values[id].Type {
	case simt.Pred:
		return [2]machine.Place{{Base: frameReg, Offset: s.k.place[id] + g*arm64.Bytes}}, 1
	case simt.B64:
		return [2]machine.Place{{Base: homesReg, Offset: home + 2*g*arm64.Bytes}, {Base: homesReg, Offset: home + (2*g+1)*arm64.Bytes}}, 2
	default:
		return [2]machine.Place{{Base: homesReg, Offset: home + g*arm64.Bytes}}, 1
	}
}

// bring returns the vectors of a value that is in memory.
func (s *strip) bring(id simt.ID) (v vector.Value) {
	s.k.touched = append(s.k.touched, id)
	value := &s.Values[id]
	special := value.Kind == simt.Special
	b := s.k
	switch {
	case special && value.Type == simt.Pred:
		all := b.From(machine.Place{Base: homesReg, Offset: b.homes.Offset[id], Size: machine.Word})
		v[0] = b.New(encode.CMTST|encode.S4, all, s.laneBits())
	case special || !b.scalar[id]:
		places, n := s.places(id)
		for p := range n {
			v[p] = b.From(places[p])
		}
	case value.Type == simt.B64:
		x := b.From(machine.Place{Base: frameReg, Offset: b.place[id], Size: machine.Double})
		v = vector.Value{x, x}
	default:
		v[0] = b.From(machine.Place{Base: frameReg, Offset: b.place[id], Size: machine.Word})
		if value.Type == simt.Pred {
			v[0] = b.New(encode.NEG|encode.S4, v[0])
		}
	}
	return v
}

// laneBits is the vector that has in each lane the bit of the lane in a set of the warp's lanes.
func (s *strip) laneBits() machine.Register {
	var bytes [16]byte
	for i := range arm64.Lanes {
		lane := arm64.Lanes*s.number + i
		bytes[4*i+lane/8] = 1 << (lane % 8)
	}
	return s.ConstBytes(bytes)
}

// atWork are the lanes at work.
func (s *strip) atWork() machine.Register {
	return s.From(machine.Place{Base: frameReg, Offset: frameAtWork + int32(s.number)*arm64.Bytes})
}

// guarded are the lanes at work for which an instruction's guard holds.
func (s *strip) guarded(i *simt.Inst) machine.Register {
	switch at := s.atWork(); {
	case i.Guard == 0:
		return at
	case i.GuardNot:
		return s.New(encode.BIC, at, s.V(i.Guard))
	default:
		return s.New(encode.AND, at, s.V(i.Guard))
	}
}

// wide are the lanes of a set as doublewords.
func (s *strip) wide(set machine.Register) vector.Value {
	return vector.Value{s.NewImm(encode.SSHLL|encode.S4, 0, set), s.NewImm(encode.SSHLL2|encode.S4, 0, set)}
}

// word gathers a set of the warp's lanes from those of the groups.
type word struct{ all machine.Register }

// add adds the lanes of a group.
func (w *word) add(s *strip, set machine.Register) {
	bits := s.New(encode.AND, set, s.laneBits())
	if w.all == 0 {
		w.all = bits
		return
	}
	w.all = s.New(encode.ORR, w.all, bits)
}

// extract moves the set to a general register.
func (w *word) extract(k *compiler, to encode.Operand) { k.Extract(to, w.folded(k)) }

// folded is a vector whose words are the set.
func (w *word) folded(k *compiler) machine.Register {
	x := k.New(encode.ADDP|encode.S4, w.all, w.all)
	return k.New(encode.ADDP|encode.S4, x, x)
}
