package engine

import "unsafe"

// Window is the memory that an access may touch: the bytes of one allocation.
type Window struct {
	Data []byte
	// Delta is added to an address, in the width of addresses, to give the offset in Data.
	Delta uint64
	// Span is the number of bytes of one thread's access, all elements of a vector
	// included, and the alignment it must have: a power of two.
	Span uint64
}

// The shapes of memory operations. Data is little-endian. The threads of a Load or
// Store lie stride bytes apart, the first at the start of the bytes. A Gather or
// Scatter has an address for each thread and works on those of the mask, from
// the given one on, element at (bytes) of each access; it returns the first thread whose
// access is not inside the window or not aligned, or the number of threads.
type (
	Load[W Word]       = func(dst []W, src []byte, stride int)
	Store[W Word]      = func(dst []byte, stride int, src []W)
	Gather[W, A Word]  = func(dst []W, address []A, mask Mask, from int, window Window, at uint64) (next int)
	Scatter[W, A Word] = func(src []W, address []A, mask Mask, from int, window Window, at uint64) (next int)
)

func init() {
	defineMemory[uint8]("u8")
	defineMemory[int8]("s8")
	defineMemory[uint16]("u16")
	defineMemory[int16]("s16")
	defineMemory[uint32]("u32")
	defineMemory[int32]("s32")
	defineMemory[uint64]("u64")
}

// defineMemory enters the accesses to values of type T, from and to both kinds
// of columns and with both kinds of addresses: "gather.s8.64.32" reads signed bytes
// into 64-bit words at 32-bit addresses.
func defineMemory[T integer](name string) {
	defineAccess[T, uint32](name + ".32")
	defineAccess[T, uint64](name + ".64")
}

func defineAccess[T integer, W Word](name string) {
	define("load."+name, load[T, W])
	define("store."+name, store[T, W])
	define("gather."+name+".32", gather[T, W, uint32])
	define("gather."+name+".64", gather[T, W, uint64])
	define("scatter."+name+".32", scatter[T, W, uint32])
	define("scatter."+name+".64", scatter[T, W, uint64])
}

// Allocate returns zeroed bytes that begin at a multiple of 8, so that every aligned
// access to them is aligned for the host too. A word may be read from where the last
// byte is.
func Allocate(size int) []byte {
	if size == 0 {
		return nil
	}
	words := make([]uint64, (size+7)/8+1)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:size]
}

// value is the place of a T in memory. It checks the bounds without reading: other
// cores may be writing there.
func value[T integer](data []byte, at uint64) *T {
	var one T
	return (*T)(unsafe.Pointer(unsafe.SliceData(data[at : at+uint64(unsafe.Sizeof(one))])))
}

func load[T integer, W Word](dst []W, src []byte, stride int) {
	var one T
	if stride == int(unsafe.Sizeof(one)) && len(dst) > 0 {
		values := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(src[:len(dst)*stride]))), len(dst))
		for i := range dst {
			dst[i] = W(values[i])
		}
		return
	}
	for i := range dst {
		dst[i] = W(*value[T](src, uint64(i*stride)))
	}
}

func store[T integer, W Word](dst []byte, stride int, src []W) {
	var one T
	if stride == int(unsafe.Sizeof(one)) && len(src) > 0 {
		values := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(dst[:len(src)*stride]))), len(src))
		for i := range src {
			values[i] = T(src[i])
		}
		return
	}
	for i := range src {
		*value[T](dst, uint64(i*stride)) = T(src[i])
	}
}

// inside reports whether an access at an offset is inside the window and aligned.
func (w *Window) inside(offset uint64) bool {
	size := uint64(len(w.Data))
	return offset < size && size-offset >= w.Span && offset&(w.Span-1) == 0
}

func gather[T integer, W, A Word](dst []W, address []A, mask Mask, from int, window Window, at uint64) (next int) {
	address = address[:len(dst)]
	for i := from; i < len(dst); i++ {
		if mask[i/64]>>(i%64)&1 == 0 {
			continue
		}
		offset := uint64(address[i] + A(window.Delta))
		if !window.inside(offset) {
			return i
		}
		dst[i] = W(*value[T](window.Data, offset+at))
	}
	return len(dst)
}

func scatter[T integer, W, A Word](src []W, address []A, mask Mask, from int, window Window, at uint64) (next int) {
	address = address[:len(src)]
	for i := from; i < len(src); i++ {
		if mask[i/64]>>(i%64)&1 == 0 {
			continue
		}
		offset := uint64(address[i] + A(window.Delta))
		if !window.inside(offset) {
			return i
		}
		*value[T](window.Data, offset+at) = T(src[i])
	}
	return len(src)
}

// Contiguous reports whether each address is span bytes after the one before;
// there is at least one.
func Contiguous[A Word](address []A, span uint64) bool {
	next := address[0]
	for _, a := range address {
		if a != next {
			return false
		}
		next += A(span)
	}
	return true
}
