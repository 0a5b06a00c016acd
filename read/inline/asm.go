package inline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Asm is one asm statement, read in one way: a statement that differs with the branches
// of #if, or with the arguments of the macro that makes it, is several.
type Asm struct {
	// Span is where it stands in the C file, from asm to the closing parenthesis, or where
	// the macro is used that makes it.
	Span     source.Span
	Volatile bool
	// Text is the PTX, literals joined and escapes resolved: %0 and %[x] are
	// operands, %% is %. Places in it are places in the C file (see [source.Embed]).
	Text *source.File
	// File is the tree of Text; nil if this is not PTX but the assembly of
	// another machine, or no statement.
	File *syntax.File
	// Holes is the number of pieces of the text that are not known, as they come
	// from macros of other files or from "C" operands. Nothing that they declare is known either.
	Holes           int
	Outputs, Inputs []Operand
	Clobbers        []Clobber
	// MoreOperands says that macros stand in the lists of operands, so that
	// there may be more of them and their numbers are not known.
	MoreOperands bool
	// Lists is the text of the names and constraints of operands, and of clobbers. Places in
	// it are places in the C file.
	Lists *source.File
	// NVCC says that nvcc may compile the file, by its name.
	NVCC bool

	keyword source.Segment // asm itself, be it in a macro's body
	body    source.Span    // of the macro in whose body it stands; empty if there is none
	made    []source.Span  // of Text: what macros have made by # and ##

	definitions []*macro // of the file, up to here
}

// Operand is an output or input of an asm statement.
type Operand struct {
	Name       string      // x of [x] "r"(y), or ""
	Constraint string      // "=r"; "" if it comes from a macro that is not known
	Expr       source.Span // the C expression, without its parentheses
	Span       source.Span // all of it
	Listed     source.Span // of Lists: the name and the constraint
}

// Clobber is what the text changes beside its operands.
type Clobber struct {
	Text   string
	Listed source.Span // of Lists
}

// key is what tells statements apart.
func (a *Asm) key(segments []source.Segment) string {
	var s strings.Builder
	s.WriteString(a.Text.Text)
	var room [48]byte
	for _, g := range segments {
		number := room[:0]
		for _, n := range [...]int64{int64(g.Inner), int64(g.Outer), int64(g.Width)} {
			number = strconv.AppendInt(append(number, ' '), n, 16)
		}
		s.Write(number)
	}
	for _, list := range [][]Operand{a.Outputs, a.Inputs} {
		s.WriteByte(':')
		for _, o := range list {
			s.WriteString("," + o.Name + " " + o.Constraint)
		}
	}
	for _, c := range a.Clobbers {
		s.WriteString("," + c.Text)
	}
	return s.String()
}

// again counts a further use of a macro that gives the same statement.
func (a *Asm) again(other *Asm) {
	via, _ := a.Text.Expansion(source.Span{End: source.Pos(len(a.Text.Text))})
	if via != nil && other.Span != a.Span {
		via.More++
	}
}

// Macro returns the name of the macro in whose body a part of the text stands, all of it and
// as it is; "" if it does not stand in one.
func (a *Asm) Macro(s source.Span) string {
	_, at := a.Text.Outermost(s)
	m := macroAround(a.definitions, at.Start)
	_, origin := a.Text.Expansion(s)
	if m == nil || origin != source.Body || a.joins(s) || int(at.End) > m.end {
		return ""
	}
	return m.name
}

// joins reports whether # or ## has made some of a part of the text.
func (a *Asm) joins(s source.Span) bool {
	return slices.ContainsFunc(a.made, func(m source.Span) bool { return m.Start < s.End && s.Start < m.End })
}

// Written reports whether a part of the text stands in the file as it is, in string
// literals that are always read as a part of this statement: in the statement itself, in an
// argument of the macro that makes it, or in the same body as it.
func (a *Asm) Written(s source.Span) bool {
	if a.joins(s) {
		return false
	}
	_, origin := a.Text.Expansion(s)
	switch origin {
	case source.Joined:
		return false
	case source.Body:
		_, at := a.Text.Outermost(s)
		return a.body.Start <= at.Start && at.End <= a.body.End
	}
	return true
}
