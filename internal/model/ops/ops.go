package ops

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Op is an operation on registers.
type Op struct {
	Name string // "add.s32"
	Text string // with $ for each operand, destinations first
	Dst  []Class
	Src  []Class
	Only []bool // sources that must be registers
	Eval func(d, s []uint64)
	Warp func(w *Warp) // of operations across a warp; instead of eval
	// forLane does for a lane what Warp does, if that is done lane by lane.
	forLane func(w *Warp, lane int)
	// Whole operations across a warp are executed by all of its lanes, and those of lanes together by those that are at it
	// at the same time. They have no mask of members.
	Whole, Together bool
	Vote            func(votes, voters int) uint64 // of operations across the block; instead of eval
	// The last source is small and not 0; the last source is a number; the condition code is read or written, as
	// another source and destination at the end.
	Nonzero, Number, Reads, Writes bool
	Positions                      int // so many of the last sources are positions among bits: constants from 0 to 255
}

// Table has operations by what random kernels choose them for.
type Table struct {
	Plain []*Op // on registers
	Tests []*Op // that make predicates
	Warp  []*Op // across a warp
	Votes []*Op // across the block
	Carry [][2]*Op
	// Matrices are products and transpositions, by a whole warp.
	Matrices []*Op
	named    map[string]*Op
}

// All has all operations of targets from sm_70 on.
var All = func() *Table {
	t := &Table{named: map[string]*Op{}}
	t.integers()
	t.bitwise()
	t.comparisons()
	t.moves()
	t.conversions()
	t.floats()
	t.halves()
	t.carries()
	t.warps()
	t.matrices()
	return t
}()

// InStep has those of sm_61, on which the lanes of a warp keep in step: operations across a warp have no masks there.
var InStep = func() *Table {
	t := *All
	t.Plain = slices.DeleteFunc(slices.Clone(t.Plain), func(op *Op) bool {
		return strings.HasPrefix(op.Name, "cvt.pack.") || strings.HasPrefix(op.Name, "bmsk.") // they came with sm_70 and sm_72
	})
	t.Warp, t.Matrices = nil, nil
	for _, op := range All.Warp {
		if old, ok := op.withoutMask(); ok {
			t.Warp = append(t.Warp, old)
		}
	}
	return &t
}()

// NewOp reads an operation: "mul.wide.s32 d, r, r". The letters are classes; an upper case one is that of a
// register that may not be a number instead. The destinations are what stands before ", ": "mov.b64 {r,r}, d".
func NewOp(text string, eval func(d, s []uint64)) *Op {
	name, operands, _ := strings.Cut(text, " ")
	first, _, _ := strings.Cut(operands, ", ")
	op := &Op{Name: name, Eval: eval}
	var spelled strings.Builder
	for i, r := range operands {
		c := strings.IndexRune(classLetters, r|0x20)
		if c < 0 {
			spelled.WriteRune(r)
			continue
		}
		spelled.WriteByte('$')
		if i < len(first) {
			op.Dst = append(op.Dst, Class(c))
		} else {
			op.Src = append(op.Src, Class(c))
			op.Only = append(op.Only, r < 'a' || Class(c) == Pred)
		}
	}
	op.Text = name + " " + spelled.String()
	return op
}

// add enters an operation whose result is the value of f.
func (t *Table) add(text string, f func(s []uint64) uint64) *Op {
	op := NewOp(text, nil)
	mask := op.Dst[0].Mask()
	op.Eval = func(d, s []uint64) { d[0] = f(s) & mask }
	t.enter(op)
	return op
}

func (t *Table) enter(op *Op) {
	if _, twice := t.named[op.Name]; !twice {
		t.named[op.Name] = op
	}
	if op.Dst[0] == Pred {
		t.Tests = append(t.Tests, op)
	} else {
		t.Plain = append(t.Plain, op)
	}
}

// Named returns the operation of a name.
func Named(name string) *Op {
	op := All.named[name]
	if op == nil {
		panic("ops: there is no " + name)
	}
	return op
}

