package search

import (
	"context"
	"math/bits"

	"github.com/vop-ptx/vop/rewrite/word"
)

// state is a program while it is searched.
type state struct {
	space    Space
	values   []vec
	operands int
	base     int // constants and operands
	list     []instruction
	used     uint32 // by later instructions, by number of the value
	target   vec
	found    func(list []instruction) bool // whether to stop
	stop     bool
	others   [][]instruction // by the number of values: see closers
	ofTwo    [][]instruction // those that use the two newest values
	flags    uint32          // the values that are predicates
}

// step is a possible next instruction and its value.
type step struct {
	i instruction
	v vec
}

// search goes through the programs of n instructions.
func (s *state) search(ctx context.Context, n int) {
	if ctx.Err() != nil {
		s.stop = true
		return
	}
	if n == 1 {
		s.close()
		return
	}
	for _, next := range s.steps() {
		if s.stop {
			return
		}
		used := s.used
		for _, a := range next.i.args[:next.i.n] {
			s.used |= 1 << a
		}
		flags := s.flags
		if next.i.kind == compare {
			s.flags |= 1 << len(s.values)
		}
		s.values, s.list = append(s.values, next.v), append(s.list, next.i)
		if s.unused() <= 1+2*(n-1) {
			s.search(ctx, n-1)
		}
		s.values, s.list = s.values[:len(s.values)-1], s.list[:len(s.list)-1]
		s.used, s.flags = used, flags
	}
}

// unused counts the results that no instruction uses.
func (s *state) unused() int {
	all := uint32(1)<<len(s.values) - 1<<s.base
	return bits.OnesCount32(all &^ s.used)
}

// steps returns the possible next instructions, one for each value that is new. An instruction that does not
// use the result before it could stand before it as well: of the two orders one is left out.
func (s *state) steps() []step {
	var known seen
	for _, k := range []uint32{0, 0xffffffff} {
		known.add(&vec{k, k, k, k, k, k})
	}
	for n := range s.values {
		known.add(&s.values[n])
	}
	var all []step
	newest := int8(len(s.values) - 1)
	consider := func(i instruction, v vec) {
		if !s.typed(&i) || i.kind == compare && s.flags != 0 {
			return
		}
		if len(s.list) > 0 && !i.uses(newest) && !before(&s.list[len(s.list)-1], &i) {
			return
		}
		if known.add(&v) {
			all = append(all, step{i, v})
		}
	}
	s.eachLogic(consider)
	s.eachOther(func(i instruction) { consider(i, i.eval(s.values)) })
	return all
}

func (i *instruction) uses(n int8) bool {
	for _, a := range i.args[:i.n] {
		if a == n {
			return true
		}
	}
	return false
}

// before orders instructions.
func before(x, y *instruction) bool {
	key := func(i *instruction) uint64 {
		return uint64(i.kind)<<56 | uint64(i.op)<<48 | uint64(uint8(i.args[0]))<<40 | uint64(uint8(i.args[1]))<<32 | uint64(uint8(i.args[2]))<<24 | uint64(i.signs)<<20 ^ uint64(i.imm)
	}
	return key(x) < key(y)
}

// eachLogic yields the functions of two and of three values. Of three values one is a constant at
// most, and not the complement of another constant, which gives no other functions.
func (s *state) eachLogic(yield func(i instruction, v vec)) {
	n, constants := int8(len(s.values)), int8(len(s.space.Constants))
	for x := constants; x < n; x++ {
		for y := range x {
			if s.isComplement(y) {
				continue
			}
			s.eachPair(x, y, yield)
			if s.space.PlainLogic {
				continue
			}
			for z := range y {
				if y < constants || s.isComplement(z) {
					continue
				}
				i := instruction{kind: logic, op: word.Logic3, args: [3]int8{x, y, z}, n: 3}
				rows := s.rows(x, y, z)
				for _, table := range fullTables {
					var v vec
					for row := range rows {
						if table>>row&1 != 0 {
							for k := range v {
								v[k] |= rows[row][k]
							}
						}
					}
					i.imm = table
					yield(i, v)
				}
			}
		}
	}
}

// isComplement reports whether a value is the complement of a constant before it.
func (s *state) isComplement(n int8) bool {
	for m := range min(n, int8(len(s.space.Constants))) {
		if int(n) < len(s.space.Constants) && s.space.Constants[m] == ^s.space.Constants[n] {
			return true
		}
	}
	return false
}

