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
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// forHopper is a text for sm_90, which the forms that it has are the same for.
func forHopper(text string) string {
	_, rest, _ := strings.Cut(text, ".address_size")
	return ".version 8.8\n.target sm_90a\n.address_size" + rest
}

// TestOrdinaryOnGPU holds the model of ordinary instructions, and so its rulings where the manual is silent, against a GPU. NaNs are taken for
// each other. Forms that the driver's compiler has not for sm_90 are listed in the log.
func TestOrdinaryOnGPU(t *testing.T) {
	all := vmtest.GPUs(t)
	var mutex sync.Mutex
	held, refused := map[string]bool{}, map[string]bool{}
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
			fmt.Printf("DIFFERS %s: %s\n", form, d)
		}
	})
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("not on this GPU: %s", name)
	}
	t.Logf("%d forms are held to the GPU", len(held))
}

func formHash(f *ordinary.Form) uint64 {
	hash := fnv.New64a()
	fmt.Fprint(hash, f.Code, f.Results, f.Sources)
	return hash.Sum64()
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

// boundary are operands whose product is next to the least normal number of f32, below it.
var boundary = [][2]uint32{
	{0x20000001, 0x1ffffffe}, // a rounding with any exponent gives the least normal number
	{0x1fffffff, 0x20000000}, // it gives the number below; one to multiples of 2^-149 is halfway
	{0x20000668, 0x1ffff330}, // likewise, and above halfway
	{0x20000667, 0x1ffff331},
	{0x1ffffffe, 0x20000000}, // a subnormal number
	{0x20000001, 0x1fffffff},
	{0x20000000, 0x20000000}, // the least normal number
}

// TestFlushOnGPU logs what .ftz does to results that round up to the least normal number (ruling O2).
func TestFlushOnGPU(t *testing.T) {
	all := vmtest.GPUs(t)
	for _, code := range []string{"mul.rn.ftz.f32 %x, %a, %b;", "mul.rz.ftz.f32 %x, %a, %b;", "mul.rp.ftz.f32 %x, %a, %b;", "mul.rm.ftz.f32 %x, %a, %b;", "mul.rn.f32 %x, %a, %b;", "mul.rp.f32 %x, %a, %b;",
		"fma.rn.ftz.f32 %x, %a, %b, 0f00000000;", "fma.rz.ftz.f32 %x, %a, %b, 0f00000000;", "fma.rp.ftz.f32 %x, %a, %b, 0f00000000;", "fma.rm.ftz.f32 %x, %a, %b, 0f00000000;",
		"fma.rn.f32 %x, %a, %b, 0f00000000;", "fma.rn.ftz.sat.f32 %x, %a, %b, 0f00000000;",
		"cvt.f64.f32 %d, %a; cvt.f64.f32 %e, %b; mul.rn.f64 %d, %d, %e; cvt.rn.ftz.f32.f64 %x, %d;", "cvt.f64.f32 %d, %a; cvt.f64.f32 %e, %b; mul.rn.f64 %d, %d, %e; cvt.rz.ftz.f32.f64 %x, %d;",
		"cvt.f64.f32 %d, %a; cvt.f64.f32 %e, %b; mul.rn.f64 %d, %d, %e; cvt.rp.ftz.f32.f64 %x, %d;", "cvt.f64.f32 %d, %a; cvt.f64.f32 %e, %b; mul.rn.f64 %d, %d, %e; cvt.rn.f32.f64 %x, %d;",
		"rcp.rn.f32 %b, %b; div.rn.ftz.f32 %x, %a, %b;",
		"mul.f32 %a, %a, 0f5f000000; mul.f32 %b, %b, 0f5f000000; rcp.rn.f32 %b, %b; mul.f32 %a, %a, 0f00800000; div.rn.ftz.f32 %x, %a, %b;"} {
		text := ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry test(.param .u64 in, .param .u64 out) {\n" +
			".reg .b32 %i; .reg .b64 %in, %out, %at; .reg .f32 %x, %a, %b; .reg .f64 %d, %e;\n" +
			"ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %i, %tid.x; mul.wide.u32 %at, %i, 8; add.u64 %in, %in, %at; ld.global.f32 %a, [%in]; ld.global.f32 %b, [%in+4];\n" +
			code + "\nmul.wide.u32 %at, %i, 4; add.u64 %out, %out, %at; st.global.f32 [%out], %x; ret; }"
		in := make([]byte, 8*len(boundary))
		for i, ab := range boundary {
			vmtest.Put(in, 2*i, 32, uint64(ab[0]))
			vmtest.Put(in, 2*i+1, 32, uint64(ab[1]))
		}
		c := vmtest.Trial{Text: text, Kernel: "test", Grid: vm.Grid{Block: vm.Dim{X: len(boundary)}}, Args: []any{in, make([]byte, 4*len(boundary))}}
		m, err := c.Checked()
		if err != nil {
			t.Fatal(err)
		}
		ours, err := c.Run(m, vmtest.PlainWay)
		if err != nil {
			t.Fatal(err)
		}
		if err := all.Do(func(g *gpu.GPU) error {
			e, err := c.RunOnGPU(g)
			if err == nil {
				fmt.Printf("FLUSH %s:\n  GPU  ", code)
				for i := range boundary {
					fmt.Printf(" %08x", vmtest.Get(e.Buffers[1], i, 32))
				}
				fmt.Printf("\n  ours ")
				for i := range boundary {
					fmt.Printf(" %08x", vmtest.Get(ours.Buffers[1], i, 32))
				}
				fmt.Println()
			}
			return err
		}); err != nil {
			t.Error(code, err)
		}
	}
}
