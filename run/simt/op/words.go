package op

import (
	"slices"
	"sync"

	"github.com/vop-ptx/vop/rewrite/word"
)

// FromWord is the operation that does what one of a word program does.
type FromWord struct {
	Op Op
	// Operands tells the operands: x, y and z are the arguments of the word program's instruction,
	// k is its immediate, a constant of type i.
	Operands string
}

// borrowed are the operations of word programs that are PTX's own, with their operands. Those
// that are not listed take their arguments in order and are called as package word calls them,
// "word.add.8".
var borrowed = map[word.Op]struct{ name, operands string }{
	word.And: {"and.b32", "xy"}, word.Or: {"or.b32", "xy"}, word.Xor: {"xor.b32", "xy"}, word.Not: {"not.b32", "x"},
	word.Logic3: {"lop3.b32", "xyzk"},
	word.Add:    {"add.u32", "xy"}, word.Sub: {"sub.u32", "xy"}, word.Mul: {"mul.lo.u32", "xy"},
	word.Shl: {"shl.b32", "xy"}, word.ShrU: {"shr.u32", "xy"}, word.ShrS: {"shr.s32", "xy"},
	word.MinU: {"min.u32", "xy"}, word.MaxU: {"max.u32", "xy"}, word.MinS: {"min.s32", "xy"}, word.MaxS: {"max.s32", "xy"},
	word.SadU: {"sad.u32", "xyz"}, word.SadS: {"sad.s32", "xyz"},
	word.Perm: {"prmt.b32", "xyk"}, word.PermS: {"prmt.b32", "xyk"},
	word.PackSatS8: {"cvt.pack.sat.s8", "yxz"}, word.PackSatU8: {"cvt.pack.sat.u8", "yxz"},
	word.Add16: {"add.u16x2", "xy"}, word.MinU16: {"min.u16x2", "xy"}, word.MaxU16: {"max.u16x2", "xy"},
	word.MinS16: {"min.s16x2", "xy"}, word.MaxS16: {"max.s16x2", "xy"},
	word.DotU8: {"dp4a.u32.s32", "xky"}, word.DotS8: {"dp4a.s32.s32", "xky"},
	word.DotU16: {"dp2a.lo.u32.s32", "xky"}, word.DotS16: {"dp2a.lo.s32.s32", "xky"},
	word.DotU8U8: {"dp4a.u32.u32", "xyz"}, word.DotU8S8: {"dp4a.u32.s32", "xyz"}, word.DotS8S8: {"dp4a.s32.s32", "xyz"},
	word.DotU16U8: {"dp2a.lo.u32.u32", "xyz"}, word.DotU16S8: {"dp2a.lo.u32.s32", "xyz"},
	word.DotS16U8: {"dp2a.lo.s32.u32", "xyz"}, word.DotS16S8: {"dp2a.lo.s32.s32", "xyz"},
	word.FunnelL: {"shf.l.clamp.b32", "xyz"}, word.FunnelR: {"shf.r.clamp.b32", "xyz"},
	word.WideU: {"widen.64", "x"}, word.WideS: {"cvt.s64.s32", "x"},
	word.MulWideU: {"mul.wide.u32", "xy"}, word.MulWideS: {"mul.wide.s32", "xy"},
	word.AddWide: {"add.u64", "xy"}, word.SubWide: {"sub.u64", "xy"},
	word.ShrWideU: {"shr.u64", "xk"}, word.ShrWideS: {"shr.s64", "xk"},
	word.MinWideU: {"min.u64", "xy"}, word.MinWideS: {"min.s64", "xy"}, word.MaxWideS: {"max.s64", "xy"},
	word.Lo: {"narrow.32", "x"},
}

// comparisons of word programs give masks; these give predicates.
var comparisons = map[word.Op]string{word.CmpEq: "setp.eq.u32", word.CmpLtU: "setp.lt.u32", word.CmpLtS: "setp.lt.s32"}

// hasOp reports whether an operation of a word program becomes one of this package.
func hasOp(w word.Op) bool {
	return w != word.Input && w != word.Const && w != word.WideConst && w != word.Select
}

func init() {
	for _, w := range word.Ops() {
		if _, ok := borrowed[w]; !ok && hasOp(w) {
			define("word."+w.String(), wordLoop(w))
		}
	}
}

// wordLoop computes an operation of word programs that PTX has not. Those that programs for package
// portable are made of have loops of their own.
func wordLoop(w word.Op) any {
	switch w { // those that most programs have
	case word.AndNot:
		return andNot
	case word.CmpEq:
		return func(dst, x, y []uint32) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = word.Ones(x[i] == y[i])
			}
		}
	case word.CmpLtU:
		return func(dst, x, y []uint32) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = word.Ones(x[i] < y[i])
			}
		}
	case word.CmpLtS:
		return func(dst, x, y []uint32) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = word.Ones(int32(x[i]) < int32(y[i]))
			}
		}
	}
	switch {
	case w.Wide():
		return func(dst, x, y []uint64) {
			for i := range dst {
				dst[i] = w.Apply(x[i], y[i], 0, 0)
			}
		}
	case w.Args() == 3:
		return func(dst, x, y, z []uint32) {
			for i := range dst {
				dst[i] = uint32(w.Apply(uint64(x[i]), uint64(y[i]), uint64(z[i]), 0))
			}
		}
	}
	return func(dst, x, y []uint32) {
		for i := range dst {
			dst[i] = uint32(w.Apply(uint64(x[i]), uint64(y[i]), 0, 0))
		}
	}
}

func andNot(dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] &^ y[i]
	}
}

var wordOps = sync.OnceValue(func() []FromWord {
	all := make([]FromWord, slices.Max(word.Ops())+1)
	for _, w := range word.Ops() {
		if !hasOp(w) {
			continue
		}
		b, ok := borrowed[w]
		if !ok {
			b.name, b.operands = "word."+w.String(), "xyz"[:w.Args()]
		}
		all[w] = FromWord{Must(b.name), b.operands}
	}
	return all
})

// OfWord returns the operation that does what one of a word program does. [word.Input], [word.Const],
// [word.WideConst] and [word.Select] have none.
func OfWord(w word.Op) FromWord { return wordOps()[w] }

// ComparisonOf returns the operation that compares to a predicate, for comparisons of word programs,
// which give a mask.
func ComparisonOf(w word.Op) (o Op, ok bool) {
	name, ok := comparisons[w]
	if !ok {
		return 0, false
	}
	return Must(name), true
}
