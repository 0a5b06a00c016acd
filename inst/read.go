package inst

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed table.txt
var tableText string

// table is what table.txt says.
type table struct {
	sections []*Section
	byName   map[string][]*Row // by mnemonic up to its first dot
	names    []string          // these mnemonics, in order
	words    map[string]bool   // all modifiers
}

var theTable = sync.OnceValue(func() *table {
	t, err := readTable(tableText)
	if err != nil {
		panic("inst: table.txt: " + err.Error()) // a test reads it: cannot happen in a release
	}
	return t
})

// sets are the definitions of a section, and those of all sections.
type sets struct {
	own, global map[string][]string
}

func (s sets) values(name string) []string {
	if v := s.own[name]; v != nil {
		return v
	}
	return s.global[name]
}

// readTable reads the notation described at the head of table.txt.
func readTable(text string) (*table, error) {
	t := &table{byName: map[string][]*Row{}, words: map[string]bool{}}
	global := map[string][]string{}
	for i, chunk := range strings.Split(text, "\nsection ") {
		section, err := readSection(chunk, i == 0, global)
		if err != nil {
			return nil, fmt.Errorf("section %.12s: %w", chunk, err)
		}
		if i > 0 {
			t.add(section)
		}
	}
	for _, rows := range t.byName {
		flags := slices.ContainsFunc(rows, func(r *Row) bool { return r.slot(".sat") != nil || r.slot(".ftz") != nil })
		for _, row := range rows {
			row.flags = flags
		}
	}
	slices.Sort(t.names)
	return t, nil
}

// add enters the rows of a section.
func (t *table) add(s *Section) {
	t.sections = append(t.sections, s)
	for _, row := range s.Rows {
		if t.byName[row.name] == nil {
			t.names = append(t.names, row.name)
		}
		t.byName[row.name] = append(t.byName[row.name], row)
		for _, word := range row.rest {
			t.words[word] = true
		}
		for _, slot := range row.Slots {
			for _, value := range slot.Values {
				t.words[value] = true
			}
		}
	}
}

// readSection reads a section, or the sets before the first one.
func readSection(chunk string, first bool, global map[string][]string) (*Section, error) {
	s := new(Section)
	body := chunk
	defs := sets{map[string][]string{}, global}
	if first {
		defs.own = global
	} else {
		var head string
		head, body, _ = strings.Cut(chunk, "\n")
		parts := strings.Split(head, `"`)
		if len(parts) != 3 {
			return nil, fmt.Errorf("no title in %q", head)
		}
		s.Number, s.Title, s.Meaning = strings.TrimSpace(parts[0]), parts[1], strings.TrimSpace(parts[2])
	}
	var lines []string
	for line := range strings.SplitSeq(body, "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "//"):
		case strings.Contains(line, "="):
			if err := defs.read(line); err != nil {
				return nil, err
			}
		default:
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		end := strings.IndexAny(line, ".{ ")
		mnemonics := defs.own[line[:end]]
		if mnemonics == nil {
			mnemonics = []string{line[:end]}
		}
		for _, mnemonic := range mnemonics {
			row, err := readRow(mnemonic, line[end:], defs)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			row.Section = s
			s.Rows = append(s.Rows, row)
		}
	}
	return s, nil
}

// read reads ".dtype = .atype = { .u32, .s32 };" or ".type = .int;".
func (s sets) read(line string) error {
	names := strings.Split(strings.TrimSuffix(line, ";"), "=")
	set := strings.TrimSpace(names[len(names)-1])
	var values []string
	if strings.HasPrefix(set, "{") && strings.HasSuffix(set, "}") {
		for value := range strings.SplitSeq(set[1:len(set)-1], ",") {
			values = append(values, strings.TrimSpace(value))
		}
	} else if values = s.values(set); values == nil {
		return fmt.Errorf("no set in %q", line)
	}
	for _, name := range names[:len(names)-1] {
		s.own[strings.TrimSpace(name)] = values
	}
	return nil
}

// readRow reads one syntax line, without its mnemonic.
func readRow(mnemonic, line string, defs sets) (*Row, error) {
	syntax, gates, ok := strings.Cut(line, ";")
	if !ok {
		return nil, fmt.Errorf("no semicolon")
	}
	row := &Row{Mnemonic: mnemonic}
	if err := row.readGates(gates); err != nil {
		return nil, err
	}
	row.Line = mnemonic + strings.Join(strings.Fields(syntax), " ") + ";"
	if name, rest, dotted := strings.Cut(mnemonic, "."); dotted {
		row.name = name
		for part := range strings.SplitSeq(rest, ".") {
			row.rest = append(row.rest, "."+part)
		}
	} else {
		row.name = mnemonic
	}
	modifiers, operands, _ := strings.Cut(syntax, " ")
	row.modifiers = len(row.rest)
	for modifiers != "" {
		var part string
		part, modifiers = cutSlot(modifiers)
		row.addSlot(part, defs)
	}
	if len(row.Slots) > 64 {
		return nil, fmt.Errorf("too many modifiers")
	}
	return row, row.readOperands(strings.TrimSpace(operands))
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

func (r *Row) addSlot(text string, defs sets) {
	name := strings.Trim(text, "{}")
	if name == ".*" {
		r.Loose = true
		return
	}
	s := &Slot{Name: name, Optional: text[0] == '{', Values: defs.values(name), index: len(r.Slots)}
	if s.Values == nil {
		s.Values = []string{name}
	}
	s.Type = true
	for _, value := range s.Values {
		t := ParseType(value)
		s.codes = append(s.codes, t)
		s.Type = s.Type && t != NoType
	}
	if s.Type {
		r.types = append(r.types, s)
	}
	if !s.Optional {
		r.required |= 1 << s.index
		r.modifiers++
	}
	r.Slots = append(r.Slots, s)
}

// readGates reads "ptx 7.0 sm 80 until ptx 6.4 sm 70".
func (r *Row) readGates(text string) error {
	from, until, ends := strings.Cut(text, "until")
	gate, err := readGate(from)
	if err != nil {
		return err
	}
	r.PTX, r.SM = gate.PTX, gate.SM
	if ends {
		r.Until, err = readGate(until)
	}
	return err
}

func readGate(text string) (g Gate, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return g, nil
	}
	if _, err = fmt.Sscanf(text, "ptx %d.%d sm %d", &g.PTX.Major, &g.PTX.Minor, &g.SM); err != nil {
		return g, fmt.Errorf("gates %q: %w", text, err)
	}
	return g, nil
}