// Integer is an integer type.
type Integer struct {
	Bits   int
	Signed bool
}

func (t Integer) String() string {
	if t.Signed {
		return fmt.Sprintf("s%d", t.Bits)
	}
	return fmt.Sprintf("u%d", t.Bits)
}

// holds reports whether the type has all values of another.
func (t Integer) holds(of Integer) bool {
	return t.Signed == of.Signed && t.Bits >= of.Bits || t.Signed && t.Bits > of.Bits
}

// Letter is that of registers that have the type's width.
func (t Integer) letter() string { return map[int]string{16: "h", 32: "r", 64: "d"}[t.Bits] }

var integerTypes = []Integer{{16, false}, {16, true}, {32, false}, {32, true}, {64, false}, {64, true}}

// Extend gives the value of the low bits, which only differs from them if it is negative.
func (t Integer) Extend(v uint64) uint64 {
	shift := 64 - t.Bits
	if t.Signed {
		return uint64(int64(v<<shift) >> shift)
	}
	return v << shift >> shift
}

// Less compares values that are extended.
func (t Integer) Less(a, b uint64) bool {
	if t.Signed {
		return int64(a) < int64(b)
	}
	return a < b
}

// product returns all 128 bits of a product.
func (t Integer) product(a, b uint64) (high, low uint64) {
	high, low = bits.Mul64(a, b)
	if t.Signed {
		if int64(a) < 0 {
			high -= b
		}
		if int64(b) < 0 {
			high -= a
		}
	}
	return high, low
}

// upper returns the upper half of a product of the type's width.
func (t Integer) upper(a, b uint64) uint64 {
	high, low := t.product(a, b)
	if t.Bits == 64 {
		return high
	}
	return low >> t.Bits
}

// Choose returns a where the condition holds, and else b.
func Choose(condition bool, a, b uint64) uint64 {
	if condition {
		return a
	}
	return b
}

