package encode

import "slices"

// random is a generator that gives the same numbers in every version of Go.
type random uint64

func (r *random) next() uint64 {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return uint64(*r) * 0x2545f4914f6cdd1d >> 20
}

func (r *random) upTo(n int) int      { return int(r.next() % uint64(n)) }
func (r *random) oneIn(n int) bool    { return r.upTo(n) == 0 }
func pick[T any](r *random, v ...T) T { return v[r.upTo(len(v))] }

// sample is an instruction that can be encoded.
type sample struct {
	name     string
	op       Op
	operands []Operand
}

// encodeOne returns the bytes of one instruction.
func encodeOne(op Op, operands ...Operand) ([]byte, error) {
	a := New(AllFeatures)
	a.Emit(op, operands...)
	return a.Finish()
}

// perRow is the number of instructions of a row that let each register stand in each
// position, with registers and with memory as r/m, with VEX and with EVEX.
const perRow = 128

// samples returns random instructions of a row. Registers go through all numbers, in each
// position at another pace.
func samples(row row, r *random) []sample {
	var all []sample
	n := perRow
	switch {
	case row.op.order() == oLabel:
		return nil // see the tests of labels
	case row.op.order() == oNone || row.op.order() == oNoneD:
		n = 4
	case row.op&both == 0:
		n = 2 * perRow // more shapes in a row
	}
	for i := range n {
		all = append(all, draw(row, i, r))
	}
	return append(all, edges(all)...)
}

// edges returns instructions at the edges of the compressed displacement: for each length, with
// and without broadcast, the largest and smallest multiple of each size that fits a byte.
func edges(all []sample) (more []sample) {
	type form struct {
		size             Op
		broadcast, store bool
	}
	seen := map[form]bool{}
	for _, s := range all {
		at := slices.IndexFunc(s.operands, func(o Operand) bool { return o.kind() == kindMem && o.base() != 0 })
		if s.op&evex == 0 || at < 0 {
			continue
		}
		if code, err := encodeOne(s.op, s.operands...); err != nil || code[0] != 0x62 {
			continue
		}
		f := form{s.op & sizeMask, s.operands[at].isBroadcast(), at == 0}
		if seen[f] {
			continue
		}
		seen[f] = true
		for size := int32(1); size <= 64; size *= 2 {
			for _, disp := range []int32{127 * size, -128 * size} {
				edge := s
				edge.operands = slices.Clone(s.operands)
				edge.operands[at] = edge.operands[at]&^(1<<32-1) | Operand(uint32(disp))
				more = append(more, edge)
			}
		}
	}
	return more
}

// draw makes one instruction of a row.
func draw(row row, i int, r *random) sample {
	op := row.op
	switch row.op & mapMask {
	case m0F:
		if op == CMOV || op == SET {
			op = op.If(Cond(r.upTo(16)))
		}
	}
	if op&both == 0 {
		return drawGeneral(row.name, op, i, r)
	}
	return drawVector(row.name, op, i, r)
}

// turn numbers the samples so that each register meets each size.
func turn(i int) int { return i + i/16 + i/64 }

// number returns the number of a register for position p of the i-th sample, below limit.
func number(i, p, limit int) int {
	return (i*[]int{1, 3, 5, 7}[p] + 9*p + i/32*p) % limit
}

