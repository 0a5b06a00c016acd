package engine

// Word is what a column holds for each thread: 32-bit words for values of up to
// 32 bits, 64-bit words for wider ones. A value narrower than its word stands in
// the low bits; what the bits above it are does not matter, and every operation
// looks only at those of its own type.
type Word interface{ uint32 | uint64 }

// Mask is a column of predicates, one bit per thread: thread i is bit i%64 of
// element i/64. A mask that goes with columns of n threads has (n+63)/64
// elements, and its last bits beyond n are zero or ignored.
type Mask []uint64

// The shapes of plain operations: a destination column and its sources, all of the
// same number of threads. A destination may be one of the sources; it may not
// overlap one in another way. Every shape works on any number of threads, one included: that
// is how a value that is the same in all threads is computed once.
type (
	// Map1 to Map4 compute a column from columns.
	Map1[D, A Word]          = func(dst []D, a []A)
	Map2[D, A, B Word]       = func(dst []D, a []A, b []B)
	Map3[D, A, B, C Word]    = func(dst []D, a []A, b []B, c []C)
	Map4[D, A, B, C, E Word] = func(dst []D, a []A, b []B, c []C, e []E)
	// Test and Compare compute a mask: bits beyond the last thread become zero.
	Test[A Word]       = func(dst Mask, a []A)
	Compare[A, B Word] = func(dst Mask, a []A, b []B)
	// Choose takes a where the mask is set and b elsewhere.
	Choose[W Word] = func(dst, a, b []W, mask Mask)
	// Carry2 and Carry3 read and write the carries of extended-precision arithmetic.
	Carry2[W Word] = func(dst []W, carry Mask, a, b []W)
	Carry3[W Word] = func(dst []W, carry Mask, a, b, c []W)
)

// plain holds the portable operations by name: PTX's own name of the operation
// and the types it works on, "add.u32" or "cvt.s64.u8". Their shape is the type of
// the function.
var plain = map[string]any{}

// Plain returns the operation of the given name and shape, and whether there is one.
//
//	add, ok := engine.Plain[engine.Map2[uint32, uint32, uint32]]("add.u32")
func Plain[Shape any](name string) (operation Shape, ok bool) {
	operation, ok = plain[name].(Shape)
	return operation, ok
}

// define enters an operation into the table.
func define(name string, operation any) {
	if _, exists := plain[name]; exists {
		panic("engine: plain operation " + name + " is defined twice")
	}
	plain[name] = operation
}

// bit is 1 for true: a machine instruction, not a branch.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