// integers enters integer arithmetic.
func (t *Table) integers() {
	for _, i := range integerTypes {
		// entered takes operands as values of the type.
		enter := func(format string, f func(a, b, c uint64) uint64) *Op {
			text := strings.NewReplacer("T", i.String(), "w", i.letter(), "W", strings.ToUpper(i.letter())).Replace(format)
			return t.add(text, func(s []uint64) uint64 {
				var v [3]uint64
				for k := range s {
					v[k] = i.Extend(s[k])
				}
				return f(v[0], v[1], v[2])
			})
		}
		distance := func(a, b uint64) uint64 { return Choose(i.Less(a, b), b-a, a-b) }
		enter("add.T w, w, w", func(a, b, c uint64) uint64 { return a + b })
		enter("sub.T w, w, w", func(a, b, c uint64) uint64 { return a - b })
		enter("mul.lo.T w, w, w", func(a, b, c uint64) uint64 { return a * b })
		enter("mul.hi.T w, w, w", func(a, b, c uint64) uint64 { return i.upper(a, b) })
		enter("mad.lo.T w, w, w, w", func(a, b, c uint64) uint64 { return a*b + c })
		enter("mad.hi.T w, w, w, w", func(a, b, c uint64) uint64 { return i.upper(a, b) + c })
		enter("sad.T w, w, w, w", func(a, b, c uint64) uint64 { return c + distance(a, b) })
		enter("min.T w, w, w", func(a, b, c uint64) uint64 { return Choose(i.Less(a, b), a, b) })
		enter("max.T w, w, w", func(a, b, c uint64) uint64 { return Choose(i.Less(a, b), b, a) })
		enter("div.T w, w, w", func(a, b, c uint64) uint64 {
			switch {
			case b == 0:
				return ^uint64(0)
			case i.Signed:
				return uint64(int64(a) / int64(b))
			}
			return a / b
		}).Nonzero = true
		enter("rem.T w, w, w", func(a, b, c uint64) uint64 {
			switch {
			case b == 0:
				return ^uint64(0)
			case i.Signed:
				return uint64(int64(a) % int64(b))
			}
			return a % b
		}).Nonzero = true
		if i.Signed {
			enter("abs.T w, W", func(a, b, c uint64) uint64 { return Choose(int64(a) < 0, -a, a) })
			enter("neg.T w, W", func(a, b, c uint64) uint64 { return -a })
		}
		if i.Bits < 64 {
			wide := map[int]string{16: "r", 32: "d"}[i.Bits]
			t.add(fmt.Sprintf("mul.wide.%v %s, %s, %[3]s", i, wide, i.letter()), func(s []uint64) uint64 { return i.Extend(s[0]) * i.Extend(s[1]) })
			t.add(fmt.Sprintf("mad.wide.%v %s, %s, %[3]s, %[2]s", i, wide, i.letter()), func(s []uint64) uint64 { return i.Extend(s[0])*i.Extend(s[1]) + s[2] })
		}
		if i.Bits == 32 {
			low := Integer{24, i.Signed}
			for _, part := range []string{"lo", "hi"} {
				shift := int(Choose(part == "hi", 16, 0))
				f := func(s []uint64) uint64 { return low.Extend(s[0]) * low.Extend(s[1]) >> shift }
				t.add(fmt.Sprintf("mul24.%s.%v r, r, r", part, i), f)
				t.add(fmt.Sprintf("mad24.%s.%v r, r, r, r", part, i), func(s []uint64) uint64 { return f(s) + s[2] })
			}
		}
	}
	saturate := func(v uint64) uint64 { return uint64(min(max(int64(v), -1<<31), 1<<31-1)) }
	s32 := Integer{32, true}
	t.add("add.sat.s32 r, r, r", func(s []uint64) uint64 { return saturate(s32.Extend(s[0]) + s32.Extend(s[1])) })
	t.add("sub.sat.s32 r, r, r", func(s []uint64) uint64 { return saturate(s32.Extend(s[0]) - s32.Extend(s[1])) })
	for _, a := range []bool{false, true} {
		for _, b := range []bool{false, true} {
			names := fmt.Sprintf("%v.%v", Integer{32, a}, Integer{32, b})
			dot := func(s []uint64, bits, n, from int) uint64 {
				sum := s[2]
				for k := range n {
					sum += Integer{bits, a}.Extend(s[0]>>(bits*k)) * Integer{8, b}.Extend(s[1]>>(8*(from+k)))
				}
				return sum
			}
			t.add("dp4a."+names+" r, r, r, r", func(s []uint64) uint64 { return dot(s, 8, 4, 0) })
			t.add("dp2a.lo."+names+" r, r, r, r", func(s []uint64) uint64 { return dot(s, 16, 2, 0) })
			t.add("dp2a.hi."+names+" r, r, r, r", func(s []uint64) uint64 { return dot(s, 16, 2, 2) })
		}
	}
}

