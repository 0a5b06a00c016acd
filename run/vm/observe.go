package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/vm/counters"
	"github.com/vop-ptx/vop/run/vm/sanitize"
)

// observedCode is the literal code of a kernel for launches that are checked, counted or both.
type observedCode struct {
	checks, counts bool
	code           *code
	observation    portable.Observation
	sites          sanitize.Sites
}

// observedCode returns the kernel's code for launches that are checked, counted or both.
func (k *Kernel) observedCode(checks, counts bool) (*observedCode, error) {
	k.module.mutex.Lock()
	defer k.module.mutex.Unlock()
	key := [2]bool{checks, counts}
	if o, ok := k.observed[key]; ok {
		return o, nil
	}
	o := &observedCode{checks: checks, counts: counts}
	if checks {
		sanitize.Observe(&o.observation)
	}
	if counts {
		counters.Observe(&o.observation)
	}
	code, err := k.buildCode(o)
	if err != nil {
		return nil, err
	}
	o.code, k.observed[key] = code, o
	return o, nil
}

// bind makes code of a function.
func (o *observedCode) bind(f *simt.Function, callees map[*check.Function]*portable.Code) *portable.Code {
	if o.checks {
		sanitize.Instrument(f, &o.sites)
	}
	return portable.BindObserved(f, callees, &o.observation)
}

// observe makes the launch run code that tells what it does.
func (l *launch) observe() error {
	o, err := l.kernel.observedCode(l.grid.Check, l.grid.Stats != nil || l.grid.Watch != nil) // the code for counters tells of writes
	if err != nil {
		return err
	}
	l.observed, l.code = o, o.code
	if !l.grid.Check {
		return nil
	}
	regions := make([]sanitize.Region, len(l.allocations))
	for i, b := range l.allocations {
		regions[i] = sanitize.Region{Base: b.address, Size: len(b.data)}
		if unset := b.unset.Load(); unset != nil {
			regions[i].Unset = *unset
		}
	}
	l.sanitizers = sanitize.NewLaunch(portable.Dim(l.grid.Grid), regions, &o.sites)
	return nil
}

// observe gives the CTAs of a worker the observers that the launch asks for.
func (w *worker) observe() {
	l := w.launch
	var all portable.Observers
	if l.grid.Stats != nil {
		w.counter = counters.NewCounter(&l.observed.observation, func(address uint64) bool {
			b := find(l.allocations, address)
			return b != nil && b.readOnly
		})
		all = append(all, w.counter)
	}
	if l.sanitizers != nil {
		w.sanitizer = l.sanitizers.NewSanitizer(w.cta.Threads(), len(w.cta.Shared), w.found)
		all = append(all, w.sanitizer)
	}
	if l.grid.Watch != nil {
		all = append(all, watcher{launch: l})
	}
	switch len(all) {
	case 0:
	case 1:
		w.cta.Observe(all[0])
	default:
		w.cta.Observe(all)
	}
}

// findingKinds are the kinds of faults that findings are. What is no valid access has several.
var findingKinds = [...]FaultKind{
	sanitize.UnsetRegister: UnsetRegister, sanitize.UnsetMemory: UnsetMemory, sanitize.Race: Race, sanitize.WarpRace: WarpRace,
	sanitize.BlockRace: BlockRace, sanitize.PartialBarrier: PartialBarrier, sanitize.InactiveLane: InactiveLane, sanitize.MissingLane: MissingLane,
}

