package atomics

import (
	"math"

	"github.com/vop-ptx/vop/run/simt/op"
)

// Of returns what an operation makes of the value in memory and of up to two operands: the new value. It is nil
// if there is no such operation.
func Of(name string) func(old, b, c uint64) uint64 { return updates[name] }

// updates are the operations of atom and red (PTX ISA 9.7.13.5) on values of up to 64 bits.
var updates = map[string]func(old, b, c uint64) uint64{
	"inc.u32": func(old, b, _ uint64) uint64 {
		if uint32(old) >= uint32(b) {
			return 0
		}
		return old + 1
	},
	"dec.u32": func(old, b, _ uint64) uint64 {
		if uint32(old) == 0 || uint32(old) > uint32(b) {
			return b
		}
		return old - 1
	},
	"add.f32": func(old, b, _ uint64) uint64 { return single(float(old) + float(b)) },
	// In global memory, subnormal numbers are flushed.
	"add.ftz.f32": func(old, b, _ uint64) uint64 { return single(flushed(flushed(float(old)) + flushed(float(b)))) },
	"add.f64":     func(old, b, _ uint64) uint64 { return double(math.Float64frombits(old) + math.Float64frombits(b)) },
}

func init() {
	for _, typ := range []string{"f16", "f16x2", "bf16", "bf16x2"} {
		for _, name := range []string{"add.", "min.", "max."} {
			of := op.Must(name + typ)
			updates[name+typ] = func(old, b, _ uint64) uint64 { return op.Fold(of, old, b) }
		}
	}
	updates["cas.u16"] = func(old, b, c uint64) uint64 {
		if uint16(old) == uint16(b) {
			return uint64(uint16(c))
		}
		return old
	}
	define[uint32]("u32")
	define[int32]("s32")
	define[uint64]("u64")
	define[int64]("s64")
}

// define enters the operations that all integer types have.
func define[T uint32 | int32 | uint64 | int64](typ string) {
	two := func(name string, f func(old, b T) T) {
		updates[name+"."+typ] = func(old, b, _ uint64) uint64 { return uint64(f(T(old), T(b))) }
	}
	two("add", func(old, b T) T { return old + b })
	two("and", func(old, b T) T { return old & b })
	two("or", func(old, b T) T { return old | b })
	two("xor", func(old, b T) T { return old ^ b })
	two("exch", func(_, b T) T { return b })
	two("min", func(old, b T) T { return min(old, b) })
	two("max", func(old, b T) T { return max(old, b) })
	updates["cas."+typ] = func(old, b, c uint64) uint64 {
		if T(old) == T(b) {
			return c
		}
		return old
	}
}

func float(x uint64) float32 { return math.Float32frombits(uint32(x)) }

func flushed(x float32) float32 {
	if x != 0 && math.Abs(float64(x)) < 0x1p-126 {
		return float32(math.Copysign(0, float64(x)))
	}
	return x
}

// single and double return the bits of results. NaNs are NVIDIA's own.
func single(x float32) uint64 {
	if x != x {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(x))
}

func double(x float64) uint64 {
	if x != x {
		return 0xfff8000000000000
	}
	return math.Float64bits(x)
}
