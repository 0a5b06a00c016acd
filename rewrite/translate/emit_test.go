package translate

import (
	"flag"
	"go/format"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/translate/internal/compiled"
	"github.com/vop-ptx/vop/sem"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; go test -update rewrites it):\n%s", path, diff)
	}
}

// common are the instructions that the golden files show: those that real code
// holds most, and one of each kind of selector, mask and finish.
var common = []string{
	"vmin.s32.s32.s32.max d, a, b, c;",
	"vshl.u32.u32.u32.clamp.add d, a, b, c;",
	"vadd.u32.u32.s32 d.h0, a.b1, b, c;",
	"vmad.s32.s32.s32.sat d, -a.h0, b.h1, c;",
	"vmad.u32.u32.u32.shr7 d, a, b, c;",
	"vset.s32.u32.ge d, a, b;",
	"vadd4.s32.s32.s32.sat d, a, b, c;",
	"vsub4.s32.s32.s32 d, a, b, c;",
	"vabsdiff4.u32.u32.u32.add d, a, b, c;",
	"vmax4.u32.u32.u32 d, a.b4321, b.b4321, c;",
	"vset4.u32.u32.lt d.b10, a, b.b3333, c;",
	"vavrg2.s32.s32.s32 d, a, b, c;",
	"vabsdiff2.u32.u32.u32 d, a, b, c;",
}

// emit is Emit to a string.
func emit(t *testing.T, language string, forms []isa.Form, o EmitOptions) string {
	t.Helper()
	var s strings.Builder
	if err := Emit(&s, language, forms, o); err != nil {
		t.Fatal(err)
	}
	return s.String()
}

func TestEmitGolden(t *testing.T) {
	var forms []isa.Form
	for _, text := range common {
		forms = append(forms, form(t, text))
	}
	for _, test := range []struct{ language, file string }{
		{"c", "video.h"}, {"cuda", "video.cuh"}, {"hip", "video.hip.h"},
		{"opencl", "video.cl"}, {"go", "video.go.txt"}, {"wgsl", "video.wgsl"},
	} {
		golden(t, "emit/"+test.file, emit(t, test.language, forms, EmitOptions{}))
	}
}

// sampled are the forms that emitted functions are compared with sem on, and calls
// of each.
func sampled(n int) (forms []isa.Form, functions []compiled.Function, calls []compiled.Call) {
	rng := rand.New(rand.NewPCG(5, 6))
	for f := range isa.Sample(rng) {
		if slices.Contains(forms, f) {
			continue
		}
		number := uint32(len(forms))
		forms = append(forms, f)
		parameters := 2
		if f.TakesC() {
			parameters = 3
		}
		functions = append(functions, compiled.Function{Name: FunctionName(f), Parameters: parameters})
		for range 200 {
			a, b, c := conform.Operands(rng, f)
			calls = append(calls, compiled.Call{Function: number, A: a, B: b, C: c})
		}
		if len(forms) == n {
			return forms, functions, calls
		}
	}
	return nil, nil, nil
}

// compare demands that the calls give what the manual says.
func compare(t *testing.T, forms []isa.Form, calls []compiled.Call, got []uint32) {
	t.Helper()
	for i, c := range calls {
		f := forms[c.Function]
		if want := sem.Eval(f, c.A, c.B, c.C); got[i] != want {
			t.Errorf("%v with a = %#x, b = %#x, c = %#x: %#x, want %#x", f, c.A, c.B, c.C, got[i], want)
		}
	}
}

func TestEmitC(t *testing.T) {
	forms, functions, calls := sampled(300)
	text := emit(t, "c", forms, EmitOptions{})
	for _, compiler := range []string{"gcc", "clang-16"} {
		for _, standard := range []string{"c99", "c++11"} {
			t.Run(compiler+" "+standard, func(t *testing.T) {
				if compiler != "gcc" || standard != "c99" {
					long.Only(t)
				}
				compare(t, forms, calls, compiled.C(t, compiler, standard, text, functions, calls))
			})
		}
	}
}

