package engine

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// Atomic updates memory at the address of each thread of the mask, from the given one on and in the order
// of the threads: it writes what the operation makes of the old value, b and c, and
// puts the old value into dst. It returns the first thread whose access is not inside the
// window or not aligned, or the number of threads. Concurrent says that other cores
// may work on the same memory.
type Atomic[W, A Word] = func(dst []W, address []A, b, c []W, mask Mask, from int, window Window, concurrent bool) (next int)

func init() {
	defineAtomics("u32", atomics[uint32, uint32]())
	defineAtomics("s32", atomics[int32, uint32]())
	defineAtomics("u64", atomics[uint64, uint64]())
	defineAtomics("s64", atomics[int64, uint64]())
	defineAtomic("atom.inc.u32", func(old, b, _ uint32) uint32 {
		if old >= b {
			return 0
		}
		return old + 1
	})
	defineAtomic("atom.dec.u32", func(old, b, _ uint32) uint32 {
		if old == 0 || old > b {
			return b
		}
		return old - 1
	})
	defineAtomic("atom.add.f32", func(old, b, _ uint32) uint32 {
		return bitsOf(math.Float32frombits(old) + math.Float32frombits(b))
	})
	// In global memory, subnormal numbers are flushed (9.7.13.5 atom).
	defineAtomic("atom.add.ftz.f32", func(old, b, _ uint32) uint32 {
		return bitsOf(flush(flush(math.Float32frombits(old)) + flush(math.Float32frombits(b))))
	})
	defineAtomic("atom.add.f64", func(old, b, _ uint64) uint64 {
		return bitsOf64(math.Float64frombits(old) + math.Float64frombits(b))
	})
}

// atomics are the operations that all integer types have.
func atomics[T integer, W Word]() map[string]func(old, b, c W) W {
	return map[string]func(old, b, c W) W{
		"add":  func(old, b, _ W) W { return old + b },
		"and":  func(old, b, _ W) W { return old & b },
		"or":   func(old, b, _ W) W { return old | b },
		"xor":  func(old, b, _ W) W { return old ^ b },
		"exch": func(_, b, _ W) W { return b },
		"min":  func(old, b, _ W) W { return W(min(T(old), T(b))) },
		"max":  func(old, b, _ W) W { return W(max(T(old), T(b))) },
		"cas": func(old, b, c W) W {
			if old == b {
				return c
			}
			return old
		},
	}
}

func defineAtomics[W Word](typ string, operations map[string]func(old, b, c W) W) {
	for name, f := range operations {
		defineAtomic("atom."+name+"."+typ, f)
	}
}

// defineAtomic enters an operation for both widths of addresses.
func defineAtomic[W Word](name string, f func(old, b, c W) W) {
	define(name+".32", updating[W, uint32](f))
	define(name+".64", updating[W, uint64](f))
}

func updating[W, A Word](f func(old, b, c W) W) Atomic[W, A] {
	return func(dst []W, address []A, b, c []W, mask Mask, from int, window Window, concurrent bool) int {
		for i := from; i < len(dst); i++ {
			if mask[i/64]>>(i%64)&1 == 0 {
				continue
			}
			offset := uint64(address[i] + A(window.Delta))
			if !window.inside(offset) {
				return i
			}
			if !concurrent {
				place := value[W](window.Data, offset)
				old := *place
				*place = f(old, b[i], c[i])
				dst[i] = old
				continue
			}
			for {
				old := loadAtomic[W](window.Data, offset)
				if swapAtomic(window.Data, offset, old, f(old, b[i], c[i])) {
					dst[i] = old
					break
				}
			}
		}
		return len(dst)
	}
}

func loadAtomic[W Word](data []byte, at uint64) W {
	place := value[W](data, at)
	if unsafe.Sizeof(*place) == 4 {
		return W(atomic.LoadUint32((*uint32)(unsafe.Pointer(place))))
	}
	return W(atomic.LoadUint64((*uint64)(unsafe.Pointer(place))))
}

func swapAtomic[W Word](data []byte, at uint64, old, new W) bool {
	place := value[W](data, at)
	if unsafe.Sizeof(*place) == 4 {
		return atomic.CompareAndSwapUint32((*uint32)(unsafe.Pointer(place)), uint32(old), uint32(new))
	}
	return atomic.CompareAndSwapUint64((*uint64)(unsafe.Pointer(place)), uint64(old), uint64(new))
}
