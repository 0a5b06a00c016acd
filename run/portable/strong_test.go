package portable

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
)

// TestStrongParts stores to bytes and halves that share words, in several goroutines: each finds what it has stored, extended as its type is, and
// nothing else has changed.
func TestStrongParts(t *testing.T) {
	const rounds = 300_000
	for _, a := range []*simt.Access{{Size: 1}, {Size: 1, Signed: true}, {Size: 2}, {Size: 2, Signed: true}} {
		t.Run(fmt.Sprintf("%d bytes, signed %v", a.Size, a.Signed), func(t *testing.T) {
			memory := make([]byte, 24)
			for n := range memory {
				memory[n] = 0xa5
			}
			want := slices.Clone(memory)
			var running sync.WaitGroup
			start := make(chan struct{}) // all at once, so that they meet
			for at := 8; at < 16; at += a.Size {
				put(want[at:], a, uint64(0x1111*at+rounds-1))
				running.Go(func() {
					<-start
					for n := range rounds {
						x := uint64(0x1111*at + n)
						strongPut(memory[at:], a, x)
						var stored [8]byte
						put(stored[:], a, x)
						if got, want := strongValue(memory[at:], a), value(stored[:], a); got != want {
							t.Errorf("at %d: %x is read, want %x", at, got, want)
							return
						}
					}
				})
			}
			close(start)
			running.Wait()
			if !slices.Equal(memory, want) {
				t.Errorf("% x, want % x", memory, want)
			}
		})
	}
}