func TestEmitGo(t *testing.T) {
	forms, functions, calls := sampled(300)
	compare(t, forms, calls, compiled.Go(t, emit(t, "go", forms, EmitOptions{Name: "main"}), functions, calls))
}

// TestEmittedGoIsLaidOut holds files of Go to package go/format.
func TestEmittedGoIsLaidOut(t *testing.T) {
	forms, _, _ := sampled(1000)
	var intrinsics strings.Builder
	if err := EmitIntrinsics(&intrinsics, "go", nil, EmitOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{emit(t, "go", forms, EmitOptions{}), intrinsics.String()} {
		want, err := format.Source([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("gofmt lays out otherwise (-want +got):\n%s", diff)
		}
	}
}

func TestEmitOpenCL(t *testing.T) {
	forms, functions, calls := sampled(300)
	compare(t, forms, calls, compiled.OpenCL(t, emit(t, "opencl", forms, EmitOptions{}), functions, calls))
}

func TestEmitWGSL(t *testing.T) {
	forms, functions, calls := sampled(300)
	compare(t, forms, calls, compiled.WGSL(t, emit(t, "wgsl", forms, EmitOptions{}), functions, calls))
}

func TestEmitCUDA(t *testing.T) {
	forms, _, _ := sampled(100)
	for _, target := range []string{"", "sm_80"} {
		machine := target
		if target == "" {
			machine = "sm_70"
		}
		t.Run(machine, func(t *testing.T) {
			compiled.CUDA(t, machine, emit(t, "cuda", forms, EmitOptions{Target: target}))
		})
	}
}

func TestEmitHIP(t *testing.T) {
	forms, _, _ := sampled(300)
	compiled.HIP(t, "gfx90a", emit(t, "hip", forms, EmitOptions{}))
}

func TestEmitErrors(t *testing.T) {
	good := []isa.Form{{Op: isa.Vadd}}
	for _, test := range []struct {
		language string
		forms    []isa.Form
		options  EmitOptions
		want     string // in the message
	}{
		{"rust", good, EmitOptions{}, `no language "rust": there are c, c89, cuda, hip, opencl, sycl, metal, go, wgsl`},
		{"c", []isa.Form{{}}, EmitOptions{}, "is no form"},
		{"c", good, EmitOptions{Target: "sm_80"}, "only those in cuda have a target"},
		{"cuda", good, EmitOptions{Target: "sm_81"}, `no target "sm_81": did you mean sm_80 or sm_86?`},
		{"cuda", good, EmitOptions{Target: "avx2"}, `no target "avx2": targets are named sm_80`},
		{"go", good, EmitOptions{Name: "my-package"}, `the name "my-package" is no identifier: would "my_package" do?`},
		{"c", good, EmitOptions{Name: "3 d"}, `the name "3 d" is no identifier: would "video3_d" do?`},
		{"opencl", good, EmitOptions{Name: "x\n#error"}, `is no identifier`},
		{"wgsl", good, EmitOptions{Name: "--"}, `it needs a letter`},
		{"hip", good, EmitOptions{Name: "größe"}, `is no identifier`},
		{"go", good, EmitOptions{Name: "range"}, `the name "range" is a keyword of go`},
	} {
		err := Emit(new(strings.Builder), test.language, test.forms, test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Emit in %s of %v with %+v: %v, want %q in it", test.language, test.forms, test.options, err, test.want)
		}
	}
}

// TestEmitOnce covers a form that comes twice.
func TestEmitOnce(t *testing.T) {
	f := isa.Form{Op: isa.Vadd}
	text := emit(t, "c", []isa.Form{f, f}, EmitOptions{Name: "once"})
	if n := strings.Count(text, "vadd_u32_u32_u32(uint32_t a, uint32_t b)"); n != 1 {
		t.Errorf("%d functions, want 1, of two parameters:\n%s", n, text)
	}
	if !strings.Contains(text, "#ifndef VOP_ONCE_H") {
		t.Errorf("the name is not in the guard:\n%s", text)
	}
}
