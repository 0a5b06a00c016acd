package random

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/internal/gpu"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// The models are held against a GPU as well: what vop computes is then what NVIDIA's compiler and hardware compute.

// departing are instructions of which an H200 departs from the model (docs/rulings.md, "What a GPU does"), and exchanges that take values of
// lanes which a last warp may not have.
var departing, exchanging = regexp.MustCompile(`\b(bfe\.[us]64|bfi\.b64)\b`), regexp.MustCompile(`\bshfl\.`)

// differOnGPU runs a kernel of the model on a GPU and says what is not as the model has it. It reports whether the model knows what the
// kernel does on one.
func differOnGPU(g *gpu.GPU, k *model.Kernel) (known bool, err error) {
	text := k.Text()
	if departing.MatchString(text) || k.Threads()%32 != 0 && exchanging.MatchString(text) {
		return false, nil
	}
	k.Reading = isa.SM86
	if err := g.Load(vmtest.ForGPU(text)); err != nil {
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
			places[a.Name], data = at, binary.LittleEndian.AppendUint64(nil, at)
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
	for n := range got {
		takeNaNs(got[n], want.Buffers[n])
	}
	if err := differentBytes(k, got, want.Buffers); err != nil {
		return true, fmt.Errorf("effect: %w in the model", err)
	}
	return true, nil
}

// takeNaNs takes NaNs in doublewords and words for those that are wanted: the manual leaves their bits open (rulings O4, O6).
func takeNaNs(got, want []byte) {
	for at := 0; at+8 <= len(want); at += 8 {
		g, w := binary.LittleEndian.Uint64(got[at:]), binary.LittleEndian.Uint64(want[at:])
		single := func(x uint64, n int) float32 { return math.Float32frombits(uint32(x >> (32 * n))) }
		isNaN := func(x float32) bool { return x != x }
		switch {
		case math.IsNaN(math.Float64frombits(g)) && math.IsNaN(math.Float64frombits(w)):
			g = w
		default:
			for n := range 2 {
				if isNaN(single(g, n)) && isNaN(single(w, n)) {
					g = g&^(0xffffffff<<(32*n)) | w&(0xffffffff<<(32*n))
				}
			}
		}
		binary.LittleEndian.PutUint64(got[at:], g)
	}
}

// mostReduced is how many of the kernels are reduced in which a GPU differs.
const mostReduced = 24

// holdOnGPU holds random kernels against a GPU. There is none for some seeds.
func holdOnGPU(t *testing.T, kernel func(seed uint64) *model.Kernel) {
	t.Helper()
	all := vmtest.GPUs(t)
	differ := func(k *model.Kernel) (known bool, err error) {
		err = all.Do(func(g *gpu.GPU) (err error) {
			known, err = differOnGPU(g, k)
			return err
		})
		return known, err
	}
	var mutex sync.Mutex
	held, failed := 0, map[uint64]error{}
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](2000, 200))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		k := kernel(seed)
		if k == nil {
			return
		}
		known, err := differ(k)
		mutex.Lock()
		defer mutex.Unlock()
		if err != nil && known {
			failed[seed] = err
		} else if known {
			held++
		}
	})
	t.Logf("%d kernels are as the model has them", held)
	seeds := slices.Sorted(maps.Keys(failed))
	for _, seed := range seeds {
		t.Errorf("seed %d: %v", seed, failed[seed])
	}
	seeds = seeds[:min(len(seeds), mostReduced)]
	var group sync.WaitGroup
	for _, seed := range seeds {
		group.Go(func() {
			k := kernel(seed)
			kind, _, _ := strings.Cut(failed[seed].Error(), ":")
			k.Reduce(func(k *model.Kernel) bool {
				known, err := differ(k)
				return known && err != nil && strings.HasPrefix(err.Error(), kind)
			})
			_, err := differ(k)
			t.Errorf("seed %d, reduced: %v\n%v blocks of %v threads\n%s", seed, err, dimOf(k.Grid), dimOf(k.Block), numberLines(vmtest.ForGPU(k.Text())))
		})
	}
	group.Wait()
}

// TestModelOnGPU holds the model against a GPU.
func TestModelOnGPU(t *testing.T) { holdOnGPU(t, model.New) }

// sums are products of matrices that a GPU rounds in an order of its own (ruling O15).
var sums = regexp.MustCompile(`mma\.\S*\.(f16|f32|f64)\b`)

// TestMatricesOnGPU holds the model of products of small matrices, of integers, and of moves of matrices against a GPU.
func TestMatricesOnGPU(t *testing.T) {
	holdOnGPU(t, func(seed uint64) *model.Kernel {
		k := model.WithMatrices(seed)
		if sums.MatchString(k.Text()) {
			return nil
		}
		return k
	})
}

// TestWaitingOnGPU holds kernels whose threads wait for each other against a GPU. An H200 stops at barriers whose number differs between lanes
// that are together ("illegal instruction"), and what it does with halves of a warp that come to barriers separately is not known.
func TestWaitingOnGPU(t *testing.T) {
	all := vmtest.GPUs(t)
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](500, 100))
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) {
		style := seed % 3
		k, err := newWaiting(seed, style)
		if err != nil {
			t.Fatal(err)
		}
		if k.Halves {
			return
		}
		if err := all.Do(func(g *gpu.GPU) error { return k.differOnGPU(g, style) }); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, numberLines(k.Text(style)))
		}
	})
}

// differOnGPU runs the kernel on a GPU and tells what is not as the model has it.
func (k *waitingKernel) differOnGPU(g *gpu.GPU, style uint64) error {
	grid := vm.Grid{Grid: dimOf(k.Grid), Block: dimOf(k.Block)}
	e, err := vmtest.Trial{Text: vmtest.ForGPU(k.Text(style)), Kernel: "k", Grid: grid, Args: []any{bytesOf(k.begin)}}.RunOnGPU(g)
	if err != nil {
		return err
	}
	return differentWords(e.Buffers[0], k.want, k.Place)
}
