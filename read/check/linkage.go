package check

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/syntax"
)

// Linkage says which modules a name belongs to (PTX ISA 11.6).
type Linkage uint8

// The linkages.
const (
	Internal Linkage = iota // without a directive: of this module alone
	External                // .extern: defined in another one
	Visible                 // .visible: defined here, for all
	Weak                    // .weak: as .visible, unless another module has a .visible one
	Common                  // .common: one variable for all modules that declare it
)

var linkages = map[string]Linkage{".extern": External, ".visible": Visible, ".weak": Weak, ".common": Common}

// linkageOf returns what the directives before a declaration say.
func linkageOf(words []syntax.Word) (l Linkage) {
	for _, w := range words {
		if said := linkages[w.Text]; said > l {
			l = said
		}
	}
	return l
}

// String returns the linkage as it is written: ".extern".
func (l Linkage) String() string {
	return [...]string{"", ".extern", ".visible", ".weak", ".common"}[l]
}

// Missing says why nothing stands behind a name that is declared only.
func (m *Module) Missing(name string) string {
	for _, f := range m.Functions {
		if f.Name == name && !f.Extern {
			return "the one at " + f.Module.Where(f.Tree.Name) + " is not .visible"
		}
	}
	for _, v := range m.Variables {
		if v.Name == name && !v.Extern {
			return "the one at " + v.Module.Where(v.Decl) + " is not .visible"
		}
	}
	const most = 5 // names
	switch n := len(m.Parts); {
	case n == 0:
		return "another file defines it: give that, too"
	case n > most:
		return fmt.Sprintf("none of the %d files defines it", n)
	}
	var names []string
	for _, part := range m.Parts {
		names = append(names, part.Source.Name)
	}
	return "none of " + strings.Join(names, ", ") + " defines it"
}

// Where is the place of a word of the module's text: "a.ptx:3:15".
func (m *Module) Where(w syntax.Word) string {
	file, span := m.Source.Outermost(w.Span())
	at := file.Position(span.Start)
	return fmt.Sprintf("%s:%d:%d", file.Name, at.Line, at.Col)
}