// bitwise enters logic, shifts, and the operations on fields of bits.
func (t *Table) bitwise() {
	for _, w := range []Integer{{16, false}, {32, false}, {64, false}} {
		l, n := w.letter(), w.Bits
		name := fmt.Sprintf("b%d", n)
		t.add("and."+name+" "+l+", "+l+", "+l, func(s []uint64) uint64 { return s[0] & s[1] })
		t.add("or."+name+" "+l+", "+l+", "+l, func(s []uint64) uint64 { return s[0] | s[1] })
		t.add("xor."+name+" "+l+", "+l+", "+l, func(s []uint64) uint64 { return s[0] ^ s[1] })
		upper := strings.ToUpper(l)
		t.add("not."+name+" "+l+", "+upper, func(s []uint64) uint64 { return ^s[0] })
		t.add("cnot."+name+" "+l+", "+upper, func(s []uint64) uint64 { return Choose(s[0] == 0, 1, 0) })
		t.add("shl."+name+" "+l+", "+l+", r", func(s []uint64) uint64 { return s[0] << s[1] })
		t.add("shr."+name+" "+l+", "+l+", r", func(s []uint64) uint64 { return s[0] >> s[1] })
		t.add(fmt.Sprintf("shr.u%d %s, %s, r", n, l, l), func(s []uint64) uint64 { return s[0] >> s[1] })
		t.add(fmt.Sprintf("shr.s%d %s, %s, r", n, l, l), func(s []uint64) uint64 {
			return uint64(int64(Integer{n, true}.Extend(s[0])) >> s[1])
		})
		if n == 16 {
			continue
		}
		t.add("popc."+name+" r, "+upper, func(s []uint64) uint64 { return uint64(bits.OnesCount64(s[0])) })
		t.add("clz."+name+" r, "+upper, func(s []uint64) uint64 { return uint64(n - bits.Len64(s[0])) })
		t.add("brev."+name+" "+l+", "+upper, func(s []uint64) uint64 { return bits.Reverse64(s[0]) >> (64 - n) })
		for _, i := range []Integer{{n, false}, {n, true}} {
			find := func(s []uint64) uint64 {
				v := i.Extend(s[0])
				if i.Signed && int64(v) < 0 {
					v = ^v
				}
				return uint64(bits.Len64(v)) - 1
			}
			t.add(fmt.Sprintf("bfind.%v r, %s", i, upper), find)
			t.add(fmt.Sprintf("bfind.shiftamt.%v r, %s", i, upper), func(s []uint64) uint64 {
				at := find(s)
				return Choose(at == ^uint64(0), at, uint64(n-1)-at)
			})
			t.add(fmt.Sprintf("bfe.%v %s, %s, r, r", i, l, l), func(s []uint64) uint64 { return field(i, s[0], int(s[1]&255), int(s[2]&255)) }).Positions = 2
		}
		t.add("bfi."+name+" "+l+", "+l+", "+l+", r, r", func(s []uint64) uint64 {
			at, length := int(s[2]&255), int(s[3]&255)
			result := s[1]
			for k := 0; k < length && at+k < n; k++ {
				result = result&^(1<<(at+k)) | s[0]>>k&1<<(at+k)
			}
			return result
		}).Positions = 2
	}
	for _, wrap := range []bool{false, true} {
		mode := map[bool]string{false: "clamp", true: "wrap"}[wrap]
		amount := func(v uint64) uint64 {
			if wrap {
				return v & 31
			}
			return min(v, 32)
		}
		t.add("shf.l."+mode+".b32 r, r, r, r", func(s []uint64) uint64 { return (s[1]<<32 | s[0]) << amount(s[2]) >> 32 })
		t.add("shf.r."+mode+".b32 r, r, r, r", func(s []uint64) uint64 { return (s[1]<<32 | s[0]) >> amount(s[2]) })
		t.add("bmsk."+mode+".b32 r, r, r", func(s []uint64) uint64 {
			from, length := amount(s[0]), amount(s[1])
			return (1<<length - 1) << from
		})
	}
	for n := range 6 {
		op := t.add("lop3.b32 r, R, r, r, r", func(s []uint64) (d uint64) {
			for bit := range 32 {
				at := s[0]>>bit&1<<2 | s[1]>>bit&1<<1 | s[2]>>bit&1
				d |= s[3] >> at & 1 << bit
			}
			return d
		})
		op.Number = true
		if n > 0 {
			op.Name += "." // more often than others, and not found by name
		}
	}
	t.permutations()
}

// field is what bfe computes.
func field(i Integer, a uint64, at, length int) (d uint64) {
	sign := uint64(0)
	if i.Signed && length > 0 {
		sign = a >> min(at+length-1, i.Bits-1) & 1
	}
	for k := range i.Bits {
		switch {
		case k < length && at+k < i.Bits:
			d |= a >> (at + k) & 1 << k
		default:
			d |= sign << k
		}
	}
	return d
}

