package native

import (
	"errors"
	"reflect"
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64"
)

// TestOptionsReachAMD64 holds that every option of package amd64 is one here, and is handed on.
func TestOptionsReachAMD64(t *testing.T) {
	want := reflect.ValueOf(amd64.Options{})
	for n := range want.NumField() {
		name := want.Type().Field(n).Name
		var o Options
		field := reflect.ValueOf(&o).Elem().FieldByName(name)
		switch {
		case !field.IsValid():
			t.Errorf("there is no option %s", name)
			continue
		case field.Kind() == reflect.Bool:
			field.SetBool(true)
		case field.Kind() == reflect.Slice:
			field.Set(reflect.ValueOf([]int32{1}))
		case field.Kind() == reflect.Array:
			field.Index(1).SetInt(3)
		case field.CanUint():
			field.SetUint(1)
		default:
			field.SetInt(1)
		}
		if reflect.ValueOf(o.amd64()).Field(n).IsZero() {
			t.Errorf("option %s is not handed on", name)
		}
	}
}

// TestLevelsAreThoseOfAMD64 holds that levels of amd64 have the same numbers and names there.
func TestLevelsAreThoseOfAMD64(t *testing.T) {
	for l := range amd64.NumLevels {
		if Level(l).String() != l.String() || Level(l) == NEON {
			t.Errorf("%v is called %v here", l, Level(l))
		}
	}
}

// TestKernelForAnotherMachine holds that there is no code of levels that the machine does not have.
func TestKernelForAnotherMachine(t *testing.T) {
	for _, l := range []Level{AVX2, AVX512, NEON} {
		if Supported(l) {
			continue
		}
		if _, err := CompileKernel(nil, nil, Options{Level: l}); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%v: %v", l, err)
		}
	}
}
