package readback

import (
	"slices"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Builder makes a word program of which every value is there once: what is the same operation
// of the same values is the same value. A few operations are written as others, so that what differs in spelling
// alone becomes the same value; each of these is an identity of words.
//
// Masks, which are all ones or 0, may be any logic of comparisons.
type Builder struct {
	Program word.Program
	shared  map[word.Inst]word.Value
	joined  map[word.Value][2]word.Value // the words that wide values are made of
	undef   word.Value                   // a mask: whether something was undefined
	perhaps map[word.Value][]path        // the conditions that it is made of, and on which paths they were met
}

// NewBuilder returns a builder of an empty program.
func NewBuilder() *Builder {
	b := &Builder{shared: map[word.Inst]word.Value{}, joined: map[word.Value][2]word.Value{}, perhaps: map[word.Value][]path{}}
	b.undef = b.Const(0)
	return b
}

// Undefined is the mask of the operands for which the language leaves something undefined that was read.
func (b *Builder) Undefined() word.Value { return b.undef }

// Input returns a word that may be any.
func (b *Builder) Input(n int) word.Value { return b.number(word.Inst{Op: word.Input, Imm: uint64(n)}) }

// Const returns a constant word.
func (b *Builder) Const(x uint32) word.Value {
	return b.number(word.Inst{Op: word.Const, Imm: uint64(x)})
}

// WideConst returns a constant wide value.
func (b *Builder) WideConst(x uint64) word.Value { return b.wideConst(x) }

func (b *Builder) wideConst(x uint64) word.Value {
	return b.number(word.Inst{Op: word.WideConst, Imm: x})
}

// constant returns the value of a constant, word or wide.
func (b *Builder) constant(v word.Value) (x uint64, ok bool) {
	i := &b.Program.Insts[v]
	return i.Imm, i.Op == word.Const || i.Op == word.WideConst
}

func (b *Builder) is(v word.Value, x uint32) bool {
	c, ok := b.constant(v)
	return ok && c == uint64(x)
}

// op returns the value of an operation without an immediate.
func (b *Builder) op(op word.Op, args ...word.Value) word.Value { return b.Apply(op, 0, args...) }

// Apply returns the value of an operation.
func (b *Builder) Apply(op word.Op, imm uint64, args ...word.Value) word.Value {
	i := word.Inst{Op: op, Imm: imm}
	copy(i.Arg[:], args)
	if v, ok := b.folded(&i); ok {
		return v
	}
	if v, ok := b.plainer(&i); ok {
		return v
	}
	return b.number(i)
}

// number returns the value of an instruction, a new one if it is new.
func (b *Builder) number(i word.Inst) word.Value {
	if i.Op.Commutes() && i.Arg[0] > i.Arg[1] {
		i.Arg[0], i.Arg[1] = i.Arg[1], i.Arg[0]
	}
	v, ok := b.shared[i]
	if !ok {
		v = word.Value(len(b.Program.Insts))
		b.Program.Insts = append(b.Program.Insts, i)
		b.shared[i] = v
	}
	return v
}

// folded computes an operation of constants.
func (b *Builder) folded(i *word.Inst) (word.Value, bool) {
	if i.Op.Args() == 0 {
		return 0, false
	}
	var x [3]uint64
	for k, v := range i.Args() {
		c, ok := b.constant(v)
		if !ok {
			return 0, false
		}
		x[k] = c
	}
	r := i.Op.Apply(x[0], x[1], x[2], i.Imm)
	if i.Op.Wide() {
		return b.wideConst(r), true
	}
	return b.Const(uint32(r)), true
}

// plainer writes an operation as a plainer one, or as a value that is there.
func (b *Builder) plainer(i *word.Inst) (word.Value, bool) {
	x, y := i.Arg[0], i.Arg[1]
	switch i.Op {
	case word.AndNot:
		return b.op(word.And, x, b.op(word.Not, y)), true
	case word.Sub:
		if k, ok := b.constant(y); ok {
			return b.op(word.Add, x, b.Const(-uint32(k))), true
		}
	case word.Add, word.Or, word.Xor, word.Shl, word.ShrU, word.ShrS:
		switch {
		case b.is(y, 0):
			return x, true
		case b.is(x, 0) && i.Op.Commutes():
			return y, true
		case i.Op == word.Or && x == y:
			return x, true
		}
	case word.And:
		for _, arg := range [][2]word.Value{{x, y}, {y, x}} {
			switch {
			case b.is(arg[0], 0):
				return arg[0], true
			case b.is(arg[0], 0xffffffff), x == y:
				return arg[1], true
			}
		}
	case word.Not:
		if of := b.Program.Insts[x]; of.Op == word.Not {
			return of.Arg[0], true
		}
	case word.PermS:
		if i.Imm&0x8888 == 0 {
			return b.Apply(word.Perm, i.Imm, x, y), true
		}
	case word.ShrWideU, word.ShrWideS:
		words, known := b.joined[x]
		switch {
		case i.Imm == 0:
			return x, true
		case known && i.Op == word.ShrWideU && i.Imm == 32:
			return b.op(word.WideU, words[1]), true
		}
	case word.Lo:
		if words, known := b.joined[x]; known {
			return words[0], true
		}
		if of := b.Program.Insts[x]; of.Op == word.WideU || of.Op == word.WideS {
			return of.Arg[0], true
		}
	case word.Select:
		return b.selected(x, y, i.Arg[2])
	}
	return 0, false
}

// selected is plainer for a Select.
func (b *Builder) selected(mask, y, z word.Value) (word.Value, bool) {
	switch {
	case b.is(mask, 0):
		return z, true
	case b.is(mask, 0xffffffff), y == z:
		return y, true
	case b.is(y, 0xffffffff) && b.is(z, 0):
		return mask, true
	case b.is(y, 1) && b.is(z, 0):
		return b.op(word.ShrU, mask, b.Const(31)), true
	}
	return 0, false
}

// path is the conditions that all hold where something is evaluated.
type path []word.Value

// and returns the path on which a condition holds, too.
func (p path) and(mask word.Value) path {
	return append(slices.Clone(p), mask)
}

// within reports whether a path is part of another.
func (p path) within(of path) bool {
	for _, mask := range of {
		if !slices.Contains(p, mask) {
			return false
		}
	}
	return true
}

// undefinedIf tells that something is undefined if a mask holds on a path. What is part of what was told before is nothing
// new.
func (b *Builder) undefinedIf(p path, mask word.Value) {
	if slices.Contains(p, b.op(word.Not, mask)) {
		return
	}
	for _, before := range b.perhaps[mask] {
		if p.within(before) {
			return
		}
	}
	b.perhaps[mask] = append(b.perhaps[mask], p)
	for _, holds := range p {
		mask = b.op(word.And, mask, holds)
	}
	b.undef = b.op(word.Or, b.undef, mask)
}

// Join returns the wide value of two words.
func (b *Builder) Join(low, high word.Value) word.Value {
	v := b.op(word.AddWide, b.op(word.ShlWide, b.op(word.WideU, high), b.wideConst(32)), b.op(word.WideU, low))
	b.joined[v] = [2]word.Value{low, high}
	return v
}

// high returns the high word of a wide value.
func (b *Builder) high(x word.Value) word.Value {
	return b.op(word.Lo, b.Apply(word.ShrWideU, 32, x))
}

// less compares wide values: there is no operation for it.
func (b *Builder) less(x, y word.Value, signed bool) word.Value {
	compare := word.CmpLtU
	if signed {
		compare = word.CmpLtS
	}
	hx, hy := b.high(x), b.high(y)
	low := b.op(word.CmpLtU, b.op(word.Lo, x), b.op(word.Lo, y))
	return b.op(word.Or, b.op(compare, hx, hy), b.op(word.And, b.op(word.CmpEq, hx, hy), low))
}

// choose selects between wide values.
func (b *Builder) choose(mask, y, z word.Value) word.Value {
	if y == z {
		return y
	}
	return b.Join(b.op(word.Select, mask, b.op(word.Lo, y), b.op(word.Lo, z)), b.op(word.Select, mask, b.high(y), b.high(z)))
}

// Insert puts a program in, with its operands' values.
func (b *Builder) Insert(p *word.Program, operands []word.Value) word.Value {
	values := make([]word.Value, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		switch i.Op {
		case word.Input:
			values[n] = operands[i.Imm]
			continue
		case word.Const, word.WideConst:
			values[n] = b.number(*i)
			continue
		}
		var args []word.Value
		for _, v := range i.Args() {
			args = append(args, values[v])
		}
		values[n] = b.Apply(i.Op, i.Imm, args...)
	}
	return values[p.Result]
}
