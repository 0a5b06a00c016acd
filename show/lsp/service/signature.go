package service

import (
	"strings"

	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// operandNames say what the operands of a video instruction are.
var operandNames = map[string]string{
	"d": "the destination", "a": "the first source", "b": "the second source", "c": "the third source: what the result is merged with, added to or compared to",
}

// Signature returns the syntax lines of the instruction whose operands are being written, or
// nil.
func (d *Document) Signature(at protocol.Position) *protocol.SignatureHelp {
	offset := d.Text.Offset(at)
	text, pos := d.Text.String(), offset
	if d.host {
		p, inner, ok := d.Analysis.at(d.change.before(offset))
		if !ok {
			return nil
		}
		text, pos = p.file.Text, int(inner)
	}
	c, ok := cursorAt(text, pos)
	if !ok {
		return nil
	}
	c, _ = c.guard()
	w := c.instruction()
	if !w.inside {
		return nil
	}
	if !w.video() {
		return w.ordinarySignature()
	}
	rows := w.rows()
	if rows == nil {
		return nil
	}
	number, _ := w.operand()
	help := &protocol.SignatureHelp{ActiveParameter: uint32(number)}
	for i, r := range rows {
		info := protocol.SignatureInformation{Label: r.Line}
		if r.Comment != "" {
			content := markdown(r.Comment)
			info.Documentation = &content
		}
		from := strings.IndexByte(r.Line, ' ')
		for _, o := range r.Operands {
			for from < len(r.Line) && strings.IndexByte(" ,", r.Line[from]) >= 0 {
				from++
			}
			end := from
			for end < len(r.Line) && strings.IndexByte(",;", r.Line[end]) < 0 {
				end++
			}
			info.Parameters = append(info.Parameters, protocol.ParameterInformation{Label: [2]uint32{uint32(from), uint32(end)}, Documentation: operandNames[o.Name]})
			from = end
		}
		if number >= len(rows[help.ActiveSignature].Operands) && number < len(r.Operands) {
			help.ActiveSignature = uint32(i)
		}
		help.Signatures = append(help.Signatures, info)
	}
	return help
}
