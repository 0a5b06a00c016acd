package ptxtest

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
)

var (
	grid  = vop.Grid{X: 2}
	block = vop.Block{X: 32}
)

func TestRun(t *testing.T) {
	m := Load(t, "testdata/scale.ptx")
	x, y := []float32{1, 2, 3}, make([]float32, 3)
	Run(t, m, "scale", []Case{
		{Name: "doubles", Grid: grid, Block: block, Args: []any{x, y, 2, 3}, Want: []any{nil, []float32{2, 4, 6}}},
		{Name: "in place", Grid: grid, Block: block, Args: []any{x, y, 0.5, 1}, Want: []any{nil, []float32{0.5, 0, 0}}},
		{Name: "nearly", Grid: grid, Block: block, Args: []any{x, y, 0.1, 3}, Want: []any{nil, []float32{0.1, 0.2, 0.3}}, Near: Tolerance{Relative: 1e-6}},
		{Name: "anything", Grid: grid, Block: block, Args: []any{x, y, 2, 3}, Want: []any{nil, Anything}},
		{Grid: grid, Block: block, Args: []any{x, y, 2, 0}},
	})
	if y[0] != 0 {
		t.Error("a case has changed its arguments")
	}
}

// recorder is a test that keeps what it is told.
type recorder struct {
	testing.TB
	said   strings.Builder
	failed bool
}

func (r *recorder) Helper()                  {}
func (r *recorder) Context() context.Context { return context.Background() }
func (r *recorder) Error(args ...any)        { r.failed = true; fmt.Fprintln(&r.said, args...) }
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	fmt.Fprintf(&r.said, format+"\n", args...)
}
func (r *recorder) Fatal(args ...any) { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// said returns what a test that is wrong has been told, or "".
func said(f func(t testing.TB)) string {
	r := &recorder{}
	done := make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.said.String()
}

func TestWrongCases(t *testing.T) {
	x, y := []float32{1, 2, 3}, make([]float32, 3)
	for _, test := range []struct {
		name string
		c    Case
		want string
	}{
		{"another value", Case{Args: []any{x, y, 2, 3}, Want: []any{nil, []float32{2, 5, 6}}}, "argument 2: 1 of 3 elements differ\n  [1]  got 4    want 5\n"},
		{"another length", Case{Args: []any{x, y, 2, 3}, Want: []any{nil, []float32{2}}}, "argument 2: got 3 elements, want 1"},
		{"another type", Case{Args: []any{x, y, 2, 3}, Want: []any{nil, []int32{2, 4, 6}}}, "argument 2: got a []float32, want a []int32"},
		{"an input that is written", Case{Args: []any{x, y, 2, 3}}, "argument 2 is an input, and was written: 3 of 3 elements differ"},
		{"more is wanted than given", Case{Args: []any{x}, Want: []any{nil, nil}}, "the case wants 2 buffers, and has 1 arguments"},
		{"a number is wanted", Case{Args: []any{x, y, 2, 3}, Want: []any{nil, y, 2}}, "argument 3 is no buffer: nothing can be wanted of it"},
		{"too few arguments", Case{Args: []any{x, y}}, "takes 4 arguments, got 2; the parameters are .u64 x"},
		{"out of bounds", Case{Args: []any{x, y, 2, 4}, Want: []any{nil, Anything}}, "out of bounds"},
		{"no buffer of it", Case{Args: []any{[]string{"x"}, y, 2, 4}}, "[]string cannot be a buffer"},
	} {
		test.c.Grid, test.c.Block = grid, block
		got := said(func(r testing.TB) { test.c.run(r, Load(t, "testdata/scale.ptx"), "scale") })
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: the test says %q, want %q", test.name, got, test.want)
		}
	}
}

func TestWrongFiles(t *testing.T) {
	for want, f := range map[string]func(t testing.TB){
		"no such file":      func(t testing.TB) { Load(t, "testdata/none.ptx") },
		"k.ptx:2:6: error:": func(t testing.TB) { Parse(t, "k.ptx", ".version 7.8\nvadd4") },
		`no such kernel: "k"; the module has scale`: func(t testing.TB) { Launch(t, Load(t, "testdata/scale.ptx"), "k", grid, block) },
	} {
		if got := said(f); !strings.Contains(got, want) {
			t.Errorf("the test says %q, want %q", got, want)
		}
	}
}

// A race that does not show in the values fails the test all the same.
func TestChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves the checks out")
	}
	const race = `.version 7.8
.target sm_80
.address_size 64
.visible .entry race(.param .u64 p) {
	.reg .b32 %r<2>;
	.reg .b64 %q<2>;
	ld.param.u64 %q1, [p];
	mov.u32 %r1, %tid.x;
	and.b32 %r1, %r1, 0;
	ld.global.u32 %r1, [%q1];
	add.u32 %r1, %r1, 1;
	st.global.u32 [%q1], %r1;
	ret;
}
`
	got := said(func(r testing.TB) {
		c := Case{Grid: vop.Grid{X: 1}, Block: vop.Block{X: 64}, Args: []any{[]uint32{0}}, Want: []any{Anything}}
		c.run(r, Parse(t, "race.ptx", race), "race")
	})
	if !strings.Contains(got, "race") || !strings.Contains(got, "race.ptx:1") {
		t.Errorf("the test says %q", got)
	}
}

func ExampleDiff() {
	fmt.Print(Diff([]int16{1, 2, 3}, []int16{1, 2, 4}, Tolerance{}))
	// Output:
	// 1 of 3 elements differ
	//   [2]  got 3    want 4
}
