package forms

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
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

// departures are forms and uses in which an H200 departs from the model, with ptxas 13.0: docs/rulings.md, "What a GPU does".
var departures = []struct{ form, difference *regexp.Regexp }{
	{regexp.MustCompile(`^(testp|set)\.`), regexp.MustCompile(`^guarded`)},
	{regexp.MustCompile(`^(bfe\.[us]64|bfi\.b64)$`), regexp.MustCompile(`.`)},
	{regexp.MustCompile(`^cvt\.r[mp]\.ftz\.(sat\.)?f16\.f32$`), regexp.MustCompile(`want 0x0$|want 0x8000$`)},
	{regexp.MustCompile(`\.tf32\.f32$`), regexp.MustCompile(`want 0x7fffffff$`)},
	{regexp.MustCompile(`^div\.approx\.f32$`), regexp.MustCompile(`got \+Inf, want 3\.4028`)}, // two units more than the greatest number
	{regexp.MustCompile(`^rsqrt\.approx\.ftz\.f64$`), regexp.MustCompile(`got the NaN 0,`)},
}

// departs reports whether a difference is known.
func departs(form, difference string) bool {
	for _, d := range departures {
		if d.form.MatchString(form) && d.difference.MatchString(difference) {
			return true
		}
	}
	return false
}

// TestOrdinaryOnGPU holds the model of ordinary instructions, and so its rulings where the manual is silent, against a GPU. NaNs are taken for
// each other. Forms that the driver's compiler has not for sm_90 are listed in the log.
func TestOrdinaryOnGPU(t *testing.T) {
	all := vmtest.GPUs(t)
	var mutex sync.Mutex
	held, refused, departed := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var forms []*ordinary.Form
	for _, f := range ordinary.Forms() {
		if hash := formHash(&f); long.Tests() && (!isWide(&f) || hash%16 == 0) || hash%64 == 0 {
			forms = append(forms, &f)
		}
	}
	vmtest.EachSeed(t, 0, uint64(len(forms)), func(t *testing.T, n uint64) {
		f := forms[n]
		k := newFormTest(f, 200, 64, rand.New(rand.NewPCG(formHash(f), 2)), false)
		k.expect()
		c := k.trial()
		c.Text = forHopper(c.Text)
		var differences []string
		err := all.Do(func(g *gpu.GPU) error {
			e, err := c.RunOnGPU(g)
			if err == nil {
				differences = k.differences(e.Buffers[1], 3)
			}
			return err
		})
		form := fmt.Sprintf("%s (%s) %v <- %v", f.Name, f.Code, f.Results, f.Sources)
		mutex.Lock()
		defer mutex.Unlock()
		if err != nil {
			refused[fmt.Sprintf("%s: %v", form, err)] = true
		} else {
			held[f.Name] = true
		}
		for _, d := range differences {
			if departs(f.Name, d) {
				departed[f.Name] = true
			} else {
				t.Errorf("%s: %s", form, d)
			}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("not on this GPU: %s", name)
	}
	t.Logf("%d forms are held to the GPU, which departs from the model in %d", len(held), len(departed))
}

// isWide reports whether a form has a register that is wider than what stands in it must be.
func isWide(f *ordinary.Form) bool {
	for _, o := range append(slices.Clone(f.Results), f.Sources...) {
		if o.Register > max(o.Bits, 16) {
			return true
		}
	}
	return false
}

// differences returns the first differences between the results of a GPU and the model, one for each set of operands, so many at most.
func (k *formTest) differences(out []byte, most int) (all []string) {
	column := 0
	seen := map[string]bool{}
	for n := range k.uses {
		u := &k.uses[n]
		for i := range k.n {
			for d, o := range k.form.Results {
				at := (column+d)*k.n + i
				got, want := vmtest.Get(out, at, 64), u.want[i*len(k.form.Results)+d]
				x := k.operandsOf(u, i)
				wrong := got != want && !bothNaN(o, got, want)
				text := fmt.Sprintf("%s: result %d of %#x: got %#x, want %#x", u.name, d, x, got, want)
				if k.form.Near != nil && u.active(i) {
					complaint := k.form.Near(x, got)
					wrong, text = complaint != "", fmt.Sprintf("%s: of %#x: %s", u.name, x, complaint)
				}
				if key := fmt.Sprint(x); wrong && !seen[key] && len(all) < most {
					seen[key] = true
					all = append(all, text)
				}
			}
		}
		column += len(k.form.Results)
	}
	return all
}

// bothNaN reports whether two results are NaNs, or differ in NaNs only.
func bothNaN(o ordinary.Operand, got, want uint64) bool {
	widths := map[byte][2]uint{'f': {uint(o.Bits)}, 'g': {16}, 'x': {16, 16}, 'y': {16, 16}}[o.Kind]
	shift := uint(0)
	for _, width := range widths {
		if width == 0 {
			break
		}
		fraction := map[uint]uint{16: 10, 32: 23, 64: 52}[width]
		if width == 16 && (o.Kind == 'g' || o.Kind == 'y') {
			fraction = 7
		}
		mask := ^uint64(0) >> (64 - width)
		infinity := mask >> 1 &^ (1<<fraction - 1)
		isNaN := func(x uint64) bool { return x>>shift&(mask>>1) > infinity }
		if isNaN(got) && isNaN(want) {
			got = got&^(mask<<shift) | want&(mask<<shift)
		}
		shift += width
	}
	return got == want
}

// TestFlushOnGPU: what TestFlush asks of the machine holds for a GPU. If this fails on another GPU, that one is told apart.
func TestFlushOnGPU(t *testing.T) {
	all := vmtest.GPUs(t)
	for _, f := range flushKernels() {
		if err := all.Do(func(g *gpu.GPU) error {
			e, err := f.trial.RunOnGPU(g)
			if err == nil {
				f.hold(t, "GPU", e)
			}
			return err
		}); err != nil {
			t.Error(f.code, err)
		}
	}
}
