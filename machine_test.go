package vop_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop"
)

const readings = `.version 7.8
.target sm_80
.address_size 64
.visible .global .u32 total[2];
.visible .entry k(.param .u64 p, .param .align 4 .b8 s[8])
{
	.reg .b32 %r<6>;
	.reg .b64 %q<2>;
	ld.param.u64 %q1, [p];
	ld.param.u32 %r1, [s];
	ld.param.u32 %r2, [s+4];
	vadd.u32.u32.u32.sat %r3, %r1, %r2;
	st.global.u32 [%q1], %r3;
	st.global.u32 [total+4], %r2;
	ret;
}
.visible .entry spin()
{
L:
	bra L;
}
.visible .entry race(.param .u64 p)
{
	.reg .b32 %r<3>;
	.reg .b64 %q<2>;
	ld.param.u64 %q1, [p];
	mov.u32 %r1, %tid.x;
	st.global.u32 [%q1], %r1;
	ld.global.u32 %r2, [%q1+4];
	ret;
}
`

// TestModule runs kernels by this package alone: structs, variables, readings, engines, shared memory of modules.
func TestModule(t *testing.T) {
	first, err := vop.Load("k.ptx", readings)
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(first.KernelNames(), " "); names != "k spin race" {
		t.Errorf("the kernels are %s", names)
	}
	out, err := vop.NewBuffer(first, "out", []uint32{7})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range vop.Engines() {
		for _, test := range []struct {
			reading vop.Reading
			want    uint32
		}{{vop.ISA, 0xffffffff}, {vop.SM86, 0}} {
			m, err := vop.LoadWith("k.ptx", readings, vop.LoadOptions{Reading: test.reading, Engine: e, Beside: first})
			if err != nil {
				t.Fatal(err)
			}
			k, err := m.Kernel("k")
			if err != nil {
				t.Fatal(err)
			}
			if params := k.Params(); len(params) != 2 || params[0].Struct || !params[1].Struct || params[1].Size != 8 || params[1].Type != ".align 4 .b8[8]" {
				t.Errorf("the parameters are %+v", params)
			}
			if err := k.Launch(t.Context(), vop.Grid{}, vop.Block{}, out, []byte{255, 255, 255, 255, 1, 0, 0, 0}); err != nil {
				t.Fatal(err)
			}
			if got := vop.Values[uint32](out); got[0] != test.want {
				t.Errorf("%v under %v: %08x, want %08x", e, test.reading, got[0], test.want)
			}
			if total, ok := m.Variable("total"); !ok || vop.Values[uint32](total)[1] != 1 {
				t.Errorf("%v: the variable total is %v", e, total)
			}
			var code bytes.Buffer
			if err := k.Print(&code, "simt"); err != nil || !strings.Contains(code.String(), "kernel k") {
				t.Errorf("its code is %s (%v)", &code, err)
			}
		}
	}
	if _, ok := first.Variable("none"); ok {
		t.Error("there is a variable none")
	}
	if _, err := first.Kernel("none"); !errors.Is(err, vop.ErrNoKernel) {
		t.Errorf("the kernel none: %v", err)
	}
}

// TestLaunchErrors holds that errors of launches have the types of this package.
func TestLaunchErrors(t *testing.T) {
	m, err := vop.Load("k.ptx", readings)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Alloc("p", 8)
	if err != nil {
		t.Fatal(err)
	}
	p.MarkUnset()
	race, err := m.Kernel("race")
	if err != nil {
		t.Fatal(err)
	}
	err = race.With(vop.LaunchOptions{Check: true}).Launch(t.Context(), vop.Grid{X: 1}, vop.Block{X: 64}, p)
	checked, ok := errors.AsType[*vop.CheckError](err)
	fault, isFault := errors.AsType[*vop.Fault](err)
	if !ok || !isFault || len(checked.Faults) < 2 || fault != checked.Faults[0] || fault.Line != 28 || fault.Count < 1 || fault.Kernel != "race" ||
		!strings.Contains(err.Error(), "k.ptx:29:") {
		t.Errorf("the checks say %v", err)
	}
	if last := checked.Faults[len(checked.Faults)-1]; last.Kind != vop.UnsetMemory || last.Line != 29 {
		t.Errorf("the last fault is %v, of kind %v", last, last.Kind)
	}
	p.Free()
	if err := race.Launch(t.Context(), vop.Grid{}, vop.Block{}, uint64(64)); err == nil {
		t.Error("an address that is no buffer's can be written")
	} else if fault, ok := errors.AsType[*vop.Fault](err); !ok || fault.Kind != vop.OutOfBounds || fault.Address != 64 || fault.Count != 1 {
		t.Errorf("the fault is %v", err)
	}
	spin, err := m.Kernel("spin")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	err = spin.Launch(ctx, vop.Grid{}, vop.Block{})
	if _, ok := errors.AsType[*vop.StoppedError](err); !ok || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a stopped launch gives %T: %v", err, err)
	}
	if err := spin.Launch(t.Context(), vop.Grid{}, vop.Block{}, 1); err == nil || !strings.Contains(err.Error(), "takes no argument") && !strings.Contains(err.Error(), "takes 0 arguments") {
		t.Errorf("too many arguments: %v", err)
	}
}

