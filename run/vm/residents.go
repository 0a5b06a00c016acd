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
	any    atomic.Bool // some wait

	mutex   sync.Mutex
	all     []*worker       // also those that have ended
	active  int             // workers that have not
	waiting []chan struct{} // they, by what lets them go on
	vain    int             // how often in a row one has let another go on, while no CTA has ended
	fresh   int             // so many may begin, before those go on that wait
	full    bool            // all wait in vain, and there is no memory for more
}

// maxResidents is how many CTAs a large GPU has room for.
const maxResidents = 4096

// seeming is how often in a row a CTA must seem to wait before it is taken for one that does.
const seeming = 16

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

// polls is called by a worker whose CTA has seemed so often in a row to wait for another CTA. It returns when that one is to go on.
func (r *residents) polls(times int) {
	if times < seeming && !r.any.Load() {
		return
	}
	r.mutex.Lock()
	r.vain++
	if r.vain >= r.active {
		r.vain, r.fresh = 0, min(r.active, r.most-r.active, r.left.count())
		r.full = r.active == r.most
	}
	if r.fresh > 0 {
		r.fresh--
		r.active++
		turn := r.wait()
		r.mutex.Unlock()
		r.group.Go(r.work)
		<-turn
		return
	}
	r.letNextGo(true)
}

// ended is called by a worker whose CTA has ended. It returns when the next one is to begin, if more says that this worker is to begin one.
func (r *residents) ended(more bool) {
	if more && !r.any.Load() {
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

// letNextGo lets the first worker go on that waits, if one does, and, if then waits is true, returns when this one is to. It unlocks the mutex.
func (r *residents) letNextGo(waits bool) {
	if len(r.waiting) == 0 {
		r.mutex.Unlock()
		return
	}
	next := r.waiting[0]
	r.waiting = r.waiting[1:]
	var turn chan struct{}
	if waits {
		turn = r.wait()
	}
	r.any.Store(len(r.waiting) > 0)
	r.mutex.Unlock()
	close(next)
	if waits {
		<-turn
	}
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
	r.any.Store(true)
	return turn
}
