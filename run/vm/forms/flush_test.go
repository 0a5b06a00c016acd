package forms

import (
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// flushProducts are factors of products next to the least normal number.
var flushProducts = [][2]uint32{
	{0x20000001, 0x1ffffffe}, // with 24 digits and any exponent it is that
	{0x1fffffff, 0x20000000}, // it is the number of 24 digits below, halfway between two multiples of 2^-149
	{0x20000668, 0x1ffff330}, // likewise, and above halfway
	{0x20000000, 0x20000000}, // the least normal number
}

// flushResults are what an H200 makes of them with .ftz, in the roundings.
var flushResults = map[string][4]uint32{
	"rn": {0x800000, 0, 0, 0x800000}, "rz": {0, 0, 0, 0x800000}, "rm": {0, 0, 0, 0x800000}, "rp": {0x800000, 0, 0x800000, 0x800000},
}

// flushKernel is a kernel that computes the products with .ftz.
type flushKernel struct {
	code  string
	want  [4]uint32
	trial vmtest.Trial
}

func flushKernels() (all []*flushKernel) {
	for mode, want := range flushResults {
		for _, code := range []string{
			"mul." + mode + ".ftz.f32 %x, %a, %b;", "fma." + mode + ".ftz.f32 %x, %a, %b, 0f00000000;",
			"rcp.rn.f32 %b, %b; div." + mode + ".ftz.f32 %x, %a, %b;", // of the factors that have an exact reciprocal
			"cvt.f64.f32 %d, %a; cvt.f64.f32 %e, %b; mul.rn.f64 %d, %d, %e; cvt." + mode + ".ftz.f32.f64 %x, %d;",
		} {
			k := &flushKernel{code: code, want: want}
			in := make([]byte, 8*len(want))
			for i, ab := range flushProducts {
				if code[0] == 'r' && ab[1] != 0x20000000 {
					ab = [2]uint32{0x20000000, 0x20000000}
					k.want[i] = want[3]
				}
				vmtest.Put(in, 2*i, 32, uint64(ab[0]))
				vmtest.Put(in, 2*i+1, 32, uint64(ab[1]))
			}
			text := ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry test(.param .u64 in, .param .u64 out) {\n" +
				".reg .b32 %i; .reg .b64 %in, %out, %at; .reg .f32 %x, %a, %b; .reg .f64 %d, %e;\n" +
				"ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %i, %tid.x; mul.wide.u32 %at, %i, 8; add.u64 %in, %in, %at; ld.global.f32 %a, [%in]; ld.global.f32 %b, [%in+4];\n" +
				code + "\nmul.wide.u32 %at, %i, 4; add.u64 %out, %out, %at; st.global.f32 [%out], %x; ret; }"
			k.trial = vmtest.Trial{Text: text, Kernel: "test", Grid: vm.Grid{Block: vm.Dim{X: len(want)}}, Args: []any{in, make([]byte, 4*len(want))}}
			all = append(all, k)
		}
	}
	return all
}

func (k *flushKernel) hold(t *testing.T, what string, e vmtest.Effect) {
	for i, want := range k.want {
		if got := vmtest.Get(e.Buffers[1], i, 32); got != uint64(want) {
			t.Errorf("%s: %s of %#x: %#x, want %#x", what, k.code, flushProducts[i], got, want)
		}
	}
}

// TestFlush: .ftz makes 0 of what is less than the least normal number when it is rounded as if exponents had no end, even where the
// nearest f32 is the least normal number (ruling O2).
func TestFlush(t *testing.T) {
	for _, k := range flushKernels() {
		m, err := k.trial.Checked()
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range vmtest.Ways() {
			e, err := k.trial.Run(m, way)
			if err != nil {
				t.Fatal(err)
			}
			k.hold(t, way.String(), e)
		}
	}
}