// drawGeneral makes a legacy instruction.
func drawGeneral(name string, op Op, i int, r *random) sample {
	var sizes []Op
	for s := range Op(4) {
		if op>>(tupleShift+s)&1 != 0 {
			sizes = append(sizes, (s+1)<<sizeShift)
		}
	}
	size := Op(0)
	if len(sizes) > 0 {
		size = sizes[turn(i)%len(sizes)]
	}
	n := i
	reg, other := R(number(n, 0, 16)), R(number(n, 1, 16))
	mem := address(n, r, false, Operand(0))
	isMemory := op&(3<<modeShift) == memOnly || op>>rmShift&3 == classGeneral && n/16%2 == 1 && op.order() != oO
	rm := other
	if isMemory {
		rm = mem
	}
	if op&locks != 0 && isMemory && r.oneIn(2) {
		op = op.Lock()
	}
	s := sample{name: name, op: op | size}
	bits := map[Op]int{S8: 8, S16: 16, S32: 32, S64: 32}[size]
	switch op.order() {
	case oNone, oNoneD:
	case oM, oO:
		s.operands = []Operand{rm}
	case oRM:
		s.operands = []Operand{reg, rm}
	case oMR:
		s.operands = []Operand{rm, reg}
	case oALU, oTest, oMov:
		switch {
		case r.oneIn(2):
			s.operands = []Operand{rm, immediate(bits, r)}
			if size == S64 && s.operands[1].imm() > 1<<31-1 {
				s.operands[1] = Imm(s.operands[1].imm() - 1<<32)
			}
		case isMemory && r.oneIn(2):
			s.op &^= lock
			s.operands = []Operand{reg, rm}
		default:
			s.operands = []Operand{rm, reg}
		}
	case oShift:
		s.operands = []Operand{rm, count(size, r)}
	case oBit:
		s.operands = []Operand{rm, reg}
		if r.oneIn(2) {
			s.operands[1] = Imm(int64(r.upTo(32)))
		}
	case oDouble:
		s.operands = []Operand{rm, reg, count(size, r)}
	case oRMI:
		s.operands = []Operand{reg, rm, immediate(min(bits, 32), r)}
		if size == S64 && s.operands[2].imm() > 1<<31-1 {
			s.operands[2] = Imm(s.operands[2].imm() - 1<<32)
		}
	}
	return s
}

// count returns the count of a shift.
func count(size Op, r *random) Operand {
	if r.oneIn(3) {
		return RCX
	}
	if size == S64 {
		return Imm(int64(r.upTo(64)))
	}
	return Imm(int64(r.upTo(32)))
}

// immediate returns a number that fits the bits, signed or unsigned, near edges more often.
func immediate(bits int, r *random) Operand {
	low, high := -int64(1)<<(bits-1), int64(1)<<bits-1
	v := pick(r, 0, 1, -1, 127, 128, -128, -129, 255, 256, low, low+1, high, high-1, high>>1, high>>1+1, int64(r.next())%high)
	return Imm(max(low, min(v, high)))
}

// address returns a memory operand. The bases and indexes go through all registers, the
// displacements around the edges of 8 bits times each size, multiples and not.
func address(i int, r *random, vector bool, avoid ...Operand) Operand {
	size := int32(1) << r.upTo(7)
	disp := pick(r, 0, 0, -128*size, -129*size, 127*size, 128*size, size, -size, size/2, 127*size+1, 128*size-1, -128*size-1, 1, -1, int32(r.next()))
	base := R(number(i, 2, 16))
	scale := 1 << r.upTo(4)
	index := R(number(i, 3, 16))
	for index == RSP || slices.Contains(avoid, index) {
		index = R((int(index&15) + 1) % 16)
	}
	if vector {
		index = avoid[0]
		if r.oneIn(8) {
			return AtIndexOnly(index, scale, disp)
		}
		return AtIndex(base, index, scale, disp)
	}
	switch r.upTo(10) {
	case 0:
		return AtAbs(disp)
	case 1:
		return AtIndexOnly(index, scale, disp)
	case 2, 3, 4, 5:
		return AtIndex(base, index, scale, disp)
	}
	return At(base, disp)
}

// register returns a register of a class.
func register(class, i, position int, high bool) Operand {
	switch class {
	case classGeneral:
		return R(number(i, position, 16))
	case classMask:
		return K(number(i, position, 8))
	}
	if high {
		return V(number(i, position, 32))
	}
	return V(number(i, position, 16))
}

