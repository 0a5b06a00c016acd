package random

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vop-ptx/vop/internal/gpu"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// The models are held against a GPU as well: what vop computes is then what NVIDIA's compiler and hardware compute.

var goOnFlag = flag.Bool("go-on", false, "tests on a GPU go on after a kernel that differs")

// differOnGPU runs a kernel of the model on a GPU and says what is not as the model has it. It reports whether the model knows what the
// kernel does on one.
func differOnGPU(g *gpu.GPU, k *model.Kernel) (known bool, err error) {
	k.Reading = isa.SM86
	if err := g.Load(vmtest.Rounded(k.Text())); err != nil {
		return true, fmt.Errorf("compilation: %w", err)
	}
	places := map[string]uint64{}
	var args [][]byte
	for _, a := range k.Args {
		data := a.Data
		if a.Buffer {
			at, err := g.Alloc(a.Data)
			if err != nil {
				return true, err
			}
			places[a.Name], data = at, addressBytes(at)
		}
		args = append(args, data)
	}
	for _, t := range k.Tables {
		if places[t.Name], err = g.Variable(t.Name); err != nil {
			return true, fmt.Errorf("variable %s: %w", t.Name, err)
		}
	}
	want, err := k.Run(places, false)
	if errors.Is(err, model.ErrUndefined) || err == nil && (len(want.Faults) > 0 || want.Unset) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	if err := g.Launch("k", k.Grid, k.Block, args); err != nil {
		return true, fmt.Errorf("launch: %w", err)
	}
	var got [][]byte
	for _, a := range k.Args {
		if a.Buffer {
			content, err := g.Read(places[a.Name], len(a.Data))
			if err != nil {
				return true, err
			}
			got = append(got, content)
		}
	}
	if err := differentBytes(k, got, want.Buffers); err != nil {
		return true, fmt.Errorf("effect: %w in the model", err)
	}
	return true, nil
}

func addressBytes(at uint64) []byte { return binary.LittleEndian.AppendUint64(nil, at) }

// mostReduced is how many kernels are reduced by a test that goes on.
const mostReduced = 4

// holdOnGPU holds random kernels against a GPU.
func holdOnGPU(t *testing.T, kernel func(seed uint64) *model.Kernel) {
	all := vmtest.GPUs(t)
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](2000, 200))
	differ := func(k *model.Kernel) (known bool, err error) {
		err = all.Do(func(g *gpu.GPU) (err error) {
			known, err = differOnGPU(g, k)
			return err
		})
		return known, err
	}
	var reduced atomic.Int32
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		k := kernel(seed)
		known, first := differ(k)
		if !known || first == nil {
			return
		}
		if *goOnFlag && reduced.Add(1) > mostReduced {
			fmt.Printf("seed %d: %v\n", seed, first)
			return
		}
		kind, _, _ := strings.Cut(first.Error(), ":")
		k.Reduce(func(k *model.Kernel) bool {
			known, err := differ(k)
			return known && err != nil && strings.HasPrefix(err.Error(), kind)
		})
		_, err := differ(k)
		report := t.Errorf
		if *goOnFlag {
			report = func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
		}
		report("seed %d: %v\nreduced: %v\n%v blocks of %v threads\n%s", seed, first, err, dimOf(k.Grid), dimOf(k.Block), numberLines(k.Text()))
	})
}

// TestModelOnGPU holds the model against a GPU.
func TestModelOnGPU(t *testing.T) { holdOnGPU(t, model.New) }

// TestMatricesOnGPU holds the model of products of small matrices against a GPU.
func TestMatricesOnGPU(t *testing.T) { holdOnGPU(t, model.WithMatrices) }

// TestWaitingOnGPU holds kernels whose threads wait for each other against a GPU.
func TestWaitingOnGPU(t *testing.T) {
	all := vmtest.GPUs(t)
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](500, 100))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		style := seed % 3
		k, err := newWaiting(seed, style)
		if err != nil {
			t.Fatal(err)
		}
		if err := all.Do(func(g *gpu.GPU) error { return k.differOnGPU(g, style) }); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, numberLines(k.Text(style)))
		}
	})
}

// differOnGPU runs the kernel on a GPU and tells what is not as the model has it.
func (k *waitingKernel) differOnGPU(g *gpu.GPU, style uint64) error {
	if err := g.Load(k.Text(style)); err != nil {
		return err
	}
	var content []byte
	for _, x := range k.begin {
		content = binary.LittleEndian.AppendUint32(content, x)
	}
	at, err := g.Alloc(content)
	if err != nil {
		return err
	}
	if err := g.Launch("k", k.Grid, k.Block, [][]byte{addressBytes(at)}); err != nil {
		return err
	}
	if content, err = g.Read(at, len(content)); err != nil {
		return err
	}
	for i, want := range k.want {
		if got := binary.LittleEndian.Uint32(content[4*i:]); got != want {
			return fmt.Errorf("%s is %#x, want %#x", k.Place(i), got, want)
		}
	}
	return nil
}
