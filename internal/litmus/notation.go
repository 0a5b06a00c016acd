package litmus

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the program in the notation that [Parse] reads, a thread a line, and how it is
// placed.
func (p *Program) String() string {
	var s strings.Builder
	for t, ops := range p.Threads {
		at := p.Places[t]
		fmt.Fprintf(&s, "T%d (CTA %d, warp %d):", t, at.CTA, at.Warp)
		for i := range ops {
			fmt.Fprintf(&s, " %s;", ops[i].notation())
		}
		s.WriteString("\n")
	}
	fmt.Fprintf(&s, "locations of %v bytes, %s", p.Sizes, []string{"in lines of their own", "side by side", "in arrays"}[p.Layout])
	for _, flag := range []struct {
		on   bool
		text string
	}{{p.Shared, ", in shared memory"}, {p.Merged, ", as one piece of code"}, {p.Meets, ", with a barrier before each round"}} {
		if flag.on {
			s.WriteString(flag.text)
		}
	}
	fmt.Fprintf(&s, ", %d instances at once", p.Width)
	return s.String()
}

// mnemonic is an instruction without operands.
func (o *Op) mnemonic() string {
	switch o.Kind {
	case Barrier:
		return "bar"
	case Fence:
		if o.Membar {
			return "membar." + membarLevels[o.Scope]
		}
		return fmt.Sprintf("fence.%v.%v", o.Order, o.Scope)
	}
	name := []string{Load: "ld", Await: "await", Store: "st", Atom: "atom", Red: "red"}[o.Kind] + "." + o.Order.String()
	if o.Order != Weak && o.Order != Volatile {
		name += "." + o.Scope.String()
	}
	if o.Update != "" {
		name += "." + o.Update
	}
	if o.Elements > 1 {
		name += fmt.Sprintf(".v%d", o.Elements)
	}
	if o.Wide > 1 {
		name += fmt.Sprintf(".wide%d", o.Wide)
	}
	if o.Generic {
		name += ".generic"
	}
	return name
}

var membarLevels = []string{CTA: "cta", Cluster: "cta", GPU: "gl", System: "sys"}

// notation is the instruction as String has it.
func (o *Op) notation() string {
	var s strings.Builder
	if o.Pause {
		s.WriteString("pause ")
	}
	if g := o.Guard; g.Register != NoRegister {
		fmt.Fprintf(&s, "%s r%d ", map[bool]string{false: "if", true: "unless"}[g.Zero], g.Register)
	}
	s.WriteString(o.mnemonic())
	if !o.memory() {
		return s.String()
	}
	if o.Depends == NoRegister {
		s.WriteString(" " + locationName(o.Location))
	} else {
		fmt.Fprintf(&s, " r%d?%s:%s", o.Depends, locationName(o.Location), locationName(o.Else))
	}
	if strings.HasPrefix(o.Update, "cas") {
		fmt.Fprintf(&s, ", %d", o.Compare)
	}
	if o.Kind != Load && o.Kind != Await {
		for _, v := range append([]Value{o.Value}, o.More...) {
			if v.Register != NoRegister {
				fmt.Fprintf(&s, ", r%d", v.Register)
			} else {
				fmt.Fprintf(&s, ", %d", v.Byte)
			}
		}
	}
	return s.String()
}

// Parse reads the threads of a program, a line each, as String writes them: "st.relaxed.gpu x, 1;
// ld.acquire.sys y". Each is in a CTA of its own, and the locations are of 4 bytes, each in a line
// of its own.
func Parse(text string) (*Program, error) {
	p := &Program{Name: text, Width: 1}
	locations := 0
	for line := range strings.Lines(strings.TrimSpace(text)) {
		var ops []Op
		for part := range strings.SplitSeq(line, ";") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			op, err := parseOp(part)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", part, err)
			}
			if op.memory() {
				locations = max(locations, op.Location+op.Elements, op.Location+op.Wide, op.Else+1)
			}
			ops = append(ops, op)
		}
		p.Places = append(p.Places, Place{CTA: len(p.Threads)})
		p.Threads = append(p.Threads, ops)
	}
	for range locations {
		p.Sizes = append(p.Sizes, 4)
	}
	return p, nil
}

// parseOp reads one instruction.
func parseOp(text string) (op Op, err error) {
	words := strings.Fields(strings.ReplaceAll(text, ",", " "))
	op = newOp(Load, Weak, System, 0)
	if words[0] == "pause" {
		op.Pause, words = true, words[1:]
	}
	if words[0] == "if" || words[0] == "unless" {
		if op.Guard.Register, err = number(words[1], "r"); err != nil {
			return op, err
		}
		op.Guard.Zero, words = words[0] == "unless", words[2:]
	}
	if err := op.parseMnemonic(words[0]); err != nil {
		return op, err
	}
	if op.memory() {
		err = op.parseOperands(words[1:])
	}
	return op, err
}

// parseMnemonic reads a mnemonic with its modifiers.
func (o *Op) parseMnemonic(text string) error {
	parts := strings.Split(text, ".")
	kinds := map[string]Kind{"ld": Load, "await": Await, "st": Store, "atom": Atom, "red": Red, "fence": Fence, "membar": Fence, "bar": Barrier}
	kind, ok := kinds[parts[0]]
	if !ok {
		return fmt.Errorf("no instruction %s", parts[0])
	}
	o.Kind, o.Membar = kind, parts[0] == "membar"
	if o.Membar {
		o.Order = SC
	}
	for n, part := range parts[1:] {
		switch part {
		case "v2", "v4":
			o.Elements = int(part[1] - '0')
		case "wide2", "wide4":
			o.Wide = int(part[4] - '0')
		case "generic":
			o.Generic = true
		case "gl":
			o.Scope = GPU
		default:
			if i := indexOf(orderNames, part); i >= 0 {
				o.Order = Order(i)
			} else if i := indexOf(scopeNames, part); i >= 0 {
				o.Scope = Scope(i)
			} else {
				o.Update = strings.Join(parts[n+1:], ".")
				return nil
			}
		}
	}
	return nil
}

func indexOf(names []string, name string) int {
	for i := range names {
		if names[i] == name {
			return i
		}
	}
	return -1
}

// parseOperands reads the location and the values of an access.
func (o *Op) parseOperands(words []string) (err error) {
	name := words[0]
	if register, rest, ok := strings.Cut(name, "?"); ok {
		if o.Depends, err = number(register, "r"); err != nil {
			return err
		}
		one, other, _ := strings.Cut(rest, ":")
		if name = one; len(other) != 1 {
			return fmt.Errorf("no location %q", other)
		}
		o.Else = strings.Index(locationNames, other)
	}
	if o.Location = strings.Index(locationNames, name); len(name) != 1 || o.Location < 0 {
		return fmt.Errorf("no location %q", name)
	}
	words = words[1:]
	if strings.HasPrefix(o.Update, "cas") {
		compare, err := number(words[0], "")
		if err != nil {
			return err
		}
		o.Compare, words = uint8(compare), words[1:]
	}
	for n, word := range words {
		v := constant(0)
		if strings.HasPrefix(word, "r") {
			v.Register, err = number(word, "r")
		} else {
			var b int
			b, err = number(word, "")
			v.Byte = uint8(b)
		}
		if err != nil {
			return err
		}
		if n == 0 {
			o.Value = v
		} else {
			o.More = append(o.More, v)
		}
	}
	return nil
}

func number(text, prefix string) (int, error) {
	return strconv.Atoi(strings.TrimPrefix(text, prefix))
}
