package prove

import (
	"fmt"
	"math/bits"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// program defines every value of a word program and returns the result.
func (q *query) program(p *word.Program) *term.Term { return q.values(p)[p.Result] }

// values defines every value of a word program.
func (q *query) values(p *word.Program) []*term.Term {
	values := make([]*term.Term, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		switch i.Op {
		case word.Input:
			values[n] = q.input(int(i.Imm))
			continue
		case word.Const:
			values[n] = term.Word(uint32(i.Imm))
			continue
		case word.WideConst:
			values[n] = term.Unsigned(i.Imm)
			continue
		}
		var args [3]*term.Term
		constant := false
		for k := range i.Op.Args() {
			args[k] = values[i.Arg[k]]
			_, known := p.ConstOf(i.Arg[k])
			constant = constant || known
		}
		if q.multiply != exactly && knownFactor(q.facts) {
			constant = false // the manual's product, which is that of a constant, is abstract, too
		}
		if i.Op == word.Mul && (isSign(p, i.Arg[0]) || isSign(p, i.Arg[1])) {
			// One factor is 0 or -1, so that the product is 0 or the negative of the other.
			values[n] = q.define(fmt.Sprintf("v%d", n), term.Sub(term.Word(0), term.And(args[0], args[1])))
			continue
		}
		t, ok := productByPower(p, i, values)
		if !ok {
			t = q.operation(i, args, constant)
		}
		values[n] = q.define(fmt.Sprintf("v%d", n), t)
	}
	return values
}

// isSign reports whether a value is the sign of another in all its bits.
func isSign(p *word.Program, v word.Value) bool {
	i := &p.Insts[v]
	if i.Op != word.ShrS {
		return false
	}
	places, ok := p.ConstOf(i.Arg[1])
	return ok && places >= 31
}

// productByPower writes the wide product of a word and a power of two, 1 << n, or of a signed word and the negative of one,
// ffffffff << n, as a shift, which solvers are good at. ok is false for other operations.
func productByPower(p *word.Program, i *word.Inst, values []*term.Term) (product *term.Term, ok bool) {
	signed := i.Op == word.MulWideS
	if !signed && i.Op != word.MulWideU {
		return nil, false
	}
	for k, v := range i.Args() {
		power := &p.Insts[v]
		if power.Op != word.Shl {
			continue
		}
		one, ok := p.ConstOf(power.Arg[0])
		if !ok || signed && one != 0xffffffff || !signed && one != 1 {
			continue
		}
		zero, places := term.Number(0, 64), values[power.Arg[1]]
		shifted := term.Same("bvshl", term.Extend(values[i.Arg[1-k]], signed, 64), term.Extend(places, false, 64))
		if signed {
			shifted = term.Sub(zero, shifted)
		}
		return term.Choose(term.Below(places, term.Word(32)), shifted, zero), true
	}
	return nil, false
}

// plainOps are the operations that SMT-LIB has.
var plainOps = map[word.Op]string{
	word.And: "bvand", word.Or: "bvor", word.Xor: "bvxor", word.Not: "bvnot",
	word.Add: "bvadd", word.Sub: "bvsub",
	word.Shl: "bvshl", word.ShrU: "bvlshr", word.ShrS: "bvashr",
	word.AddWide: "bvadd", word.SubWide: "bvsub", word.ShlWide: "bvshl",
}

// operation is the definition of each operation of package lower, as a term.
// constant says that an argument is one.
func (q *query) operation(i *word.Inst, args [3]*term.Term, constant bool) *term.Term {
	x, y, z := args[0], args[1], args[2]
	if name, ok := plainOps[i.Op]; ok {
		return term.Same(name, args[:i.Op.Args()]...)
	}
	switch i.Op {
	case word.AndNot:
		return term.And(x, term.Not(y))
	case word.Logic3:
		return logic3(x, y, z, uint(i.Imm))
	case word.Mul:
		for _, f := range [][2]*term.Term{{x, y}, {y, x}} {
			if k := f[1].Number; k != nil && bits.OnesCount64(k.Uint64()) <= fewBits {
				return timesConstant(f[0], k.Uint64())
			}
		}
		return q.lowProduct(x, y, constant)
	case word.MinU:
		return term.Choose(term.Below(x, y), x, y)
	case word.MaxU:
		return term.Choose(term.Below(x, y), y, x)
	case word.MinS:
		return term.Smaller(x, y)
	case word.MaxS:
		return term.Larger(x, y)
	case word.CmpEq:
		return mask(term.Equal(x, y), 32)
	case word.CmpLtU:
		return mask(term.Below(x, y), 32)
	case word.CmpLtS:
		return mask(term.LessThan(x, y), 32)
	case word.Select:
		return term.Or(term.And(x, y), term.And(term.Not(x), z))
	case word.SadU, word.SadS:
		signed := i.Op == word.SadS
		return term.Add(z, term.Slice(term.Magnitude(term.Sub(term.Extend(x, signed, 34), term.Extend(y, signed, 34))), 0, 32))
	case word.Perm, word.PermS:
		return permuted(x, y, uint(i.Imm))
	case word.PackSatS8, word.PackSatU8:
		typ := typeIf(i.Op == word.PackSatS8)
		return term.Join(packed(x, typ, 8), packed(y, typ, 8), term.Slice(z, 0, 16))
	case word.PackSatS16, word.PackSatU16:
		typ := typeIf(i.Op == word.PackSatS16)
		return term.Join(packed(x, typ, 16), packed(y, typ, 16))
	case word.SadU8, word.SadS8:
		signed := i.Op == word.SadS8
		for at := 0; at < 32; at += 8 {
			t := term.Magnitude(term.Sub(term.Extend(term.Slice(x, at, 8), signed, 10), term.Extend(term.Slice(y, at, 8), signed, 10)))
			z = term.Add(z, term.Extend(t, false, 32))
		}
		return z
	case word.DotU8, word.DotS8:
		return dot(x, y, 8, i.Op == word.DotS8, i.Imm)
	case word.DotU16, word.DotS16:
		return dot(x, y, 16, i.Op == word.DotS16, i.Imm)
	case word.DotU8U8, word.DotU8S8, word.DotS8S8, word.DotU16U8, word.DotU16S8, word.DotS16U8, word.DotS16S8:
		lanes := i.Op.Products()
		for at := range 32 / lanes.Width {
			z = term.Add(z, q.laneProduct(term.Extend(term.Slice(x, at*lanes.Width, lanes.Width), lanes.SignedX, 32), term.Extend(term.Slice(y, 8*at, 8), lanes.SignedY, 32)))
		}
		return z
	case word.FunnelL, word.FunnelR:
		pair, places := term.Join(x, y), term.Extend(term.Choose(term.Below(z, term.Word(32)), z, term.Word(32)), false, 64)
		if i.Op == word.FunnelL {
			return term.Slice(term.Same("bvshl", pair, places), 32, 32)
		}
		return term.Slice(term.Same("bvlshr", pair, places), 0, 32)
	case word.WideU, word.WideS:
		return term.Extend(x, i.Op == word.WideS, 64)
	case word.MulWideU:
		return q.unsignedProduct(x, y, constant)
	case word.MulWideS:
		return q.signedProduct(x, y, constant)
	case word.ShrWideU:
		return term.Same("bvlshr", x, term.Number(int64(i.Imm), 64))
	case word.ShrWideS:
		return term.Same("bvashr", x, term.Number(int64(i.Imm), 64))
	case word.MinWideU:
		return term.Choose(term.Below(x, y), x, y)
	case word.MinWideS:
		return term.Smaller(x, y)
	case word.MaxWideS:
		return term.Larger(x, y)
	case word.Lo:
		return term.Slice(x, 0, 32)
	}
	return lanewise(i.Op, x, y)
}

// lowProduct is the low word of a product, which is the same of signed words and of unsigned ones.
func (q *query) lowProduct(x, y *term.Term, constant bool) *term.Term {
	if q.multiply != exactly && q.multiply != byHalves && q.signed && !constant {
		return term.Slice(q.abstract(x, y), 0, 32)
	}
	return term.Slice(q.unsignedProduct(x, y, constant), 0, 32)
}

// laneProduct is the product of two lanes, each extended to a word. Lanes are often 0, so that others count alone, and of an abstract
// product it has to be said what it then is.
func (q *query) laneProduct(x, y *term.Term) *term.Term {
	product := q.lowProduct(x, y, false)
	if q.multiply != exactly {
		zero := term.Word(0)
		q.assert(term.Either(term.Both(term.Differ(x, zero), term.Differ(y, zero)), term.Equal(product, zero)), "a product by 0")
	}
	return product
}

// fewBits is up to how many bits of a constant factor a product is written as a sum: of more, solvers do well enough with
// their own multiplication.
const fewBits = 4

// timesConstant is the low word of a product by a constant, as a sum of shifted words. (Of x * 10001, which puts a half twice, z3 made a minute's
// work as a product of 64 bits.)
func timesConstant(x *term.Term, k uint64) *term.Term {
	total := term.Word(0)
	for at := range int64(32) {
		if k>>at&1 != 0 {
			t := x
			if at > 0 {
				t = term.Same("bvshl", x, term.Number(at, 32))
			}
			total = term.Add(total, t)
		}
	}
	return total
}

// mask is all ones where the condition holds.
func mask(condition *term.Term, width int) *term.Term {
	return term.Choose(condition, term.Number(-1, width), term.Number(0, width))
}

// logic3 is the OR of the rows of the table that are set.
func logic3(x, y, z *term.Term, table uint) *term.Term {
	rows := term.Word(0)
	row := func(x *term.Term, set uint) *term.Term {
		if set&1 == 0 {
			return term.Not(x)
		}
		return x
	}
	for n := range uint(8) {
		if table>>n&1 != 0 {
			rows = term.Or(rows, term.And(row(x, n>>2), term.And(row(y, n>>1), row(z, n))))
		}
	}
	return rows
}

// permuted is PTX prmt.
func permuted(x, y *term.Term, selector uint) *term.Term {
	var bytes [4]*term.Term
	for i := range bytes {
		number := selector >> (4 * i) & 15
		from := x
		if number&4 != 0 {
			from = y
		}
		at := 8 * int(number&3)
		bytes[i] = term.Slice(from, at, 8)
		if number&8 != 0 {
			bytes[i] = term.Repeat(term.Slice(from, at+7, 1), 8)
		}
	}
	return term.Join(bytes[:]...)
}

// packed clamps a signed word to a lane.
func packed(x *term.Term, typ isa.Type, bits int) *term.Term {
	return term.Slice(clamp(term.Extend(x, true, 34), typ, bits), 0, bits)
}

func typeIf(signed bool) isa.Type {
	if signed {
		return isa.S32
	}
	return isa.U32
}

// dot adds the weighted lanes of x to acc.
func dot(x, acc *term.Term, bits int, signed bool, weights uint64) *term.Term {
	for i := range 32 / bits {
		weight := int64(int8(weights >> (8 * i)))
		if weight == 0 {
			continue
		}
		t := term.Extend(term.Slice(x, i*bits, bits), signed, 32)
		switch weight {
		case 1:
			acc = term.Add(acc, t)
		case -1:
			acc = term.Sub(acc, t)
		default:
			acc = term.Add(acc, term.Same("bvmul", t, term.Number(weight, 32)))
		}
	}
	return acc
}

// signedProduct returns the 64-bit product of signed words from the unsigned one.
func (q *query) signedProduct(x, y *term.Term, constant bool) *term.Term {
	if constant { // solvers are good at products by a constant
		return term.Same("bvmul", term.Extend(x, true, 64), term.Extend(y, true, 64))
	}
	if q.multiply != exactly && q.signed {
		return q.abstract(x, y)
	}
	product := q.unsignedProduct(x, y, false)
	return term.Sub(term.Sub(product, excess(x, y)), excess(y, x))
}

// laneOps say what packed operations do with one lane, extended by two bits.
var laneOps = map[word.Op]struct {
	signed bool
	f      func(x, y *term.Term, bits int) *term.Term
}{
	word.Add8: {false, laneAdd}, word.Add16: {false, laneAdd},
	word.Sub8: {false, laneSub}, word.Sub16: {false, laneSub},
	word.AddSatU8: {false, laneAddSatU}, word.AddSatU16: {false, laneAddSatU},
	word.AddSatS8: {true, laneAddSatS}, word.AddSatS16: {true, laneAddSatS},
	word.SubSatU8: {false, laneSubSatU}, word.SubSatU16: {false, laneSubSatU},
	word.SubSatS8: {true, laneSubSatS}, word.SubSatS16: {true, laneSubSatS},
	word.MinU8: {false, laneMin}, word.MinU16: {false, laneMin},
	word.MinS8: {true, laneMin}, word.MinS16: {true, laneMin},
	word.MaxU8: {false, laneMax}, word.MaxU16: {false, laneMax},
	word.MaxS8: {true, laneMax}, word.MaxS16: {true, laneMax},
	word.AvgU8: {false, laneAvg}, word.AvgU16: {false, laneAvg},
	word.CmpEq8: {false, laneEq}, word.CmpEq16: {false, laneEq},
	word.CmpGtU8: {false, laneGt}, word.CmpGtU16: {false, laneGt},
	word.CmpGtS8: {true, laneGt}, word.CmpGtS16: {true, laneGt},
	word.AbsDiffU8: {false, laneApart}, word.AbsDiffS8: {true, laneApart},
}

func laneAdd(x, y *term.Term, _ int) *term.Term        { return term.Add(x, y) }
func laneSub(x, y *term.Term, _ int) *term.Term        { return term.Sub(x, y) }
func laneAddSatU(x, y *term.Term, bits int) *term.Term { return clamp(term.Add(x, y), isa.U32, bits) }
func laneAddSatS(x, y *term.Term, bits int) *term.Term { return clamp(term.Add(x, y), isa.S32, bits) }
func laneSubSatU(x, y *term.Term, bits int) *term.Term { return clamp(term.Sub(x, y), isa.U32, bits) }
func laneSubSatS(x, y *term.Term, bits int) *term.Term { return clamp(term.Sub(x, y), isa.S32, bits) }
func laneMin(x, y *term.Term, _ int) *term.Term        { return term.Smaller(x, y) }
func laneMax(x, y *term.Term, _ int) *term.Term        { return term.Larger(x, y) }
func laneEq(x, y *term.Term, _ int) *term.Term         { return mask(term.Equal(x, y), x.Width) }
func laneGt(x, y *term.Term, _ int) *term.Term         { return mask(term.LessThan(y, x), x.Width) }
func laneApart(x, y *term.Term, _ int) *term.Term      { return term.Magnitude(term.Sub(x, y)) }
func laneAvg(x, y *term.Term, _ int) *term.Term {
	one := term.Number(1, x.Width)
	return term.Same("bvlshr", term.Add(term.Add(x, y), one), one)
}

// lanewise applies a packed operation to every lane.
func lanewise(op word.Op, x, y *term.Term) *term.Term {
	how, bits := laneOps[op], packedWidth(op)
	var lanes []*term.Term
	for at := 0; at < 32; at += bits {
		p, r := term.Extend(term.Slice(x, at, bits), how.signed, bits+2), term.Extend(term.Slice(y, at, bits), how.signed, bits+2)
		lanes = append(lanes, term.Slice(how.f(p, r, bits), 0, bits))
	}
	return term.Join(lanes...)
}
