package forms

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/internal/gpu"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/ordinary"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// forHopper is a text for sm_90, which the forms that it has are the same for.
func forHopper(text string) string {
	_, rest, _ := strings.Cut(text, ".address_size")
	return ".version 8.8\n.target sm_90a\n.address_size" + rest
}

// TestOrdinaryOnGPU holds the model of ordinary instructions, and so its rulings where the manual is silent, against a GPU. Forms that the driver's
// compiler has not for sm_90 are listed in the log.
func TestOrdinaryOnGPU(t *testing.T) {
	all := vmtest.GPUs(t)
	var mutex sync.Mutex
	held, refused := map[string]bool{}, map[string]bool{}
	forms, step := ordinary.Forms(), 1
	if !long.Tests() {
		step = 12
	}
	vmtest.EachSeed(t, 0, uint64((len(forms)+step-1)/step), func(t *testing.T, n uint64) {
		f := &forms[n*uint64(step)]
		hash := fnv.New64a()
		fmt.Fprint(hash, f.Code, f.Results, f.Sources)
		rng := rand.New(rand.NewPCG(hash.Sum64(), 2))
		k := newFormTest(f, 200, 64, rng)
		k.expect()
		c := k.trial()
		c.Text = forHopper(c.Text)
		complaint := ""
		err := all.Do(func(g *gpu.GPU) error {
			e, err := c.RunOnGPU(g)
			if err == nil {
				complaint = k.wrong(e.Buffers[1])
			}
			return err
		})
		mutex.Lock()
		defer mutex.Unlock()
		switch {
		case err != nil:
			refused[fmt.Sprintf("%s: %v", f.Name, err)] = true
		case complaint != "":
			fmt.Printf("DIFFERS %s (%s) %v <- %v: %s\n", f.Name, f.Code, f.Results, f.Sources, complaint)
		default:
			held[f.Name] = true
		}
	})
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("not on this GPU: %s", name)
	}
	t.Logf("%d forms are held to the GPU", len(held))
}
