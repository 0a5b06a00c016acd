package translate

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// atOnce is how many calls of [inParallel] one worker takes together, and the fewest that are worth a worker.
const atOnce = 32

// inParallel calls do with 0 to n-1, on all processors if there is enough for them. What do writes is seen by the caller; if it
// panics, so does inParallel.
func inParallel(n int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n/atOnce)
	if workers < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var done sync.WaitGroup
	panics := make(chan any, workers)
	for range workers {
		done.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics <- p
				}
			}()
			for {
				last := int(next.Add(atOnce))
				for i := last - atOnce; i < min(last, n); i++ {
					do(i)
				}
				if last >= n {
					return
				}
			}
		})
	}
	done.Wait()
	select {
	case p := <-panics:
		panic(p)
	default:
	}
}
