package form

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// sets are groups of modifiers that many lines have in common.
var sets = map[string]string{
	"int":       "u16|s16|u32|s32|u64|s64",
	"bits":      "b16|b32|b64",
	"cmp":       "eq|ne|lt|le|gt|ge|lo|ls|hi|hs",
	"mem":       "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64|f16|f16x2",
	"all":       "u8|u16|u32|u64|s8|s16|s32|s64",
	"round":     "rn|rz|rm|rp",
	"packed":    "e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2",
	"primary":   "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged",
	"secondary": "L2::evict_first|L2::evict_unchanged",
	"matrix":    "global|shared|shared::cta",
	"fenced":    "global|shared::cta|shared::cluster",
	"f8f6f4":    "e4m3|e5m2|e3m2|e2m3|e2m1",
	"fcmp":      "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan",
}

// Line is the syntax of some forms: a mnemonic, and places for modifiers behind it.
type Line struct {
	Name  string
	Slots []Slot
}

// Slot is a place for a modifier: one of some words.
type Slot struct {
	Words    []string
	Optional bool
}

// ParseLine takes a syntax line apart, a mnemonic and its modifiers: .x as it is, .(x|y) one of several, .<set> one of a set above; in
// braces if it may be left out. It is only given lines of the tables.
func ParseLine(line string) (l Line) {
	end := strings.IndexAny(line, ".{")
	if end < 0 {
		return Line{Name: line}
	}
	l.Name, line = line[:end], line[end:]
	for line != "" {
		s := Slot{}
		if line[0] == '{' {
			s.Optional = true
			close := strings.IndexByte(line, '}')
			s.Words = alternatives(line[1:close])
			line = line[close+1:]
		} else {
			end := 1 + strings.IndexAny(line[1:]+".", ".{")
			s.Words = alternatives(line[:end])
			line = line[end:]
		}
		l.Slots = append(l.Slots, s)
	}
	return l
}

// alternatives returns the modifiers that ".x", ".(x|y)" or ".<set>" stands for.
func alternatives(text string) []string {
	text = strings.Trim(text, ".()")
	if set, ok := sets[strings.Trim(text, "<>")]; ok && text[0] == '<' {
		text = set
	}
	return strings.Split(text, "|")
}

// Fill gives each modifier to the first free slot that it may stand in, types in their order. It returns the modifiers in the
// order of the slots, and whether all have a slot and no slot that needs one is empty.
func (l *Line) Fill(modifiers []string) (ordered []string, ok bool) {
	var memory [12]string
	filled := append(memory[:0], make([]string, len(l.Slots))...)
	behind := 0 // the slots that types may still stand in
next:
	for _, m := range modifiers {
		isType := check.ParseType("."+m) != check.NoType
		for i, s := range l.Slots {
			if filled[i] == "" && (!isType || i >= behind) && slices.Contains(s.Words, m) {
				filled[i] = m
				if isType {
					behind = i + 1
				}
				continue next
			}
		}
		return nil, false
	}
	for i, s := range l.Slots {
		if filled[i] == "" && !s.Optional {
			return nil, false
		}
	}
	filled = slices.DeleteFunc(filled, func(m string) bool { return m == "" })
	if slices.Equal(filled, modifiers) {
		return modifiers, true
	}
	return slices.Clone(filled), true
}
