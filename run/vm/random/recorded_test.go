package random

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// What random kernels leave behind can be recorded on one machine and held against on another. On an emulated processor
// the model takes most of the time, and it says the same everywhere.

var (
	recordFlag   = flag.String("record", "", "the file to which TestModelKernels writes digests of what its kernels leave behind")
	recordedFlag = flag.String("recorded", "", "the file of digests that TestModelKernels holds kernels against, instead of the model")
)

// digest is a hash of what a plain launch leaves behind. Of one that fails it is the fault: where the other threads
// were then is not said.
func (e *modelEffect) digest() string {
	h := sha256.New()
	fmt.Fprintln(h, e.err)
	if e.err == nil {
		for _, b := range e.buffers {
			fmt.Fprintf(h, "%d %x\n", len(b), sha256.Sum256(b))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// digestOf is the digest of a kernel on a level.
func digestOf(k *model.Kernel, on level.Level) (string, error) {
	m, err := vmtest.Trial{Text: k.Text()}.Checked()
	if err != nil {
		return "", err
	}
	effects, err := runModel(k, m, []modelWay{{level: on}})
	if err != nil {
		return "", err
	}
	return effects[0].digest(), nil
}

// recorder tests the kernels of seeds, and writes the digest of each that is as the model has it.
func recorder(to io.Writer) func(t *testing.T, seed uint64) {
	var writing sync.Mutex
	return func(t *testing.T, seed uint64) {
		testModelSeed(t, seed, allModelWays(seed))
		if t.Failed() {
			return
		}
		digest, err := digestOf(model.New(seed), level.Portable)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		writing.Lock()
		defer writing.Unlock()
		if _, err := fmt.Fprintln(to, seed, digest); err != nil {
			t.Fatal(err)
		}
	}
}

// againstRecorded tests the kernels of seeds on one level, against digests. One that differs is held against the model.
func againstRecorded(t *testing.T, from io.Reader, on level.Level) func(t *testing.T, seed uint64) {
	t.Helper()
	recorded := map[uint64]string{}
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		var seed uint64
		var digest string
		if _, err := fmt.Sscan(lines.Text(), &seed, &digest); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		recorded[seed] = digest
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, seed uint64) {
		want, ok := recorded[seed]
		if !ok {
			t.Fatalf("seed %d is not recorded", seed)
		}
		got, err := digestOf(model.New(seed), on)
		if err == nil && got == want {
			return
		}
		if testModelSeed(t, seed, onlyPlain([]level.Level{on})); !t.Failed() {
			t.Errorf("seed %d: %s is recorded, got %s (%v), which is as the model has it", seed, want, got, err)
		}
	}
}

// modelTest is what TestModelKernels does with each seed.
func modelTest(t *testing.T) func(t *testing.T, seed uint64) {
	t.Helper()
	open := func(name string, flags int) *os.File {
		f, err := os.OpenFile(name, flags, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	switch {
	case *recordFlag != "":
		return recorder(open(*recordFlag, os.O_CREATE|os.O_WRONLY|os.O_TRUNC))
	case *recordedFlag != "":
		levels := vmtest.Levels()
		return againstRecorded(t, open(*recordedFlag, os.O_RDONLY), levels[len(levels)-1])
	}
	return func(t *testing.T, seed uint64) { testModelSeed(t, seed, allModelWays(seed)) }
}

// TestRecordedNotices holds kernels against what is recorded of them, and of others.
func TestRecordedNotices(t *testing.T) {
	for seed := range uint64(4) {
		for _, l := range level.Levels() {
			same, err := digestOf(model.New(seed), l)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := digestOf(model.New(seed), level.Portable); err != nil || again != same {
				t.Errorf("seed %d, %v: %v, want %v (%v)", seed, l, same, again, err)
			}
			if other, err := digestOf(model.New(seed+1), level.Portable); err != nil || other == same {
				t.Errorf("seed %d, %v: what the next one leaves behind is taken for the same (%v)", seed, l, err)
			}
		}
	}
}
