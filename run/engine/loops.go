package engine

import (
	"github.com/vop-ptx/vop/rewrite/word"
)

// The shapes of loops, by the kinds of their destination and sources.
type (
	words1  func(dst, x []uint32)
	words2  func(dst, x, y []uint32)
	words3  func(dst, x, y, z []uint32)
	wordsK  func(dst, x []uint32, k uint32) // y is a constant
	widen1  func(dst []uint64, x []uint32)
	widen2  func(dst []uint64, x, y []uint32)
	wides2  func(dst, x, y []uint64)
	widesK  func(dst, x []uint64, k uint64)
	narrows func(dst []uint32, x []uint64)
)

func (do words1) over(f *frame, s *columnStep) { do(f.words[s.dst], f.words[s.x]) }
func (do words2) over(f *frame, s *columnStep) { do(f.words[s.dst], f.words[s.x], f.words[s.y]) }
func (do words3) over(f *frame, s *columnStep) {
	do(f.words[s.dst], f.words[s.x], f.words[s.y], f.words[s.z])
}
func (do wordsK) over(f *frame, s *columnStep)  { do(f.words[s.dst], f.words[s.x], uint32(s.imm)) }
func (do widen1) over(f *frame, s *columnStep)  { do(f.wides[s.dst], f.words[s.x]) }
func (do widen2) over(f *frame, s *columnStep)  { do(f.wides[s.dst], f.words[s.x], f.words[s.y]) }
func (do wides2) over(f *frame, s *columnStep)  { do(f.wides[s.dst], f.wides[s.x], f.wides[s.y]) }
func (do widesK) over(f *frame, s *columnStep)  { do(f.wides[s.dst], f.wides[s.x], s.imm) }
func (do narrows) over(f *frame, s *columnStep) { do(f.words[s.dst], f.wides[s.x]) }

// anyWords is the loop of an operation on words that has none of its own: the
// packed ones, which programs for the portable engine do without.
type anyWords word.Op

func (op anyWords) over(f *frame, s *columnStep) {
	dst, x, y, z := f.words[s.dst], f.words[s.x], f.words[s.y], f.words[s.z]
	for i := range dst {
		dst[i] = uint32(word.Op(op).Apply(uint64(x[i]), uint64(y[i]), uint64(z[i]), s.imm))
	}
}

// loopOf returns the loop of an operation.
func loopOf(op word.Op) loop {
	if do, ok := loops[op]; ok {
		return do
	}
	return anyWords(op)
}

var moveLoop = words1(func(dst, x []uint32) { copy(dst, x) })

// loops are the loops of the operations that every target has.
var loops = map[word.Op]loop{
	word.And:    words2(and[uint32]),
	word.Or:     words2(or[uint32]),
	word.Xor:    words2(xor[uint32]),
	word.Not:    words1(not[uint32]),
	word.AndNot: words2(andNotWords),
	word.Add:    words2(add[uint32, uint32]),
	word.Sub:    words2(subtract[uint32, uint32]),
	word.Mul:    words2(multiply[uint32, uint32]),
	word.Shl:    words2(shiftLeft[uint32, uint32]),
	word.ShrU:   words2(shiftRight[uint32, uint32]),
	word.ShrS:   words2(shiftRight[int32, uint32]),
	word.MinU:   words2(minimum[uint32, uint32]),
	word.MaxU:   words2(maximum[uint32, uint32]),
	word.MinS:   words2(minimum[int32, uint32]),
	word.MaxS:   words2(maximum[int32, uint32]),
	word.CmpEq:  words2(equalWords),
	word.CmpLtU: words2(lessWords[uint32]),
	word.CmpLtS: words2(lessWords[int32]),
	word.Select: words3(selectWords),

	word.WideU:    widen1(extend[uint32]),
	word.WideS:    widen1(extend[int32]),
	word.MulWideU: widen2(multiplyWide[uint32, uint32, uint64]),
	word.MulWideS: widen2(multiplyWide[int32, uint32, uint64]),
	word.AddWide:  wides2(add[uint64, uint64]),
	word.SubWide:  wides2(subtract[uint64, uint64]),
	word.ShlWide:  wides2(shiftWideLeft),
	word.ShrWideU: widesK(shiftWideRight[uint64]),
	word.ShrWideS: widesK(shiftWideRight[int64]),
	word.MinWideU: wides2(minimum[uint64, uint64]),
	word.MinWideS: wides2(minimum[int64, uint64]),
	word.MaxWideS: wides2(maximum[int64, uint64]),
	word.Lo:       narrows(lowWords),
}

// constantLoops are those of operations whose y is often a constant.
var constantLoops = map[word.Op]loop{
	word.And:  wordsK(andConstant),
	word.Or:   wordsK(orConstant),
	word.Xor:  wordsK(xorConstant),
	word.Add:  wordsK(addConstant),
	word.Sub:  wordsK(func(dst, x []uint32, k uint32) { addConstant(dst, x, -k) }),
	word.Mul:  wordsK(multiplyConstant),
	word.Shl:  wordsK(shiftLeftConstant),
	word.ShrU: wordsK(shiftRightConstant[uint32]),
	word.ShrS: wordsK(shiftRightConstant[int32]),
}

func andNotWords(dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] &^ y[i]
	}
}

func equalWords(dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = -uint32(bit(x[i] == y[i]))
	}
}

func lessWords[T uint32 | int32](dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = -uint32(bit(T(x[i]) < T(y[i])))
	}
}

func selectWords(dst, mask, x, y []uint32) {
	mask, x, y = mask[:len(dst)], x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = y[i] ^ (x[i]^y[i])&mask[i]
	}
}

func andConstant(dst, x []uint32, k uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] & k
	}
}

func orConstant(dst, x []uint32, k uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] | k
	}
}

func xorConstant(dst, x []uint32, k uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] ^ k
	}
}

func addConstant(dst, x []uint32, k uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + k
	}
}

func multiplyConstant(dst, x []uint32, k uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * k
	}
}

func shiftLeftConstant(dst, x []uint32, k uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] << k
	}
}

func shiftRightConstant[T uint32 | int32](dst, x []uint32, k uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = uint32(T(x[i]) >> k)
	}
}

func extend[T uint32 | int32](dst []uint64, x []uint32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = uint64(T(x[i]))
	}
}

func shiftWideLeft(dst, x, y []uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] << y[i]
	}
}

func shiftWideRight[T uint64 | int64](dst, x []uint64, k uint64) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = uint64(T(x[i]) >> (k & 63))
	}
}

func lowWords(dst []uint32, x []uint64) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = uint32(x[i])
	}
}
