package vm

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
)

// Param describes a parameter of a kernel.
type Param struct {
	Name string
	Type string // as PTX writes it: ".u64", ".align 8 .b8[24]"
	Size int    // bytes
	// Align is the alignment, in bytes.
	Align int
	// Scalar is the type of a parameter that is not an array, else NoType.
	Scalar check.Type
}

// Params returns the kernel's parameters, in order.
func (k *Kernel) Params() []Param {
	params := make([]Param, len(k.decl.Params))
	for i, v := range k.decl.Params {
		params[i] = describe(v)
	}
	return params
}

// describe describes a variable.
func describe(v *check.Variable) Param {
	p := Param{Name: v.Name, Type: v.Type.String(), Size: v.Size, Align: v.Align, Scalar: v.Type}
	if v.Vec > 1 {
		p.Scalar = check.NoType
		p.Type = fmt.Sprintf(".v%d %v", v.Vec, v.Type)
	}
	if len(v.Dims) > 0 {
		p.Scalar = check.NoType
		p.Type = fmt.Sprintf(".align %d %s", v.Align, p.Type)
		for _, d := range v.Dims {
			p.Type += fmt.Sprintf("[%d]", d)
		}
	}
	return p
}

// Argument is what [Kernel.Launch] takes for a parameter: a [*Buffer] for a pointer; a [*Texture]
// for a texture or surface; a
// number of any Go type for a scalar, if the parameter's type can hold its value; or
// []byte, of the parameter's size, for a struct passed by value, and for any other.
type Argument = any

// ArgumentError is the error of a launch whose arguments do not fit the parameters.
type ArgumentError struct {
	Kernel string
	Index  int    // of the parameter; -1 if the number of arguments is wrong
	Param  Param  // of that index
	What   string // what is wrong
}

// Error returns the message in one line.
func (e *ArgumentError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("kernel %s: %s", e.Kernel, e.What)
	}
	return fmt.Sprintf("kernel %s: parameter %d (%s %s): %s", e.Kernel, e.Index+1, e.Param.Type, e.Param.Name, e.What)
}

// marshal writes the arguments as the kernel reads them.
func (k *Kernel) marshal(args []any) ([]byte, error) {
	params := k.Params()
	if len(args) != len(params) {
		what := fmt.Sprintf("takes %s, got %d; the parameters are", diag.Count(len(params), "argument"), len(args))
		for i, p := range params {
			if i > 0 {
				what += ","
			}
			what += " " + p.Type + " " + p.Name
		}
		if len(params) == 0 {
			what = fmt.Sprintf("takes no arguments, got %d", len(args))
		}
		return nil, &ArgumentError{Kernel: k.name, Index: -1, What: what}
	}
	data := allocate(k.size)
	for i, arg := range args {
		place := data[k.params[k.decl.Params[i]]:][:params[i].Size]
		if what := k.module.marshalOne(place, params[i], arg); what != "" {
			return nil, &ArgumentError{Kernel: k.name, Index: i, Param: params[i], What: what}
		}
	}
	return data, nil
}

// marshalOne writes one argument; it returns what is wrong with it.
func (m *Module) marshalOne(place []byte, p Param, arg any) (wrong string) {
	switch arg := arg.(type) {
	case *Buffer:
		if arg == nil {
			return "the buffer is nil"
		}
		if arg.memory != m.memory {
			return fmt.Sprintf("the buffer %s is in another address space than the module", arg.name)
		}
		switch {
		case p.Scalar == check.NoType || p.Scalar.IsFloat():
			return fmt.Sprintf("takes %s, got a buffer", diag.Count(p.Size, "byte"))
		case p.Size != m.AddressSize():
			return fmt.Sprintf("takes %s, got a buffer, whose address has %d: %s", diag.Count(p.Size, "byte"), m.AddressSize(), m.addressSizeSource())
		}
		return putInteger(place, p, arg.address, false, "a buffer")
	case *Texture:
		if arg == nil || arg.memory != m.memory {
			return "the texture is nil, or in another address space than the module"
		}
		return putInteger(place, p, arg.handle, false, "a texture")
	case []byte:
		if len(arg) != p.Size {
			return fmt.Sprintf("takes %s, got %d", diag.Count(p.Size, "byte"), len(arg)) + m.bufferHint(p)
		}
		copy(place, arg)
		return ""
	}
	v := reflect.ValueOf(arg)
	switch {
	case !v.IsValid():
		return "the argument is nil"
	case v.CanInt():
		if p.Scalar.IsFloat() {
			return putFloat(place, p, float64(v.Int()))
		}
		return putInteger(place, p, uint64(v.Int()), v.Int() < 0, fmt.Sprint(arg))
	case v.CanUint():
		if p.Scalar.IsFloat() {
			return putFloat(place, p, float64(v.Uint()))
		}
		return putInteger(place, p, v.Uint(), false, fmt.Sprint(arg))
	case v.CanFloat():
		if p.Scalar == check.NoType {
			return fmt.Sprintf("takes %s, got %v", diag.Count(p.Size, "byte"), arg)
		}
		if !p.Scalar.IsFloat() && !isBits(p.Scalar, v.Type().Bits()) {
			text := fmt.Sprint(arg)
			if !strings.ContainsAny(text, ".eIN") {
				text += ".0" // which tells why 2.0 is none
			}
			return "takes an integer, got " + text
		}
		return putFloat(place, p, v.Float())
	}
	what := fmt.Sprintf("cannot be a value of type %T", arg)
	if k := v.Kind(); k == reflect.Slice || k == reflect.Array || k == reflect.Pointer {
		return what + m.bufferHint(p)
	}
	return what
}

// bufferHint says what an argument is to be that was meant as memory for the kernel, if the parameter can be an address.
func (m *Module) bufferHint(p Param) string {
	if p.Scalar == check.NoType || p.Scalar.IsFloat() || p.Size != m.AddressSize() {
		return ""
	}
	return ": an address is a *Buffer, which Alloc of the module gives"
}

// isBits reports whether a type is untyped bits of a width.
func isBits(t check.Type, bits int) bool {
	return t == check.B32 && bits == 32 || t == check.B64 && bits == 64
}

func putInteger(place []byte, p Param, value uint64, negative bool, what string) (wrong string) {
	if p.Scalar == check.NoType {
		return fmt.Sprintf("takes %s, got %s", diag.Count(p.Size, "byte"), what)
	}
	if p.Scalar.IsFloat() {
		return "takes a number, got " + what
	}
	// Compilers declare C's int as .u32, so a type's sign does not say which values make sense.
	bits := p.Size * 8
	if bits < 64 && (!negative && value>>bits != 0 || negative && int64(value)>>(bits-1) != -1) {
		return fmt.Sprintf("%s does not fit", what)
	}
	var all [16]byte
	binary.LittleEndian.PutUint64(all[:], value)
	if negative {
		binary.LittleEndian.PutUint64(all[8:], math.MaxUint64)
	}
	copy(place, all[:])
	return ""
}

func putFloat(place []byte, p Param, value float64) (wrong string) {
	switch p.Size {
	case 4:
		binary.LittleEndian.PutUint32(place, math.Float32bits(float32(value)))
	case 8:
		binary.LittleEndian.PutUint64(place, math.Float64bits(value))
	default:
		return fmt.Sprintf("takes %s of %s, got a number", diag.Count(p.Size, "byte"), p.Type)
	}
	return ""
}
