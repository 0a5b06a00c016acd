package service

import (
	"strings"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// Symbols returns what a module declares: functions, in them their parameters, variables, registers
// and labels, and the variables of the module. C sources have servers of their own for that.
func (d *Document) Symbols() []protocol.DocumentSymbol {
	all := []protocol.DocumentSymbol{}
	if d.host {
		return all
	}
	for _, p := range d.Analysis.pieces {
		all = append(all, d.outline(p, p.tree().Stmts)...)
	}
	return all
}

func (d *Document) outline(p placed, stmts []syntax.Stmt) (all []protocol.DocumentSymbol) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.Variable:
			all = append(all, d.declarators(p, s, protocol.SymbolVariable)...)
		case *syntax.Label:
			all = append(all, d.symbol(p, s.Name, s.Span(), protocol.SymbolKey, ""))
		case *syntax.Block:
			all = append(all, d.outline(p, s.Stmts)...)
		case *syntax.Function:
			f := d.symbol(p, s.Name, s.Span(), protocol.SymbolFunction, s.Kind.Text)
			for _, v := range s.Params {
				f.Children = append(f.Children, d.declarators(p, v, protocol.SymbolField)...)
			}
			if s.Body != nil {
				f.Children = append(f.Children, d.outline(p, s.Body.Stmts)...)
			}
			all = append(all, f)
		}
	}
	return all
}

func (d *Document) declarators(p placed, v *syntax.Variable, kind protocol.SymbolKind) (all []protocol.DocumentSymbol) {
	if v.Space.Text == ".const" {
		kind = protocol.SymbolConstant
	}
	for i := range v.Names {
		name := &v.Names[i]
		s := d.symbol(p, name.Name, v.Span(), kind, strings.TrimSpace(v.Space.Text+" "+v.Type().Text))
		if name.HasCount {
			s.Name += "<" + name.Count.Text + ">"
		}
		all = append(all, s)
	}
	return all
}

func (d *Document) symbol(p placed, name syntax.Word, at source.Span, kind protocol.SymbolKind, detail string) protocol.DocumentSymbol {
	return protocol.DocumentSymbol{
		Name: name.Text, Detail: detail, Kind: kind, Range: d.rangeIn(p, at), SelectionRange: d.rangeIn(p, name.Span()),
	}
}

// Folding returns the lines of a module that can be hidden: bodies, scopes, lists of parameters,
// initial values, comments.
func (d *Document) Folding() []protocol.FoldingRange {
	all := []protocol.FoldingRange{}
	if d.host {
		return all
	}
	add := func(p placed, at source.Span, kind string) {
		r := d.rangeIn(p, at)
		end := r.End.Line
		if kind == "" && end > 0 {
			end-- // the closing brace stays to be seen
		}
		if end > r.Start.Line {
			all = append(all, protocol.FoldingRange{StartLine: r.Start.Line, EndLine: end, Kind: kind})
		}
	}
	for _, p := range d.Analysis.pieces {
		for s := range syntax.All(p.tree().Stmts) {
			switch s := s.(type) {
			case *syntax.Function:
				if s.Body != nil {
					add(p, s.Body.Span(), "")
				}
				if n := len(s.Params); n > 0 {
					add(p, source.Span{Start: s.Name.Pos, End: s.Params[n-1].Span().End + 1}, "region")
				}
			case *syntax.Block:
				add(p, s.Span(), "")
			case *syntax.Variable:
				add(p, s.Span(), "region")
			}
		}
		comments := p.tree().Comments
		for i := 0; i < len(comments); i++ {
			first := i
			for i+1 < len(comments) && strings.TrimLeft(p.file.Text[endOf(comments[i]):comments[i+1].Pos], " \t\r") == "\n" {
				i++
			}
			add(p, source.Span{Start: comments[first].Pos, End: endOf(comments[i])}, "comment")
		}
	}
	return all
}

func endOf(c syntax.Comment) source.Pos { return c.Pos + source.Pos(len(c.Text)) }
