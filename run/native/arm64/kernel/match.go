package kernel

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges by keys: match finds the lanes with the same value, and redux reduces what the lanes bring that are in a mask of
// members. If masks are the same in all lanes, that is one reduction; else it is done once for each mask that lanes have. A loop takes
// the first lane that is left, finds all that have its key, and is done with those.

// keyed is what a turn of the loop works on.
type keyed struct {
	*exchange
	wide bool // keys have 64 bits
	// reduce adds what a group brings for the key, which is given in all lanes, and reduced brings it to X1. They are nil
	// where the lanes that have the key are what is wanted.
	reduce  func(s *strip, key machine.Register)
	reduced func()
}

// The general registers of the loop.
var (
	restReg  = encode.X(12) // the lanes that are left
	foundReg = encode.X(13) // those that have the key of the first
	eachReg  = encode.X(14) // those of them whose result is not written
	indexOf  = encode.X(15) // a lane, times 4
	resultOf = encode.X(10) // what these lanes get
)

// keys saves the keys of the lanes, and what they bring besides, and leaves those that execute it in restReg and in the frame:
// such a lane has a result, be it a member or not.
func (l *keyed) keys(key simt.ID, also func(s *strip)) error {
	var taking word
	err := l.strips(func(s *strip) {
		taking.add(s, s.guarded(l.inst))
		v := s.Both(key)
		if l.wide {
			for h := range int32(2) {
				at := machine.Place{Base: frameReg, Offset: frameBrought + (2*int32(s.number)+h)*arm64.Bytes}
				s.Save(at, v[h], false)
			}
		} else {
			s.Save(s.inFrame(frameBrought), v[0], false)
		}
		if also != nil {
			also(s)
		}
	}, func() {
		all := taking.folded(l.compiler)
		l.Save(machine.Place{Base: frameReg, Offset: frameTaking}, all, false)
		l.Extract(x0, all)
	})
	l.Emit(encode.MOVW, restReg, x0)
	return err
}

// hasKey are the lanes of a group that execute it and whose key is the one that all lanes are given.
func (l *keyed) hasKey(s *strip, key machine.Register) machine.Register {
	if !l.wide {
		return s.New(encode.AND, s.New(encode.CMEQ|encode.S4, s.From(s.inFrame(frameBrought)), key), s.guarded(l.inst))
	}
	var same [2]machine.Register
	for h := range same {
		at := machine.Place{Base: frameReg, Offset: frameBrought + (2*int32(s.number)+int32(h))*arm64.Bytes}
		same[h] = s.New(encode.CMEQ|encode.D2, s.From(at), key)
	}
	return s.New(encode.AND, s.New(encode.UZP1|encode.S4, same[0], same[1]), s.guarded(l.inst))
}

// first leaves four times the number of the first lane of a set in indexOf.
func (l *keyed) first(set encode.Operand) {
	l.Emit(encode.RBITW, indexOf, set)
	l.Emit(encode.CLZW, indexOf, indexOf)
	l.Emit(encode.UBFMX, indexOf, indexOf, encode.Imm(62), encode.Imm(61))
}

// loop writes the turns: it leaves in the frame what is found for each lane that takes part.
func (l *keyed) loop() error {
	turn, lane, done := l.Asm.NewLabel(), l.Asm.NewLabel(), l.Asm.NewLabel()
	l.Emit(encode.CBZW, restReg, encode.At(done))
	l.Bind(turn)
	l.first(restReg)
	l.addNumber(offsetsReg, frameReg, frameBrought, x0)
	broadcast := encode.Op(encode.DUPW | encode.S4)
	if l.wide {
		broadcast = encode.DUPW | encode.D2
		l.Emit(encode.ADDX, x0, indexOf, indexOf)
		l.Emit(encode.LDRXIndexed, x0, offsetsReg, x0)
	} else {
		l.Emit(encode.LDRWIndexed, x0, offsetsReg, indexOf)
	}
	var found word
	var key machine.Register
	err := l.strips(func(s *strip) {
		if key == 0 {
			key = s.Broadcast(broadcast, x0)
		}
		found.add(s, l.hasKey(s, key))
		if l.reduce != nil {
			l.reduce(s, key)
		}
	}, func() {
		found.extract(l.compiler, x0)
		if l.reduced != nil {
			l.reduced()
		}
	})
	if err != nil {
		return err
	}
	l.Emit(encode.MOVW, foundReg, x0)
	if l.reduce != nil {
		l.Emit(encode.MOVW, resultOf, x1)
	} else {
		l.Emit(encode.MOVW, resultOf, x0)
	}
	l.Emit(encode.BICW, restReg, restReg, foundReg)
	l.Emit(encode.MOVW, eachReg, foundReg)
	l.addNumber(offsetsReg, frameReg, frameFound, x0)
	l.Bind(lane)
	l.first(eachReg)
	l.Emit(encode.STRWIndexed, resultOf, offsetsReg, indexOf)
	l.Emit(encode.SUBI, x0, eachReg, encode.Imm(1))
	l.Emit(encode.ANDW, eachReg, eachReg, x0)
	l.Emit(encode.CBNZW, eachReg, encode.At(lane))
	l.Emit(encode.CBNZW, restReg, encode.At(turn))
	l.Bind(done)
	return nil
}