// found enters what a sanitizer has found.
func (w *worker) found(found *sanitize.Finding) {
	l := w.launch
	f := &Fault{Kind: findingKinds[found.Kind], thread: found.Thread}
	block := Dim(found.CTA)
	if found.Kind == sanitize.BadAccess {
		f = w.accessFault(found.Access, found.Thread, found.Address)
	} else if l.reports.knows(&l.grid, cause{found.Function.Decl, int(found.At), f.Kind}, block, found.Count) {
		return
	}
	if found.Access != nil {
		f.Access, f.Address = found.Access.String(), found.Address
	}
	switch found.Kind {
	case sanitize.UnsetRegister:
		f.Detail = found.Register + " is read, and has not been written"
	case sanitize.UnsetMemory:
		name, begin, _, _ := w.nearest(found.Access.Space, found.Thread, found.Address)
		f.Detail = fmt.Sprintf("byte %d of %s has not been written", found.Address-begin+uint64(found.Missing), name)
	case sanitize.Race, sanitize.WarpRace, sanitize.BlockRace:
		f.Detail = l.race(found)
	case sanitize.PartialBarrier:
		f.Detail = l.barriers(found)
	case sanitize.InactiveLane:
		f.Detail = fmt.Sprintf("lane %d, whose value it takes, is not active or not in the member mask", found.Lane)
	case sanitize.MissingLane:
		f.Detail = fmt.Sprintf("it names lane %d, which does not execute this instruction with the others", found.Lane)
		if found.Lane < 0 {
			f.Detail = "it does not name the thread itself"
		}
	}
	l.locate(f, found.Function, found.At, block)
	l.reports.add(&l.grid, f, found.Count)
}

// race says what an access is in a race with.
func (l *launch) race(found *sanitize.Finding) string {
	other := &found.Other
	thread := l.grid.Block.at(other.Thread)
	if other.Same {
		return fmt.Sprintf("thread %v of the same warp writes another value there with the same instruction", thread)
	}
	did := "read"
	if other.Wrote {
		did = "written"
	}
	line := l.kernel.module.line(other.Function.Decl, other.At)
	switch found.Kind {
	case sanitize.WarpRace:
		return fmt.Sprintf("thread %v of the same warp has %s it at %s, and they have not met in between", thread, did, line)
	case sanitize.BlockRace:
		return fmt.Sprintf("thread %v of block %v has %s it at %s, and no fences put the blocks in order", thread, Dim(other.CTA), did, line)
	}
	return fmt.Sprintf("thread %v of another warp has %s it at %s, and there is no barrier in between", thread, did, line)
}

// barriers says who has arrived at a barrier, and who should not have, or has not.
func (l *launch) barriers(found *sanitize.Finding) string {
	here, other := &found.Arrivals[0], &found.Arrivals[1]
	by := fmt.Sprintf("%s at this barrier, %d (from thread %v on) at that of %s", threadsAre(here.Count), other.Count, l.grid.Block.at(other.Thread), l.kernel.module.line(other.Function.Decl, other.At))
	switch found.Mistake {
	case sanitize.OtherBarrier:
		return l.disagreement(found)
	case sanitize.OtherCount:
		return fmt.Sprintf("%s, which is for %d threads, and this one for %d", by, other.Threads, here.Threads)
	case sanitize.MixedReduction:
		return by + ", and only one of them reduces"
	case sanitize.PartOfWarp:
		return fmt.Sprintf("%s at this barrier, which lets them go while %d of the same warp (from thread %v on) have not come to it", threadsAre(here.Count), other.Count, l.grid.Block.at(other.Thread))
	case sanitize.ArrivesUnwaited:
		return fmt.Sprintf("%s at the barrier of the cluster a second time, after that of %s, and they have not waited for it in between", threadsAre(here.Count), l.kernel.module.line(other.Function.Decl, other.At))
	case sanitize.NotAlignedInWarp:
		return by + ", and an aligned barrier of the cluster is one instruction for all of a warp"
	case sanitize.ArrivesTwice:
		return fmt.Sprintf("%s at this barrier a second time, after that of %s, and it has let nobody go in between", threadsAre(here.Count), l.kernel.module.line(other.Function.Decl, other.At))
	}
	return by + ", and an aligned barrier is one instruction for all"
}

// disagreement says what barriers threads name by an instruction that they execute together.
func (l *launch) disagreement(found *sanitize.Finding) string {
	here, other := &found.Arrivals[0], &found.Arrivals[1]
	more := ""
	if n := found.Count - here.Count - other.Count; n > 0 {
		more = fmt.Sprintf(", %d at others", n)
	}
	return fmt.Sprintf("%s at barrier %d, %d of the same warp (from thread %v on) at barrier %d%s, and those that execute this instruction together name one barrier",
		threadsAre(here.Count), here.Barrier, other.Count, l.grid.Block.at(other.Thread), other.Barrier, more)
}

// threadsAre is "1 thread is", or of more threads.
func threadsAre(n int) string {
	if n == 1 {
		return "1 thread is"
	}
	return fmt.Sprintf("%d threads are", n)
}
