package vmtest

import (
	"context"
	"errors"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// Header starts the module of a test.
const Header = ".version 7.8\n.target sm_80\n.address_size 64\n"

// PerThread is a kernel that computes %r0 in every thread and stores it at out[tid]; its code may
// use %r0 to %r9, %rd0 to %rd9 and %p0 to %p9. %r1 is tid.x and %rd1 is out.
func PerThread(code string) string {
	return Header + `
.visible .entry test(.param .u64 out) {
	.reg .pred %p<10>; .reg .b32 %r<10>; .reg .b64 %rd<10>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
` + code + `
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2], %r0;
	ret;
}`
}

// Checked is a module without findings.
func Checked(t testing.TB, name, text string) *check.Module {
	t.Helper()
	tree, found := syntax.Parse(source.New(name, text))
	m, more := check.Check(tree)
	for _, d := range append(found, more...) {
		at := d.File.Position(d.Span.Start)
		t.Errorf("%d:%d: %s %s", at.Line, at.Col, d.Message, d.File.Line(d.Span.Start))
	}
	if t.Failed() {
		t.FailNow()
	}
	return m
}

// Load loads a PTX text.
func Load(t testing.TB, text string) *vm.Module {
	t.Helper()
	return LoadOn(t, level.Auto, text)
}

// LoadOn is Load for a level.
func LoadOn(t testing.TB, l level.Level, text string) *vm.Module {
	t.Helper()
	mod, err := vm.NewMemory().Load(Checked(t, "test.ptx", text), l)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// Build loads a text and builds its kernel test; an error may come from any of that.
func Build(text string) (*vm.Kernel, error) {
	tree, found := syntax.Parse(source.New("test.ptx", text))
	checked, more := check.Check(tree)
	if found = append(found, more...); found.HasErrors() {
		return nil, errors.New(found[0].Message)
	}
	m, err := vm.Load(checked)
	if err != nil {
		return nil, err
	}
	return m.Kernel("test")
}

// Kernel returns a kernel of a module.
func Kernel(t testing.TB, m *vm.Module, name string) *vm.Kernel {
	t.Helper()
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Launch runs a kernel that must succeed.
func Launch(t testing.TB, k *vm.Kernel, grid vm.Grid, args ...any) {
	t.Helper()
	if err := k.Launch(context.Background(), grid, args...); err != nil {
		t.Fatal(err)
	}
}
