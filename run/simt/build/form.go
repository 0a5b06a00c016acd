package build

import (
	"slices"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/simt/op"
)

// form is an instruction's mnemonic with its modifiers, without dots, in the order of the text.
type form struct {
	name      string
	modifiers []string
}

// meaning is what there is to know of a form of the text. It is found once for all instructions that are written so: a function
// has thousands of them, and some dozens of forms.
type meaning struct {
	written   form
	canonical form             // its modifiers in the order of the table
	build     func(b *builder) // nil if the table does not have it
	last      check.Type       // the last type among the modifiers
	operation op.Op            // of a form that is one and has been built, or 0
}

// meaningOf returns the meaning of an instruction.
func (b *builder) meaningOf(t *syntax.Instruction) *meaning {
	end := t.Name.Span().End
	if n := len(t.Modifiers); n > 0 {
		end = t.Modifiers[n-1].Span().End
	}
	text := b.decl.Module.Source.Text[t.Name.Pos:end]
	m, known := b.meanings[text]
	if !known {
		f := form{t.Name.Text, make([]string, 0, len(t.Modifiers))}
		for _, modifier := range t.Modifiers {
			f.modifiers = append(f.modifiers, strings.TrimPrefix(modifier.Text, "."))
		}
		m = &meaning{written: f}
		m.build, m.canonical = lookUp(f)
		m.last = f.lastType()
		b.meanings[text] = m
	}
	return m
}

// String returns the form as it is written: "ld.global.u32".
func (f form) String() string {
	var text strings.Builder
	text.Grow(32)
	text.WriteString(f.name)
	for _, m := range f.modifiers {
		text.WriteByte('.')
		text.WriteString(m)
	}
	return text.String()
}

// has reports whether the form has a modifier.
func (f form) has(modifier string) bool { return slices.Contains(f.modifiers, modifier) }

// without returns the form's name less some modifiers: that of the operation that does it.
func (f form) without(modifiers ...string) string {
	name := f.name
	for _, m := range f.modifiers {
		if !slices.Contains(modifiers, m) {
			name += "." + m
		}
	}
	return name
}

// types returns the types among the modifiers, in order.
func (f form) types() (types []check.Type) {
	for _, m := range f.modifiers {
		if t := check.ParseType("." + m); t != check.NoType {
			types = append(types, t)
		}
	}
	return types
}

// lastType returns the last type among the modifiers.
func (f form) lastType() check.Type {
	for _, m := range slices.Backward(f.modifiers) {
		if t := check.ParseType("." + m); t != check.NoType {
			return t
		}
	}
	return check.NoType
}

// row is a line of the table: the syntax of some forms, and what builds them.
type row struct {
	// syntax is the mnemonic and its modifiers: .x as it is, .(x|y) one of several,
	// .<set> one of a set below; in braces if it may be left out.
	syntax string
	build  func(b *builder)
}

// sets are the groups of modifiers that many lines have in common.
var sets = map[string]string{
	"int":       "u16|s16|u32|s32|u64|s64",
	"bits":      "b16|b32|b64",
	"cmp":       "eq|ne|lt|le|gt|ge|lo|ls|hi|hs",
	"mem":       "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64|f16|f16x2",
	"all":       "u8|u16|u32|u64|s8|s16|s32|s64",
	"round":     "rn|rz|rm|rp",
	"packed":    "e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2",
	"primary":   "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged",
	"secondary": "L2::evict_first|L2::evict_unchanged",
	"matrix":    "global|shared|shared::cta",
	"f8f6f4":    "e4m3|e5m2|e3m2|e2m3|e2m1",
	"fcmp":      "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan",
}

// slot is a place in the syntax of a row.
type slot struct {
	words    []string
	optional bool
}

