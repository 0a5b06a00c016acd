package vm

import (
	"fmt"
	"strings"
)

// MissingError is the error of a kernel with instructions that the machine cannot execute.
type MissingError struct {
	Kernel string
	// Forms are the instructions, one for each form and reason, in the order of their lines.
	Forms []MissingForm
}

// MissingForm is an instruction that the machine cannot execute, and its first place.
type MissingForm struct {
	Form      string // "wgmma.fence.sync.aligned"
	File      string
	Line, Col int
	Count     int // of such instructions
	Kind      MissingKind
	Why       string // more about it, if there is more to say
}

// MissingKind says what keeps an instruction from being executed.
type MissingKind uint8

// The kinds.
const (
	NotImplemented     MissingKind = iota // the machine does not have the form
	UnknownInstruction                    // PTX has no instruction of that name
	UnusableOperand                       // an operand is not what the instruction takes
	UndefinedName                         // a function or a variable is declared, and defined nowhere
)

// String names the kind in a word or two.
func (k MissingKind) String() string {
	return [...]string{"not implemented", "unknown instruction", "unusable operand", "undefined name"}[k]
}

// phrases are what is said of one form of a kind, and of several.
var phrases = [...][2]string{
	NotImplemented:     {"an instruction form is not implemented", "%d instruction forms are not implemented"},
	UnknownInstruction: {"an instruction is unknown", "%d instructions are unknown"},
	UnusableOperand:    {"an instruction has an operand that it cannot take", "%d instructions have operands that they cannot take"},
	UndefinedName:      {"a name is not defined", "%d names are not defined"},
}

// Error lists the forms, one to a line.
func (e *MissingError) Error() string {
	var counts [len(phrases)]int
	for _, f := range e.Forms {
		counts[f.Kind]++
	}
	var parts []string
	for kind, n := range counts {
		switch n {
		case 0:
		case 1:
			parts = append(parts, phrases[kind][0])
		default:
			parts = append(parts, fmt.Sprintf(phrases[kind][1], n))
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "kernel %s cannot run: %s", e.Kernel, strings.Join(parts, ", "))
	for _, f := range e.Forms {
		fmt.Fprintf(&s, "\n%s:%d:%d: %s", f.File, f.Line, f.Col, f.Form)
		if f.Why != "" {
			s.WriteString(": " + f.Why)
		}
		if f.Count > 1 {
			fmt.Fprintf(&s, " (%d times)", f.Count)
		}
	}
	return s.String()
}
