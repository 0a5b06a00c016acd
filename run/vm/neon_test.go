package vm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/kernel"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
)

// neonFunctions builds the kernels of a text for NEON.
func neonFunctions(t *testing.T, name, text string) (all []*simt.Function) {
	t.Helper()
	tree, _ := syntax.Parse(source.New(name, text))
	m, _ := check.Check(tree)
	module, err := NewMemory().Load(m, level.Portable)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, decl := range m.Functions {
		if !decl.Entry {
			continue
		}
		k, err := module.Kernel(decl.Name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		o := k.options()
		o.Caps = word.NEON
		f, missing := build.Function(decl, o)
		if len(missing) > 0 {
			t.Fatalf("%s: %v", name, missing)
		}
		all = append(all, f)
	}
	return all
}

// neonCode makes code of all kernels of a text for arm64, which any machine can do, and calls f with each.
func neonCode(t *testing.T, name, text string, f func(kernel string, f *simt.Function, c *frame.Code)) {
	t.Helper()
	for _, function := range neonFunctions(t, name, text) {
		decl := function.Decl
		code := func(o arm64.Options) *frame.Code {
			c, err := kernel.Compile(function, kernel.Homes(function), o)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, decl.Name, err)
			}
			return c
		}
		c := code(arm64.Options{Block: [3]int{32, 2, 1}})
		if !bytes.Equal(c.Bytes, code(arm64.Options{Block: [3]int{32, 2, 1}}).Bytes) {
			t.Errorf("%s: the code of %s differs from time to time", name, decl.Name)
		}
		for _, o := range []arm64.Options{{}, {NoFuse: true, NoRegular: true}, {Registers: 6, Careful: true}} {
			code(o)
		}
		f(decl.Name, function, c)
	}
}

