package conform

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// modifiers gives what each written modifier but the types sets in a form.
var modifiers = func() map[string]func(*isa.Form) {
	m := map[string]func(*isa.Form){
		".sat": func(f *isa.Form) { f.Sat = true },
		".po":  func(f *isa.Form) { f.PlusOne = true },
	}
	for _, v := range []isa.Second{isa.SecondAdd, isa.SecondMin, isa.SecondMax} {
		m[v.String()] = func(f *isa.Form) { f.Second = v }
	}
	for _, v := range []isa.Mode{isa.Clamp, isa.Wrap} {
		m[v.String()] = func(f *isa.Form) { f.Mode = v }
	}
	for _, v := range []isa.Cmp{isa.Eq, isa.Ne, isa.Lt, isa.Le, isa.Gt, isa.Ge} {
		m[v.String()] = func(f *isa.Form) { f.Cmp = v }
	}
	for _, v := range []isa.Scale{isa.Shr7, isa.Shr15} {
		m[v.String()] = func(f *isa.Form) { f.Scale = v }
	}
	return m
}()

// ParseForm reads an instruction as [isa.Form.Spell] writes it, with any
// operand names: it is all that vector files need. Programs as people write
// them are read by package syntax.
func ParseForm(instruction string) (isa.Form, error) {
	bad := func(format string, args ...any) (isa.Form, error) {
		return isa.Form{}, fmt.Errorf("%q: %s", instruction, fmt.Sprintf(format, args...))
	}
	text, ended := strings.CutSuffix(strings.TrimSpace(instruction), ";")
	mnemonic, operands, spaced := strings.Cut(text, " ")
	if !ended || !spaced {
		return bad("want an instruction with operands and a semicolon")
	}

	words := strings.Split(mnemonic, ".")
	f := isa.Form{Op: isa.ParseOp(words[0])}
	if f.Op == isa.NoOp {
		return bad("%s is not a video instruction", words[0])
	}
	types := typesOf(&f)
	for _, word := range words[1:] {
		word = "." + word
		if typ, ok := parseType(word); ok {
			if len(types) == 0 {
				return bad("one type too many")
			}
			*types[0], types = typ, types[1:]
		} else if set := modifiers[word]; set != nil {
			set(&f)
		} else {
			return bad("no modifier %s", word)
		}
	}
	if len(types) > 0 {
		return bad("a type is missing")
	}

	if err := parseOperands(&f, strings.Split(operands, ",")); err != nil {
		return bad("%v", err)
	}
	if !f.Valid() {
		return bad("not in the grammar of %v", f.Op)
	}
	return f, nil
}

// typesOf returns the types that an instruction writes, in order.
func typesOf(f *isa.Form) []*isa.Type {
	if f.Op.Kind() == isa.Set {
		return []*isa.Type{&f.AType, &f.BType}
	}
	return []*isa.Type{&f.DType, &f.AType, &f.BType}
}

func parseType(text string) (isa.Type, bool) {
	for _, typ := range []isa.Type{isa.U32, isa.S32} {
		if typ.String() == text {
			return typ, true
		}
	}
	return 0, false
}

// parseOperands reads the selectors and negations of d, a, b and c.
func parseOperands(f *isa.Form, operands []string) error {
	if len(operands) < 3 || len(operands) > 4 {
		return fmt.Errorf("%d operands, want 3 or 4", len(operands))
	}
	if f.Op.SIMD() {
		f.Mask = isa.FullMask(f.Op)
		f.ALane, f.BLane = isa.DefaultLanes(f.Op)
	}
	for i, operand := range operands {
		name, negated := strings.CutPrefix(strings.TrimSpace(operand), "-")
		if negated {
			if i == 0 {
				return fmt.Errorf("d cannot be negated")
			}
			*[]*bool{&f.NegA, &f.NegB, &f.NegC}[i-1] = true
		}
		dot := strings.IndexByte(name, '.')
		if dot < 0 {
			continue
		}
		if selector := name[dot:]; !parseSelector(f, i, selector) {
			return fmt.Errorf("no selector %s on operand %d", selector, i+1)
		}
	}
	return nil
}

func parseSelector(f *isa.Form, operand int, text string) (ok bool) {
	if operand == 3 {
		return false
	}
	switch {
	case !f.Op.SIMD():
		*[]*isa.Part{&f.DSel, &f.ASel, &f.BSel}[operand], ok = isa.ParsePart(text)
	case operand == 0:
		f.Mask, ok = isa.ParseMask(f.Op, text)
	default:
		*[]*isa.Lanes{&f.ALane, &f.BLane}[operand-1], ok = isa.ParseLanes(f.Op, text)
	}
	return ok
}
