package portable

import "github.com/vop-ptx/vop/run/simt"

// Indifferent is an observer that lets everything pass.
type Indifferent struct{}

// Begin does nothing.
func (Indifferent) Begin(*CTA) {}

// Executed does nothing.
func (Indifferent) Executed(*Warp, int, uint32) {}

// Diverge does nothing.
func (Indifferent) Diverge(*Warp, *simt.End, uint32) {}

// Access lets all lanes access.
func (Indifferent) Access(_ *Warp, a *Accesses) uint32 { return a.Lanes }

// Exchange does nothing.
func (Indifferent) Exchange(*Warp, *Exchange) {}

// Probe does nothing.
func (Indifferent) Probe(_ *Warp, _ *simt.Inst, _ int, _ uint32) {}

// Fence does nothing.
func (Indifferent) Fence(*Warp, uint32) {}

// Disagree does nothing.
func (Indifferent) Disagree(*Warp, *[simt.WarpSize]uint32, uint32) {}

// Arrive does nothing.
func (Indifferent) Arrive(_ *Warp, _, _ int, _ uint32) {}

// Release does nothing.
func (Indifferent) Release(_ *CTA, _ int, _ []Wait) {}

// Behind does nothing.
func (Indifferent) Behind(*Warp, uint32) {}

// Meet does nothing.
func (Indifferent) Meet(*Warp, uint32) {}

// Enter does nothing.
func (Indifferent) Enter(_ *Warp, _ uint32, _, _ int) {}

// Pass does nothing.
func (Indifferent) Pass(_ *Warp, _ uint32, _, _, _ int) {}

// Observers are told one after the other. An access is made if all of them let it.
type Observers []Observer

// Begin tells all.
func (all Observers) Begin(c *CTA) {
	for _, o := range all {
		o.Begin(c)
	}
}

// Executed tells all.
func (all Observers) Executed(w *Warp, run int, lanes uint32) {
	for _, o := range all {
		o.Executed(w, run, lanes)
	}
}

// Diverge tells all.
func (all Observers) Diverge(w *Warp, end *simt.End, lanes uint32) {
	for _, o := range all {
		o.Diverge(w, end, lanes)
	}
}

// Access tells all.
func (all Observers) Access(w *Warp, a *Accesses) (made uint32) {
	made = a.Lanes
	for _, o := range all {
		made &= o.Access(w, a)
	}
	return made
}

// Exchange tells all.
func (all Observers) Exchange(w *Warp, x *Exchange) {
	for _, o := range all {
		o.Exchange(w, x)
	}
}

// Probe tells all.
func (all Observers) Probe(w *Warp, probe *simt.Inst, arg int, lanes uint32) {
	for _, o := range all {
		o.Probe(w, probe, arg, lanes)
	}
}

// Fence tells all.
func (all Observers) Fence(w *Warp, lanes uint32) {
	for _, o := range all {
		o.Fence(w, lanes)
	}
}

// Disagree tells all.
func (all Observers) Disagree(w *Warp, barriers *[simt.WarpSize]uint32, lanes uint32) {
	for _, o := range all {
		o.Disagree(w, barriers, lanes)
	}
}

// Arrive tells all.
func (all Observers) Arrive(w *Warp, barrier, threads int, lanes uint32) {
	for _, o := range all {
		o.Arrive(w, barrier, threads, lanes)
	}
}

// Release tells all.
func (all Observers) Release(c *CTA, barrier int, waits []Wait) {
	for _, o := range all {
		o.Release(c, barrier, waits)
	}
}

// Behind tells all.
func (all Observers) Behind(w *Warp, lanes uint32) {
	for _, o := range all {
		o.Behind(w, lanes)
	}
}

// Meet tells all.
func (all Observers) Meet(w *Warp, lanes uint32) {
	for _, o := range all {
		o.Meet(w, lanes)
	}
}

// Enter tells all.
func (all Observers) Enter(w *Warp, lanes uint32, base, size int) {
	for _, o := range all {
		o.Enter(w, lanes, base, size)
	}
}

// Pass tells all.
func (all Observers) Pass(w *Warp, lanes uint32, to, from, size int) {
	for _, o := range all {
		o.Pass(w, lanes, to, from, size)
	}
}
