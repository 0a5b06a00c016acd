package check

import (
	"strings"

	"github.com/vop-ptx/vop/read/syntax"
)

// bad is the text of the module that could not be parsed. It may declare what is
// missing elsewhere: only its own error is to be reported, not what follows from it.
type bad struct {
	known bool
	text  string
	any   bool // there is too much of it to look for names in
}

// maxBad is how many bytes of such text are searched for names.
const maxBad = 64 << 10

// mayDeclare reports whether a name may be declared where the text could not be parsed.
func (c *checker) mayDeclare(name string) bool {
	if !c.bad.known {
		c.bad.known = true
		var text strings.Builder
		c.collectBad(&text, c.module.Tree.Stmts)
		c.bad.text, c.bad.any = text.String(), text.Len() > maxBad
	}
	return c.bad.any || strings.Contains(c.bad.text, name[:prefixLen(name)])
}

func (c *checker) collectBad(text *strings.Builder, stmts []syntax.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.Bad:
			span := s.Span()
			text.WriteString(c.source.Text[span.Start:span.End])
			text.WriteByte('\n')
		case *syntax.Block:
			c.collectBad(text, s.Stmts)
		case *syntax.Function:
			if s.Body != nil {
				c.collectBad(text, s.Body.Stmts)
			}
		}
	}
}