// drawVector makes an instruction with VEX or EVEX.
func drawVector(name string, op Op, i int, r *random) sample {
	var sizes []Op
	for l := range Op(3) {
		if op>>(lengthShift+l)&1 != 0 {
			sizes = append(sizes, [...]Op{L128, L256, L512}[l])
		}
	}
	if op&wSize != 0 {
		sizes = []Op{S32, S64}
	}
	n := i
	length := Op(0)
	if len(sizes) > 0 {
		length = sizes[turn(i)%len(sizes)]
		op |= length
	}
	// Half the instructions that have both encodings have operands that VEX can express.
	high := op&evex != 0 && (op&vex == 0 || i/64%2 == 1)
	regClass, vClass, rmClass := int(op>>regShift&3), int(op>>vvvvShift&3), int(op>>rmShift&3)
	digit := op & (7 << digitShift)
	if digit == regNext && op.order() == oRM && i/64%2 == 1 {
		regClass, rmClass = rmClass, regClass
	}
	reg := register(regClass, n, 0, high)
	vvvv := register(vClass, n, 1, high)
	rm := register(rmClass, n, 2, high)
	last := V(number(n, 3, 16))

	mode := op & (3 << modeShift)
	memory := mode == memOnly || mode == vsib || mode == 0 && n/32%2 == 1
	if op.order() == oNone {
		memory = false
	}
	switch {
	case mode == vsib:
		index := V(number(n, 3, 32))
		if !high {
			index = V(number(n, 3, 16))
		}
		for index == reg || vClass != 0 && (index == vvvv || reg == vvvv) {
			index = V((int(index&31) + 1) % 16)
			if reg == vvvv {
				vvvv = V((int(vvvv&31) + 1) % 16)
			}
		}
		rm = address(n, r, true, index)
	case memory:
		rm = address(n, r, false, Operand(0))
	}

	store := memory && op.order() == oMR
	s := sample{name: name}
	switch op.order() {
	case oRM:
		s.operands = []Operand{reg, rm}
		if digit != 0 && digit != regNext && (memory || regClass != rmClass) && r.oneIn(2) {
			s.operands = []Operand{rm, reg}
			store = memory
		}
	case oMR:
		s.operands = []Operand{rm, reg}
	case oRVM:
		s.operands = []Operand{reg, vvvv, rm}
		if digit != 0 && r.oneIn(2) {
			s.operands = []Operand{rm, vvvv, reg}
		}
	case oRMV:
		s.operands = []Operand{reg, rm, vvvv}
	case oVM:
		s.operands = []Operand{vvvv, rm}
	case oRVMS:
		s.operands = []Operand{reg, vvvv, rm, last}
	}
	if op&ib != 0 {
		s.operands = append(s.operands, Imm(int64(r.upTo(256))))
	}

	// Decorations, where there is EVEX.
	masking := op & (3 << maskingShift)
	if high {
		if masking == kMust || masking != 0 && i%2 == 1 {
			op = op.Mask(K(1 + i/2%7))
			if masking == kz && !store && r.oneIn(2) {
				op = op.Zeroing()
			}
		}
		offers := op & (3 << roundShift)
		exact := op&(wSize|sizeMask|3<<prefixShift) == wSize|S32|pF2 && regClass == classVector
		if offers != 0 && !memory && (length == 0 || length == L512 || op&wSize != 0) && !exact && i%5 != 0 {
			if offers == sae {
				op = op.SAE()
			} else {
				op = []func(Op) Op{Op.RoundNearest, Op.RoundDown, Op.RoundUp, Op.RoundZero}[i/3%4](op)
			}
		}
		if tuple := op & tMask; memory && (tuple == tBcast || tuple == tBcastHalf) && r.oneIn(2) {
			for j, o := range s.operands {
				if o.isMemory() {
					s.operands[j] = o.Broadcast()
				}
			}
		}
	}
	s.op = op
	return s
}
