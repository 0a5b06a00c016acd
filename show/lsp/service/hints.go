package service

import (
	"fmt"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// Hints returns, for the video instructions in a range, how many machine instructions each is: as
// ptxas compiles it, and lowered.
func (d *Document) Hints(within protocol.Range) []protocol.InlayHint {
	hints := []protocol.InlayHint{}
	known := map[protocol.Position]bool{} // a place may be read in more than one way
	d.piecesIn(within, func(p placed, from, to source.Pos) {
		for s := range syntax.All(p.tree().Stmts) {
			in, ok := s.(*syntax.Instruction)
			if !ok || in.Span().End < from || in.Span().Start > to || p.asm != nil && !p.written(in.Name.Span()) {
				continue
			}
			f, ok := p.formOf(in)
			if !ok || d.sm == 0 {
				continue
			}
			_, end := p.outer(in.Span())
			at := d.rangeOf(end, end).End
			if at.Line < within.Start.Line || at.Line > within.End.Line || known[at] {
				continue
			}
			known[at] = true
			c := d.cost(f, in.Operands)
			label := fmt.Sprintf("%d \u2192 %d", c.Before, c.After)
			if c.Kept {
				label = "1"
			}
			tip := markdown(d.costLine(f, in.Operands))
			hints = append(hints, protocol.InlayHint{Position: at, Label: label, Tooltip: &tip, PaddingLeft: true})
		}
	})
	return hints
}
