package op

func init() {
	definePairs[uint16]("u16x2")
	definePairs[int16]("s16x2")
}

// definePairs enters the operations on the two halves of words (PTX ISA 9.7.1, from version 8.0 on).
func definePairs[T uint16 | int16](name string) {
	define("add."+name, pairwise(func(a, b T) T { return a + b }))
	define("min."+name, pairwise(func(a, b T) T { return min(a, b) }))
	define("max."+name, pairwise(func(a, b T) T { return max(a, b) }))
}

// pairwise applies an operation to both halves of words.
func pairwise[T uint16 | int16](half func(a, b T) T) func(dst, a, b []uint32) {
	return func(dst, a, b []uint32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			high, low := half(T(a[i]>>16), T(b[i]>>16)), half(T(a[i]), T(b[i]))
			dst[i] = uint32(high)<<16 | uint32(uint16(low))
		}
	}
}
