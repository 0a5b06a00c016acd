package isa

import "strings"

// field connects a slot of the grammar with the part of a Form it fills. The
// code of a value is the number the Form holds for it; 0 is "not written".
type field struct {
	put  func(f *Form, code uint16)
	take func(f *Form) uint16
	// spell and parse give the written value for a code, with its leading dot
	// or sign, and the code for a written value.
	spell func(op Op, code uint16) string
	parse func(op Op, value string) (code uint16, ok bool)
}

// enum makes the field of a Form member whose type is a small enumeration.
func enum[T interface {
	~uint8
	String() string
}](last T, member func(*Form) *T) *field {
	return &field{
		put:   func(f *Form, code uint16) { *member(f) = T(code) },
		take:  func(f *Form) uint16 { return uint16(*member(f)) },
		spell: func(_ Op, code uint16) string { return T(code).String() },
		parse: func(_ Op, value string) (uint16, bool) {
			for v := range last + 1 {
				if v.String() == value {
					return uint16(v), true
				}
			}
			return 0, false
		},
	}
}

// flag makes the field of a Form member that is either written or not.
func flag(text string, member func(*Form) *bool) *field {
	return &field{
		put: func(f *Form, code uint16) { *member(f) = code != 0 },
		take: func(f *Form) uint16 {
			if *member(f) {
				return 1
			}
			return 0
		},
		spell: func(_ Op, code uint16) string {
			if code != 0 {
				return text
			}
			return ""
		},
		parse: func(_ Op, value string) (uint16, bool) { return 1, value == text },
	}
}

// lanes makes the field of a SIMD source selector.
func lanes(member func(*Form) *Lanes) *field {
	return &field{
		put:   func(f *Form, code uint16) { *member(f) = Lanes(code) },
		take:  func(f *Form) uint16 { return uint16(*member(f)) },
		spell: func(op Op, code uint16) string { return Lanes(code).spell(op.Lanes()) },
		parse: func(op Op, value string) (uint16, bool) {
			l, ok := parseLanes(op, value)
			return uint16(l), ok
		},
	}
}

var (
	dtype = enum(S32, func(f *Form) *Type { return &f.DType })
	atype = enum(S32, func(f *Form) *Type { return &f.AType })
	btype = enum(S32, func(f *Form) *Type { return &f.BType })
	mode  = enum(Wrap, func(f *Form) *Mode { return &f.Mode })
	cmp   = enum(Ge, func(f *Form) *Cmp { return &f.Cmp })
	scale = enum(Shr15, func(f *Form) *Scale { return &f.Scale })
	op2   = enum(SecondMax, func(f *Form) *Second { return &f.Second })
	dsel  = enum(H1, func(f *Form) *Part { return &f.DSel })
	asel  = enum(H1, func(f *Form) *Part { return &f.ASel })
	bsel  = enum(H1, func(f *Form) *Part { return &f.BSel })
	sat   = flag(".sat", func(f *Form) *bool { return &f.Sat })
	po    = flag(".po", func(f *Form) *bool { return &f.PlusOne })
	nega  = flag("-", func(f *Form) *bool { return &f.NegA })
	negb  = flag("-", func(f *Form) *bool { return &f.NegB })
	negc  = flag("-", func(f *Form) *bool { return &f.NegC })
	alane = lanes(func(f *Form) *Lanes { return &f.ALane })
	blane = lanes(func(f *Form) *Lanes { return &f.BLane })
	mask  = &field{
		put:   func(f *Form, code uint16) { f.Mask = Mask(code) },
		take:  func(f *Form) uint16 { return uint16(f.Mask) },
		spell: func(op Op, code uint16) string { return Mask(code).spell(op.Lanes()) },
		parse: func(op Op, value string) (uint16, bool) {
			m, ok := parseMask(op, value)
			return uint16(m), ok
		},
	}
)

// named gives the fields of the grammar's named slots, first as scalar
// instructions use them, then as SIMD ones do.
var named = map[string][2]*field{
	".dtype": {dtype, dtype},
	".atype": {atype, atype},
	".btype": {btype, btype},
	".mode":  {mode, nil},
	".cmp":   {cmp, cmp},
	".scale": {scale, nil},
	".op2":   {op2, nil},
	".dsel":  {dsel, nil},
	".asel":  {asel, alane},
	".bsel":  {bsel, blane},
	".mask":  {nil, mask},
}

// literal gives the fields of the modifiers that syntax lines spell out.
var literal = map[string]*field{
	".sat": sat,
	".po":  po,
	".add": op2,
	".u32": btype, // vshl and vshr fix the type of b
}

// parseMask reads a SIMD destination mask: its lanes from the highest to the
// lowest, as the manual lists them (".b10"). ptxas rejects ".b01", too.
func parseMask(op Op, text string) (Mask, bool) {
	digits, ok := strings.CutPrefix(text, laneLetter(op.Lanes()))
	if !ok || digits == "" || !op.SIMD() {
		return 0, false
	}
	var m Mask
	lowest := op.Lanes()
	for _, digit := range []byte(digits) {
		i := int(digit) - '0'
		if i < 0 || i >= lowest {
			return 0, false
		}
		lowest = i
		m |= 1 << i
	}
	return m, true
}

// parseLanes reads a SIMD source selector: ".h10", ".b7654".
func parseLanes(op Op, text string) (Lanes, bool) {
	digits, ok := strings.CutPrefix(text, laneLetter(op.Lanes()))
	if !ok || len(digits) != op.Lanes() || !op.SIMD() {
		return 0, false
	}
	var l Lanes
	for _, digit := range []byte(digits) {
		i := int(digit) - '0'
		if i < 0 || i >= 2*op.Lanes() {
			return 0, false
		}
		l = l<<4 | Lanes(i)
	}
	return l, true
}
