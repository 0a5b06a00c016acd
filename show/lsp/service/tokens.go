package service

import (
	"cmp"
	"math"
	"strings"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// The types and modifiers of semantic tokens, as bits of their numbers.
const (
	keywordToken = iota
	typeToken
	modifierToken
	instructionToken
	registerToken
	parameterToken
	variableToken
	functionToken
	labelToken
	selectorToken
	numberToken
	stringToken
	commentToken

	declaration = 1 << 0
	readOnly    = 1 << 1
	video       = 1 << 2
)

// Legend names them: the standard names where there are such.
var Legend = protocol.SemanticTokensLegend{
	TokenTypes:     []string{"macro", "type", "modifier", "keyword", "variable", "parameter", "property", "function", "label", "enumMember", "number", "string", "comment"},
	TokenModifiers: []string{"declaration", "readonly", "defaultLibrary"},
}

// token is one, in its piece.
type token struct {
	at   source.Span
	kind int
	mods uint32
}

// Tokens returns the tokens of PTX in a range of the document, of all of it if nil.
func (d *Document) Tokens(within *protocol.Range) protocol.SemanticTokens {
	all := protocol.Range{End: protocol.Position{Line: math.MaxUint32}}
	if within != nil {
		all = *within
	}
	type shown struct {
		at   protocol.Range
		kind int
		mods uint32
	}
	var tokens []shown
	d.piecesIn(all, func(p placed, from, to source.Pos) {
		for _, t := range p.tokens(from, to) {
			if p.asm != nil && !p.written(t.at) {
				continue
			}
			at := d.rangeIn(p, t.at)
			if at.Start.Line == at.End.Line && at.Start.Character < at.End.Character && at.End.Line >= all.Start.Line && at.Start.Line <= all.End.Line {
				tokens = append(tokens, shown{at, t.kind, t.mods})
			}
		}
	})
	sorting.Stable(tokens, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.at.Start.Line, b.at.Start.Line), cmp.Compare(a.at.Start.Character, b.at.Start.Character))
	})
	data := make([]uint32, 0, 5*len(tokens))
	var last protocol.Position
	for _, t := range tokens {
		start := t.at.Start
		if start.Line == last.Line && start.Character < last.Character {
			continue // a place that is read in more than one way
		}
		column := start.Character
		if start.Line == last.Line {
			column -= last.Character
		}
		if n := len(data); n > 0 && start.Line == last.Line && column < data[n-3] {
			continue
		}
		data = append(data, start.Line-last.Line, column, t.at.End.Character-start.Character, uint32(t.kind), t.mods)
		last = start
	}
	return protocol.SemanticTokens{Data: data}
}

// tokens returns the tokens of a part of a piece, in order. Comments and literals of more than one
// line are cut by line.
func (p *piece) tokens(from, to source.Pos) []token {
	t := tokenizer{piece: p, from: from, to: to}
	t.statements(p.tree().Stmts)
	for i := range p.names().uses {
		t.name(&p.names().uses[i])
	}
	for _, c := range p.tree().Comments {
		t.lines(source.Span{Start: c.Pos, End: endOf(c)}, commentToken)
	}
	sorting.Stable(t.all, func(a, b token) int { return cmp.Compare(a.at.Start, b.at.Start) })
	return t.all
}

type tokenizer struct {
	*piece
	from, to source.Pos
	all      []token
}

func (t *tokenizer) add(at source.Span, kind int, mods uint32) {
	if at.Start < at.End && at.End >= t.from && at.Start <= t.to {
		t.all = append(t.all, token{at, kind, mods})
	}
}

func (t *tokenizer) word(w syntax.Word, kind int, mods uint32) { t.add(w.Span(), kind, mods) }

func (t *tokenizer) lines(at source.Span, kind int) {
	start := at.Start
	for line := range strings.Lines(t.text(at)) {
		end := start + source.Pos(len(line))
		t.add(source.Span{Start: start, End: start + source.Pos(len(strings.TrimRight(line, "\r\n")))}, kind, 0)
		start = end
	}
}

