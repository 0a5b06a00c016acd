package vop

import (
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// EmitOptions say how functions are written. The zero value is ready for use.
type EmitOptions struct {
	Name   string // an identifier, "video" if empty: the package in Go, or what the include guard is made of
	Target string // the machine that CUDA functions are for, "sm_70" if empty
}

// Emit returns a file of functions that compute what instructions do, in c, cuda, hip, opencl, sycl, metal, wgsl or go. Each
// takes the registers a, b and c and returns d, as the manual says. An error says which languages there are.
func Emit(language string, o EmitOptions, instructions ...*Instruction) (string, error) {
	var forms []isa.Form
	for _, in := range instructions {
		if in.reading != ISA {
			return "", wrong("Emit: %v is under the reading %v: functions compute what the manual says", in, in.reading)
		}
		forms = append(forms, in.form)
	}
	var text strings.Builder
	err := translate.Emit(&text, language, forms, translate.EmitOptions(o))
	return text.String(), err
}

// EmitIntrinsics returns a file of CUDA's SIMD intrinsics (__vadd4, __vabsdiffu4 ...) as functions of a language: those of the
// names, or all.
func EmitIntrinsics(language string, o EmitOptions, names ...string) (string, error) {
	var text strings.Builder
	err := translate.EmitIntrinsics(&text, language, names, translate.EmitOptions(o))
	return text.String(), err
}
