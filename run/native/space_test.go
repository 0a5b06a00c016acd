package native

import (
	"runtime"
	"testing"
	"time"
)

// TestSpaceFreesCode holds that the memory of code goes when nobody holds the code, and not before,
// and that small pieces share a block.
func TestSpaceFreesCode(t *testing.T) {
	if len(Levels()) == 0 {
		t.Skip("no machine code for this machine")
	}
	var s codeSpace
	ret := make([]byte, 100)
	for i := range ret {
		ret[i] = 0xc3
	}
	first, err := s.add(ret)
	if err != nil {
		t.Skipf("no executable memory here: %v", err)
	}
	second, err := s.add(ret)
	if err != nil {
		t.Fatal(err)
	}
	shared := first.block
	if second.block == shared && second.address != first.address+128 {
		t.Errorf("pieces of 100 bytes lie at %#x and %#x", first.address, second.address)
	}
	large, err := s.add(make([]byte, blockSize))
	if err != nil {
		t.Fatal(err)
	}
	own := large.block
	if own == shared {
		t.Fatal("large code shares a block")
	}
	runtime.KeepAlive(large)
	large = nil
	wait(t, own)
	if second.block == shared {
		// The block is full, so that the next piece begins another one.
		for s.block == shared {
			if _, err := s.add(make([]byte, blockSize/8)); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.GC()
	if shared.Bytes() == nil {
		t.Error("code that is held is unmapped")
	}
	runtime.KeepAlive(first)
	runtime.KeepAlive(second)
	first, second = nil, nil
	wait(t, shared)
}

// wait waits until a block is unmapped.
func wait(t *testing.T, b *sharedBlock) {
	t.Helper()
	for range 200 {
		runtime.GC()
		if b.held.Load() == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("a block that nobody holds code of has %d holders", b.held.Load())
}
