package inst

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// readSection reads the lines of a section, or the sets before the first one.
func readSection(s *Section, body string, defs sets) error {
	var lines []string
	var parts []part
	for line := range strings.SplitSeq(body, "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "//"):
		case strings.Contains(line, "="):
			if err := defs.read(line); err != nil {
				return err
			}
		case strings.HasPrefix(line, "with "):
			p, err := readPart(line)
			if err != nil {
				return err
			}
			parts = append(parts, p)
		default:
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		end := strings.IndexAny(line, ".{ ")
		mnemonics := []string{line[:end]}
		if named := defs.own[line[:end]]; named != nil {
			mnemonics = named.values
		}
		for _, mnemonic := range mnemonics {
			row, err := readRow(mnemonic, line[end:], defs)
			if err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
			row.Section, row.parts = s, parts
			s.rows = append(s.rows, row)
		}
	}
	return nil
}

// set is what may stand in a place.
type set struct {
	values []string
	types  []Type // of the values, if typed
	typed  bool   // all are types
}

func newSet(values []string) *set {
	s := &set{values: values, types: make([]Type, len(values)), typed: true}
	for i, value := range values {
		s.types[i] = ParseType(value)
		s.typed = s.typed && s.types[i] != NoType
	}
	return s
}

// sets are the definitions of a section, and those of all sections.
type sets struct {
	own, global map[string]*set
}

func (s sets) find(name string) *set {
	if v := s.own[name]; v != nil {
		return v
	}
	return s.global[name]
}

// read reads ".dtype = .atype = { .u32, .s32 };" or ".type = .int;".
func (s sets) read(line string) error {
	names := strings.Split(strings.TrimSuffix(line, ";"), "=")
	text := strings.TrimSpace(names[len(names)-1])
	defined := s.find(text)
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		values := strings.Split(text[1:len(text)-1], ",")
		for i := range values {
			values[i] = strings.TrimSpace(values[i])
		}
		defined = newSet(values)
	}
	if defined == nil {
		return fmt.Errorf("no set in %q", line)
	}
	for _, name := range names[:len(names)-1] {
		s.own[strings.TrimSpace(name)] = defined
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
	row.keepOrder()
	if err := row.readOperands(strings.TrimSpace(operands)); err != nil {
		return nil, err
	}
	row.Line = row.spell()
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

func (r *Row) addSlot(text string, defs sets) {
	name := strings.Trim(text, "{}")
	if name == ".*" {
		r.Loose = true
		return
	}
	values := defs.find(name)
	if values == nil {
		values = newSet([]string{name})
	}
	s := &Slot{
		Name: name, Optional: text[0] == '{', Values: values.values, Type: values.typed,
		index: len(r.Slots), types: values.types,
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
	err := r.Needs.read(from)
	if ends {
		var wrong error
		r.Until, wrong = readGate(until)
		err = errors.Join(err, wrong)
	}
	return err
}

// readPart reads "with .f16 e ptx 4.2 sm 53".
func readPart(line string) (p part, err error) {
	words, needs, _ := strings.Cut(strings.TrimPrefix(line, "with "), " ptx ")
	p.words = strings.Fields(words)
	return p, p.Needs.read("ptx " + needs)
}

// read reads "ptx 7.0 sm 80".
func (r *Needs) read(text string) error {
	from, others, several := strings.Cut(strings.TrimSpace(text), "+")
	from, exact := strings.CutSuffix(from, "a")
	gate, err := readGate(from)
	if err != nil {
		return err
	}
	if several {
		letter := map[bool]string{true: "a", false: "f"}[exact]
		for other := range strings.SplitSeq(others, "+") {
			n, err := strconv.Atoi(strings.TrimSuffix(other, letter))
			if err != nil || !strings.HasSuffix(other, letter) || !exact && !gate.Features {
				return fmt.Errorf("gates %q", text)
			}
			r.Families = append(r.Families, n)
		}
	}
	r.PTX, r.SM, r.Family, r.Exact = gate.PTX, gate.SM, gate.Features && !exact, exact
	return nil
}

func readGate(text string) (g Gate, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return g, nil
	}
	words := strings.Fields(text)
	if len(words) != 4 || words[0] != "ptx" || words[2] != "sm" {
		return g, fmt.Errorf("gates %q", text)
	}
	words[3], g.Features = strings.CutSuffix(words[3], "f")
	major, minor, _ := strings.Cut(words[1], ".")
	for _, n := range []struct {
		to   *int
		text string
	}{{&g.PTX.Major, major}, {&g.PTX.Minor, minor}, {&g.SM, words[3]}} {
		if *n.to, err = strconv.Atoi(n.text); err != nil {
			return g, fmt.Errorf("gates %q: %w", text, err)
		}
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
		if optional {
			r.optional = append(r.optional, len(r.Operands))
		} else {
			r.Required++
		}
		r.Operands = append(r.Operands, o)
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

// cutSecond cuts an operand from what follows a |, outside of all brackets.
func cutSecond(text string) (first, second string, found bool) {
	if i := strings.LastIndexByte(text, '|'); i > strings.LastIndexAny(text, ")]") {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

// readOperand reads one operand, such as "d_{|p:pred}" or "a~%:jtype".
func (r *Row) readOperand(text string) (o Operand, err error) {
	text, second, found := cutSecond(text)
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
		o.Shape = Memory
		name, index, indexed := strings.Cut(strings.TrimSuffix(inner, "]"), ",")
		name, handle, opaque := strings.Cut(name, ":")
		if o.Handle = ParseType("." + handle); opaque && o.Handle < firstOther {
			return o, fmt.Errorf("no handle %q", handle)
		}
		if o.Name = name; indexed {
			e, err := r.readOperand(strings.TrimSpace(index))
			if err != nil {
				return o, err
			}
			o.Index = &e
		}
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
		case '$':
			o.Bare = true
		case '@':
			o.Shape = Naming
		case '_':
			o.Sink = true
		case '+':
			o.Braced = true
		case '^':
			o.Mixed = true
		case '[':
			end := max(strings.IndexByte(text, ']'), i+1)
			if o.Allowed, err = readConstants(text[i+1 : end]); err != nil {
				return o, err
			}
			i = end
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
		case '(':
			end := strings.IndexByte(text, ')')
			if err := r.readCount(&o, text[i+1:max(end, i+1)]); err != nil {
				return o, fmt.Errorf("operand %q", text)
			}
			o.Shape, i = Several, end
		default:
			return o, fmt.Errorf("operand %q", text)
		}
	}
	o.typ, err = r.typeRule(o.Name, typ, typed)
	return o, err
}

// readCount reads how many elements a vector has: "4", "2|4", ".dim", ".dim-2", ".shape/2", ".num*4", ".geom coordinates".
func (r *Row) readCount(o *Operand, text string) error {
	if !strings.HasPrefix(text, ".") {
		for count := range strings.SplitSeq(text, "|") {
			n, err := strconv.Atoi(count)
			if err == nil && n < 1 {
				err = strconv.ErrRange
			}
			if err != nil {
				return err
			}
			o.counts = append(o.counts, n)
		}
		return nil
	}
	name, kind, _ := strings.Cut(text, " ")
	c := &counter{kind: kind}
	if at := strings.IndexAny(text, "-*/"); at >= 0 {
		n, err := strconv.Atoi(text[at+1:])
		if err != nil || n < 1 {
			return fmt.Errorf("count %s", text)
		}
		name, c.sign, c.by = text[:at], text[at], n
	}
	if c.slot = r.slot(name); c.slot == nil || c.slot.Optional {
		return fmt.Errorf("no slot %s", name)
	}
	o.counter = c
	return nil
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