// permutations enters prmt with its modes.
func (t *Table) permutations() {
	modes := map[string]func(c, k uint64) uint64{
		".f4e":  func(c, k uint64) uint64 { return c + k },
		".b4e":  func(c, k uint64) uint64 { return c - k },
		".rc8":  func(c, k uint64) uint64 { return c },
		".ecl":  func(c, k uint64) uint64 { return max(c, k) },
		".ecr":  func(c, k uint64) uint64 { return min(c, k) },
		".rc16": func(c, k uint64) uint64 { return c&1*2 + k&1 },
	}
	pick := func(s []uint64, selector uint64) uint64 {
		b := (s[1]<<32 | s[0]) >> (selector & 7 * 8) & 255
		if selector&8 != 0 {
			return b >> 7 * 255
		}
		return b
	}
	for range 3 {
		t.add("prmt.b32 r, r, r, r", func(s []uint64) (d uint64) {
			for k := range 4 {
				d |= pick(s, s[2]>>(4*k)&15) << (8 * k)
			}
			return d
		})
	}
	for _, mode := range sortedKeys(modes) {
		f := modes[mode]
		t.add("prmt.b32"+mode+" r, r, r, r", func(s []uint64) (d uint64) {
			for k := range uint64(4) {
				d |= pick(s, f(s[2]&3, k)&7) << (8 * k)
			}
			return d
		})
	}
}

// comparisons enters tests of integers, and what chooses by predicates.
func (t *Table) comparisons() {
	type cmp struct {
		name string
		f    func(less, equal bool) bool
	}
	cmps := []cmp{
		{"eq", func(less, equal bool) bool { return equal }}, {"ne", func(less, equal bool) bool { return !equal }},
		{"lt", func(less, equal bool) bool { return less }}, {"le", func(less, equal bool) bool { return less || equal }},
		{"gt", func(less, equal bool) bool { return !less && !equal }}, {"ge", func(less, equal bool) bool { return !less }},
	}
	unsigned := map[string]string{"lt": "lo", "le": "ls", "gt": "hi", "ge": "hs"}
	for _, i := range integerTypes {
		for _, c := range cmps {
			test := func(s []uint64) bool {
				a, b := i.Extend(s[0]), i.Extend(s[1])
				return c.f(i.Less(a, b), a == b)
			}
			names := []string{c.name + ".%s" + i.String()}
			if other, ok := unsigned[c.name]; ok && !i.Signed {
				names = append(names, other+".%s"+i.String())
			}
			if !i.Signed && (c.name == "eq" || c.name == "ne") {
				names = append(names, c.name+".%sb"+fmt.Sprint(i.Bits))
			}
			for _, name := range names {
				t.test(name, i.letter(), test)
			}
		}
	}
	for _, w := range []string{"b16 h", "u16 h", "b32 r", "s32 r", "b64 d", "u64 d", "f32 f", "f64 e"} {
		typ, l, _ := strings.Cut(w, " ")
		t.add("selp."+typ+" "+l+", "+l+", "+l+", p", func(s []uint64) uint64 { return Choose(s[2] != 0, s[0], s[1]) })
		t.add("slct."+typ+".s32 "+l+", "+l+", "+l+", r", func(s []uint64) uint64 { return Choose(int32(s[2]) >= 0, s[0], s[1]) })
		t.add("slct."+typ+".f32 "+l+", "+l+", "+l+", f", func(s []uint64) uint64 {
			return Choose(s[2]&^(1<<31) == 0 || s[2]>>31 == 0 && s[2] <= 0x7f800000, s[0], s[1])
		})
	}
	t.add("and.pred p, p, p", func(s []uint64) uint64 { return s[0] & s[1] })
	t.add("or.pred p, p, p", func(s []uint64) uint64 { return s[0] | s[1] })
	t.add("xor.pred p, p, p", func(s []uint64) uint64 { return s[0] ^ s[1] })
	t.add("not.pred p, p", func(s []uint64) uint64 { return ^s[0] })
	t.add("mov.pred p, p", func(s []uint64) uint64 { return s[0] })
}

