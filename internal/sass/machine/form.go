package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/internal/sass/listing"
)

// form is an instruction whose parts are being read. Whoever builds it takes the modifiers and operands
// that it knows the meaning of; what is left, or not as expected, is an error.
type form struct {
	kernel *listing.Kernel
	in     *listing.Instruction
	left   []string // the modifiers that nobody has taken
	next   int      // the operand to be taken next
	err    error
}

// What operands are when a thread executes.
type (
	word  func(t *thread) uint32
	wide  func(t *thread) uint64
	truth func(t *thread) bool
)

func (f *form) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// done returns what is wrong, if anything. A modifier that is not known comes first: what is wrong
// besides may come of it.
func (f *form) done() error {
	if len(f.left) > 0 {
		return fmt.Errorf("%s with .%s is not known", f.in.Op, strings.Join(f.left, "."))
	}
	if f.next < len(f.in.Operands) {
		f.fail("%s with the operand %s is not known", spelled(f.in), f.in.Operands[f.next].Text)
	}
	return f.err
}

// has takes a modifier, and reports whether it is there.
func (f *form) has(mod string) bool {
	i := slices.Index(f.left, mod)
	if i >= 0 {
		f.left = slices.Delete(f.left, i, i+1)
	}
	return i >= 0
}

// one takes at most one of some modifiers; "" if there is none.
func (f *form) one(mods ...string) string {
	for _, mod := range mods {
		if f.has(mod) {
			return mod
		}
	}
	return ""
}

// must takes one of some modifiers, of which there must be one. Where there is none, it is an error, and the
// first stands for it.
func (f *form) must(mods ...string) string {
	mod := f.one(mods...)
	if mod == "" {
		f.fail("%s without .%s is not known", spelled(f.in), strings.Join(mods, " or ."))
		mod = mods[0]
	}
	return mod
}

// ignore takes modifiers that mean nothing here.
func (f *form) ignore(mods ...string) {
	for _, mod := range mods {
		f.has(mod)
	}
}

// more reports whether operands are left, and the next is of a kind.
func (f *form) more(kinds ...listing.Kind) bool {
	return f.next < len(f.in.Operands) && (len(kinds) == 0 || slices.Contains(kinds, f.in.Operands[f.next].Kind))
}

// take takes the next operand.
func (f *form) take() listing.Operand {
	if f.next >= len(f.in.Operands) {
		f.fail("%s with %d operands is not known", spelled(f.in), len(f.in.Operands))
		return listing.Operand{}
	}
	f.next++
	return f.in.Operands[f.next-1]
}

// unknown says that the meaning of an operand is not known.
func (f *form) unknown(o listing.Operand) {
	f.fail("%s with the operand %s is not known", spelled(f.in), o.Text)
}

// plain reports whether a register has no sign and nothing behind it.
func plain(o listing.Operand) bool {
	return !o.Negated && !o.Inverted && !o.Absolute && o.Suffix == ""
}

// result takes the register that an instruction writes.
func (f *form) result() func(t *thread, x uint32) {
	o := f.take()
	switch {
	case f.err != nil:
	case o.Kind == listing.Register && plain(o):
		if o.Number == listing.Zero {
			return func(*thread, uint32) {}
		}
		return func(t *thread, x uint32) { t.registers[o.Number] = x }
	case o.Kind == listing.Uniform && plain(o):
		if o.Number == listing.Zero {
			return func(*thread, uint32) {}
		}
		return func(t *thread, x uint32) { t.uniform[o.Number] = x }
	default:
		f.unknown(o)
	}
	return func(*thread, uint32) {}
}

// results takes n registers that an instruction writes, side by side.
func (f *form) results(n int) func(t *thread, x []uint32) {
	o := f.take()
	size := map[listing.Kind]int{listing.Register: 255, listing.Uniform: 63}[o.Kind]
	switch {
	case f.err != nil:
	case size == 0 || !plain(o) || o.Number != listing.Zero && (o.Number%n != 0 || o.Number+n > size):
		f.unknown(o)
	case o.Number == listing.Zero:
	case o.Kind == listing.Register:
		return func(t *thread, x []uint32) { copy(t.registers[o.Number:][:n], x) }
	default:
		return func(t *thread, x []uint32) { copy(t.uniform[o.Number:][:n], x) }
	}
	return func(*thread, []uint32) {}
}

// wideResult takes two registers that an instruction writes a number of 64 bits to.
func (f *form) wideResult() func(t *thread, x uint64) {
	set := f.results(2)
	return func(t *thread, x uint64) { set(t, []uint32{uint32(x), uint32(x >> 32)}) }
}

// truthResult takes a predicate that an instruction writes.
func (f *form) truthResult() func(t *thread, x bool) {
	o := f.take()
	switch {
	case f.err != nil:
	case o.Negated:
		f.unknown(o)
	case o.Kind == listing.Predicate && o.Number == listing.Zero, o.Kind == listing.UniformPredicate && o.Number == listing.Zero:
	case o.Kind == listing.Predicate:
		return func(t *thread, x bool) { t.predicates[o.Number] = x }
	case o.Kind == listing.UniformPredicate:
		return func(t *thread, x bool) { t.uniformP[o.Number] = x }
	default:
		f.unknown(o)
	}
	return func(*thread, bool) {}
}