// dotWord adds a directive, type or other word that begins with a dot.
func (t *tokenizer) dotWord(w syntax.Word, kind int) {
	if check.ParseType(w.Text) != check.NoType || inst.ParseType(w.Text) != inst.NoType {
		kind = typeToken
	}
	t.word(w, kind, 0)
}

func (t *tokenizer) statements(stmts []syntax.Stmt) {
	for _, s := range stmts {
		if at := s.Span(); at.End < t.from || at.Start > t.to {
			continue
		}
		switch s := s.(type) {
		case *syntax.Instruction:
			t.instruction(s)
		case *syntax.Directive:
			t.directive(s)
		case *syntax.Variable:
			t.variable(s)
		case *syntax.Block:
			t.statements(s.Stmts)
		case *syntax.Function:
			t.function(s)
		}
	}
}

func (t *tokenizer) function(f *syntax.Function) {
	for _, w := range f.Linkage {
		t.word(w, keywordToken, 0)
	}
	t.word(f.Kind, keywordToken, 0)
	t.operands(f.Attributes)
	for _, v := range append(append(f.Returns[:0:0], f.Returns...), f.Params...) {
		t.variable(v)
	}
	for _, d := range f.Directives {
		t.directive(d)
	}
	if f.Body != nil {
		t.statements(f.Body.Stmts)
	}
}

func (t *tokenizer) directive(d *syntax.Directive) {
	t.word(d.Name, keywordToken, 0)
	t.operands(d.Args)
	if d.Prototype != nil {
		for _, v := range append(append(d.Prototype.Returns[:0:0], d.Prototype.Returns...), d.Prototype.Params...) {
			t.variable(v)
		}
	}
}

func (t *tokenizer) variable(v *syntax.Variable) {
	for _, w := range v.Linkage {
		t.word(w, keywordToken, 0)
	}
	t.word(v.Space, keywordToken, 0)
	t.operands(v.Attributes)
	for i := range v.Names {
		name := &v.Names[i]
		if name.HasCount {
			t.operands([]syntax.Operand{name.Count})
		}
		t.operands(name.Dims)
		if name.Init != nil {
			t.operands([]syntax.Operand{*name.Init})
		}
	}
}

func (t *tokenizer) instruction(in *syntax.Instruction) {
	mods := uint32(0)
	if isa.ParseOp(in.Name.Text) != isa.NoOp {
		mods = video
	}
	t.word(in.Name, instructionToken, mods)
	for _, m := range in.Modifiers {
		t.dotWord(m, modifierToken)
	}
	t.operands(in.Operands)
}

func (t *tokenizer) operands(list []syntax.Operand) {
	for i := range list {
		o := &list[i]
		switch o.Kind {
		case syntax.Modifier:
			t.dotWord(syntax.Word{Text: o.Text, Pos: o.Pos}, keywordToken)
		case syntax.Number:
			t.word(syntax.Word{Text: o.Text, Pos: o.Pos}, numberToken, 0)
		case syntax.String:
			t.lines(source.Span{Start: o.Pos, End: o.End}, stringToken)
		case syntax.Numbers:
			t.lines(o.Span(), numberToken)
		}
		if o.Selector.Text != "" {
			t.word(o.Selector, selectorToken, 0)
		}
		t.operands(o.Elems)
	}
}

// name adds a name, by what it stands for.
func (t *tokenizer) name(u *use) {
	mods := uint32(0)
	if u.role == declares {
		mods = declaration
	}
	if u.symbol == nil {
		if _, special := check.SpecialSince(u.name); special {
			t.add(u.at, registerToken, readOnly|video)
		} else {
			t.add(u.at, variableToken, 0)
		}
		return
	}
	t.add(u.at, symbolTokens[u.symbol.kind], mods)
}

var symbolTokens = [...]int{
	registerSymbol: registerToken, rowSymbol: registerToken, labelSymbol: labelToken, listSymbol: labelToken,
	variableSymbol: variableToken, parameterSymbol: parameterToken, functionSymbol: functionToken, operandSymbol: parameterToken,
}
