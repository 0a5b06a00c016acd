package check

// typeInfo describes one fundamental type (PTX ISA 5.2.1).
type typeInfo struct {
	name string // with its dot, as declarations write it
	bits int
}

var typeTable = [...]typeInfo{
	NoType:     {"", 0},
	B8:         {".b8", 8},
	B16:        {".b16", 16},
	B32:        {".b32", 32},
	B64:        {".b64", 64},
	B128:       {".b128", 128},
	U8:         {".u8", 8},
	U16:        {".u16", 16},
	U32:        {".u32", 32},
	U64:        {".u64", 64},
	S8:         {".s8", 8},
	S16:        {".s16", 16},
	S32:        {".s32", 32},
	S64:        {".s64", 64},
	F16:        {".f16", 16},
	F16x2:      {".f16x2", 32},
	F32:        {".f32", 32},
	F64:        {".f64", 64},
	BF16:       {".bf16", 16},
	BF16x2:     {".bf16x2", 32},
	Pred:       {".pred", 1},
	TexRef:     {".texref", 64},
	SamplerRef: {".samplerref", 64},
	SurfRef:    {".surfref", 64},
}

// typeByName is the inverse of typeTable.
var typeByName = func() map[string]Type {
	m := make(map[string]Type, len(typeTable))
	for t, info := range typeTable {
		if info.name != "" {
			m[info.name] = Type(t)
		}
	}
	return m
}()

// ParseType returns the type written as text (".u32"), or NoType.
func ParseType(text string) Type { return typeByName[text] }

// String returns the type as declarations write it: ".u32".
func (t Type) String() string { return typeTable[t].name }

// Bits returns the width of a value of the type; 1 for .pred, 64 for the opaque
// types, which are handles.
func (t Type) Bits() int { return typeTable[t].bits }

// Bytes returns the size of a value of the type in memory; 0 for .pred, which
// cannot be stored.
func (t Type) Bytes() int { return typeTable[t].bits / 8 }

// IsFloat reports whether the type is one of the floating-point types.
func (t Type) IsFloat() bool { return F16 <= t && t <= BF16x2 }

// untyped reports whether the type is one of the .b types, which take values of all kinds.
func (t Type) untyped() bool { return B8 <= t && t <= B128 }

// spaceByName gives the state spaces that declarations and .ptr name (PTX ISA 5.1).
var spaceByName = map[string]Space{
	".reg":    Reg,
	".const":  Const,
	".global": Global,
	".local":  Local,
	".param":  Param,
	".shared": Shared,
	".tex":    Tex,
}

// ParseSpace returns the state space written as text (".global"); ok is false
// if there is none of that name.
func ParseSpace(text string) (space Space, ok bool) {
	space, ok = spaceByName[text]
	return space, ok
}

// String returns the space as declarations write it, or "generic".
func (s Space) String() string {
	return [...]string{"generic", ".reg", ".const", ".global", ".local", ".param", ".shared", ".tex"}[s]
}

// TypeNames returns the names of all types, as declarations write them.
func TypeNames() []string { return typeNames() }

func typeNames() (names []string) {
	for _, info := range typeTable[1:] {
		names = append(names, info.name)
	}
	return names
}
