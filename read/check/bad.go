package check

import (
	"strings"

	"github.com/vop-ptx/vop/read/syntax"
)

// bad is text that could not be parsed: that of a function's body, or that outside of all bodies. It
// may declare what is missing where its declarations hold: only its own error is to be reported, not
// what follows from it.
type bad struct {
	known bool
	text  string
	any   bool // there is too much of it to look for names in
}

// maxBad is how many bytes of such text are searched for names.
const maxBad = 64 << 10

// mayDeclare reports whether a name that is used here may be declared where the text could not be
// parsed.
func (c *checker) mayDeclare(name string) bool {
	prefix := name[:prefixLen(name)]
	if c.bad.of(c.module.Tree.Stmts, c.source.Text).mayDeclare(prefix) {
		return true
	}
	if c.function == nil || c.function.Tree.Body == nil {
		return false
	}
	return c.function.bad.of(c.function.Tree.Body.Stmts, c.source.Text).mayDeclare(prefix)
}

// of looks for such text among statements, once.
func (b *bad) of(stmts []syntax.Stmt, text string) *bad {
	if !b.known {
		b.known = true
		var found strings.Builder
		collectBad(&found, stmts, text)
		b.text, b.any = found.String(), found.Len() > maxBad
	}
	return b
}

func (b *bad) mayDeclare(prefix string) bool { return b.any || strings.Contains(b.text, prefix) }

// collectBad writes what could not be parsed of statements and of the blocks among them, but for the
// bodies of functions.
func collectBad(found *strings.Builder, stmts []syntax.Stmt, text string) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.Bad:
			span := s.Span()
			found.WriteString(text[span.Start:span.End])
			found.WriteByte('\n')
		case *syntax.Block:
			collectBad(found, s.Stmts, text)
		}
	}
}