// TestTexture gives a kernel a texture and reads a surface.
func TestTexture(t *testing.T) {
	m, err := vop.Load("t.ptx", `.version 7.8
.target sm_80
.address_size 64
.global .surfref picture;
.visible .entry k(.param .u64 image)
{
	.reg .b32 %r<6>;
	.reg .b64 %q<2>;
	ld.param.u64 %q1, [image];
	mov.u32 %r1, 1;
	suld.b.2d.b32.trap {%r2}, [%q1, {4, %r1}];
	sust.b.2d.b32.trap [picture, {0, 0}], {%r2};
	ret;
}
`)
	if err != nil {
		t.Fatal(err)
	}
	from, err := m.NewTexture(vop.Image{Width: 2, Height: 2, Texel: vop.TexelU32, Data: []byte{0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}}, vop.Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	to, err := m.NewTexture(vop.Image{Width: 1, Height: 1, Texel: vop.TexelU32}, vop.Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.BindTexture("picture", to); err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(t.Context(), vop.Grid{}, vop.Block{}, from); err != nil {
		t.Fatal(err)
	}
	if got := to.Image().Data; got[0] != 3 {
		t.Errorf("the surface holds %d, want 3", got)
	}
	if _, err := m.NewTexture(vop.Image{Width: -1}, vop.Sampling{}); err == nil {
		t.Error("there are textures of negative size")
	}
}

// TestLowerErrors holds that what cannot be lowered, formatted or emitted is an error that says why.
func TestLowerErrors(t *testing.T) {
	const wrong = ".version 7.8\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %r<3>; vadd.u32.u32 %r1, %r2, %r2; }\n"
	if _, _, err := vop.Lower("k.ptx", wrong, vop.LowerOptions{}); err == nil || !strings.HasPrefix(err.Error(), "k.ptx:4:") {
		t.Errorf("a wrong file: %v", err)
	}
	if _, _, err := vop.Lower("k.ptx", readings, vop.LowerOptions{Target: "sm_1"}); err == nil || !strings.Contains(err.Error(), "sm_1") {
		t.Errorf("a wrong target: %v", err)
	}
	as, _, err := vop.Lower("k.ptx", readings, vop.LowerOptions{Reading: vop.SM86})
	plain, found, err2 := vop.Lower("k.ptx", readings, vop.LowerOptions{Target: "sm_90"})
	if err != nil || err2 != nil || as == plain || found.HasErrors() {
		t.Errorf("the readings lower to the same: %v %v\n%s", err, err2, as)
	}
	if _, err := vop.Format("k.ptx", "vadd {"); err == nil {
		t.Error("a text that is no PTX is formatted")
	}
	in, err := vop.Parse("vadd.u32.u32.u32.sat d, a, b;")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := vop.Emit("c", vop.EmitOptions{}, in.As(vop.SM86)); err == nil {
		t.Error("functions are written under the reading sm_86")
	}
	if _, err := vop.Emit("cobol", vop.EmitOptions{}, in); err == nil || !strings.Contains(err.Error(), "cobol") {
		t.Errorf("a wrong language: %v", err)
	}
	first, second := in.As(vop.SM86), in.As(vop.SM86)
	if first.As(vop.ISA) != in || first != second {
		t.Error("an instruction under a reading is made again and again")
	}
	if svg := in.Trace(1, 2, 3).SVG(); !strings.HasPrefix(svg, "<svg") {
		t.Errorf("the picture is %.40s", svg)
	}
}