// stepsOf returns what code leaves to steps, with how often it stands in the text.
func stepsOf(f *simt.Function, c *frame.Code) string {
	steps := map[string]int{}
	for _, s := range c.Sites {
		switch s.Kind {
		case frame.StepSite:
			i := &f.Blocks[s.Block].Insts[s.Inst]
			what := fmt.Sprintf("%T", i.Aux)
			if i.Kind == simt.Compute {
				what = i.Op.String()
			} else if a, ok := i.Aux.(*simt.Access); ok {
				what = a.Spelling
			}
			steps[what]++
		case frame.EndSite:
			steps["end of a block"]++
		}
	}
	var all []string
	for what, n := range steps {
		all = append(all, fmt.Sprintf("%s %d", what, n))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// TestNEONCode holds what the NEON code of real kernels leaves to steps, on any machine.
func TestNEONCode(t *testing.T) {
	files, err := filepath.Glob("../../kernels/*/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	want := map[string]string{
		"blend": "end of a block 1",  // a call
		"sum3":  "|end of a block 1", // declared first
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		neonCode(t, path, string(text), func(name string, f *simt.Function, c *frame.Code) {
			instructions := 0
			for b := range f.Blocks {
				instructions += len(f.Blocks[b].Insts) + 1
			}
			t.Logf("%s: %s: %d instructions of the text, %.0f of the machine for each", filepath.Base(path), name, instructions, float64(len(c.Bytes))/4/float64(instructions))
			if got, any := stepsOf(f, c), want[filepath.Base(filepath.Dir(path))]; !slices.Contains(strings.Split(any, "|"), got) {
				t.Errorf("%s: %s: steps execute %q, want %q", path, name, got, any)
			}
		})
	}
}

// TestNEONCodeWithoutSteps holds that nothing is left to steps of what real kernels have: divisions, halves, ways of rounding,
// branches by a list, textures and atomic operations.
func TestNEONCodeWithoutSteps(t *testing.T) {
	for name, body := range map[string]string{
		"division": "div.s32 %r0, %r0, %r1; rem.u32 %r1, %r0, %r1; div.u64 %d0, %d0, %d1; rem.s64 %d1, %d0, %d1;",
		"halves":   "fma.rn.f16x2 %r0, %r0, %r1, %r0; cvt.f32.f16 %f0, %h0; add.sat.f16 %h0, %h0, %h1; cvt.rz.f16.f32 %h1, %f0; max.NaN.f16x2 %r1, %r0, %r1;",
		"rounding": "add.rz.f32 %f0, %f0, %f1; fma.rp.f64 %e0, %e0, %e1, %e0; cvt.rm.f32.s64 %f1, %d0; cvt.rz.f32.f64 %f0, %e0; sqrt.rm.f32 %f1, %f0;",
		"others":   "mul.hi.u64 %d0, %d0, %d1; rsqrt.approx.ftz.f32 %f0, %f1; cvt.sat.u8.s32 %r0, %r1; bfind.u64 %r1, %d0; shf.r.clamp.b32 %r0, %r0, %r1, %r0;",
		"atomics": "atom.global.add.u32 %r0, [%d2+8], %r1; red.shared.max.s32 [s], %r0; atom.cas.b64 %d0, [%d2], %d0, %d1; red.global.add.f32 [%d2], %f0;" +
			"atom.global.add.noftz.f16 %h0, [%d2], %h1; red.shared.add.noftz.bf16x2 [s], %r0; atom.global.cas.b16 %h1, [%d2], %h0, %h1;",
		"texture": "tex.2d.v4.u32.s32 {%r0, %r1, %r0, %r1}, [%d3, {%r0, %r1}]; tex.1d.v4.f32.f32 {%f0, %f1, %f0, %f1}, [%d3, {%f0}];",
		"exchanges": "shfl.sync.idx.b32 %r0, %r1, %r0, %r1, %r0; match.any.sync.b64 %r1, %d0, %r0; match.all.sync.b32 %r0|%p0, %r1, -1;" +
			"redux.sync.min.s32 %r1, %r0, %r1; redux.sync.add.u32 %r0, %r1, -1; vote.sync.any.pred %p0, %p0, %r0; elect.sync %r1|%p0, %r0;",
		"switch": "and.b32 %r1, %r1, 3; T: .branchtargets A, B, A, C; brx.idx %r1, T; A: add.u32 %r0, %r0, 1; B: add.u32 %r0, %r0, 2; C:",
	} {
		text := `.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 texture) {
	.shared .align 8 .b8 s[8]; .reg .b16 %h<2>; .reg .b32 %r<2>; .reg .b64 %d<4>; .reg .f32 %f<2>; .reg .f64 %e<2>; .reg .pred %p<1>;
	ld.param.u64 %d2, [in]; setp.eq.u64 %p0, %d2, 0; ld.param.u64 %d3, [texture]; mov.u32 %r0, %tid.x; mul.wide.u32 %d0, %r0, 64; add.u64 %d2, %d2, %d0;
	ld.global.v2.u32 {%r0, %r1}, [%d2]; ld.global.v2.f32 {%f0, %f1}, [%d2+8]; ld.global.v2.u64 {%d0, %d1}, [%d2+16];
	ld.global.v2.f64 {%e0, %e1}, [%d2+32]; ld.global.v2.u16 {%h0, %h1}, [%d2+48];
	` + body + `
	st.global.v2.u32 [%d2], {%r0, %r1}; st.global.v2.f32 [%d2+8], {%f0, %f1}; st.global.v2.u64 [%d2+16], {%d0, %d1};
	st.global.v2.f64 [%d2+32], {%e0, %e1}; st.global.v2.u16 [%d2+48], {%h0, %h1}; ret; }`
		neonCode(t, name, text, func(_ string, f *simt.Function, c *frame.Code) {
			got := stepsOf(f, c)
			if name == "switch" { // where an index that is too large is told
				got = strings.TrimPrefix(got, "end of a block 1")
			}
			if got != "" {
				t.Errorf("%s: steps execute %s", name, got)
			}
		})
	}
}

// TestNEONCodeOrders: the processor orders neither loads nor stores by itself, so that fences, and accesses that release or acquire, need
// its barrier.
func TestNEONCodeOrders(t *testing.T) {
	barrier := binary.LittleEndian.AppendUint32(nil, 0xd5033bbf) // dmb ish
	for line, want := range map[string]int{
		"ld.global.u32 %r0, [%d]; st.global.u32 [%d], %r0;":                                                           0,
		"ld.relaxed.gpu.global.u32 %r0, [%d]; st.relaxed.gpu.global.u32 [%d], %r0;":                                   0,
		"st.global.u32 [%d], %r0; membar.gl; ld.global.u32 %r0, [%d+4];":                                              1,
		"fence.sc.gpu; fence.acq_rel.sys;":                                                                            2,
		"@%p fence.acq_rel.cta;":                                                                                      1,
		"st.release.gpu.global.u32 [%d], %r0;":                                                                        1,
		"ld.acquire.gpu.global.u32 %r0, [%d]; st.global.u32 [%d+4], %r0;":                                             1,
		"ld.acquire.gpu.global.u32 %r0, [%u]; st.global.u32 [%d], %r0;":                                               1,
		"ld.acquire.sys.global.v2.u32 {%r0, %r1}, [%d]; membar.sys; st.release.sys.global.v2.u32 [%d+8], {%r1, %r0};": 3,
	} {
		neonCode(t, line, orderedKernel(line), func(_ string, f *simt.Function, c *frame.Code) {
			if got := bytes.Count(c.Bytes, barrier); got != want {
				t.Errorf("%s: %d barriers, want %d", line, got, want)
			}
			if steps := stepsOf(f, c); steps != "" {
				t.Errorf("%s: steps execute %s", line, steps)
			}
		})
	}
}

// TestNEONCodeOfStrongAccesses: a word that others may access meanwhile is no part of a vector, as the processor
// accesses vectors that are not aligned in parts.
func TestNEONCodeOfStrongAccesses(t *testing.T) {
	line := [3]int{32, 1, 1}
	for order, vectors := range map[string]bool{"": true, ".volatile": false, ".relaxed.gpu": false} {
		text := orderedKernel(fmt.Sprintf("ld%[1]s.global.u32 %%r0, [%%d]; st%[1]s.global.u32 [%%d], %%r0;", order))
		function := neonFunctions(t, order, text)[0]
		code := func(o arm64.Options) []byte {
			c, err := kernel.Compile(function, kernel.Homes(function), o)
			if err != nil {
				t.Fatal(err)
			}
			return c.Bytes
		}
		if got := !bytes.Equal(code(arm64.Options{Block: line}), code(arm64.Options{Block: line, NoRegular: true})); got != vectors {
			t.Errorf("ld%s, st%s: accesses by vectors: %v", order, order, got)
		}
	}
}

// orderedKernel has lanes execute a line with a word each at %d, and one for all at %u.
func orderedKernel(line string) string {
	return `.version 8.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<2>; .reg .b64 %d, %u; .reg .pred %p;
	ld.param.u64 %u, [out]; mov.u32 %r0, %tid.x; setp.eq.u32 %p, %r0, 3; mul.wide.u32 %d, %r0, 4; add.u64 %d, %u, %d;
	` + line + `
	ret; }`
}

// TestNEONCodeOfModels makes code of random kernels.
func TestNEONCodeOfModels(t *testing.T) {
	for seed := range long.Of[uint64](60, 15) {
		neonCode(t, fmt.Sprint(seed), model.New(seed).Text(), func(_ string, f *simt.Function, c *frame.Code) {
			if len(c.Blocks) != len(f.Blocks) || c.Size < int(c.Waiting)+4*len(f.Blocks) {
				t.Errorf("%d blocks of %d, a frame of %d bytes", len(c.Blocks), len(f.Blocks), c.Size)
			}
		})
	}
}

// TestNEONCodeTooLarge holds that a function whose code would be too large for its jumps is refused soon.
func TestNEONCodeTooLarge(t *testing.T) {
	text := ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .b32 %r<3>; .reg .b64 %d;\n" +
		"ld.param.u64 %d, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %laneid;\n" +
		strings.Repeat("add.u32 %r0, %r0, %r1; xor.b32 %r1, %r1, %r0; st.global.u32 [%d], %r0; ld.global.u32 %r1, [%d];\n", 8000) + "st.global.u32 [%d], %r0; ret; }\n"
	function := neonFunctions(t, "large", text)[0]
	if _, err := kernel.Compile(function, kernel.Homes(function), arm64.Options{}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}
