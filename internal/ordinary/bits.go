package ordinary

import (
	"fmt"
	"math/bits"
)

func bit(x uint64, i int) uint64 { return x >> i & 1 }

// bits enters logic, shifts and the operations on single bits (PTX ISA 9.7.1.14 to 22, 9.7.8).
func (t *table) bits() {
	for _, n := range []int{16, 32, 64} {
		typ := fmt.Sprintf("b%d", n)
		two := typ + " " + typ
		t.bitwise("and."+typ, typ, two, func(x []uint64) uint64 { return x[0] & x[1] })
		t.bitwise("or."+typ, typ, two, func(x []uint64) uint64 { return x[0] | x[1] })
		t.bitwise("xor."+typ, typ, two, func(x []uint64) uint64 { return x[0] ^ x[1] })
		t.bitwise("not."+typ, typ, typ, func(x []uint64) uint64 { return ^x[0] })
		t.bitwise("cnot."+typ, typ, typ, func(x []uint64) uint64 { return truth(x[0] == 0) })
		t.bitwise("shl."+typ, typ, typ+" u32", func(x []uint64) uint64 {
			if x[1] >= uint64(n) {
				return 0
			}
			return x[0] << x[1]
		})
		for _, kind := range "bus" {
			typ := fmt.Sprintf("%c%d", kind, n)
			t.bitwise("shr."+typ, typ, typ+" u32", func(x []uint64) (d uint64) {
				fill := uint64(0)
				if kind == 's' {
					fill = bit(x[0], n-1)
				}
				for i := range n {
					from, b := uint64(i)+x[1], fill
					if from < uint64(n) {
						b = bit(x[0], int(from))
					}
					d |= b << i
				}
				return d
			}).Positions = 2
		}
	}
	t.predicates()
	t.counts()
	t.fields()
	t.funnels()
	t.permutations()
	for lut := range uint64(256) {
		t.addCode("lop3.b32", fmt.Sprintf("lop3.b32 D0, S0, S1, S2, 0x%x", lut), "b32", "b32 b32 b32", func(x []uint64) []uint64 {
			d := uint64(0)
			for i := range 32 {
				d |= bit(lut, int(bit(x[0], i)<<2|bit(x[1], i)<<1|bit(x[2], i))) << i
			}
			return []uint64{d}
		})
	}
	t.logicPredicates()
}

// logicPredicates enters lop3 with a predicate, of some tables; the others are the same function.
func (t *table) logicPredicates() {
	for op, of := range map[string]func(p, q uint64) uint64{
		"and": func(p, q uint64) uint64 { return p & q },
		"or":  func(p, q uint64) uint64 { return p | q },
	} {
		for _, lut := range []uint64{0x00, 0x01, 0x1a, 0x40, 0x80, 0xc0, 0xca, 0xf0, 0xff} {
			for _, form := range []struct {
				results, pair, predicate string
			}{{"b32 pred", "D0|D1", "S3"}, {"b32 pred", "D0|D1", "!S3"}, {"pred", "_|D0", "S3"}} {
				code := fmt.Sprintf("lop3.%s.b32 %s, S0, S1, S2, 0x%x, %s", op, form.pair, lut, form.predicate)
				t.addCode("lop3."+op+".b32", code, form.results, "b32 b32 b32 pred", func(x []uint64) []uint64 {
					d, q := uint64(0), x[3]
					for i := range 32 {
						d |= bit(lut, int(bit(x[0], i)<<2|bit(x[1], i)<<1|bit(x[2], i))) << i
					}
					if form.predicate[0] == '!' {
						q = 1 - q
					}
					p := of(truth(d != 0), q)
					if form.results == "pred" {
						return []uint64{p}
					}
					return []uint64{d, p}
				})
			}
		}
	}
}

func (t *table) predicates() {
	t.bitwise("and.pred", "pred", "pred pred", func(x []uint64) uint64 { return x[0] & x[1] })
	t.bitwise("or.pred", "pred", "pred pred", func(x []uint64) uint64 { return x[0] | x[1] })
	t.bitwise("xor.pred", "pred", "pred pred", func(x []uint64) uint64 { return x[0] ^ x[1] })
	t.bitwise("not.pred", "pred", "pred", func(x []uint64) uint64 { return ^x[0] })
	t.bitwise("mov.pred", "pred", "pred", func(x []uint64) uint64 { return x[0] })
}

