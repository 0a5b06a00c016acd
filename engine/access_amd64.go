//go:build !purego

package engine

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// accessRequest is a gather or scatter as the assembly reads it.
type accessRequest struct {
	values, addresses, mask, data unsafe.Pointer
	delta, from, to               uint64
	limit                         uint64 // the last offset that an access may have
	windowEnd                     uint64 // after the last offset that 64 bytes may be read from
	alignment                     uint64 // the bits of an offset that must be clear
}

//go:noescape
func gatherU8At32(r *accessRequest) (next int)

//go:noescape
func gatherS8At32(r *accessRequest) (next int)

//go:noescape
func gatherU16At32(r *accessRequest) (next int)

//go:noescape
func gatherS16At32(r *accessRequest) (next int)

//go:noescape
func gatherU32At32(r *accessRequest) (next int)

//go:noescape
func gatherU64At32(r *accessRequest) (next int)

//go:noescape
func gatherU8At64(r *accessRequest) (next int)

//go:noescape
func gatherS8At64(r *accessRequest) (next int)

//go:noescape
func gatherU16At64(r *accessRequest) (next int)

//go:noescape
func gatherS16At64(r *accessRequest) (next int)

//go:noescape
func gatherU32At64(r *accessRequest) (next int)

//go:noescape
func gatherU64At64(r *accessRequest) (next int)

//go:noescape
func scatterU8At32(r *accessRequest) (next int)

//go:noescape
func scatterU16At32(r *accessRequest) (next int)

//go:noescape
func scatterU32At32(r *accessRequest) (next int)

//go:noescape
func scatterU64At32(r *accessRequest) (next int)

//go:noescape
func scatterU8At64(r *accessRequest) (next int)

//go:noescape
func scatterU16At64(r *accessRequest) (next int)

//go:noescape
func scatterU32At64(r *accessRequest) (next int)

//go:noescape
func scatterU64At64(r *accessRequest) (next int)

// vectorAccess holds the gathers and scatters of the level AVX512, by the names of the
// plain operations.
var vectorAccess = sync.OnceValue(func() map[string]any {
	all := map[string]any{}
	defineGather[uint32, uint32](all, "u8.32.32", 1, gatherU8At32)
	defineGather[uint32, uint32](all, "s8.32.32", 1, gatherS8At32)
	defineGather[uint32, uint32](all, "u16.32.32", 2, gatherU16At32)
	defineGather[uint32, uint32](all, "s16.32.32", 2, gatherS16At32)
	defineGather[uint32, uint32](all, "u32.32.32", 4, gatherU32At32)
	defineGather[uint64, uint32](all, "u64.64.32", 8, gatherU64At32)
	defineGather[uint32, uint64](all, "u8.32.64", 1, gatherU8At64)
	defineGather[uint32, uint64](all, "s8.32.64", 1, gatherS8At64)
	defineGather[uint32, uint64](all, "u16.32.64", 2, gatherU16At64)
	defineGather[uint32, uint64](all, "s16.32.64", 2, gatherS16At64)
	defineGather[uint32, uint64](all, "u32.32.64", 4, gatherU32At64)
	defineGather[uint64, uint64](all, "u64.64.64", 8, gatherU64At64)
	all["gather.s32.32.32"] = all["gather.u32.32.32"]
	all["gather.s32.32.64"] = all["gather.u32.32.64"]

	for _, sign := range []string{"u", "s"} { // which stores do not see
		defineScatter[uint32, uint32](all, sign+"8.32.32", 1, scatterU8At32)
		defineScatter[uint32, uint32](all, sign+"16.32.32", 2, scatterU16At32)
		defineScatter[uint32, uint32](all, sign+"32.32.32", 4, scatterU32At32)
		defineScatter[uint32, uint64](all, sign+"8.32.64", 1, scatterU8At64)
		defineScatter[uint32, uint64](all, sign+"16.32.64", 2, scatterU16At64)
		defineScatter[uint32, uint64](all, sign+"32.32.64", 4, scatterU32At64)
	}
	defineScatter[uint64, uint32](all, "u64.64.32", 8, scatterU64At32)
	defineScatter[uint64, uint64](all, "u64.64.64", 8, scatterU64At64)
	return all
})

// newRequest makes a request for elements of some bytes, the first at the given one of each
// access. It reports false if there is nothing that the assembly could do.
func newRequest[W, A Word](values []W, address []A, mask Mask, from int, window *Window, at uint64, reads uint64) (r accessRequest, ok bool) {
	need := max(window.Span, at+reads)
	size := uint64(len(window.Data))
	if size < need || size >= 1<<31 || len(values) == from {
		return r, false
	}
	r = accessRequest{
		values: unsafe.Pointer(&values[0]), addresses: unsafe.Pointer(&address[0]), mask: unsafe.Pointer(&mask[0]), data: unsafe.Pointer(&window.Data[at]),
		delta: window.Delta, from: uint64(from), to: uint64(len(values)),
		limit: size - need, alignment: window.Span - 1,
	}
	if size >= at+64 {
		r.windowEnd = size - at - 63
	}
	return r, true
}

// groups calls f for the threads from one on, whole groups at a time as far as
// that goes, and one for the rest, which may be few. Both return the first thread that they have
// not done; what the first cannot do the second may.
func groups(from, to, group int, vector func(from, to int) int, one func(from, to int) int) int {
	for from < to {
		start := (from + group - 1) &^ (group - 1)
		end := to &^ (group - 1)
		if start > from || start >= end {
			if start >= end {
				start = to
			}
			if next := one(from, start); next < start {
				return next
			}
			from = start
			continue
		}
		from = vector(start, end)
		if from < end { // that group has something that the vector cannot do
			if next := one(from, from+group); next < from+group {
				return next
			}
			from += group
		}
	}
	return to
}

func defineGather[W, A Word](all map[string]any, name string, bytes uint64, f func(*accessRequest) int) {
	name = "gather." + name
	portable := plain[name].(Gather[W, A])
	var w W
	group := 64 / int(unsafe.Sizeof(w))
	all[name] = Gather[W, A](func(dst []W, address []A, mask Mask, from int, window Window, at uint64) (next int) {
		r, ok := newRequest(dst, address, mask, from, &window, at, max(bytes, 4))
		if !ok {
			return portable(dst, address, mask, from, window, at)
		}
		return groups(from, len(dst), group, func(from, to int) int {
			r.from, r.to = uint64(from), uint64(to)
			return f(&r)
		}, func(from, to int) int {
			return portable(dst[:to], address[:to], mask, from, window, at)
		})
	})
}

func defineScatter[W, A Word](all map[string]any, name string, bytes uint64, f func(*accessRequest) int) {
	name = "scatter." + name
	portable := plain[name].(Scatter[W, A])
	var w W
	group := 64 / int(unsafe.Sizeof(w))
	all[name] = Scatter[W, A](func(src []W, address []A, mask Mask, from int, window Window, at uint64) (next int) {
		r, ok := newRequest(src, address, mask, from, &window, at, bytes)
		if !ok {
			return portable(src, address, mask, from, window, at)
		}
		return groups(from, len(src), group, func(from, to int) int {
			r.from, r.to = uint64(from), uint64(to)
			return f(&r)
		}, func(from, to int) int {
			return portable(src[:to], address[:to], mask, from, window, at)
		})
	})
}

// vectorAccessOf returns the gather or scatter of a level under the name of a plain operation, or nil.
func vectorAccessOf(l Level, name string) any {
	if l != AVX512 || !cpu.X86.HasAVX512DQ || raceEnabled {
		return nil
	}
	return vectorAccess()[name]
}
