package vm

import (
	"sync"
	"sync/atomic"
	"time"
)

// ending says which CTAs of a launch are to go on: all, until one fails or the launch is cancelled.
type ending struct {
	begun atomic.Bool // not all: look at the rest
	mutex sync.Mutex
	ctx   bool      // the launch has been cancelled
	first int64     // the first of the CTAs that have failed, by number, plus 1; or 0
	since time.Time // a CTA has failed
}

// failedGrace is how long the CTAs before one that has failed may still run. Each of them may fail, too, and the fault of a
// launch is to be the first one's, not that of the fastest; but they may also wait for the one that has failed.
const failedGrace = 200 * time.Millisecond

// cancel lets no CTA go on.
func (e *ending) cancel() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.ctx = true
	e.begun.Store(true)
}

// cancelled reports whether cancel has been called.
func (e *ending) cancelled() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.ctx
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
	e.begun.Store(true)
}

// stops reports whether a CTA is to end.
func (e *ending) stops(block int64) bool {
	if !e.begun.Load() {
		return false
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.ctx || e.first != 0 && (block >= e.first || time.Since(e.since) > failedGrace)
}