func (t *table) counts() {
	for _, n := range []int{32, 64} {
		typ := fmt.Sprintf("b%d", n)
		t.bitwise("popc."+typ, "u32", typ, func(x []uint64) (d uint64) {
			for i := range n {
				d += bit(x[0], i)
			}
			return d
		})
		t.bitwise("clz."+typ, "u32", typ, func(x []uint64) (d uint64) {
			for i := n - 1; i >= 0 && bit(x[0], i) == 0; i-- {
				d++
			}
			return d
		})
		t.bitwise("brev."+typ, typ, typ, func(x []uint64) (d uint64) {
			for i := range n {
				d |= bit(x[0], i) << (n - 1 - i)
			}
			return d
		})
		for _, kind := range "us" {
			typ := fmt.Sprintf("%c%d", kind, n)
			find := func(x uint64) int {
				if kind == 's' && bit(x, n-1) == 1 {
					x = ^x & mask(n)
				}
				return bits.Len64(x) - 1
			}
			t.bitwise("bfind."+typ, "u32", typ, func(x []uint64) uint64 { return uint64(find(x[0])) })
			t.bitwise("bfind.shiftamt."+typ, "u32", typ, func(x []uint64) uint64 {
				if at := find(x[0]); at >= 0 {
					return uint64(n - 1 - at)
				}
				return ^uint64(0)
			})
		}
	}
	f := t.bitwise("fns.b32", "b32", "b32 u32 s32", func(x []uint64) uint64 {
		at, n := int64(x[1]), int64(int32(x[2]))
		if n == 0 {
			if bit(x[0], int(at)) == 1 {
				return x[1]
			}
			return ^uint64(0)
		}
		step := int64(1)
		if n < 0 {
			n, step = -n, -1
		}
		for ; at >= 0 && at < 32; at += step {
			if bit(x[0], int(at)) == 1 {
				if n--; n == 0 {
					return uint64(at)
				}
			}
		}
		return ^uint64(0)
	})
	f.Restrict = func(x []uint64) { x[1] &= 31 } // else the manual leaves it open
}

func (t *table) fields() {
	for _, n := range []int{32, 64} {
		for _, kind := range "us" {
			typ := fmt.Sprintf("%c%d", kind, n)
			t.bitwise("bfe."+typ, typ, typ+" u32 u32", func(x []uint64) (d uint64) {
				from, length := int(x[1]&0xff), int(x[2]&0xff)
				fill := uint64(0)
				if kind == 's' && length > 0 {
					fill = bit(x[0], min(from+length-1, n-1))
				}
				for i := range n {
					b := fill
					if i < length && from+i < n {
						b = bit(x[0], from+i)
					}
					d |= b << i
				}
				return d
			}).Positions = 2
		}
		typ := fmt.Sprintf("b%d", n)
		t.bitwise("bfi."+typ, typ, typ+" "+typ+" u32 u32", func(x []uint64) uint64 {
			d := x[1]
			from, length := int(x[2]&0xff), int(x[3]&0xff)
			for i := 0; i < length && from+i < n; i++ {
				d = d&^(1<<(from+i)) | bit(x[0], i)<<(from+i)
			}
			return d
		}).Positions = 2
	}
	for _, mode := range []string{"clamp", "wrap"} {
		t.bitwise("bmsk."+mode+".b32", "b32", "u32 u32", func(x []uint64) (d uint64) {
			from, length := x[0], x[1] // O8
			if mode == "wrap" {
				from, length = from&31, length&31
			}
			for i := range uint64(32) {
				if i >= from && i-from < length {
					d |= 1 << i
				}
			}
			return d
		})
		for _, typ := range []string{"u32", "s32"} {
			t.bitwise("szext."+mode+"."+typ, typ, typ+" u32", func(x []uint64) uint64 {
				length := x[1]
				if mode == "wrap" {
					length &= 31
				}
				switch {
				case length == 0:
					return 0
				case length >= 32:
					return x[0]
				}
				return Operand{typ[0], int(length), 32}.extend(x[0])
			})
		}
	}
}

func (t *table) funnels() {
	for _, mode := range []string{"clamp", "wrap"} {
		amount := func(x uint64) uint64 {
			if mode == "wrap" {
				return x & 31
			}
			return min(x, 32)
		}
		t.bitwise("shf.l."+mode+".b32", "b32", "b32 b32 u32", func(x []uint64) uint64 {
			n := amount(x[2])
			return x[1]<<n | x[0]>>(32-n)
		})
		t.bitwise("shf.r."+mode+".b32", "b32", "b32 b32 u32", func(x []uint64) uint64 {
			n := amount(x[2])
			return x[1]<<(32-n) | x[0]>>n
		})
	}
}

// permutations enters prmt. The tables are the manual's: from the most significant byte to the least.
func (t *table) permutations() {
	pick := func(x []uint64, selectors [4]uint64) (d uint64) {
		for i, s := range selectors { // the first selects the least significant byte
			source := x[0]
			if s&4 != 0 {
				source = x[1]
			}
			b := source >> (s & 3 * 8) & 0xff
			if s&8 != 0 {
				b = b >> 7 * 0xff
			}
			d |= b << (8 * i)
		}
		return d
	}
	t.bitwise("prmt.b32", "b32", "b32 b32 b32", func(x []uint64) uint64 {
		return pick(x, [4]uint64{x[2] & 15, x[2] >> 4 & 15, x[2] >> 8 & 15, x[2] >> 12 & 15})
	})
	for mode, rows := range map[string][4]string{
		"f4e":  {"3210", "4321", "5432", "6543"},
		"b4e":  {"5670", "6701", "7012", "0123"},
		"rc8":  {"0000", "1111", "2222", "3333"},
		"ecl":  {"3210", "3211", "3222", "3333"},
		"ecr":  {"0000", "1110", "2210", "3210"},
		"rc16": {"1010", "3232", "1010", "3232"},
	} {
		t.bitwise("prmt.b32."+mode, "b32", "b32 b32 b32", func(x []uint64) uint64 {
			var selectors [4]uint64
			for i := range selectors {
				selectors[i] = uint64(rows[x[2]&3][3-i] - '0')
			}
			return pick(x, selectors)
		})
	}
}