// readOperands reads "d, [a]{, c:b64}".
func (r *Row) readOperands(text string) error {
	for {
		before, rest, found := strings.Cut(text, "{,")
		if !found {
			break
		}
		optional, after, _ := strings.Cut(rest, "}")
		text = before + ", ?" + strings.TrimSpace(optional) + after
	}
	for text != "" {
		var part string
		part, text = cutOperand(text)
		part, optional := strings.CutPrefix(part, "?")
		if part == "..." {
			r.More = true
			continue
		}
		o, err := r.readOperand(part)
		if err != nil {
			return err
		}
		o.Optional = optional
		r.Operands = append(r.Operands, o)
		if !optional {
			r.Required++
		}
	}
	return nil
}

// cutOperand cuts the first operand off a list.
func cutOperand(text string) (part, rest string) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '<', '[':
			depth++
		case '}', '>', ']':
			depth--
		case ',':
			if depth == 0 {
				return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
			}
		}
	}
	return text, ""
}

// readOperand reads one operand, such as "d_{|p:pred}" or "a~%:jtype".
func (r *Row) readOperand(text string) (o Operand, err error) {
	text, second, found := strings.Cut(text, "|")
	if found {
		text, o.NeedsSecond = strings.CutSuffix(text, "{")
		o.NeedsSecond = !o.NeedsSecond
		e, err := r.readOperand(strings.TrimSuffix(second, "}"))
		if err != nil {
			return o, err
		}
		e.Written, e.Sink = true, true
		o.Second = &e
	}
	if inner, address := strings.CutPrefix(text, "["); address {
		o.Shape, o.Name = Memory, strings.TrimSuffix(inner, "]")
		return o, nil
	}
	if strings.HasPrefix(text, ".") {
		slot, rest, _ := strings.Cut(text, " ")
		if o.With, text = r.slot(slot), rest; o.With == nil {
			return o, fmt.Errorf("no slot %s", slot)
		}
	}
	text, o.Not = strings.CutPrefix(text, "!")
	text, typ, typed := strings.Cut(text, ":")
	if text == "" {
		return o, fmt.Errorf("an operand without a name")
	}
	o.Name = text[:1]
	o.Written = o.Name == "d" || o.Name == "p"
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '~':
			o.Relaxed = true
		case '%':
			o.Special = true
		case '&':
			o.Address = true
		case '_':
			o.Sink = true
		case '#':
			o.Shape = Constant
		case '*':
			o.Shape = MaybeMany
		case '<':
			end := strings.IndexByte(text, '>')
			for n := range strings.SplitSeq(text[i+1:end], ",") {
				o.counts = append(o.counts, int(n[0]-'0'))
			}
			o.Shape, i = Packed, end
		default:
			return o, fmt.Errorf("operand %q", text)
		}
	}
	o.typ, err = r.typeRule(o.Name, typ, typed)
	return o, err
}

// typeRule says where the type of an operand comes from: what is written after its colon, or
// the slot .dtype for d, or .type, or the only slot for a type.
func (r *Row) typeRule(operand, typ string, typed bool) (rule typeRule, err error) {
	if typed {
		switch rule.fixed = ParseType("." + typ); {
		case rule.fixed != NoType:
			return rule, nil
		case typ == "addr":
			return typeRule{address: true}, nil
		case typ == "wide":
			rule.twice = true
		default:
			if rule.slot = r.slot("." + typ); rule.slot == nil {
				err = fmt.Errorf("no type %q", typ)
			}
			return rule, err
		}
	}
	rule.slot = r.slot("." + operand + "type")
	if rule.slot == nil {
		rule.slot = r.slot(".type")
	}
	if rule.slot == nil && len(r.types) == 1 {
		rule.slot = r.types[0]
	}
	if rule.slot == nil && len(r.types) > 1 {
		err = fmt.Errorf("operand %s: which type?", operand)
	}
	return rule, err
}

func (r *Row) slot(name string) *Slot {
	for _, s := range r.Slots {
		if s.Name == name {
			return s
		}
	}
	return nil
}
