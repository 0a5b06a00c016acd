// Package link lists the links of package engine: whole-column operations that
// run one after the other without a return to Go. The generator of the
// assembly and the engine both go by this list.
package link

import (
	"fmt"
	"slices"
)

// Row is an operation. Its name is that of the plain operation of package engine that does the
// same, or of an operation of package lower. The shape gives the kinds of the destination and
// the sources: i for words, l for wide values, p for predicates; k is a source
// of which only the first value is looked at.
type Row struct{ Name, Shape string }

// Rows are the operations; the number of a handler is its place here. The first ends a
// chain. Fill gives all threads the first value of the source, Blend writes
// those threads that a mask has; Spread makes a mask all ones or zeros, by its
// source's first bit.
var Rows = slices.Concat(
	[]Row{{End, ":"}, {"fill.32", "i:k"}, {"fill.64", "l:k"}, {"spread", "p:k"}, {"blend.32", "i:ip"}, {"blend.64", "l:lp"}},
	rows("i:i", "mov.32", "not.b32", "neg.s32", "abs.s32", "zero.8", "zero.16", "sign.8", "sign.16"),
	rows("i:ii", "add.u32", "sub.u32", "mul.lo.u32", "mul.hi.u32", "mul.hi.s32", "and.b32", "or.b32", "xor.b32", "andnot",
		"shl.b32", "shr.u32", "shr.s32", "min.u32", "max.u32", "min.s32", "max.s32", "eq", "lt.u", "lt.s",
		"add.8", "add.16", "sub.8", "sub.16",
		"add.sat.u8", "add.sat.u16", "add.sat.s8", "add.sat.s16", "sub.sat.u8", "sub.sat.u16", "sub.sat.s8", "sub.sat.s16",
		"min.u8", "min.u16", "max.u8", "max.u16", "min.s8", "min.s16", "max.s8", "max.s16", "avg.u8", "avg.u16",
		"eq.8", "eq.16", "gt.u8", "gt.u16", "gt.s8", "gt.s16", "absdiff.u8"),
	rows("i:iii", "mad.lo.u32", "sad.u32", "sad.s32", "prmt.b32", "sad.u8", "select", "dot.u8", "dot.s8"),
	rows("l:l", "mov.64", "not.b64", "neg.s64"),
	rows("l:ll", "add.u64", "sub.u64", "mul.lo.u64", "and.b64", "or.b64", "xor.b64", "min.u64", "max.u64", "min.s64", "max.s64"),
	rows("l:li", "shl.b64", "shr.u64", "shr.s64"),
	rows("l:i", "widen.64", "extend.64"),
	rows("i:l", "narrow.32", "high.32"),
	rows("l:ii", "mul.wide.u32", "mul.wide.s32", "pack.64"),
	rows("l:iil", "mad.wide.u32", "mad.wide.s32"),
	rows("i:iip", "selp.32"),
	rows("l:llp", "selp.64"),
	comparisons("i:ii", "u32", "s32", "u16", "s16"),
	comparisons("l:ll", "u64", "s64"),
	rows("p:p", "mov.pred", "not.pred"),
	rows("p:pp", "and.pred", "or.pred", "xor.pred", "andnot.pred"),
)

// End is the name of the first row.
const End = "end"

func rows(shape string, names ...string) []Row {
	all := make([]Row, len(names))
	for i, name := range names {
		all[i] = Row{name, shape}
	}
	return all
}

// Comparisons are the names of the comparisons, in the order of vpcmp's numbers 0, 1, 2,
// 4, 5 and 6.
var Comparisons = []string{"eq", "lt", "le", "ne", "ge", "gt"}

func comparisons(shape string, types ...string) (all []Row) {
	for _, t := range types {
		for _, c := range Comparisons {
			all = append(all, Row{fmt.Sprintf("setp.%s.%s", c, t), "p" + shape[1:]})
		}
	}
	return all
}

// Size is the number of bytes of a link, and Group the least number of threads that links
// work on: they go on in steps of so many.
const (
	Size  = 48
	Group = 32
)

// Kind is what an access does.
type Kind uint8

// The kinds of accesses.
const (
	Gather  Kind = iota // every thread loads from its address
	Scatter             // and stores
	One                 // the first value is loaded from the first address
)

// Element is a type in memory. It is held in words, or in wide values if it has 8 bytes.
type Element struct {
	Name   string
	Bytes  int
	Signed bool // and extended so
}

// Elements are the types that accesses are to.
var Elements = []Element{{"u8", 1, false}, {"s8", 1, true}, {"u16", 2, false}, {"s16", 2, true}, {"u32", 4, false}, {"u64", 8, false}}

// Access is a link that loads or stores.
type Access struct {
	Kind    Kind
	Element Element
	Address int // bytes
}

// String returns the access's name: "gather.u8.32.64" has 32-bit values and 64-bit addresses.
func (a Access) String() string {
	kind := [...]string{"gather", "scatter", "one"}[a.Kind]
	return fmt.Sprintf("%s.%s.%d.%d", kind, a.Element.Name, max(32, 8*a.Element.Bytes), 8*a.Address)
}

// Accesses are the accesses; their handlers come after those of Rows.
var Accesses = func() (all []Access) {
	for _, e := range Elements {
		for _, kind := range []Kind{Gather, Scatter, One} {
			if kind == Scatter && e.Signed {
				continue // stores as the unsigned type does
			}
			all = append(all, Access{kind, e, 4}, Access{kind, e, 8})
		}
	}
	return all
}()
