package ptxtest

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/internal/compare"
)

// Case is a launch, and what its buffers shall hold afterwards.
type Case struct {
	Name    string
	Grid    vop.Grid
	Block   vop.Block
	Options vop.LaunchOptions // workers, shared memory and the like
	Args    []any             // as of [Launch]; the slices are copied before the launch, and stay as they are
	// Want is what the buffers hold after the launch: an element for each of Args. nil, also for those that
	// Want is too short for, is a buffer that the kernel leaves as it was; [Anything] is one that nobody asks for.
	Want []any
	Near Tolerance
}

// Tolerance is by how much an element may differ: by Absolute, or by Relative times the wanted value, whichever is
// more. The zero value wants the same value; for floating-point numbers 0 and -0 are the same, and all NaNs.
type Tolerance struct{ Absolute, Relative float64 }

// Anything in [Case.Want] stands for a buffer that may hold anything after the launch.
var Anything = anything{}

type anything struct{}

// Run launches a kernel once for each case, as a subtest, and fails those whose buffers do not hold what is
// wanted: it tells how many elements differ, and the first ten.
func Run(t *testing.T, m *vop.Module, kernel string, cases []Case) {
	t.Helper()
	for i, c := range cases {
		name := c.Name
		if name == "" {
			name = fmt.Sprint(i)
		}
		t.Run(name, func(t *testing.T) {
			t.Helper()
			c.run(t, m, kernel)
		})
	}
}

func (c *Case) run(t testing.TB, m *vop.Module, kernel string) {
	t.Helper()
	if len(c.Want) > len(c.Args) {
		t.Fatalf("the case wants %d buffers, and has %d arguments", len(c.Want), len(c.Args))
	}
	args := slices.Clone(c.Args)
	for i, arg := range args {
		if isBuffer(arg) && reflect.TypeOf(arg) != reflect.TypeFor[Addresses]() {
			args[i] = cloneOf(arg)
		} else if i < len(c.Want) && c.Want[i] != nil {
			t.Fatalf("argument %d is no buffer: nothing can be wanted of it", i+1)
		}
	}
	k, err := m.Kernel(kernel)
	if err != nil {
		fatal(t, err)
	}
	LaunchKernel(t, m, k.With(c.Options), c.Grid, c.Block, args...)
	for i, arg := range args {
		var want any
		if i < len(c.Want) {
			want = c.Want[i]
		}
		switch {
		case want == Anything || !isBuffer(arg) || reflect.TypeOf(arg) == reflect.TypeFor[Addresses]():
		case want == nil:
			if diff := Diff(arg, c.Args[i], Tolerance{}); diff != "" {
				t.Errorf("argument %d is an input, and was written: %s", i+1, diff)
			}
		default:
			if diff := Diff(arg, want, c.Near); diff != "" {
				t.Errorf("argument %d: %s", i+1, diff)
			}
		}
	}
}

// cloneOf returns a copy of a slice.
func cloneOf(slice any) any {
	v := reflect.ValueOf(slice)
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(c, v)
	return c.Interface()
}

// types are the names of numbers, as NumPy has them.
var types = map[reflect.Kind]string{
	reflect.Uint8: "u8", reflect.Uint16: "u16", reflect.Uint32: "u32", reflect.Uint64: "u64",
	reflect.Int8: "i8", reflect.Int16: "i16", reflect.Int32: "i32", reflect.Int64: "i64",
	reflect.Float32: "f32", reflect.Float64: "f64", reflect.Bool: "bool",
}

// Diff tells how a slice of numbers differs from the wanted one, or returns "". Slices of other things, such as
// structs, are compared byte by byte.
func Diff(got, want any, near Tolerance) string {
	gotType, wantType := reflect.TypeOf(got), reflect.TypeOf(want)
	if gotType != wantType || gotType.Kind() != reflect.Slice {
		return fmt.Sprintf("got a %v, want a %v", gotType, wantType)
	}
	gotData, err := binary.Append(nil, binary.LittleEndian, got)
	if err != nil {
		return err.Error()
	}
	array := compare.Array{Type: types[wantType.Elem().Kind()], Shape: []int{reflect.ValueOf(want).Len()}}
	if array.Data, err = binary.Append(nil, binary.LittleEndian, want); err != nil {
		return err.Error()
	}
	if array.Type == "" {
		array.Type, array.Shape = "u8", []int{len(array.Data)}
	}
	if n := reflect.ValueOf(got).Len(); n != reflect.ValueOf(want).Len() {
		return fmt.Sprintf("got %d elements, want %d", n, reflect.ValueOf(want).Len())
	}
	d, err := compare.Arrays(gotData, array, compare.Tolerance{Absolute: near.Absolute, Relative: near.Relative})
	switch {
	case err != nil:
		return err.Error()
	case d != nil:
		return d.String()
	}
	return ""
}
