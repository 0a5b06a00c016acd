package vm

import (
	"sync"
	"sync/atomic"
	"time"
)

// ending says which CTAs of a launch are to go on: all, until one fails or the launch is cancelled.
type ending struct {
	any   atomic.Bool // some CTAs are not to go on: the rest says which
	mutex sync.Mutex
	all   bool      // the launch has been cancelled
	first int64     // the first of the CTAs that have failed, by number, plus 1; or 0
	since time.Time // a CTA has failed
}

// failedGrace is how long the other threads of a CTA may still run when one has failed, and then the CTAs before it. Each of them may fail, too, and the
// fault of a launch is to be the first one's, not that of the fastest; but they may also wait for the one that has failed.
const failedGrace = 200 * time.Millisecond

// cancel lets no CTA go on.
func (e *ending) cancel() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.all = true
	e.any.Store(true)
}

// cancelled reports whether cancel has been called.
func (e *ending) cancelled() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.all
}

// fail lets no CTA go on behind one, and those before it no longer than they are given.
func (e *ending) fail(block int64) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.first == 0 {
		e.since = time.Now()
	}
	if e.first == 0 || block < e.first-1 {
		e.first = block + 1
	}
	e.any.Store(true)
}

// stops reports whether a CTA is to end.
func (e *ending) stops(block int64) bool {
	if !e.any.Load() {
		return false
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.all || e.first != 0 && (block >= e.first || time.Since(e.since) > failedGrace)
}
