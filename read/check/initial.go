package check

import (
	"encoding/binary"
	"math"

	"github.com/vop-ptx/vop/read/check/constant"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// maxData is how much initial data a variable may have if the text that gives it
// is short: a few values far apart shall not take the memory of the machine.
const maxData = 64 << 20

// initialiser fills the initial data of a variable (PTX ISA 5.4.4).
type initialiser struct {
	*checker
	variable *Variable
	scalar   int // bytes of one value
}

// initialise reads what stands after the = of a declaration. row is the size of one
// element of the outermost array dimension of x[], and of the variable otherwise.
func (c *checker) initialise(v *Variable, size int, init *syntax.Operand) {
	switch {
	case v.Space != Global && v.Space != Const:
		c.report(diag.BadInitialiser, init.Span(), "a variable in "+v.Space.String()+" takes no initial value",
			"only .global and .const variables do")
		return
	case v.Type >= TexRef || v.Type == NoType || v.Type == Pred:
		return // .texref and its like are initialised by key = value
	}
	in := initialiser{checker: c, variable: v, scalar: v.Type.Bytes()}
	dims := v.Dims
	if v.Vec > 1 {
		dims = append(dims[:len(dims):len(dims)], v.Vec)
	}
	limit := size
	if len(v.Dims) > 0 && v.Dims[0] == -1 {
		limit = maxSize
	}
	in.fill(0, limit, dims, init)
}

// fill writes the values of one dimension into the bytes from start to end.
func (in *initialiser) fill(start, end int, dims []int, init *syntax.Operand) {
	if init.Kind != syntax.Vector {
		in.value(start, init)
		return
	}
	if len(dims) == 0 {
		in.report(diag.BadInitialiser, init.Span(), "braces around the value of "+quote(in.variable.Name)+", which is neither an array nor a vector")
		return
	}
	stride := in.scalar
	for _, n := range dims[1:] {
		stride *= n
	}
	at := start
	for elem := range init.Elements() {
		if at+max(1, stride) > end {
			in.report(diag.BadInitialiser, source.Span{Start: elem.Start, End: init.Elems[len(init.Elems)-1].End},
				"more initial values than "+quote(in.variable.Name)+" has room for")
			return
		}
		in.fill(at, at+stride, dims[1:], elem)
		at += stride
	}
}

// value writes one value.
func (in *initialiser) value(at int, init *syntax.Operand) {
	v := in.variable
	need := at + in.scalar
	if need > max(maxData, 16*len(in.source.Text)) {
		in.report(diag.BadInitialiser, init.Span(), "this value stands too far from the start of "+quote(v.Name))
		return
	}
	if need > len(v.Data) {
		v.Data = append(v.Data, make([]byte, need-len(v.Data))...)
	}
	if value, ok := constant.Of(init); ok {
		in.store(at, value, init)
		return
	}
	reloc, ok := in.address(init)
	if !ok {
		return
	}
	reloc.At, reloc.Size = at, in.scalar
	v.Relocs = append(v.Relocs, reloc)
}

// store writes a constant in the variable's type.
func (in *initialiser) store(at int, value constant.Value, init *syntax.Operand) {
	v := in.variable
	bits := value.Bits
	switch {
	case v.Type.Bits() == 16 && v.Type.IsFloat() || v.Type == F16x2 || v.Type == BF16x2:
		in.report(diag.BadInitialiser, init.Span(), "a variable of type "+v.Type.String()+" takes no initial value", "declare it .b16 or .b32 and give its bits")
		return
	case v.Type.IsFloat() != (value.Float != 0) && !v.Type.untyped():
		in.report(diag.BadInitialiser, init.Span(), "the value does not fit the type "+v.Type.String(),
			"floating-point types take 1.0, 0f3f800000 or 0d3ff0000000000000; integer types take integers")
		return
	case (v.Type == F32 || v.Type == B32) && value.Float == 'd':
		bits = uint64(math.Float32bits(float32(value.Double())))
	case v.Type == F64 && value.Float == 'f':
		bits = math.Float64bits(value.Double())
	}
	var bytes [16]byte
	binary.LittleEndian.PutUint64(bytes[:], bits)
	copy(v.Data[at:at+in.scalar], bytes[:])
}

// address reads the address of a variable or function, with what is added to it,
// taken from it, and the byte that a mask selects.
func (in *initialiser) address(init *syntax.Operand) (r Reloc, ok bool) {
	switch {
	case init.Kind == syntax.Name:
		return in.named(init)
	case init.Kind == syntax.Expr && init.Text == "generic":
		r, ok = in.address(&init.Elems[0])
		r.Generic = true
		return r, ok
	case init.Kind == syntax.Expr && len(init.Elems) == 1 && '0' <= init.Text[0] && init.Text[0] <= '9':
		r, ok = in.address(&init.Elems[0])
		r.Mask = syntax.ParseNumber(init.Text).Bits
		return r, ok
	case init.Kind == syntax.Expr && len(init.Elems) == 2 && (init.Text == "+" || init.Text == "-"):
		addend, known := constant.Of(&init.Elems[1])
		if !known {
			break
		}
		r, ok = in.address(&init.Elems[0])
		if init.Text == "-" {
			addend.Bits = -addend.Bits
		}
		r.Addend += int64(addend.Bits)
		return r, ok
	}
	in.report(diag.BadInitialiser, init.Span(), "the initial value of "+quote(in.variable.Name)+" is neither a constant nor an address")
	return r, false
}

func (in *initialiser) named(init *syntax.Operand) (r Reloc, ok bool) {
	switch sym := in.lookup(init.Text); sym.kind {
	case variableSymbol:
		return Reloc{Var: in.variables[sym.index]}, true
	case functionSymbol:
		return Reloc{Func: in.functions[sym.index]}, true
	case noSymbol:
		in.undeclared(init.Text, source.Span{Start: init.Pos, End: init.End})
	case undeclaredSymbol:
	default:
		in.report(diag.BadInitialiser, init.Span(), quote(init.Text)+" has no address")
	}
	return r, false
}
