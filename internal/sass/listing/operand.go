package listing

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Kind is what an operand is.
type Kind uint8

// What operands are.
const (
	Register         Kind = iota + 1 // R5, RZ
	Uniform                          // UR4, URZ
	Predicate                        // P0, !P0, PT
	UniformPredicate                 // UP0, UPT
	Immediate                        // 0x10, -0x1, 5
	Float                            // 1.5, -QNAN, +INF
	Constant                         // c[0x0][0x160], c[0x0][R2+0x160]
	Memory                           // [R2.64+0x4], desc[UR4][R2.64]
	Label                            // `(.L_x_0)
	Special                          // SR_TID.X, SRZ, PR, B0
)

// Zero is the number of RZ, URZ, PT and UPT.
const Zero = -1

// Operand is an operand of an instruction.
type Operand struct {
	Kind     Kind
	Text     string // as printed
	Negated  bool   // -R5, and !P0
	Inverted bool   // ~R5
	Absolute bool   // |R5|
	Number   int    // of a register or predicate; Zero
	Suffix   string // what stands behind a register: "64", "B1", "H0_H0"; not "reuse", which means nothing
	// Value is an immediate's 32 bits, or as many as it has; the offset of a constant or of memory.
	Value int64
	Float float64 // of a Float; without meaning if Unknown
	// Unknown is set on a Float whose bits the text does not tell, a NaN: they are in the code.
	Unknown bool
	Bank    int
	Base    *Operand // the register in brackets
	Index   *Operand // the uniform register in brackets
	Name    string   // of a label or a special register
}

var (
	register = regexp.MustCompile(`^(UR|R|UP|P)(\d{1,3}|Z|T)((?:\.[A-Za-z0-9_]+)*)$`)
	special  = regexp.MustCompile(`^(?:SR_[A-Z0-9_.]+|SRZ|PR|S?B\d{1,2})$`)
	bank     = regexp.MustCompile(`^c\[(0x[0-9a-f]{1,2})\]\[([^\[\]]*)\]((?:\.[A-Za-z0-9_]+)*)$`)
	bracket  = regexp.MustCompile(`^(?:desc\[(?:UR\d{1,2}|URZ)(?:\.64)?\])?\[([^\[\]]*)\]$`)
	symbol   = regexp.MustCompile("^`\\(([.$\\w]+)\\)$")
	floating = regexp.MustCompile(`^[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|INF|S?Q?NAN)$`)
)

// counts are how many registers there are of each kind.
var counts = map[string]int{"R": 255, "UR": 63, "P": 7, "UP": 7}

// parseOperand reads an operand.
func parseOperand(text string) (Operand, error) {
	o := Operand{Text: text}
	word := text
	if !number(word) {
		word = o.modifiers(word)
	}
	if m := register.FindStringSubmatch(word); m != nil {
		return o, o.register(m[1], m[2], m[3])
	}
	if m := bank.FindStringSubmatch(word); m != nil {
		return o, o.constant(m[1], m[2], m[3])
	}
	if m := bracket.FindStringSubmatch(word); m != nil && word == text {
		o.Kind = Memory
		return o, o.address(m[1])
	}
	if m := symbol.FindStringSubmatch(text); m != nil {
		o.Kind, o.Name = Label, m[1]
		return o, nil
	}
	if special.MatchString(text) {
		o.Kind, o.Name = Special, text
		return o, nil
	}
	if v, ok := integer(text); ok {
		o.Kind, o.Value = Immediate, v
		return o, nil
	}
	if floating.MatchString(text) {
		o.Kind = Float
		v, ok := float(text)
		o.Float, o.Unknown = v, !ok
		return o, nil
	}
	return o, fmt.Errorf("the operand %q is not known", text)
}

// number reports whether a text begins as a number does, so that a sign belongs to it.
func number(text string) bool {
	text = strings.TrimLeft(text, "-+")
	return text != "" && (text[0] >= '0' && text[0] <= '9' || text[0] == 'I' || text[0] == 'Q' || text[0] == 'N')
}

// modifiers takes the signs off an operand.
func (o *Operand) modifiers(word string) string {
	switch {
	case strings.HasPrefix(word, "-"), strings.HasPrefix(word, "!"):
		o.Negated, word = true, word[1:]
	case strings.HasPrefix(word, "~"):
		o.Inverted, word = true, word[1:]
	}
	if rest, ok := strings.CutPrefix(word, "|"); ok {
		if inner, after, ok := strings.Cut(rest, "|"); ok {
			o.Absolute, word = true, inner+after
		}
	}
	return word
}

// register sets what a register operand is.
func (o *Operand) register(class, n, suffix string) error {
	o.Kind = map[string]Kind{"R": Register, "UR": Uniform, "P": Predicate, "UP": UniformPredicate}[class]
	predicate := o.Kind == Predicate || o.Kind == UniformPredicate
	o.Number = Zero
	if n == "Z" && predicate || n == "T" && !predicate {
		return fmt.Errorf("the operand %q is not known", o.Text)
	}
	if n != "Z" && n != "T" {
		o.Number, _ = strconv.Atoi(n)
		if o.Number >= counts[class] {
			return fmt.Errorf("there is no register %s%s", class, n)
		}
	}
	if sign := strings.HasPrefix(o.Text, "!"); sign != predicate && sign || predicate && (sign != o.Negated || o.Inverted || o.Absolute) {
		return fmt.Errorf("the sign of %q is not known", o.Text)
	}
	o.suffix(suffix)
	return nil
}

// suffix keeps what stands behind a register, but for .reuse.
func (o *Operand) suffix(text string) {
	var kept []string
	for word := range strings.SplitSeq(strings.TrimPrefix(text, "."), ".") {
		if word != "reuse" && word != "" {
			kept = append(kept, word)
		}
	}
	o.Suffix = strings.Join(kept, ".")
}

// constant sets what an operand of a constant bank is.
func (o *Operand) constant(bank, inner, suffix string) error {
	n, err := strconv.ParseUint(bank, 0, 8)
	if err != nil {
		return err
	}
	o.Kind, o.Bank = Constant, int(n)
	o.suffix(suffix)
	return o.address(inner)
}

// address reads what stands in brackets: "R2.64+UR4+0x4", "0x160", "R2+-0x4".
func (o *Operand) address(text string) error {
	if text == "" {
		return fmt.Errorf("nothing in the brackets of %q", o.Text)
	}
	for word := range strings.SplitSeq(text, "+") {
		if v, ok := integer(word); ok {
			if o.Value != 0 {
				return fmt.Errorf("two offsets in %q", o.Text)
			}
			o.Value = v
			continue
		}
		m := register.FindStringSubmatch(word)
		if m == nil {
			return fmt.Errorf("%q in %q is not known", word, o.Text)
		}
		r := Operand{Text: word}
		if err := r.register(m[1], m[2], m[3]); err != nil {
			return err
		}
		switch {
		case r.Kind == Register && o.Base == nil && o.Index == nil:
			o.Base = &r
		case r.Kind == Uniform && o.Index == nil:
			o.Index = &r
		default:
			return fmt.Errorf("%q in %q is not known", word, o.Text)
		}
	}
	return nil
}

// integer reads an integer of at most 64 bits: "0x10", "-0x1", "5".
func integer(text string) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || strings.Contains(digits, "_") {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "0x"); ok {
		digits, base = hex, 16
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return 0, false
	}
	if negative {
		return -int64(v), true
	}
	return int64(v), true
}
