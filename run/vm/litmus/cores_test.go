package litmus_test

import (
	"sync"
	"sync/atomic"
	"time"
)

// onTwoCores returns when two goroutines run side by side: they play a ball to each other faster
// than could be if one had to wait for the other's processor. Where others work too that is seldom
// so, and waiting for it in a kernel costs time of the processor; sleeping costs none, and who
// wakes up is soon given a core. It gives up after a while: a core is waited for, for as long as
// others may have it at a time.
func onTwoCores() {
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		var ball atomic.Int32
		var late atomic.Bool
		player := func(n int32) {
			for turn := n; turn < 200; turn += 2 {
				for spins := 0; ball.Load() != turn; spins++ {
					if spins > 2_000_000 || late.Load() {
						late.Store(true)
						return
					}
				}
				ball.Add(1)
			}
		}
		var other sync.WaitGroup
		other.Go(func() { player(1) })
		player(0)
		if other.Wait(); !late.Load() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
