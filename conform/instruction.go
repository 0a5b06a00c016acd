package conform

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// ParseForm reads an instruction on registers as vector files hold it, such as
// "vadd.s32.u32.s32.sat d.b0, a.h1, b, c;". Programs as people write them are
// read by package syntax.
func ParseForm(instruction string) (isa.Form, error) {
	text, ended := strings.CutSuffix(strings.TrimSpace(instruction), ";")
	mnemonic, operands, spaced := strings.Cut(text, " ")
	if !ended || !spaced {
		return isa.Form{}, fmt.Errorf("%q: want an instruction with operands and a semicolon", instruction)
	}
	op, modifiers := split(mnemonic)
	written := isa.Written{Op: isa.ParseOp(op), Modifiers: modifiers}
	if written.Op == isa.NoOp {
		return isa.Form{}, fmt.Errorf("%q: %s is not a video instruction", instruction, op)
	}
	for _, operand := range strings.Split(operands, ",") {
		register, selectors := split(strings.TrimSpace(operand))
		register, negated := strings.CutPrefix(register, "-")
		if register == "" {
			return isa.Form{}, fmt.Errorf("%q: an operand is missing", instruction)
		}
		written.Operands = append(written.Operands, isa.Argument{Negated: negated, Selector: strings.Join(selectors, "")})
	}
	var f isa.Form
	if ok, problems := isa.Match(&written, &f); !ok {
		return isa.Form{}, fmt.Errorf("%q: want %s", instruction, problems[0].Row.Line)
	}
	return f, nil
}

// split cuts a word with its suffixes: "vadd", ".s32", ".sat".
func split(word string) (stem string, suffixes []string) {
	stem, rest, dotted := strings.Cut(word, ".")
	if !dotted {
		return stem, nil
	}
	for _, suffix := range strings.Split(rest, ".") {
		suffixes = append(suffixes, "."+suffix)
	}
	return stem, suffixes
}