// rows are all lines, by mnemonic, with their syntax taken apart.
var rows = sync.OnceValue(func() map[string][]parsedRow {
	all := map[string][]parsedRow{}
	for _, table := range tables {
		for _, r := range table {
			name, slots := parseSyntax(r.syntax)
			all[name] = append(all[name], parsedRow{slots, r.build})
		}
	}
	return all
})

type parsedRow struct {
	slots []slot
	build func(b *builder)
}

// tables are the tables of the families. They are put together here because what
// builds a call looks other instructions up.
var tables [][]row

func init() {
	tables = [][]row{
		integerForms, carryForms, moveForms, convertForms, compareForms, floatForms, convertFloatForms, halfForms, brainForms, brainConvertForms,
		memoryForms, copyForms, mbarrierForms, matrixForms, productForms, quadForms, fragmentForms, atomicForms, warpForms, controlForms, callForms, spaceForms, textureForms,
	}
}

// parseSyntax takes a syntax line apart. It is only given lines of the table.
func parseSyntax(line string) (name string, slots []slot) {
	end := strings.IndexAny(line, ".{")
	if end < 0 {
		return line, nil
	}
	name, line = line[:end], line[end:]
	for line != "" {
		s := slot{}
		if line[0] == '{' {
			s.optional = true
			close := strings.IndexByte(line, '}')
			s.words = alternatives(line[1:close])
			line = line[close+1:]
		} else {
			end := 1 + strings.IndexAny(line[1:]+".", ".{")
			s.words = alternatives(line[:end])
			line = line[end:]
		}
		slots = append(slots, s)
	}
	return name, slots
}

// alternatives returns the modifiers that ".x", ".(x|y)" or ".<set>" stands for.
func alternatives(text string) []string {
	text = strings.Trim(text, ".()")
	if set, ok := sets[strings.Trim(text, "<>")]; ok && text[0] == '<' {
		text = set
	}
	return strings.Split(text, "|")
}

// lookUp returns what builds a form, and the form with its modifiers in the order of the
// table; build is nil if the table does not have it.
//
// As for NVIDIA's assembler, modifiers may stand in any order, but for types among themselves.
func lookUp(f form) (build func(b *builder), canonical form) {
	for _, r := range rows()[f.name] {
		if modifiers, ok := fill(r.slots, f.modifiers); ok {
			return r.build, form{f.name, modifiers}
		}
	}
	if less := f.withoutIdle(); len(less.modifiers) < len(f.modifiers) {
		return lookUp(less)
	}
	return nil, f
}

// withoutIdle returns the form without modifiers that NVIDIA's assembler takes and that have no meaning, of which
// package check warns: .sat once more, and .pred beside another type.
func (f form) withoutIdle() form {
	kept := form{name: f.name}
	for i, m := range f.modifiers {
		if m == "sat" && slices.Contains(f.modifiers[:i], m) || m == "pred" && len(f.types()) > 1 {
			continue
		}
		kept.modifiers = append(kept.modifiers, m)
	}
	return kept
}

// fill gives each modifier to the first free slot that it may stand in, types in their order. It returns the modifiers in the
// order of the slots, and whether all have a slot and no slot that needs one is empty.
func fill(slots []slot, modifiers []string) (ordered []string, ok bool) {
	var memory [12]string
	filled := append(memory[:0], make([]string, len(slots))...)
	behind := 0 // the slots that types may still stand in
next:
	for _, m := range modifiers {
		isType := check.ParseType("."+m) != check.NoType
		for i, s := range slots {
			if filled[i] == "" && (!isType || i >= behind) && slices.Contains(s.words, m) {
				filled[i] = m
				if isType {
					behind = i + 1
				}
				continue next
			}
		}
		return nil, false
	}
	for i, s := range slots {
		if filled[i] == "" && !s.optional {
			return nil, false
		}
	}
	filled = slices.DeleteFunc(filled, func(m string) bool { return m == "" })
	if slices.Equal(filled, modifiers) {
		return modifiers, true
	}
	return slices.Clone(filled), true
}