// rows returns for each row of a table the bits where three values stand in that row.
func (s *state) rows(x, y, z int8) (rows [8]vec) {
	for k := range vectors {
		vx, vy, vz := s.values[x][k], s.values[y][k], s.values[z][k]
		for row := range rows {
			rows[row][k] = bit(vx, row>>2) & bit(vy, row>>1) & bit(vz, row)
		}
	}
	return rows
}

// fullTables are the functions that depend on all three arguments.
var fullTables = func() (tables []uint32) {
	for t := range uint32(256) {
		if t>>4 != t&15 && (t&0xcc)>>2 != t&0x33 && (t&0xaa)>>1 != t&0x55 {
			tables = append(tables, t)
		}
	}
	return tables
}()

// eachPair yields the functions of two values, one of which may be a constant.
func (s *state) eachPair(x, y int8, yield func(i instruction, v vec)) {
	for table := uint32(1); table < 15; table++ {
		if plain := table == 8 || table == 14 || table == 6 || table == 2 || table == 4; s.space.PlainLogic && !plain {
			continue
		}
		// The third argument is of no account.
		i := instruction{kind: logic, op: word.Logic3, args: [3]int8{x, y, y}, n: 3}
		for row := range 8 {
			if table>>(row>>1)&1 != 0 {
				i.imm |= 1 << row
			}
		}
		yield(i, i.eval(s.values))
	}
}

// bit returns the bits of x that equal the lowest bit of want.
func bit(x uint32, want int) uint32 { return x ^ (uint32(want)&1 - 1) }

// eachOther yields the instructions that are not logic.
func (s *state) eachOther(try func(i instruction)) {
	n, first := int8(len(s.values)), int8(len(s.space.Constants))
	for x := first; x < n; x++ {
		for _, k := range s.space.Shifts {
			for _, op := range []word.Op{word.ShrU, word.ShrS, word.Shl} {
				try(instruction{kind: shift, op: op, args: [3]int8{x}, n: 1, imm: k})
			}
		}
		for _, selector := range s.space.Perms {
			op := permOp(selector)
			try(instruction{kind: perm, op: op, args: [3]int8{x}, n: 1, imm: selector})
			for y := range n {
				if y != x {
					try(instruction{kind: perm, op: op, args: [3]int8{x, y}, n: 2, imm: selector})
				}
			}
		}
		for _, k := range s.space.Factors {
			try(instruction{kind: mad, op: word.Mul, args: [3]int8{x}, n: 1, imm: k})
		}
		for y := range n {
			if y == x {
				continue
			}
			for _, k := range s.space.Factors {
				try(instruction{kind: mad, op: word.Mul, args: [3]int8{y, x}, n: 2, imm: k})
			}
			for _, k := range s.space.Shifts {
				for _, op := range []word.Op{word.ShrU, word.ShrS, word.Shl} {
					try(instruction{kind: lea, op: op, args: [3]int8{y, x}, n: 2, imm: k})
				}
			}
			if y < x {
				for _, op := range s.space.Ops {
					try(instruction{kind: binary, op: op, args: [3]int8{x, y}, n: 2})
				}
			}
		}
		for _, w := range s.space.Weights {
			try(instruction{kind: dot, op: w.Op, args: [3]int8{x}, n: 1, imm: w.Weights})
			for y := range n {
				try(instruction{kind: dot, op: w.Op, args: [3]int8{x, y}, n: 2, imm: w.Weights})
			}
		}
		s.eachSum(x, try)
		s.eachTernary(x, try)
	}
	s.eachComparison(try)
	s.eachVariable(try)
}

// permOp returns the operation of a selector.
func permOp(selector uint32) word.Op {
	if selector&0x8888 != 0 {
		return word.PermS
	}
	return word.Perm
}

// eachSum yields the sums of x and of values before it.
func (s *state) eachSum(x int8, try func(i instruction)) {
	first := int8(len(s.space.Constants))
	for y := range x {
		for signs := range uint8(3) {
			try(instruction{kind: sum, args: [3]int8{x, y}, n: 2, signs: signs})
		}
		for z := range y {
			if y < first {
				continue // two constants are one
			}
			for signs := range uint8(7) {
				if bits.OnesCount8(signs) < 3 {
					try(instruction{kind: sum, args: [3]int8{x, y, z}, n: 3, signs: signs})
				}
			}
		}
	}
}
