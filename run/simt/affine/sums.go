package affine

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
)

// Sum is what is known of the scalar of a value beside others: it is a base, which has a number, plus a constant. Scalars
// with one base differ by their constants, wherever both values have been computed.
type Sum struct {
	Base int32 // 0: nothing is known, or there is no scalar
	Plus int64 // of scalars of 32 bits a signed one
}

// baseOfNumbers is the base of scalars that are constants: it is 0 itself.
const baseOfNumbers = 1

// NoScalar is the sum of a value without a scalar: as if that were 0.
var NoScalar = Sum{Base: baseOfNumbers}

// FindSums finds the sums of scalars, by value: of those that are the same in all lanes, and of affine values that have
// one scalar. It comes after [Known.Find].
//
// Unless certain, it is taken for granted that no sum of words wraps around before it is extended, where Rules look at it
// when the code runs: that is wrong where something else has computed it. So if a block has been executed by other means,
// only what is certain may be used. It hopes if it has taken any for granted.
//
// The phis of loops are taken for equal until something tells them apart, as in the value numbering of Alpern, Wegman and
// Zadeck (1988).
func (k *Known) FindSums(certain bool) (hopes bool) {
	before, sums, bases := make([]Sum, len(k.Values)), make([]Sum, len(k.Values)), map[computation]int32{}
	for round := range maxRounds {
		n := &numbering{Known: k, certain: certain, first: round == 0, before: before, sums: sums, bases: bases}
		n.number()
		clear(bases)
		if slices.Equal(sums, before) {
			k.sums = before
			return n.hopes
		}
		before, sums = sums, before
		clear(sums)
	}
	k.sums = sums
	return false
}

// HasSums reports whether FindSums has been called.
func (k *Known) HasSums() bool { return k.sums != nil }

// SumOf returns what is known of the scalar of a value beside others; without a scalar it is 0.
func (k *Known) SumOf(id simt.ID) (sum Sum, ok bool) {
	if k.sums == nil {
		return sum, false
	}
	if a := k.Values[id]; a != nil && a.None {
		return NoScalar, true
	}
	sum = k.sums[id]
	return sum, sum != Sum{}
}

// numbering gives scalars their sums, once for all values.
type numbering struct {
	*Known
	certain bool
	first   bool  // it is the first round
	before  []Sum // of the round before, which those that are read at the ends of loops are taken from
	sums    []Sum
	bases   map[computation]int32
	hopes   bool // something is looked at when the code runs
	checked bool // of the value that is computed, something is looked at when the code runs
}

// computation is what a base is computed by.
type computation struct {
	name string
	args [3]Sum
	n    int64
	wide bool
}

// base returns the sum of what a computation gives.
func (n *numbering) base(c computation) Sum {
	b, ok := n.bases[c]
	if !ok {
		b = itself(simt.ID(len(n.Values) + len(n.bases))).Base
		n.bases[c] = b
	}
	return Sum{Base: b}
}

// itself is the sum of a value that nothing else is known of.
func itself(id simt.ID) Sum { return Sum{Base: int32(id) + baseOfNumbers + 1} }

// number looks at all values.
func (n *numbering) number() {
	for id := range n.Values {
		switch v := n.value(id); {
		case v.Kind == simt.Const && v.Type != simt.Pred:
			n.sums[id] = cutSum(Sum{baseOfNumbers, int64(v.Bits)}, v.Type == simt.B64)
		case n.hasScalar(simt.ID(id)):
			n.sums[id] = itself(simt.ID(id))
		}
	}
	for b := range n.Blocks {
		block := &n.Blocks[b]
		for i := range block.Phis {
			n.phi(simt.BlockID(b), &block.Phis[i])
		}
		for i := range block.Insts {
			if inst := &block.Insts[i]; inst.Kind == simt.Compute && n.hasScalar(inst.Defs[0]) {
				n.sums[inst.Defs[0]] = n.compute(inst)
			}
		}
	}
}

// hasScalar reports whether a value has one scalar.
func (n *numbering) hasScalar(id simt.ID) bool {
	switch a := n.Known.Values[id]; {
	case id == 0 || n.value(int(id)).Type == simt.Pred:
		return false
	case a != nil:
		return !a.None && !a.Split
	}
	return n.Scalar[id]
}

// term returns an operand with its sum.
func (n *numbering) term(id simt.ID, sums []Sum) (t Term[Sum], ok bool) {
	a, known := n.Operand(id)
	if !known || a == nil || a.Split {
		return t, false
	}
	t.Value = *a
	if !a.None {
		if sums[id] == (Sum{}) {
			return t, false
		}
		t.S = [2]Sum{sums[id], sums[id]}
	}
	return t, true
}

