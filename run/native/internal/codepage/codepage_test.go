package codepage_test

import (
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/run/native/internal/codepage"
)

// load puts code into memory, or skips the test where the system does not allow that.
func load(t testing.TB, code []byte) *codepage.Block {
	t.Helper()
	b, err := codepage.Load(code)
	if err != nil {
		t.Skipf("no executable memory here: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Free(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// fault runs f and returns the message of the memory fault in it, or "".
func fault(f func()) (message string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if err, ok := recover().(error); ok {
			message = err.Error()
		}
	}()
	f()
	return ""
}

func TestBlockIsWritableThenSealed(t *testing.T) {
	b, err := codepage.Map(100)
	if err != nil {
		t.Skipf("no memory for code here: %v", err)
	}
	memory := b.Bytes()
	if len(memory) < 100 {
		t.Fatalf("%d bytes", len(memory))
	}
	memory[99] = 0xc3
	if err := b.Seal(); err != nil {
		t.Skipf("no executable memory here: %v", err)
	}
	if memory[99] != 0xc3 {
		t.Error("sealing changed the memory")
	}
	if got := fault(func() { memory[99] = 0x90 }); !strings.Contains(got, "fault") && !strings.Contains(got, "invalid memory") {
		t.Errorf("writing to a sealed block: %q, want a fault", got)
	}
	if b.Address(99)-b.Address(0) != 99 || b.Address(0) != uintptr(unsafe.Pointer(&memory[0])) || b.Address(0)%64 != 0 {
		t.Errorf("addresses %#x and %#x", b.Address(0), b.Address(99))
	}
	if err := b.Seal(); err == nil {
		t.Error("a block was sealed twice")
	}
	if err := b.Free(); err != nil {
		t.Error(err)
	}
	if err := b.Free(); err == nil {
		t.Error("a block was freed twice")
	}
	if err := b.Seal(); err == nil {
		t.Error("a freed block was sealed")
	}
}

func TestBlockOfNoSize(t *testing.T) {
	for _, size := range []int{0, -1} {
		if _, err := codepage.Map(size); err == nil || !strings.Contains(err.Error(), "positive") {
			t.Errorf("a block of %d bytes: %v", size, err)
		}
	}
	if _, err := codepage.Load(nil); err == nil {
		t.Error("a block of no code")
	}
}
