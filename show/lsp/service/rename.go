package service

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// PrepareRename returns the name at a position that can be changed; the error says why it cannot.
func (d *Document) PrepareRename(at protocol.Position) (*protocol.PrepareRename, error) {
	p, u, ok := d.nameAt(at)
	if !ok {
		return nil, fmt.Errorf("there is no name here")
	}
	if _, err := d.renamable(p, u); err != nil {
		return nil, err
	}
	return &protocol.PrepareRename{Range: d.rangeIn(p, u.at), Placeholder: u.plain()}, nil
}

// renamable returns the symbol that a name stands for, if the name can be changed.
func (d *Document) renamable(p placed, u *use) (*symbol, error) {
	_, s, ok := d.declaration(p, u)
	if !ok {
		if _, special := check.SpecialSince(u.name); special {
			return nil, fmt.Errorf("%s is a special register", u.name)
		}
		return nil, fmt.Errorf("%s is not declared here", u.name)
	}
	if s.kind == operandSymbol {
		return nil, fmt.Errorf("%s is an operand of the asm statement: its name belongs to the C source", u.name)
	}
	return s, nil
}

// Rename returns the edits that give the name at a position another: all its uses and its
// declaration. A register of a row (%r5 of %r<9>) gets a declaration of its own, and a row a new
// name for all its registers.
func (d *Document) Rename(at protocol.Position, name string) ([]protocol.TextEdit, error) {
	p, u, ok := d.nameAt(at)
	if !ok {
		return nil, fmt.Errorf("there is no name here")
	}
	s, err := d.renamable(p, u)
	if err != nil {
		return nil, err
	}
	if name == s.name {
		return []protocol.TextEdit{}, nil
	}
	if err := d.free(p, s, name); err != nil {
		return nil, err
	}
	edits := []protocol.TextEdit{}
	for _, v := range d.uses(p, u) {
		e, err := d.replaceName(v, name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	switch {
	case s.kind == rowSymbol:
		for _, v := range d.usesOf(p, s, func(v *use, row *symbol) bool { return rowOf(v) == row }) {
			e, err := d.replaceName(v, name+strings.TrimPrefix(v.name, s.name))
			if err != nil {
				return nil, err
			}
			edits = append(edits, e)
		}
	case s.row != nil:
		e, err := d.declare(p, s, name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// replaceName returns the edit of one use.
func (d *Document) replaceName(v seen, name string) (protocol.TextEdit, error) {
	if !v.in.written(v.at) {
		return protocol.TextEdit{}, fmt.Errorf("%s does not stand in the source as it is: a macro or an escape makes it", v.name)
	}
	return protocol.TextEdit{Range: d.rangeIn(v.in, v.at), NewText: v.in.spell(name)}, nil
}

// declare returns the edit that declares a register that was one of a row, behind the row's
// declaration: on a line of its own in a module.
func (d *Document) declare(p placed, s *symbol, name string) (protocol.TextEdit, error) {
	end := source.Span{Start: s.stmt.End, End: s.stmt.End}
	last := source.Span{Start: s.stmt.End - 1, End: s.stmt.End}
	if !p.written(last) {
		return protocol.TextEdit{}, fmt.Errorf("the declaration of %s does not stand in the source as it is: a macro makes it", s.row.name)
	}
	line := fmt.Sprintf(".reg %s %s;", s.typ, p.spell(name))
	if p.asm != nil {
		_, at := p.outer(last)
		return protocol.TextEdit{Range: d.rangeOf(at, at), NewText: " " + line}, nil
	}
	text := p.file.Text[:s.stmt.Start]
	indent := text[strings.LastIndexByte(text, '\n')+1:]
	if strings.TrimSpace(indent) != "" {
		return protocol.TextEdit{Range: d.rangeIn(p, end), NewText: " " + line}, nil
	}
	newLine := "\n"
	if rest := p.file.Text[s.stmt.End:]; strings.HasPrefix(rest, "\r\n") {
		newLine = "\r\n"
	}
	return protocol.TextEdit{Range: d.rangeIn(p, end), NewText: newLine + indent + line}, nil
}

// free returns an error unless a name can be given to a symbol: it is one, and stands for nothing
// that the symbol's uses or its own would then mean.
func (d *Document) free(p placed, s *symbol, name string) error {
	if !isIdentifier(name) {
		return fmt.Errorf("%q is no name: letters, digits, _ and $, the first no digit, or %% before them", name)
	}
	if _, special := check.SpecialSince(name); special || name == "WARP_SZ" {
		return fmt.Errorf("%s is predefined", name)
	}
	if p.asm != nil && strings.HasPrefix(name, "%") && strings.Trim(name[1:], "0123456789") == "" {
		return fmt.Errorf("%s is an operand of the asm statement, or would look like one", name)
	}
	where := d.readings(p, s)
	if s.global {
		where = nil
		for _, q := range d.Analysis.pieces {
			where = append(where, reading{q, s})
		}
	}
	if !s.global && p.asm == nil {
		// A name of the module that this function uses would be hidden.
		for _, u := range p.names().uses {
			if u.name == name && u.symbol == nil {
				return fmt.Errorf("%s is used here for something else", name)
			}
		}
	}
	for _, q := range where {
		if s.global && !strings.Contains(q.in.file.Text, strings.TrimRight(name, "0123456789")) {
			continue
		}
		if other := q.in.clash(q.symbol, name); other != "" {
			return fmt.Errorf("%s is taken: %s", name, other)
		}
	}
	return nil
}

// clash says what a name stands for already in a piece; "" if nothing. The new name of a row stands
// for all that begin with it and go on with digits.
func (p placed) clash(s *symbol, name string) string {
	digits := func(rest string, ok bool) bool { return ok && rest != "" && strings.Trim(rest, "0123456789") == "" }
	for _, other := range p.names().symbols {
		what := ""
		switch {
		case other == s || other.kind == operandSymbol || s.kind == rowSymbol && other.row == s || s.global && other.name == s.name:
		case other.name == name:
			what = other.name
		case other.kind == rowSymbol && digits(strings.CutPrefix(name, other.name)):
			what = fmt.Sprintf("%s<%d> declares names that begin so", other.name, other.count)
			return what
		case s.kind == rowSymbol && digits(strings.CutPrefix(other.name, name)):
			what = other.name
		}
		if what != "" {
			start, _ := p.outer(other.at)
			file, _ := p.file.Outermost(source.Span{})
			if p.asm == nil {
				return "it is declared in " + lineOf(p.file.Text, int(other.at.Start))
			}
			return "it is declared in " + lineOf(file.Text, start)
		}
	}
	for i := range p.names().uses {
		if u := &p.names().uses[i]; u.symbol == nil && u.name == name {
			return "it is used without a declaration in " + lineOf(p.file.Text, int(u.at.Start))
		}
	}
	return ""
}

// lineOf returns the line of a text that a place is on, for a message.
func lineOf(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return "'" + short(line) + "'"
}
