package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// accessFault makes the report of an access that is outside all memory, misaligned, or a
// write to what cannot be written.
func (w *worker) accessFault(a *simt.Access, thread int, address uint64) *Fault {
	f := &Fault{Access: a.String(), Address: address, thread: thread}
	name, begin, size, readOnly := w.nearest(a.Space, thread, address)
	offset, span := int64(address-begin), int64(a.Span())
	inside := offset >= 0 && offset+span <= int64(size)
	switch {
	case address < pageSize && (a.Space == check.Generic || a.Space == check.Global):
		f.Kind = OutOfBounds
		f.Detail = "a null pointer"
	case name == "":
		f.Kind = OutOfBounds
		f.Detail = "there is no allocation in " + a.Space.String() + " memory"
	case inside && a.Writes && readsParams(a.Space, address):
		f.Kind = WriteToParameter
		f.Detail = "a kernel only reads its parameters"
	case inside && w.launch.heap != nil && w.launch.heap.buffer.address == begin && address%a.Alignment() == 0:
		f.Kind = OutOfBounds
		f.Detail = w.launch.heap.describe(address)
	case inside && a.Writes && readOnly:
		f.Kind = WriteToConst
		f.Detail = fmt.Sprintf("%s is a .const variable", name)
	case inside:
		f.Kind = Misaligned
		f.Detail = fmt.Sprintf("offset %d in %s is not a multiple of %d", offset, name, a.Alignment())
	case offset < 0 && (address < begin || begin == 0):
		f.Kind = OutOfBounds
		f.Detail = fmt.Sprintf("%s before %s (%s at 0x%x)", diag.Count(-offset, "byte"), name, diag.Count(size, "byte"), begin)
	case 0 <= offset && offset < int64(size):
		f.Kind = OutOfBounds
		last := "byte is"
		if beyond := offset + span - int64(size); beyond > 1 {
			last = fmt.Sprintf("%d bytes are", beyond)
		}
		f.Detail = fmt.Sprintf("the last %s beyond the end of %s (%s at 0x%x)", last, name, diag.Count(size, "byte"), begin)
	case offset == int64(size):
		f.Kind = OutOfBounds
		f.Detail = fmt.Sprintf("right behind the end of %s (%s at 0x%x)", name, diag.Count(size, "byte"), begin)
	default:
		f.Kind = OutOfBounds
		f.Detail = fmt.Sprintf("%s beyond the end of %s (%s at 0x%x)", diag.Count(uint64(offset)-uint64(size), "byte"), name, diag.Count(size, "byte"), begin)
	}
	return f
}

// parametersName is what messages call the memory of a kernel's parameters.
const parametersName = "the kernel's parameters"

// nearest returns the allocation that a thread's address is in or misses by least.
func (w *worker) nearest(space check.Space, thread int, address uint64) (name string, begin uint64, size int, readOnly bool) {
	switch space {
	case check.Shared:
		return "the shared memory of the CTA", 0, len(w.cta.Shared), false
	case check.Local:
		return w.nearestLocal(thread, address, 0)
	case check.Param:
		return parametersName, 0, len(w.launch.params), true
	}
	if readsParams(space, address) {
		return parametersName, simt.ParamWindow, len(w.launch.params), true
	}
	if space == check.Generic && len(w.cta.Shared) > 0 && address-simt.SharedWindow < simt.WindowSize {
		return "the shared memory of the CTA", simt.SharedWindow, len(w.cta.Shared), false
	}
	if space == check.Generic && address-simt.LocalWindow < simt.WindowSize {
		return w.nearestLocal(thread, address, simt.LocalWindow)
	}
	best := ^uint64(0)
	for _, b := range w.launch.allocations {
		miss := b.address - address
		if address >= b.address {
			miss = 0
			if end := b.address + uint64(len(b.data)); address >= end {
				miss = address - end
			}
		}
		if miss < best {
			best = miss
			name, begin, size, readOnly = b.name, b.address, len(b.data), b.readOnly
		}
	}
	return name, begin, size, readOnly
}

// readsParams reports whether an address is one of the kernel's parameters.
func readsParams(space check.Space, address uint64) bool {
	return space == check.Param || space == check.Generic && address-simt.ParamWindow < simt.WindowSize
}

// nearestLocal is nearest for local memory, whose addresses begin at a base.
func (w *worker) nearestLocal(thread int, address, base uint64) (name string, begin uint64, size int, readOnly bool) {
	if n := w.cta.StackSize(thread); n > 0 && address-base >= simt.DynamicLocal {
		return "what alloca has given the thread", base + simt.DynamicLocal, n, false
	}
	return "the local memory of the thread", base, w.cta.LocalSize(thread), false
}
