package inst

import "slices"

// Type is a type of an instruction or of a register, as far as the table cares.
type Type uint8

// The types that registers have. Those of operations only, such as .e4m3x2, follow.
const (
	NoType Type = iota
	Pred
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	BF16
	BF16x2
	F32
	F64
	firstOther // types of operations only
)

// class is what the values of a type are.
type class uint8

const (
	bits  class = iota // untyped: values of all kinds
	whole              // integers
	real               // floating-point numbers that may be written as constants
	half               // floating-point numbers of 16 bits, alone or packed: no constants
	truth              // predicates
)

// typeInfo describes a type.
type typeInfo struct {
	name  string // with its dot
	width int    // in bits, of a register that holds a value
	class class
}

// typeTable has the types in the order of their numbers. The packed and the narrow types at
// its end are operands in untyped registers.
var typeTable = [...]typeInfo{
	{},
	{".pred", 1, truth},
	{".b8", 8, bits}, {".b16", 16, bits}, {".b32", 32, bits}, {".b64", 64, bits}, {".b128", 128, bits},
	{".u8", 8, whole}, {".u16", 16, whole}, {".u32", 32, whole}, {".u64", 64, whole},
	{".s8", 8, whole}, {".s16", 16, whole}, {".s32", 32, whole}, {".s64", 64, whole},
	{".f16", 16, half}, {".f16x2", 32, half}, {".bf16", 16, half}, {".bf16x2", 32, half},
	{".f32", 32, real}, {".f64", 64, real},

	{".f32x2", 64, bits}, {".tf32", 32, bits},
	{".u16x2", 32, bits}, {".s16x2", 32, bits}, {".u8x4", 32, bits}, {".s8x4", 32, bits},
	{".e4m3x2", 16, bits}, {".e5m2x2", 16, bits}, {".e2m1x2", 8, bits}, {".e2m3x2", 16, bits}, {".e3m2x2", 16, bits}, {".ue8m0x2", 16, bits},
	{".e4m3x4", 32, bits}, {".e5m2x4", 32, bits}, {".e2m1x4", 16, bits}, {".e2m3x4", 32, bits}, {".e3m2x4", 32, bits},
	{".s2f6x2", 16, bits},
	{".e4m3", 8, bits}, {".e5m2", 8, bits}, {".e2m1", 8, bits}, {".e2m3", 8, bits}, {".e3m2", 8, bits}, {".ue8m0", 8, bits}, {".ue4m3", 8, bits},
	{".u2", 32, whole}, {".s2", 32, whole}, {".u4", 32, whole}, {".s4", 32, whole}, {".b1", 32, bits},
	{".b4", 8, bits}, {".b6", 8, bits}, {".b4x16", 64, bits}, {".b4x16_p64", 64, bits}, {".b6x16_p32", 64, bits}, {".b6p2x16", 64, bits},
	// Shapes of matrices, which go with types.
	{".m8n8k4", 0, bits}, {".m8n8k16", 0, bits}, {".m8n8k32", 0, bits}, {".m8n8k128", 0, bits},
	{".m16n8k4", 0, bits}, {".m16n8k8", 0, bits}, {".m16n8k16", 0, bits}, {".m16n8k32", 0, bits}, {".m16n8k64", 0, bits}, {".m16n8k128", 0, bits}, {".m16n8k256", 0, bits},
	{".m16n16k8", 0, bits}, {".m16n16k16", 0, bits}, {".m8n32k16", 0, bits}, {".m32n8k16", 0, bits},
	{".texref", 64, bits}, {".samplerref", 64, bits}, {".surfref", 64, bits},
}

// The first types of textures, samplers and surfaces, which are the last of all.
var (
	texref     = Type(slices.IndexFunc(typeTable[:], func(t typeInfo) bool { return t.name == ".texref" }))
	samplerref = texref + 1
)

var typeByName = func() map[string]Type {
	m := make(map[string]Type, len(typeTable))
	for t, info := range typeTable {
		m[info.name] = Type(t)
	}
	delete(m, "")
	return m
}()

// ParseType returns the type written as text (".u32"), or NoType.
func ParseType(text string) Type { return typeByName[text] }

// String returns the type as it is written: ".u32".
func (t Type) String() string { return typeTable[t].name }

// Width returns the number of bits of a register that holds a value of the type.
func (t Type) Width() int { return typeTable[t].width }

// twice returns the type of the same kind and twice the width.
func (t Type) twice() Type {
	switch t {
	case B8, B16, B32, B64, U8, U16, U32, S8, S16, S32:
		return t + 1
	}
	return NoType
}

// Takes reports whether a register declared with type r can be an operand of type t
// (PTX ISA 9.x, 9.4.1): of the same width, and of the same kind unless one of them is untyped.
// A relaxed operand, of cvt, ld and st, may be wider: then floating-point numbers are in
// untyped registers only, and integers in no floating-point ones.
func (t Type) Takes(r Type, relaxed bool) bool {
	if t == NoType || r == NoType {
		return true
	}
	want, have := &typeTable[t], &typeTable[r]
	if r == F16x2 && want.class == whole {
		have = &typeTable[U32] // ptxas takes pairs for integers, as they were once kept in
	}
	switch {
	case want.class == truth || have.class == truth:
		return want.class == have.class
	case have.width < want.width:
		return false
	case have.width > want.width:
		return relaxed && (want.class == bits || have.class == bits || want.class == whole && have.class == whole)
	}
	return want.class == have.class || want.class == bits || have.class == bits
}

// registers says which registers can be an operand of the type: "32-bit registers: .b32, .u32 or .s32".
func (t Type) registers() []Type {
	var list []Type
	for r := Pred; r < firstOther; r++ {
		if t.Takes(r, false) && (r != F16x2 || typeTable[t].class != whole) { // not where it is an accident
			list = append(list, r)
		}
	}
	return list
}
