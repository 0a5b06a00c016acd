//go:build amd64 || arm64

package codepage_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vop-ptx/vop/run/native/internal/codepage"
)

// TestReplace adds code to a page while other code in it runs.
func TestReplace(t *testing.T) {
	b, err := codepage.Map(1 << 16)
	if err != nil {
		t.Skipf("no memory for code here: %v", err)
	}
	if err := b.Replace(0, returns(1)); err != nil {
		t.Skipf("no executable memory here: %v", err)
	}
	var stop atomic.Bool
	var done sync.WaitGroup
	done.Go(func() {
		for !stop.Load() {
			if got := codepage.Enter(b.Address(0), 0); got != 1 {
				t.Errorf("the first piece gives %d", got)
				return
			}
		}
	})
	for n := 1; n < 200; n++ {
		// Every page has pieces; one piece lies across two pages.
		at := n * 320
		if err := b.Replace(at, returns(byte(n))); err != nil {
			t.Fatal(err)
		}
		if got := codepage.Enter(b.Address(at), 0); got != uint64(n) {
			t.Fatalf("piece %d gives %d", n, got)
		}
	}
	stop.Store(true)
	done.Wait()
	for n := 1; n < 200; n++ {
		if got := codepage.Enter(b.Address(n*320), 0); got != uint64(n) {
			t.Errorf("piece %d gives %d at the end", n, got)
		}
	}
	if got := fault(func() { b.Bytes()[100] = 0x90 }); got == "" {
		t.Error("a page with code can be written")
	}
	for _, c := range []struct {
		at   int
		code []byte
	}{{-1, returns(1)}, {1<<16 - 3, returns(1)}, {0, nil}} {
		if err := b.Replace(c.at, c.code); err == nil || !strings.Contains(err.Error(), "do not fit") {
			t.Errorf("%d bytes at %d: %v", len(c.code), c.at, err)
		}
	}
	if err := b.Free(); err != nil {
		t.Error(err)
	}
	if err := b.Replace(0, returns(1)); err == nil {
		t.Error("a freed block takes code")
	}
}
