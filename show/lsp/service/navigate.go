package service

import (
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// nameAt returns the name at a position, and the piece that it stands in.
func (d *Document) nameAt(at protocol.Position) (p placed, u *use, ok bool) {
	p, pos, ok := d.pieceAt(at)
	if !ok {
		return p, nil, false
	}
	u = p.names().at(pos)
	return p, u, u != nil
}

// Definition returns where the name at a position is declared; the expression in C, if it is an
// operand of an asm statement.
func (d *Document) Definition(at protocol.Position) []protocol.Location {
	p, u, ok := d.nameAt(at)
	if !ok {
		return []protocol.Location{}
	}
	in, s, ok := d.declaration(p, u)
	if !ok {
		return []protocol.Location{}
	}
	if s.kind == operandSymbol {
		operands := append(append(p.asm.Outputs[:0:0], p.asm.Outputs...), p.asm.Inputs...)
		o := operands[s.number]
		return []protocol.Location{{URI: d.URI, Range: d.rangeOf(int(o.Span.Start), int(o.Span.End))}}
	}
	return []protocol.Location{{URI: d.URI, Range: d.rangeIn(in, s.at)}}
}

// References returns where what the name at a position stands for is used, and, if wanted,
// declared.
func (d *Document) References(at protocol.Position, declarations bool) []protocol.Location {
	all := []protocol.Location{}
	p, u, ok := d.nameAt(at)
	if !ok {
		return all
	}
	if row := rowOf(u); row != nil && declarations {
		all = append(all, protocol.Location{URI: d.URI, Range: d.rangeIn(p, row.at)})
	}
	for _, v := range d.uses(p, u) {
		if v.role != declares || declarations {
			all = append(all, protocol.Location{URI: d.URI, Range: d.rangeIn(v.in, v.at)})
		}
	}
	return all
}

// rowOf returns the row that a register is one of, or nil.
func rowOf(u *use) *symbol {
	if u.symbol == nil {
		return nil
	}
	return u.symbol.row
}

// Highlight returns the uses of the name at a position, those that write it apart.
func (d *Document) Highlight(at protocol.Position) []protocol.DocumentHighlight {
	all := []protocol.DocumentHighlight{}
	p, u, ok := d.nameAt(at)
	if !ok {
		return all
	}
	kinds := map[role]protocol.HighlightKind{reads: protocol.HighlightRead, writes: protocol.HighlightWrite, declares: protocol.HighlightText}
	for _, v := range d.uses(p, u) {
		all = append(all, protocol.DocumentHighlight{Range: d.rangeIn(v.in, v.at), Kind: kinds[v.role]})
	}
	return all
}
