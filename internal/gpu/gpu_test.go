package gpu

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// withoutGPU lets programs find a driver of our own, which has no GPU.
func withoutGPU(t *testing.T) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no C compiler, or no driver that could be another")
	}
	folder := t.TempDir()
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", filepath.Join(folder, "libcuda.so.1"), "testdata/driver.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("LD_LIBRARY_PATH", folder)
}

func TestGPU(t *testing.T) {
	withoutGPU(t)
	pool, err := NewPool(t.TempDir(), 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if pool.Name != "No GPU" {
		t.Errorf("it is called %q", pool.Name)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		must(pool.Do(func(g *GPU) error {
			must(g.Load("77"))
			v, err := g.Variable("v")
			must(err)
			content, err := g.Read(v, 4)
			must(err)
			if string(content) != "M\x00\x00\x00" {
				t.Errorf("the variable is % x", content)
			}
			at, err := g.Alloc([]byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0})
			must(err)
			arguments := [][]byte{make([]byte, 8), {5, 1, 0, 0}, {2, 0}}
			for i := range 8 {
				arguments[0][i] = byte(at >> (8 * i))
			}
			must(g.Launch("add", [3]int{1, 2, 3}, [3]int{4, 5, 6}, arguments))
			content, err = g.Read(at, 12)
			must(err)
			if string(content) != "\x06\x01\x00\x00\x07\x01\x00\x00\x03\x00\x00\x00" {
				t.Errorf("the words are % x", content)
			}
			if _, err := g.Variable("w"); err == nil || !strings.Contains(err.Error(), "driver's error 500") {
				t.Errorf("a variable that is not there: %v", err)
			}
			if err := g.Launch("sub", [3]int{}, [3]int{}, nil); err == nil || !strings.Contains(err.Error(), "driver's error 500") {
				t.Errorf("a kernel that is not there: %v", err)
			}
			return nil
		}))
	}
	err = pool.Do(func(g *GPU) error { return g.Load("seven") })
	if err == nil || !strings.Contains(err.Error(), "error 218") || !strings.Contains(err.Error(), "seven is no number") {
		t.Errorf("a module that cannot be compiled: %v", err)
	}
}

// TestContextsThatEnd: a launch that ends its process, or never answers, is an error, and others go on.
func TestContextsThatEnd(t *testing.T) {
	withoutGPU(t)
	defer func(was time.Duration) { answerTime = was }(answerTime)
	answerTime = 5 * time.Second
	pool, err := NewPool(t.TempDir(), 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for kernel, want := range map[string]string{"exit": "the process has ended", "hang": "no answer in 5s"} {
		err := pool.Do(func(g *GPU) error {
			if err := g.Load("1"); err != nil {
				return err
			}
			return g.Launch(kernel, [3]int{1, 1, 1}, [3]int{1, 1, 1}, nil)
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", kernel, err)
		}
		if err := pool.Do(func(g *GPU) error { return g.Load("1") }); err != nil {
			t.Errorf("after %s: %v", kernel, err)
		}
	}
}

// TestGPUThatCannotBeOpened: it is an error, and not as if there were none.
func TestGPUThatCannotBeOpened(t *testing.T) {
	withoutGPU(t)
	for code, none := range map[string]bool{"100": true, "999": false} {
		t.Setenv("FAKE_CUINIT", code)
		if _, err := NewPool(t.TempDir(), 1, 4); err == nil || errors.Is(err, ErrNone) != none {
			t.Errorf("the driver begins with %s: %v", code, err)
		}
	}
}

// TestNoGPU: without a driver the error says so.
func TestNoGPU(t *testing.T) {
	p, err := Build(t.TempDir())
	if errors.Is(err, ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Open()
	if err == nil {
		g.Close()
		t.Skipf("there is a GPU: %s", g.Name)
	}
	if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "NVIDIA driver") {
		t.Errorf("%v", err)
	}
}
