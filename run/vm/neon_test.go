package vm

import (
	"bytes"
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
)

// neonCode makes code of all kernels of a text for arm64, which any machine can do, and calls f with each.
func neonCode(t *testing.T, name, text string, f func(kernel string, f *simt.Function, c *frame.Code)) {
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
		function, missing := simt.Build(decl, o)
		if len(missing) > 0 {
			t.Fatalf("%s: %v", name, missing)
		}
		code := func(o arm64.Options) *frame.Code {
			c, err := kernel.Compile(function, o)
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
		"blend": "end of a block 1", // a call
		"reduce": "atom.global.add.u32 2, atom.global.max.u32 1, atom.global.min.u32 1, atom.shared.add.u32 4|" +
			"atom.global.add.u32 6, atom.global.max.u32 1, atom.global.min.u32 1, atom.shared.add.u32 4",
		"stereo": "*simt.TextureOp 10|*simt.TextureOp 50",
		"sum3":   "|div.s32 1, end of a block 1", // declared first
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
	tree, _ := syntax.Parse(source.New("large", text))
	m, _ := check.Check(tree)
	module, err := NewMemory().Load(m, level.Portable)
	if err != nil {
		t.Fatal(err)
	}
	k, err := module.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := simt.Build(k.decl, k.options())
	if _, err := kernel.Compile(f, arm64.Options{}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}
