package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// undeclared reports a name that stands for nothing. In inline
// asm a name may stand for something around it, unless it is one of an operand, and
// in a file with syntax errors for something in the text that could not be parsed.
func (c *checker) undeclared(name string, at source.Span) {
	if c.asm != nil {
		c.asmUndeclared(name, at)
		return
	}
	if c.mayDeclare(name) {
		return
	}
	d := c.report(diag.UndeclaredName, at, quote(name)+" is not declared")
	if f, ok := c.familyBelow(name); ok {
		prefix := name[:prefixLen(name)]
		d.Notes = append(d.Notes, prefix+"<"+strconv.FormatUint(f.count, 10)+"> on line "+c.line(f.pos)+
			" declares "+f.members(prefix))
	} else if len(c.findings) < maxSuggestions {
		suggest(d, c.nearestNames(name))
	}
	c.body().enter(name, symbol{kind: undeclaredSymbol, index: int32(len(c.findings) - 1), pos: at.Start})
	c.mayBeLate(name)
}

// mayBeLate notes the last finding, which says that a name is not declared, in case that the module declares it further on.
func (c *checker) mayBeLate(name string) {
	if c.late == nil {
		c.late = map[string][]int{}
	}
	c.late[name] = append(c.late[name], len(c.findings)-1)
}

// declaredLate says of a name of the module that it is declared only here, wherever it has been used before.
func (c *checker) declaredLate(name syntax.Word) {
	if len(c.late[name.Text]) == 0 {
		return
	}
	note := "it is declared only on line " + c.line(name.Pos) + "; a name is declared before it is used"
	if strings.HasPrefix(c.source.Text, "// BEGIN PREAMBLE") { // as gcc writes it
		note += ": gcc's assembler, nvptx-none-as, puts declarations first"
	}
	for _, i := range c.late[name.Text] {
		c.findings[i].Suggest, c.findings[i].Notes = "", []string{note}
	}
	delete(c.late, name.Text)
}

// members names the registers of a family.
func (f family) members(prefix string) string {
	if f.count == 1 {
		return prefix + "0 only"
	}
	return prefix + "0 to " + prefix + strconv.FormatUint(f.count-1, 10)
}

// undeclaredAgain reports a name that has been reported before, if that was in an earlier
// instruction: each instruction that cannot be used says so, once.
func (c *checker) undeclaredAgain(name string, at source.Pos, sym symbol) {
	if c.function == nil {
		return
	}
	n := len(c.function.Body)
	if n == 0 || sym.pos >= c.function.Body[n-1].Tree.Span().Start {
		return
	}
	c.report(diag.UndeclaredName, source.Span{Start: at, End: at + source.Pos(len(name))}, quote(name)+" is not declared")
	c.mayBeLate(name)
	sym.pos = at
	c.body().enter(name, sym)
}

// body returns the scope of the function's body, or the global one.
func (c *checker) body() *scope {
	s := c.scope
	for s.parent != nil && s.parent != c.global {
		s = s.parent
	}
	return s
}

// familyBelow returns the family that a name would be in if the family were larger.
func (c *checker) familyBelow(name string) (family, bool) {
	prefix := name[:prefixLen(name)]
	for s := c.scope; s != nil && prefix != name; s = s.parent {
		if f, ok := s.families[prefix]; ok && f.count > 0 {
			return f, true
		}
	}
	return family{}, false
}

// Suggestions cost time: many names are compared with many. The first
// maxSuggestions findings have them, from scopes of at most maxCandidates names.
const maxSuggestions, maxCandidates = 100, 1000

// nearestNames returns the declared names that a misspelled one was probably meant to be.
func (c *checker) nearestNames(name string) []string {
	var candidates []string
	for s := c.scope; s != nil; s = s.parent {
		if len(s.names) > maxCandidates {
			continue
		}
		for candidate, sym := range s.names {
			if sym.kind != undeclaredSymbol {
				candidates = append(candidates, candidate)
			}
		}
	}
	slices.Sort(candidates)
	return isa.Nearest(name, candidates)
}
