package simt

import "github.com/vop-ptx/vop/read/check"

// AnyOrder reports whether the warps of a launch may be executed in any order, each from its beginning to its end: nothing in
// the function lets them meet, tells one of them when another has done something, or does what the order shows in. Warps whose
// accesses race with each other may see what they do not see in another order; so they may on a GPU.
func (f *Function) AnyOrder() bool {
	if f.Publishes {
		return false
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		if block.End.Kind == Barrier || block.End.Kind == Call {
			return false
		}
		for i := range block.Insts {
			switch inst := &block.Insts[i]; inst.Kind {
			case Atomic, Bulk, Clock, Host, Probe, Stack:
				return false
			case Load, Store:
				if a := inst.Aux.(*Access); a.Strong || a.Acquires || a.Space == check.Shared {
					return false
				}
			}
		}
	}
	return true
}

// Synchronizes reports whether CTAs may learn by something in the function what others have done before: an atomic operation or
// a strong access.
func (f *Function) Synchronizes() bool {
	for b := range f.Blocks {
		for i := range f.Blocks[b].Insts {
			inst := &f.Blocks[b].Insts[i]
			if bulk, ok := inst.Aux.(*BulkOp); ok && bulk.To.Strong && bulk.To.Space != check.Shared {
				return true
			}
			a, ok := inst.Aux.(*Access)
			if ok && a.Space != check.Shared && a.Space != check.Local && (inst.Kind == Atomic || a.Strong || a.Acquires || a.Releases) {
				return true
			}
		}
	}
	return false
}
