package service

import (
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/text"
)

// Document is one version of a text, with what is known of it or of an earlier one. It never
// changes.
type Document struct {
	URI     string
	Version int
	Text    *text.Text

	*Analysis
	change change // since the text of the analysis
	fresh  bool   // there is none
}

// NewDocument returns a document. The analysis may be of an earlier version of the text.
func NewDocument(uri string, version int, content *text.Text, a *Analysis) *Document {
	d := &Document{URI: uri, Version: version, Text: content, Analysis: a}
	now := content.String()
	d.change = differ(a.text, now)
	d.fresh = len(a.text) == len(now) && d.change.start == len(now)
	return d
}

// Fresh reports whether the analysis is of this version.
func (d *Document) Fresh() bool { return d.fresh }

// rangeOf returns the range of bytes of the analysed text.
func (d *Document) rangeOf(start, end int) protocol.Range {
	return d.Text.Range(d.change.after(start), d.change.after(end))
}

// rangeIn returns the range of a part of a piece.
func (d *Document) rangeIn(p placed, at source.Span) protocol.Range { return d.rangeOf(p.outer(at)) }

// pieceAt returns the piece at a position, and the place in it.
func (d *Document) pieceAt(at protocol.Position) (p placed, inner source.Pos, ok bool) {
	return d.Analysis.at(d.change.before(d.Text.Offset(at)))
}

// pieces yields what stands in a range: the pieces and the part of each that does.
func (d *Document) piecesIn(within protocol.Range, do func(p placed, from, to source.Pos)) {
	start, end := d.change.before(d.Text.Offset(within.Start)), d.change.before(d.Text.Offset(within.End))
	for i, p := range d.Analysis.pieces {
		if p.asm != nil {
			do(p, 0, source.Pos(len(p.file.Text)))
			continue
		}
		if p.start > end {
			return
		}
		stop := len(d.text)
		if i+1 < len(d.Analysis.pieces) {
			stop = d.Analysis.pieces[i+1].start
		}
		if stop >= start {
			do(p, source.Pos(max(0, start-p.start)), source.Pos(min(end, stop)-p.start))
		}
	}
}

// markdown is a text in Markdown.
func markdown(s string) protocol.MarkupContent {
	return protocol.MarkupContent{Kind: protocol.Markdown, Value: s}
}