// test enters the forms of setp and set of a comparison. Its name has %s where a combination stands.
func (t *Table) test(name, letter string, test func(s []uint64) bool) {
	bit := func(b bool) uint64 { return Choose(b, 1, 0) }
	t.add("setp."+fmt.Sprintf(name, "")+" p, "+letter+", "+letter, func(s []uint64) uint64 { return bit(test(s)) })
	before, after, _ := strings.Cut(name, "%s")
	halves := after == "f16" // of which there is no second predicate, and package vm has no set
	if !halves {
		t.enter(NewOp("setp."+fmt.Sprintf(name, "")+" p|p, "+letter+", "+letter, func(d, s []uint64) { d[0], d[1] = bit(test(s)), bit(!test(s)) }))
	}
	combinations := map[string]func(a, b uint64) uint64{
		"and.": func(a, b uint64) uint64 { return a & b },
		"or.":  func(a, b uint64) uint64 { return a | b },
		"xor.": func(a, b uint64) uint64 { return a ^ b },
	}
	for _, combination := range sortedKeys(combinations) {
		f := combinations[combination]
		full := fmt.Sprintf(name, combination)
		t.add("setp."+full+" p, "+letter+", "+letter+", p", func(s []uint64) uint64 { return f(bit(test(s)), s[2]) })
		if !halves {
			t.enter(NewOp("setp."+full+" p|p, "+letter+", "+letter+", p", func(d, s []uint64) {
				d[0], d[1] = f(bit(test(s)), s[2]), f(bit(!test(s)), s[2])
			}))
		}
	}
	if halves {
		return
	}
	for _, to := range []string{"u32 r", "s32 r", "f32 f"} {
		typ, l, _ := strings.Cut(to, " ")
		yes := Choose(typ == "f32", 0x3f800000, 0xffffffff)
		t.add("set."+before+typ+"."+after+" "+l+", "+letter+", "+letter, func(s []uint64) uint64 { return Choose(test(s), yes, 0) })
		t.add("set."+before+"and."+typ+"."+after+" "+l+", "+letter+", "+letter+", p", func(s []uint64) uint64 { return Choose(test(s) && s[2] != 0, yes, 0) })
	}
}

// moves enters moves, and the packing and unpacking of vectors.
func (t *Table) moves() {
	for _, text := range []string{
		"mov.b16 h, h", "mov.u16 h, h", "mov.b32 r, r", "mov.u32 r, r", "mov.s32 r, r", "mov.b64 d, d", "mov.u64 d, d",
		"mov.f32 f, f", "mov.f64 e, e", "mov.b32 f, R", "mov.b32 r, F", "mov.b64 e, D", "mov.b64 d, E",
	} {
		t.add(text, func(s []uint64) uint64 { return s[0] })
	}
	for _, v := range []struct {
		name, whole, piece string
		n, bits            int
	}{{"mov.b32", "r", "h", 2, 16}, {"mov.b64", "d", "r", 2, 32}, {"mov.b64", "d", "h", 4, 16}, {"mov.b64", "e", "f", 2, 32}} {
		pieces := "{" + strings.TrimSuffix(strings.Repeat(v.piece+",", v.n), ",") + "}"
		t.add(v.name+" "+v.whole+", "+pieces, func(s []uint64) (d uint64) {
			for i := range s {
				d |= s[i] << (i * v.bits)
			}
			return d
		})
		t.enter(NewOp(v.name+" "+pieces+", "+strings.ToUpper(v.whole), func(d, s []uint64) {
			for i := range d {
				d[i] = s[0] >> (i * v.bits) & (1<<v.bits - 1)
			}
		}))
	}
}

