package vm_test

import (
	"context"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// header starts the module of a test.
const header = ".version 7.8\n.target sm_80\n.address_size 64\n"

// load loads a PTX text.
func load(t testing.TB, text string) *vm.Module {
	t.Helper()
	return loadOn(t, level.Auto, text)
}

// loadOn is load for a level.
func loadOn(t testing.TB, l level.Level, text string) *vm.Module {
	t.Helper()
	mod, err := vm.NewMemory().Load(checked(t, "test.ptx", text), l)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// checked is a module without findings.
func checked(t testing.TB, name, text string) *check.Module {
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

// kernel returns a kernel of a module.
func kernel(t testing.TB, m *vm.Module, name string) *vm.Kernel {
	t.Helper()
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// launch runs a kernel that must succeed.
func launch(t testing.TB, k *vm.Kernel, grid vm.Grid, args ...any) {
	t.Helper()
	if err := k.Launch(context.Background(), grid, args...); err != nil {
		t.Fatal(err)
	}
}
