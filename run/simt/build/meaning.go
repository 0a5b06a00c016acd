package build

import (
	"strings"

	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// meaningOf returns the meaning of an instruction.
func (b *function) meaningOf(t *syntax.Instruction) *builder.Meaning {
	end := t.Name.Span().End
	if n := len(t.Modifiers); n > 0 {
		end = t.Modifiers[n-1].Span().End
	}
	text := b.Decl.Module.Source.Text[t.Name.Pos:end]
	m, known := b.meanings[text]
	if !known {
		f := form.Form{Name: t.Name.Text, Modifiers: make([]string, 0, len(t.Modifiers))}
		for _, modifier := range t.Modifiers {
			f.Modifiers = append(f.Modifiers, strings.TrimPrefix(modifier.Text, "."))
		}
		m = &builder.Meaning{Written: f}
		m.Build, m.Form = lookUp(f)
		m.Last = f.LastType()
		b.meanings[text] = m
	}
	return m
}
