package build

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// Missing lists what keeps a function from being built, one entry for each form and reason, in the
// order of the first instructions.
type Missing []MissingForm

// MissingForm is an instruction that cannot be built.
type MissingForm struct {
	Form  string // "wgmma.fence.sync.aligned"
	At    int    // the first of them: index in check.Function.Body
	Count int
	Kind  MissingKind
	Why   string // more about it, if there is more to say
}

// MissingKind says what keeps an instruction from being built.
type MissingKind uint8

// The kinds.
const (
	NotImplemented     MissingKind = iota // there is no code for the form
	UnknownInstruction                    // PTX has no instruction of that name
	UnusableOperand                       // an operand is not what the instruction takes
	UndefinedName                         // a function or a variable is declared, and defined nowhere
)

// note enters an instruction, whose form has a meaning.
func (m *Missing) note(of *builder.Meaning, at int32, kind MissingKind, why string) {
	form := of.Written.String()
	same := func(other MissingForm) bool { return other.Form == form && other.Kind == kind && other.Why == why }
	if i := slices.IndexFunc(*m, same); i >= 0 {
		(*m)[i].Count++
		return
	}
	*m = append(*m, MissingForm{Form: form, At: int(at), Count: 1, Kind: kind, Why: why})
}

// kindOf returns what users are told of what keeps an instruction from being built.
func kindOf(r builder.Reason) MissingKind {
	switch r {
	case builder.Unusable:
		return UnusableOperand
	case builder.Undefined:
		return UndefinedName
	}
	return NotImplemented
}

// otherMnemonics are the instructions of PTX (up to 9.0) that no table here has a form of.
var otherMnemonics = strings.Fields("clusterlaunchcontrol istypep multimem tcgen05 tensormap wgmma")

// isMnemonic reports whether PTX has an instruction of a name.
func isMnemonic(name string) bool {
	if _, ok := rows()[name]; ok {
		return true
	}
	for _, other := range otherMnemonics {
		if name == other {
			return true
		}
	}
	return false
}