// truthResults takes up to n predicates that an instruction writes.
func (f *form) truthResults(n int) (all []func(t *thread, x bool)) {
	for len(all) < n && f.more(listing.Predicate, listing.UniformPredicate) {
		all = append(all, f.truthResult())
	}
	for len(all) < n {
		all = append(all, func(*thread, bool) {})
	}
	return all
}

// truth takes a predicate that an instruction reads.
func (f *form) truth() truth { return f.truthOf(f.take()) }

// truthOr takes a predicate that an instruction reads, if there is one.
func (f *form) truthOr(otherwise bool) truth {
	if f.more(listing.Predicate, listing.UniformPredicate) {
		return f.truth()
	}
	return func(*thread) bool { return otherwise }
}

func (f *form) truthOf(o listing.Operand) truth {
	if f.err == nil && (o.Kind != listing.Predicate && o.Kind != listing.UniformPredicate || o.Suffix != "") {
		f.unknown(o)
	}
	switch {
	case f.err != nil:
	case o.Number == listing.Zero:
		return func(*thread) bool { return !o.Negated }
	case o.Kind == listing.Predicate:
		return func(t *thread) bool { return t.predicates[o.Number] != o.Negated }
	default:
		return func(t *thread) bool { return t.uniformP[o.Number] != o.Negated }
	}
	return func(*thread) bool { return false }
}

// The signs that a source may have.
const (
	minus = 1 << iota // -R5: two's complement
	tilde             // ~R5: all bits the other way
)

// source is a source of 32 bits with its sign apart, for additions: how a carry comes about depends on it.
type source struct {
	word
	negated, inverted bool
}

// signed takes a source that may have signs.
func (f *form) signed(signs int) source {
	o := f.take()
	s := source{negated: o.Negated, inverted: o.Inverted}
	if f.err == nil && (o.Absolute || o.Negated && signs&minus == 0 || o.Inverted && signs&tilde == 0) {
		f.unknown(o)
	}
	o.Negated, o.Inverted = false, false
	s.word = f.wordOf(o)
	return s
}

// word takes a source of 32 bits without a sign.
func (f *form) word() word { return f.signed(0).word }

// inverted takes a source of 32 bits that may be inverted.
func (f *form) inverted() word {
	s := f.signed(tilde)
	if !s.inverted {
		return s.word
	}
	return func(t *thread) uint32 { return ^s.word(t) }
}

// minused takes a source of 32 bits that may be negated.
func (f *form) minused() word {
	s := f.signed(minus)
	if !s.negated {
		return s.word
	}
	return func(t *thread) uint32 { return -s.word(t) }
}

func (f *form) wordOf(o listing.Operand) word {
	zero := func(*thread) uint32 { return 0 }
	switch {
	case f.err != nil:
		return zero
	case o.Kind == listing.Register && plain(o):
		if o.Number == listing.Zero {
			return zero
		}
		return func(t *thread) uint32 { return t.registers[o.Number] }
	case o.Kind == listing.Uniform && plain(o):
		if o.Number == listing.Zero {
			return zero
		}
		return func(t *thread) uint32 { return t.uniform[o.Number] }
	case o.Kind == listing.Immediate && o.Value >= math.MinInt32 && o.Value <= math.MaxUint32:
		return func(*thread) uint32 { return uint32(o.Value) }
	case o.Kind == listing.Constant && o.Base == nil && o.Index == nil && plain(o):
		return f.constantOf(o, 4)
	}
	f.unknown(o)
	return zero
}

// constantOf reads a constant. Whether it is there is seen when a thread reads it.
func (f *form) constantOf(o listing.Operand, n int) word {
	return func(t *thread) uint32 {
		x, err := t.constant(o.Bank, o.Value, n)
		t.fail(err)
		return uint32(x)
	}
}

// wide takes a source of 64 bits: two registers, a constant or RZ.
func (f *form) wide() wide {
	o := f.take()
	switch {
	case f.err != nil:
	case o.Kind == listing.Register || o.Kind == listing.Uniform:
		return f.pairOf(o)
	case o.Kind == listing.Constant && o.Base == nil && o.Index == nil && plain(o):
		high := o
		high.Value += 4
		l, h := f.constantOf(o, 4), f.constantOf(high, 4)
		return func(t *thread) uint64 { return uint64(h(t))<<32 | uint64(l(t)) }
	default:
		f.unknown(o)
	}
	return func(*thread) uint64 { return 0 }
}

// pairOf reads two registers, of which the first has an even number.
func (f *form) pairOf(o listing.Operand) wide {
	switch {
	case !plain(o) || o.Number != listing.Zero && o.Number%2 != 0:
		f.unknown(o)
	case o.Number == listing.Zero:
	case o.Kind == listing.Register && o.Number < 254:
		return func(t *thread) uint64 { return uint64(t.registers[o.Number+1])<<32 | uint64(t.registers[o.Number]) }
	case o.Kind == listing.Uniform && o.Number < 62:
		return func(t *thread) uint64 { return uint64(t.uniform[o.Number+1])<<32 | uint64(t.uniform[o.Number]) }
	default:
		f.unknown(o)
	}
	return func(*thread) uint64 { return 0 }
}

// number takes an immediate from 0 to limit.
func (f *form) number(limit int64) int {
	o := f.take()
	if f.err == nil && (o.Kind != listing.Immediate || o.Value < 0 || o.Value > limit) {
		f.unknown(o)
	}
	return int(o.Value)
}
