package vector

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Flushes reports whether the code of a function is to run where the processor flushes subnormal f32 and f64: that all operations of
// the function allow it, and some ask for it.
func Flushes(l amd64.Level, f *simt.Function) bool {
	wanted := false
	for b := range f.Blocks {
		for i := range f.Blocks[b].Insts {
			switch inst := &f.Blocks[b].Insts[i]; inst.Kind {
			case simt.Compute:
				if !Selected(l, inst.Op) {
					continue // others execute it
				}
				switch flushingOf(inst.Op) {
				case againstFlushing:
					return false
				case forFlushing:
					wanted = true
				}
			case simt.Texture: // whose texels are weighted
				return false
			case simt.Atomic:
				if hasFloats(inst.Aux.(*simt.Access).Update) {
					return false
				}
			}
		}
	}
	return wanted
}

// flushing is what an operation has to say of that mode.
type flushing uint8

const (
	anyFlushing     flushing = iota // its code computes the same
	forFlushing                     // its code is shorter
	againstFlushing                 // it has to do with subnormal numbers
)

// flushingOf goes by an operation's name. Of those with floats, what is not known to allow the mode is against it: with
// directed roundings AVX2 computes what a result is short by, which may be subnormal.
func flushingOf(o op.Op) flushing {
	name := o.String()
	if !hasFloats(name) {
		return anyFlushing
	}
	parts := strings.Split(name, ".")
	last := parts[len(parts)-1]
	ftz := strings.Contains(name, ".ftz")
	switch parts[0] {
	case "add", "sub", "mul", "div", "fma", "rcp", "sqrt":
		switch {
		case last == "f16" || last == "f16x2": // computed in f32, where the numbers of f16 are normal
			return anyFlushing
		case ftz && last == "f32" && (parts[1] == "rn" || parts[1] == "approx"):
			return forFlushing
		}
	case "setp", "min", "max", "slct", "rsqrt", "ex2", "lg2", "tanh", "sin", "cos":
		if ftz && last == "f32" {
			return forFlushing
		}
	case "neg", "abs", "copysign": // which change bits
		if last != "bf16" && last != "bf16x2" {
			return anyFlushing
		}
	case "cvt":
		return conversionFlushing(parts, ftz)
	}
	return againstFlushing
}

// conversionFlushing is that of a conversion: cvt.rn.ftz.sat.f32.f64.
func conversionFlushing(parts []string, ftz bool) flushing {
	to, from := parts[len(parts)-2], parts[len(parts)-1]
	nearest := parts[1] == "rn"
	switch {
	case from == "f32" && (parts[1] == "rzi" || parts[1] == "rni"): // to a whole number, which is 0 for a subnormal one
		return anyFlushing
	case ftz && from == "f32" && (to == "f32" || to == "f64" || !hasFloats(to)):
		return forFlushing
	case ftz && from == "f64" && to == "f32" && nearest:
		return forFlushing
	case from == "f16" && to == "f32", from == "f32" && to == "f16" && nearest:
		return anyFlushing
	case !hasFloats(from) && (to == "f32" || to == "f64"): // no integer is subnormal
		return anyFlushing
	}
	return againstFlushing
}

// hasFloats reports whether a type of floats is among the parts of a name.
func hasFloats(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		switch part {
		case "f16", "f16x2", "bf16", "bf16x2", "f32", "f64", "tf32":
			return true
		}
		if strings.HasPrefix(part, "e2m") || strings.HasPrefix(part, "e3m") || strings.HasPrefix(part, "e4m") || strings.HasPrefix(part, "e5m") || strings.HasPrefix(part, "ue") {
			return true
		}
	}
	return false
}