// conversions enters cvt between integers, to registers of the type's width and of greater ones.
func (t *Table) conversions() {
	types := append([]Integer{{8, false}, {8, true}}, integerTypes...)
	registers := []struct {
		letter string
		bits   int
	}{{"h", 16}, {"r", 32}, {"d", 64}}
	for _, to := range types {
		for _, from := range types {
			for _, d := range registers {
				for _, s := range registers {
					if d.bits < to.Bits || s.bits < from.Bits || d.bits > 2*max(to.Bits, 16) || s.bits > 2*max(from.Bits, 16) {
						continue
					}
					operands := " " + d.letter + ", " + strings.ToUpper(s.letter)
					t.add(fmt.Sprintf("cvt.%v.%v", to, from)+operands, func(s []uint64) uint64 { return to.Extend(from.Extend(s[0])) })
					if to.holds(from) {
						continue // .sat is only for values that may not fit
					}
					t.add(fmt.Sprintf("cvt.sat.%v.%v", to, from)+operands, func(s []uint64) uint64 { return to.Extend(to.clamp(from, from.Extend(s[0]))) })
				}
			}
		}
	}
	for _, name := range []string{"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"} {
		signed, n := name[0] == 's', 0
		fmt.Sscan(name[1:], &n)
		i := Integer{n, signed}
		part := func(v uint64) uint64 { return i.clamp(Integer{32, true}, Integer{32, true}.Extend(v)) & (1<<n - 1) }
		if n == 16 {
			t.add("cvt.pack.sat."+name+".s32 r, R, R", func(s []uint64) uint64 { return part(s[0])<<n | part(s[1]) })
			continue
		}
		t.add("cvt.pack.sat."+name+".s32.b32 r, R, R, R", func(s []uint64) uint64 { return s[2]<<(2*n) | part(s[0])<<n | part(s[1]) })
	}
}

// clamp limits a value of another type to those of the type.
func (t Integer) clamp(from Integer, v uint64) uint64 {
	highest := ^uint64(0) >> (64 - t.Bits)
	lowest := uint64(0)
	if t.Signed {
		highest >>= 1
		lowest = ^highest
	}
	if from.Signed && int64(v) < 0 {
		if !t.Signed || int64(v) < int64(lowest) {
			return lowest
		}
		return v
	}
	return min(v, highest)
}

// carries enters the instructions with the condition code, which stand in twos.
func (t *Table) carries() {
	pair := func(first, second *Op) { t.Carry = append(t.Carry, [2]*Op{first, second}) }
	for _, i := range []Integer{{32, false}, {32, true}, {64, false}, {64, true}} {
		l := i.letter()
		mask := ^uint64(0) >> (64 - i.Bits)
		sum := func(d, s []uint64, a, b, carry uint64) {
			low, c := bits.Add64(a, b, carry)
			if i.Bits == 32 {
				c = low >> 32 & 1
			}
			d[0], d[len(d)-1] = low&mask, c
		}
		difference := func(d, s []uint64, a, b, borrow uint64) {
			low, c := bits.Sub64(a, b, borrow)
			d[0], d[len(d)-1] = low&mask, c
		}
		half := func(part string, s []uint64) uint64 {
			if part == "hi" {
				return i.upper(i.Extend(s[0]), i.Extend(s[1])) & mask
			}
			return s[0] * s[1] & mask
		}
		form := func(text string, reads, writes bool, eval func(d, s []uint64)) *Op {
			op := NewOp(text, eval)
			op.Reads, op.Writes = reads, writes
			return op
		}
		two, three := fmt.Sprintf(".%v %s, %s, %[2]s", i, l, l), fmt.Sprintf(".%v %s, %s, %[2]s, %[2]s", i, l, l)
		for _, cc := range []string{"", ".cc"} {
			writes := cc != ""
			pair(form("add.cc"+two, false, true, func(d, s []uint64) { sum(d, s, s[0], s[1], 0) }),
				form("addc"+cc+two, true, writes, func(d, s []uint64) { sum(d, s, s[0], s[1], s[2]) }))
			pair(form("sub.cc"+two, false, true, func(d, s []uint64) { difference(d, s, s[0], s[1], 0) }),
				form("subc"+cc+two, true, writes, func(d, s []uint64) { difference(d, s, s[0], s[1], s[2]) }))
			for _, part := range []string{"lo", "hi"} {
				pair(form("mad."+part+".cc"+three, false, true, func(d, s []uint64) { sum(d, s, half(part, s), s[2], 0) }),
					form("madc."+part+cc+three, true, writes, func(d, s []uint64) { sum(d, s, half(part, s), s[2], s[3]) }))
			}
		}
	}
}
