package op

func init() {
	defineComparisons[uint16, uint32]("u16")
	defineComparisons[uint32, uint32]("u32")
	defineComparisons[uint64, uint64]("u64")
	defineComparisons[int16, uint32]("s16")
	defineComparisons[int32, uint32]("s32")
	defineComparisons[int64, uint64]("s64")
}

// defineComparisons enters the six comparisons of an integer type. Two are those of two
// others with the operands exchanged.
func defineComparisons[T integer, W Word](name string) {
	define("setp.eq."+name, equal[T, W])
	define("setp.ne."+name, unequal[T, W])
	define("setp.lt."+name, less[T, W])
	define("setp.le."+name, lessOrEqual[T, W])
	define("setp.gt."+name, Compare[W, W](func(dst Mask, a, b []W) { less[T](dst, b, a) }))
	define("setp.ge."+name, Compare[W, W](func(dst Mask, a, b []W) { lessOrEqual[T](dst, b, a) }))
}

// lanes returns the threads of a column that element n of a mask is for.
func lanes[W Word](column []W, n int) []W {
	column = column[n*64:]
	return column[:min(len(column), 64)]
}

func equal[T integer, W Word](dst Mask, a, b []W) {
	for n := range dst {
		x := lanes(a, n)
		y := lanes(b, n)[:len(x)]
		var set uint64
		for i := range x {
			set |= bit(T(x[i]) == T(y[i])) << i
		}
		dst[n] = set
	}
}

func unequal[T integer, W Word](dst Mask, a, b []W) {
	for n := range dst {
		x := lanes(a, n)
		y := lanes(b, n)[:len(x)]
		var set uint64
		for i := range x {
			set |= bit(T(x[i]) != T(y[i])) << i
		}
		dst[n] = set
	}
}

func less[T integer, W Word](dst Mask, a, b []W) {
	for n := range dst {
		x := lanes(a, n)
		y := lanes(b, n)[:len(x)]
		var set uint64
		for i := range x {
			set |= bit(T(x[i]) < T(y[i])) << i
		}
		dst[n] = set
	}
}

func lessOrEqual[T integer, W Word](dst Mask, a, b []W) {
	for n := range dst {
		x := lanes(a, n)
		y := lanes(b, n)[:len(x)]
		var set uint64
		for i := range x {
			set |= bit(T(x[i]) <= T(y[i])) << i
		}
		dst[n] = set
	}
}
