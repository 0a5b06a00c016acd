package op

import (
	"fmt"
	"slices"
	"sync"
)

// Op is an operation, by its number in the order of names; 0 is none.
type Op uint16

// Word is what a value is in each lane: 32 or 64 bits.
type Word interface{ uint32 | uint64 }

// Mask is a predicate, one bit a lane: lane i is bit i%64 of element i/64. Bits beyond the last
// lane are zero or ignored.
type Mask []uint64

// The shapes of loops: a result and its operands, all of the same number of lanes. A result may be
// one of the operands; it may not overlap one in another way.
type (
	// Map1 to Map4 compute values.
	Map1[D, A Word]          = func(dst []D, a []A)
	Map2[D, A, B Word]       = func(dst []D, a []A, b []B)
	Map3[D, A, B, C Word]    = func(dst []D, a []A, b []B, c []C)
	Map4[D, A, B, C, E Word] = func(dst []D, a []A, b []B, c []C, e []E)
	// Test and Compare compute a predicate: bits beyond the last lane become zero.
	Test[A Word]       = func(dst Mask, a []A)
	Compare[A, B Word] = func(dst Mask, a []A, b []B)
	// Choose and Carry compute a value from values and a predicate.
	Choose[W Word] = func(dst, a, b []W, p Mask)
	// CarryOut computes a predicate from values and a predicate.
	CarryOut[W Word] = func(dst Mask, a, b []W, p Mask)
	// Logic1 to Logic3 compute 64 lanes of a predicate at once.
	Logic1 = func(a uint64) uint64
	Logic2 = func(a, b uint64) uint64
	Logic3 = func(a, b, c uint64) uint64
)

// Info says what there is to know of an operation.
type Info struct {
	Name  string
	Shape string
	// Loop is one of the shapes of loops: the one that the Shape tells.
	Loop any
}

// shapeOf returns how the shape of a loop is spelled.
func shapeOf(loop any) string {
	switch loop.(type) {
	case Map1[uint32, uint32]:
		return "i:i"
	case Map1[uint64, uint64]:
		return "l:l"
	case Map1[uint32, uint64]:
		return "i:l"
	case Map1[uint64, uint32]:
		return "l:i"
	case Map2[uint32, uint32, uint32]:
		return "i:ii"
	case Map2[uint64, uint64, uint64]:
		return "l:ll"
	case Map2[uint64, uint64, uint32]:
		return "l:li"
	case Map2[uint64, uint32, uint32]:
		return "l:ii"
	case Map3[uint32, uint32, uint32, uint32]:
		return "i:iii"
	case Map3[uint64, uint64, uint64, uint64]:
		return "l:lll"
	case Map3[uint64, uint32, uint32, uint64]:
		return "l:iil"
	case Map3[uint64, uint64, uint32, uint32]:
		return "l:lii"
	case Map3[uint64, uint64, uint64, uint32]:
		return "l:lli"
	case Map4[uint32, uint32, uint32, uint32, uint32]:
		return "i:iiii"
	case Map4[uint64, uint64, uint64, uint32, uint32]:
		return "l:llii"
	case Test[uint32]:
		return "p:i"
	case Test[uint64]:
		return "p:l"
	case Compare[uint32, uint32]:
		return "p:ii"
	case Compare[uint64, uint64]:
		return "p:ll"
	case Choose[uint32]:
		return "i:iip"
	case Choose[uint64]:
		return "l:llp"
	case CarryOut[uint32]:
		return "p:iip"
	case CarryOut[uint64]:
		return "p:llp"
	case Logic1:
		return "p:p"
	case Logic2:
		return "p:pp"
	case Logic3:
		return "p:ppp"
	}
	panic(fmt.Sprintf("op: no shape is %T", loop))
}

// defined are the loops by name, as the files of this package define them.
var defined = map[string]any{}

// define enters an operation. Inlined at its 700 calls, it would be a third of this package.
//
//go:noinline
func define(name string, loop any) {
	if _, exists := defined[name]; exists {
		panic("op: " + name + " is defined twice")
	}
	defined[name] = loop
}

// table are all operations by number, and their numbers by name.
var table = sync.OnceValue(func() (t struct {
	infos   []Info
	numbers map[string]Op
}) {
	t.infos = append(t.infos, Info{Name: "none"})
	t.numbers = make(map[string]Op, len(defined))
	names := make([]string, 0, len(defined))
	for name := range defined {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.numbers[name] = Op(len(t.infos))
		t.infos = append(t.infos, Info{name, shapeOf(defined[name]), defined[name]})
	}
	return t
})

// Find returns the operation of a name, and whether there is one.
func Find(name string) (o Op, ok bool) {
	o, ok = table().numbers[name]
	return o, ok
}

// Must is [Find] for a name that there is.
func Must(name string) Op {
	o, ok := Find(name)
	if !ok {
		panic("op: there is no operation " + name)
	}
	return o
}

// All returns the number of operations plus one: operations are 1 to All()-1.
func All() Op { return Op(len(table().infos)) }

// Info returns what there is to know of an operation.
func (o Op) Info() *Info { return &table().infos[o] }

// String returns the operation's name.
func (o Op) String() string { return o.Info().Name }

// Shape returns the operation's shape: "l:ii".
func (o Op) Shape() string { return o.Info().Shape }

// bit is 1 for true: a machine instruction, not a branch.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