// compute returns the sum of what an instruction computes.
func (n *numbering) compute(i *simt.Inst) Sum {
	d := i.Defs[0]
	n.checked = false
	var args [4]Term[Sum]
	for at, id := range i.Args {
		t, ok := n.term(id, n.sums)
		if !ok {
			return itself(d)
		}
		args[at] = t
	}
	r := Rules[Sum]{Emit: n, Wide: n.value(int(d)).Type == simt.B64, Careful: n.Careful != nil && n.Careful(d)}
	t, ok := r.Apply(i.Op.String(), args[:len(i.Args)])
	switch {
	case !ok || t.Split || t.None || n.checked && n.certain:
		return itself(d)
	case n.Scalar[d] && t.C != Lanes{}:
		return itself(d)
	case n.Known.Values[d] != nil && t.C != n.Known.Values[d].C:
		return itself(d)
	}
	n.hopes = n.hopes || n.checked
	return t.S[0]
}

// phi gives a phi its sum. The constant of what it is first written from is taken from all that it is written from: phis
// with equal steps differ by where they begin.
func (n *numbering) phi(b simt.BlockID, phi *simt.Phi) {
	if !n.hasScalar(phi.Def) {
		return
	}
	wide := n.value(int(phi.Def)).Type == simt.B64
	acc, first, some := n.base(computation{name: "phi", n: int64(b), wide: wide}), int64(0), false
	for at, arg := range phi.Args {
		sums, back := n.sums, n.Blocks[b].Preds[at] >= b
		if back {
			sums = n.before
		}
		x, ok := n.written(phi.Def, arg, sums, wide)
		switch {
		case !ok && !(back && n.first):
			return
		case ok && !some:
			first, some = x.Plus, true
		}
		if ok {
			x = cutSum(Sum{x.Base, x.Plus - first}, wide)
		}
		acc = n.base(computation{name: "from", args: [3]Sum{acc, x}})
	}
	acc.Plus = first
	n.sums[phi.Def] = cutSum(acc, wide)
}

// written returns the sum that a phi is written with: the constants of the lanes may be another number apart.
func (n *numbering) written(phi, arg simt.ID, sums []Sum, wide bool) (x Sum, ok bool) {
	t, ok := n.term(arg, sums)
	if !ok {
		return x, false
	}
	apart := t.C[0]
	if a := n.Known.Values[phi]; a != nil {
		apart -= a.C[0]
	}
	if t.None {
		return cutSum(Sum{baseOfNumbers, apart}, wide), true
	}
	return cutSum(Sum{t.S[0].Base, t.S[0].Plus + apart}, wide), true
}

// cutSum cuts the constant to the width of the scalar.
func cutSum(x Sum, wide bool) Sum {
	if !wide {
		x.Plus = int64(int32(x.Plus))
	}
	return x
}

// What follows computes sums as [Scalars].

func (n *numbering) Number(bits uint64) Sum { return Sum{baseOfNumbers, int64(bits)} }

func (n *numbering) AddNumber(x Sum, by int64, wide bool) Sum {
	return cutSum(Sum{x.Base, x.Plus + by}, wide)
}

func (n *numbering) Add(x, y Sum, wide bool) Sum {
	switch {
	case x.Base == baseOfNumbers:
		return n.AddNumber(y, x.Plus, wide)
	case y.Base == baseOfNumbers:
		return n.AddNumber(x, y.Plus, wide)
	case x.Base > y.Base:
		x, y = y, x
	}
	return n.AddNumber(n.base(computation{name: "add", args: [3]Sum{{Base: x.Base}, {Base: y.Base}}, wide: wide}), x.Plus+y.Plus, wide)
}

func (n *numbering) TimesNumber(x Sum, by int64, wide bool) Sum {
	if x.Base == baseOfNumbers {
		return cutSum(Sum{baseOfNumbers, x.Plus * by}, wide)
	}
	return n.AddNumber(n.base(computation{name: "times", args: [3]Sum{{Base: x.Base}}, n: by, wide: wide}), x.Plus*by, wide)
}

func (n *numbering) Multiply(x, y Sum, wide bool) Sum {
	return n.base(computation{name: "multiply", args: [3]Sum{x, y}, wide: wide})
}

func (n *numbering) Bitwise(o Bitwise, x Sum, by uint32) Sum {
	return n.base(computation{name: [...]string{And: "and", Or: "or", Xor: "xor"}[o], args: [3]Sum{x}, n: int64(by)})
}

func (n *numbering) ShiftRight(x Sum, by int) Sum {
	return n.base(computation{name: "shift", args: [3]Sum{x}, n: int64(by)})
}

func (n *numbering) ZeroExtend(x Sum) Sum {
	return n.base(computation{name: "zero", args: [3]Sum{x}})
}

func (n *numbering) SignExtend(x Sum) Sum {
	return n.base(computation{name: "sign", args: [3]Sum{x}})
}

func (n *numbering) Low(x Sum) Sum { return n.base(computation{name: "low", args: [3]Sum{x}}) }

func (n *numbering) CheckWrap(Sum, int64, int64, bool) { n.checked = true }
