package isa

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed grammar.txt
var grammarText string

var table = sync.OnceValue(func() []*Section {
	sections, err := readGrammar(grammarText)
	if err != nil {
		panic("isa: grammar.txt: " + err.Error()) // a test reads it: cannot happen in a release
	}
	return sections
})

// definitions are the "name = { values }" lines of a section.
type definitions struct {
	values   map[string][]string
	defaults map[string]string
}

// readGrammar reads the notation described at the head of grammar.txt.
func readGrammar(text string) ([]*Section, error) {
	var sections []*Section
	for chunk := range strings.SplitSeq(text, "\nsection ") {
		if strings.HasPrefix(chunk, "#") {
			continue
		}
		section, err := readSection(chunk)
		if err != nil {
			return nil, fmt.Errorf("section %.12s: %w", chunk, err)
		}
		sections = append(sections, section)
	}
	return sections, nil
}

func readSection(chunk string) (*Section, error) {
	head, body, _ := strings.Cut(chunk, "\n")
	s := new(Section)
	title := strings.Split(head, `"`)
	if len(title) != 3 {
		return nil, fmt.Errorf("no title in %q", head)
	}
	s.Number, s.Title = strings.TrimSpace(title[0]), title[1]
	if _, err := fmt.Sscanf(title[2], " ptx %d.%d sm %d", &s.PTX.Major, &s.PTX.Minor, &s.SM); err != nil {
		return nil, fmt.Errorf("gates in %q: %w", head, err)
	}

	defs := definitions{map[string][]string{}, map[string]string{}}
	var lines, comments []string
	var rules []string
	comment := ""
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimSpace(line)
		switch name, value, isDefault := strings.Cut(line, " defaults to "); {
		case line == "":
		case strings.HasPrefix(line, "// "):
			comment = line[3:]
		case strings.HasPrefix(line, "rule "):
			rules = append(rules, line[5:])
		case isDefault:
			defs.defaults[name] = value
		case strings.Contains(line, "="):
			if err := defs.read(strings.TrimSuffix(line, ";")); err != nil {
				return nil, err
			}
		default:
			lines, comments = append(lines, line), append(comments, comment)
		}
	}

	for i, line := range lines {
		name := line[:strings.IndexByte(line, '.')]
		mnemonics := defs.values[name]
		if mnemonics == nil {
			mnemonics = []string{name}
		}
		for _, mnemonic := range mnemonics {
			row, err := readRow(mnemonic, strings.Replace(line, name, mnemonic, 1), defs)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			row.Section, row.Comment = s, comments[i]
			row.choices = choicesUnder(rules, row)
			s.Rows = append(s.Rows, row)
			if i == 0 {
				s.Ops = append(s.Ops, row.Op)
			}
		}
	}
	return s, nil
}

// read reads ".dtype = .atype = { .u32, .s32 }", and the two sets that the
// manual gives by a sentence: { .hxy, where x,y are from { 0, 1, 2, 3 } }.
func (d definitions) read(line string) error {
	names := strings.Split(line, "=")
	set := strings.TrimSpace(names[len(names)-1])
	if len(set) < 2 || set[0] != '{' || set[len(set)-1] != '}' {
		return fmt.Errorf("no set in %q", line)
	}
	set = strings.TrimSpace(set[1 : len(set)-1])
	var values []string
	switch {
	case strings.HasPrefix(set, ".hxy, where x,y are from { 0, 1, 2, 3 }"):
		values = selectors(".h", 2, 4)
	case strings.HasPrefix(set, ".bxyzw, where x,y,z,w are from { 0, ..., 7 }"):
		values = selectors(".b", 4, 8)
	default:
		for value := range strings.SplitSeq(set, ",") {
			values = append(values, strings.TrimSpace(value))
		}
	}
	for _, name := range names[:len(names)-1] {
		d.values[strings.TrimSpace(name)] = values
	}
	return nil
}

// selectors returns all words of the given number of digits below base, after a prefix.
func selectors(prefix string, digits, base int) []string {
	words := []string{prefix}
	for range digits {
		var longer []string
		for _, w := range words {
			for digit := range base {
				longer = append(longer, w+string(rune('0'+digit)))
			}
		}
		words = longer
	}
	return words
}

// readRow reads one syntax line, such as
//
//	vmad.dtype.atype.btype{.sat}{.scale}  d, {-}a{.asel}, {-}b{.bsel}, {-}c;
func readRow(mnemonic, line string, defs definitions) (*Row, error) {
	row := &Row{Op: ParseOp(mnemonic), Line: strings.Join(strings.Fields(line), " ")}
	if row.Op == NoOp {
		return nil, fmt.Errorf("no such mnemonic %q", mnemonic)
	}
	head, operands, _ := strings.Cut(strings.TrimSuffix(row.Line, ";"), " ")
	for text := head[len(mnemonic):]; text != ""; {
		var part string
		part, text = cutSlot(text)
		slot, err := newSlot(row.Op, part, defs)
		if err != nil {
			return nil, err
		}
		row.Modifiers = append(row.Modifiers, slot)
	}
	for text := range strings.SplitSeq(operands, ", ") {
		text, negated := strings.CutPrefix(text, "{-}")
		operand := Operand{Name: text[:1]}
		if negated {
			neg := map[string]*field{"a": nega, "b": negb, "c": negc}[operand.Name]
			operand.Neg = &Slot{Name: "-", Optional: true, Values: []string{"-"}, op: row.Op, field: neg, codes: []uint16{1}}
		}
		if text = text[1:]; text != "" {
			slot, err := newSlot(row.Op, text, defs)
			if err != nil {
				return nil, err
			}
			operand.Sel = slot
		}
		row.Operands = append(row.Operands, operand)
	}
	return row, nil
}

// cutSlot cuts the first ".name" or "{.name}" off a list of modifiers.
func cutSlot(text string) (slot, rest string) {
	if text[0] == '{' {
		end := strings.IndexByte(text, '}') + 1
		return text[:end], text[end:]
	}
	if end := strings.IndexAny(text[1:], ".{"); end >= 0 {
		return text[:end+1], text[end+1:]
	}
	return text, ""
}

// newSlot makes the slot that ".name", "{.name}" or a literal such as "{.sat}" stands for.
func newSlot(op Op, text string, defs definitions) (*Slot, error) {
	name := strings.Trim(text, "{}")
	s := &Slot{Name: name, Optional: text[0] == '{', op: op}
	if fields, ok := named[name]; ok {
		s.Values, s.Default = defs.values[name], defs.defaults[name]
		s.field = fields[0]
		if op.SIMD() {
			s.field = fields[1]
		}
	} else {
		s.Values, s.field = []string{name}, literal[name]
	}
	if s.field == nil || s.Values == nil {
		return nil, fmt.Errorf("%s is not defined", name)
	}
	for _, value := range s.Values {
		code, ok := s.field.parse(op, value)
		if !ok {
			return nil, fmt.Errorf("%s has no value %s", name, value)
		}
		s.codes = append(s.codes, code)
	}
	return s, nil
}