// match writes match: of the lanes with the value of a lane, those in its mask of members, or for .all those that take part, if
// all have it.
func (x *exchange) match() error {
	l := &keyed{exchange: x, wide: x.Values[x.args[0]].Type == simt.B64}
	if err := l.keys(x.args[0], nil); err != nil {
		return err
	}
	if err := l.loop(); err != nil {
		return err
	}
	return x.strips(func(s *strip) {
		same, m := s.From(s.inFrame(frameFound)), s.V(x.members)
		if x.op.Name == "match.any" {
			x.give(s, s.New(encode.AND, same, m), 0)
			return
		}
		all := s.New(encode.AND, s.From(machine.Place{Base: frameReg, Offset: frameTaking}), m)
		holds := everyone(s, same, all)
		x.give(s, s.New(encode.AND, all, holds), holds)
	}, nil)
}

// reduction is an operation of redux: its instruction, and what changes nothing.
type reduction struct {
	compute encode.Op
	none    uint32
}

var reductions = map[string]reduction{
	"add.u32": {encode.ADD | encode.S4, 0}, "add.s32": {encode.ADD | encode.S4, 0},
	"min.u32": {encode.UMIN | encode.S4, 1<<32 - 1}, "max.u32": {encode.UMAX | encode.S4, 0},
	"min.s32": {encode.SMIN | encode.S4, 1<<31 - 1}, "max.s32": {encode.SMAX | encode.S4, 1 << 31},
	"and.b32": {encode.AND, 1<<32 - 1}, "or.b32": {encode.ORR, 0}, "xor.b32": {encode.EOR, 0},
}

// reducing reduces values of all groups.
type reducing struct {
	reduction
	*exchange
	all   machine.Register
	taken word
}

// add adds the values of a group's lanes of a set.
func (r *reducing) add(s *strip, value, set machine.Register) {
	if r.none == 0 {
		value = s.New(encode.AND, value, set)
	} else {
		value = s.Change(encode.BIT, s.Const32(r.none), value, set)
		r.taken.add(s, set)
	}
	if r.all != 0 {
		value = s.New(r.compute, r.all, value)
	}
	r.all = value
}

// folded is a vector whose words are what all lanes come to: 0 of no lane at all.
func (r *reducing) folded() machine.Register {
	x := r.all
	for _, by := range []int64{8, 4} {
		x = r.New(r.compute, x, r.NewImm(encode.EXT, by, x, x))
	}
	if r.none == 0 {
		return x
	}
	taken := r.taken.folded(r.compiler)
	return r.New(encode.AND, x, r.New(encode.CMTST|encode.S4, taken, taken))
}

// reduce writes redux.
func (x *exchange) reduce() error {
	r := &reducing{reduction: reductions[strings.TrimPrefix(x.op.Name, "redux.")], exchange: x}
	if !x.varying {
		return x.strips(func(s *strip) { r.add(s, s.V(x.args[0]), x.taking(s)) }, func() {
			d := r.folded()
			x.groups(func(s *strip) { x.give(s, d, 0) })
		})
	}
	const brought = frameBrought + numGroups*arm64.Bytes
	l := &keyed{exchange: x}
	l.reduce = func(s *strip, members machine.Register) {
		set := s.New(encode.AND, x.taking(s), s.New(encode.CMTST|encode.S4, members, s.laneBits()))
		r.add(s, s.From(s.inFrame(brought)), set)
	}
	l.reduced = func() { r.Extract(x1, r.folded()) }
	if err := l.keys(x.members, func(s *strip) { s.Save(s.inFrame(brought), s.V(x.args[0]), false) }); err != nil {
		return err
	}
	if err := l.loop(); err != nil {
		return err
	}
	return x.strips(func(s *strip) { x.give(s, s.From(s.inFrame(frameFound)), 0) }, nil)
}
