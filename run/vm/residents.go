package vm

import (
	"sync"
	"sync/atomic"
)

// residents are the workers of a launch. Each has a CTA that has begun, and as many are at work as the launch has been given. A worker whose
// CTA seems to wait for another CTA lets one go on that has waited before; and where all have waited in vain, more begin. So a
// barrier of the whole grid ends, which all CTAs have to come to, however many there are: a GPU has room for as many.
//
// It is always a worker at work that says which one goes on, in the order in which they wait, so that a launch with one worker always
// goes the same way.
type residents struct {
	launch *launch
	left   handout
	most   int // of them: what there is memory for
	group  sync.WaitGroup
	idle   atomic.Int32 // how many wait

	mutex   sync.Mutex
	all     []*worker       // also those that have ended
	active  int             // workers that have not
	waiting []chan struct{} // they, by what lets them go on
	vain    int             // turns of those that have let others go on, while no CTA has ended
	fresh   int             // so many may begin, before those go on that wait
	full    bool            // all wait in vain, and there is no memory for more
}

// maxResidents is how many CTAs a large GPU has room for.
const maxResidents = 4096

// A CTA is taken for one that waits if it has seemed to so often in a row, or has had so many turns. While others wait it lets them go on
// after some turns, whatever it does.
const (
	seeming   = 16
	mostTurns = 1 << 8
	fairTurns = 32
)

// run runs all CTAs, in their order, and returns the workers.
func (r *residents) run(workers int) []*worker {
	r.active = workers
	for n := 1; n < workers; n++ {
		r.group.Go(r.work)
	}
	r.work()
	r.group.Wait()
	return r.all
}

// work runs CTAs in a new worker until none are left.
func (r *residents) work() {
	w := newWorker(r.launch)
	r.mutex.Lock()
	r.all = append(r.all, w)
	r.mutex.Unlock()
	for w.runNext(&r.left) {
		r.ended(true)
	}
	r.ended(false)
}

// letOthersGo is called by a worker whose CTA has had so many turns since others have gone on, and has seemed so often in a row to wait for
// another CTA. If one goes on it returns when this one is to, and reports that one has. One that does not seem to wait lets others go on, too:
// it may wait all the same, for one that has been at work before.
func (r *residents) letOthersGo(turns, polls int) (gone bool) {
	switch idle := int(r.idle.Load()); {
	case polls >= seeming, polls > 0 && idle > 0:
		return r.awaitOthers(mostTurns)
	case turns >= mostTurns, idle > 0 && turns >= fairTurns+4*idle: // those that wait most likely do so in vain
		return r.awaitOthers(turns)
	}
	return false
}

// awaitOthers lets another CTA go on, behind so many turns that may have been in vain.
func (r *residents) awaitOthers(turns int) (gone bool) {
	r.mutex.Lock()
	if r.vain += turns; r.vain >= mostTurns*r.active && !r.launch.end.any.Load() { // the room of those that are stopped is not for others
		r.vain, r.fresh = 0, min(r.active, r.most-r.active, r.left.count())
		r.full = r.active == r.most
	}
	if r.fresh == 0 {
		return r.letNextGo(true)
	}
	r.fresh--
	r.active++
	turn := r.wait()
	r.mutex.Unlock()
	r.group.Go(r.work)
	<-turn
	return true
}

// ended is called by a worker whose CTA has ended. It returns when the next one is to begin, if more says that this worker is to begin one.
func (r *residents) ended(more bool) {
	if more && r.idle.Load() == 0 {
		return
	}
	r.mutex.Lock()
	r.vain, r.fresh = 0, 0
	if more {
		r.full = false
	} else {
		r.active--
	}
	r.letNextGo(more)
}

// letNextGo lets the first worker go on that waits, and reports whether one does. If waits is true, this one waits then: it returns when
// this one is to go on. It unlocks the mutex.
func (r *residents) letNextGo(waits bool) (gone bool) {
	if len(r.waiting) == 0 {
		r.mutex.Unlock()
		return false
	}
	next := r.waiting[0]
	r.waiting = r.waiting[1:]
	var turn chan struct{}
	if waits {
		turn = r.wait()
	}
	r.idle.Store(int32(len(r.waiting)))
	r.mutex.Unlock()
	close(next)
	if waits {
		<-turn
	}
	return true
}

// unbegun returns how many CTAs had not begun when a launch was stopped in which all others waited.
func (r *residents) unbegun() int {
	if !r.full {
		return 0
	}
	return r.left.count()
}

// wait puts the worker behind those that wait, and returns what lets it go on. The mutex is locked.
func (r *residents) wait() chan struct{} {
	turn := make(chan struct{})
	r.waiting = append(r.waiting, turn)
	r.idle.Store(int32(len(r.waiting)))
	return turn
}
