package affine

import (
	"math/bits"
	"strings"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Known is what is known of the values of a function.
type Known struct {
	*simt.Function
	Values []*Value // by ID, nil of those that are not affine or that are scalars
	Scalar []bool   // by ID: it is the same in all lanes, and is a scalar
	// Careful tells of which values it is not to be hoped that no sum wraps around before it is extended; nil: of none.
	Careful func(id simt.ID) bool
	// Computes reports whether an operation can be computed of scalars.
	Computes func(o op.Op) bool

	lost []bool // by ID: it is not affine
	sums []Sum  // by ID, of scalars and of the scalars of affine values; nil: nothing is known of them
}

// maxRounds bounds the analysis, which takes a few rounds for each loop in a loop.
const maxRounds = 64

// Find finds the affine values, for blocks of a shape, among those that are no scalars. uniform tells which values are the
// same in all lanes.
func (k *Known) Find(shape [3]int, uniform []bool) {
	k.Values = make([]*Value, len(k.Function.Values))
	k.lost = make([]bool, len(k.Values))
	for id := range k.Values {
		if v := k.value(id); v.Kind == simt.Special && v.Type == simt.B32 && !k.Scalar[id] {
			k.Values[id] = Thread(v.Name, shape)
		}
	}
	together := k.Together(uniform)
	for range maxRounds {
		if !k.round(together) {
			return
		}
	}
	clear(k.Values)
}

func (k *Known) value(id int) *simt.Value { return &k.Function.Values[id] }

// round looks at all instructions once, and reports whether that has told anything new.
func (k *Known) round(together []bool) (again bool) {
	settled := func(id simt.ID) bool { return k.lost[id] || k.Scalar[id] }
	set := func(id simt.ID, a *Value) {
		switch {
		case a == nil:
			again = again || k.Values[id] != nil
			k.Values[id], k.lost[id] = nil, true
		case k.Values[id] == nil || *k.Values[id] != *a:
			k.Values[id] = a
			again = true
		}
	}
	for b := range k.Blocks {
		block := &k.Blocks[b]
		for i := range block.Phis {
			phi := &block.Phis[i]
			if k.value(int(phi.Def)).Type == simt.Pred || !together[b] {
				k.lost[phi.Def] = true
				continue
			}
			if settled(phi.Def) {
				continue
			}
			if a, known := k.phi(phi); known {
				set(phi.Def, a)
			}
		}
		for i := range block.Insts {
			inst := &block.Insts[i]
			if inst.Kind != simt.Compute {
				k.lose(inst.Defs)
				continue
			}
			if settled(inst.Defs[0]) {
				continue
			}
			if a, known := k.compute(inst); known {
				set(inst.Defs[0], a)
			}
		}
		k.lose(block.End.Defs)
	}
	return again
}

// IsScalar reports whether a value is a scalar or a constant.
func (k *Known) IsScalar(id simt.ID) bool {
	return k.Scalar[id] || k.value(int(id)).Kind == simt.Const
}

// lose notes values that are not affine.
func (k *Known) lose(ids []simt.ID) {
	for _, id := range ids {
		k.lost[id] = true
	}
}

// scalar is what is known of scalars. Nobody changes it.
var scalar = Value{Limit: -1}

// Operand returns what is known of an operand: constants and scalars are affine too. known is false while nothing is
// known yet; a nil value is not affine. The value is not to be changed.
func (k *Known) Operand(id simt.ID) (a *Value, known bool) {
	v := k.value(int(id))
	switch {
	case v.Type == simt.Pred:
		return nil, true
	case v.Kind == simt.Const:
		a := k.number(id)
		return &a, true
	case k.Scalar[id]:
		return &scalar, true
	case k.Values[id] != nil:
		return k.Values[id], true
	}
	return nil, k.lost[id] || v.Kind == simt.Special
}

// isNumber reports whether a value is a constant, and no predicate.
func (k *Known) isNumber(id simt.ID) bool {
	v := k.value(int(id))
	return v.Kind == simt.Const && v.Type != simt.Pred
}

// number returns a constant as an affine value.
func (k *Known) number(id simt.ID) Value {
	v := k.value(int(id))
	bits := int64(v.Bits)
	if v.Type == simt.B32 {
		bits = int64(int32(bits))
	}
	a := number()
	for l := range a.C {
		a.C[l] = bits
	}
	return a
}

// phi joins what a phi is written from: the lanes' constants may differ by the same in all lanes.
func (k *Known) phi(phi *simt.Phi) (all *Value, known bool) {
	for _, arg := range phi.Args {
		a, known := k.Operand(arg)
		switch {
		case !known:
			continue
		case a == nil:
			return nil, true
		case all == nil:
			first := *a
			first.Limit = -1
			all = &first
			if old := k.Values[phi.Def]; old != nil { // what has been found before stays true at most
				all.None = all.None && old.None
				all.Split = all.Split || old.Split
				all.Zeros = min(all.Zeros, old.Zeros)
				all.Word = all.Word && old.Word
			}
			continue
		}
		d := a.C[0] - all.C[0]
		for l := range a.C {
			if a.C[l]-all.C[l] != d {
				return nil, true
			}
		}
		zeros := min(all.Zeros, a.Zeros)
		if d != 0 {
			all.None = false
			zeros = min(zeros, bits.TrailingZeros64(uint64(d)))
		}
		all.None = all.None && a.None
		all.Split = all.Split || a.Split
		all.Word = all.Word && a.Word
		all.Zeros = zeros
	}
	return all, all != nil
}

// compute returns what is known of the result of an operation, as Operand does.
func (k *Known) compute(i *simt.Inst) (a *Value, known bool) {
	var operands [4]*Value // nil of constants
	for n, id := range i.Args {
		if k.isNumber(id) {
			continue
		}
		x, known := k.Operand(id)
		if x == nil {
			return nil, known
		}
		operands[n] = x
	}
	var args [4]Term[struct{}]
	constants := true
	for n, id := range i.Args {
		if operands[n] == nil {
			args[n].Value = k.number(id)
		} else {
			args[n].Value = *operands[n]
		}
		constants = constants && args[n].None
	}
	typ := k.value(int(i.Defs[0])).Type
	r := Rules[struct{}]{Wide: typ == simt.B64, Careful: k.Careful != nil && k.Careful(i.Defs[0])}
	if t, ok := r.Apply(i.Op.String(), args[:len(i.Args)]); ok {
		value := t.Value
		return &value, true
	}
	if constants && typ == simt.B32 {
		return ofConstants(i, args[:len(i.Args)]), true
	}
	// What is the same in all lanes of a half, though not in all of the warp, can be computed once for each half.
	if typ == simt.Pred || !k.Computes(i.Op) {
		return nil, true
	}
	for n := range i.Args {
		if !args[n].UniformHalves() {
			return nil, true
		}
	}
	return &Value{Split: true, Limit: -1}, true
}

// MayWrap reports whether an operation extends words, so that its rule may look whether sums of words have wrapped around.
func (k *Known) MayWrap(i *simt.Inst) bool {
	name := i.Op.String()
	return strings.HasPrefix(name, "cvt.") || strings.Contains(name, ".wide") || name == "widen.64"
}

// ofConstants computes an operation on constants of the lanes.
func ofConstants(i *simt.Inst, args []Term[struct{}]) *Value {
	var words [3][]uint32
	for n := range args {
		words[n%3] = make([]uint32, simt.WarpSize)
		for l := range words[n%3] {
			words[n%3][l] = uint32(args[n].C[l])
		}
	}
	result := make([]uint32, simt.WarpSize)
	switch loop := i.Op.Info().Loop.(type) {
	case op.Map1[uint32, uint32]:
		loop(result, words[0])
	case op.Map2[uint32, uint32, uint32]:
		loop(result, words[0], words[1])
	case op.Map3[uint32, uint32, uint32, uint32]:
		loop(result, words[0], words[1], words[2])
	default:
		return nil
	}
	a := number()
	for l, w := range result {
		a.C[l] = int64(int32(w))
	}
	return &a
}
