package form

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// Form is an instruction's mnemonic with its modifiers, without dots, in the order of the text.
type Form struct {
	Name      string
	Modifiers []string
}

// String returns the form as it is written: "ld.global.u32".
func (f Form) String() string {
	var text strings.Builder
	text.Grow(32)
	text.WriteString(f.Name)
	for _, m := range f.Modifiers {
		text.WriteByte('.')
		text.WriteString(m)
	}
	return text.String()
}

// Has reports whether the form has a modifier.
func (f Form) Has(modifier string) bool { return slices.Contains(f.Modifiers, modifier) }

// Without returns the form's name less some modifiers: that of the operation that does it.
func (f Form) Without(modifiers ...string) string {
	name := f.Name
	for _, m := range f.Modifiers {
		if !slices.Contains(modifiers, m) {
			name += "." + m
		}
	}
	return name
}

// Types returns the types among the modifiers, in order.
func (f Form) Types() (types []check.Type) {
	for _, m := range f.Modifiers {
		if t := check.ParseType("." + m); t != check.NoType {
			types = append(types, t)
		}
	}
	return types
}

// LastType returns the last type among the modifiers.
func (f Form) LastType() check.Type {
	for _, m := range slices.Backward(f.Modifiers) {
		if t := check.ParseType("." + m); t != check.NoType {
			return t
		}
	}
	return check.NoType
}

// WithoutIdle returns the form without modifiers that NVIDIA's assembler takes and that have no meaning, of which
// package check warns: .sat once more, and .pred beside another type.
func (f Form) WithoutIdle() Form {
	kept := Form{Name: f.Name}
	for i, m := range f.Modifiers {
		if m == "sat" && slices.Contains(f.Modifiers[:i], m) || m == "pred" && len(f.Types()) > 1 {
			continue
		}
		kept.Modifiers = append(kept.Modifiers, m)
	}
	return kept
}

// Parse takes a form apart that is written out.
func Parse(spelling string) Form {
	words := strings.Split(spelling, ".")
	return Form{words[0], words[1:]}
}

// Flush is the part of an operation's name that .ftz makes.
func (f Form) Flush() string {
	if f.Has("ftz") {
		return ".ftz"
	}
	return ""
}

// IntegerName is a type's name; untyped bits count as unsigned integers.
func IntegerName(t check.Type) string {
	switch t {
	case check.B8:
		return "u8"
	case check.B16, check.F16, check.BF16:
		return "u16"
	case check.B32, check.F32, check.F16x2, check.BF16x2:
		return "u32"
	case check.B64, check.F64:
		return "u64"
	}
	return t.String()[1:]
}
