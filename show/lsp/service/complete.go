package service

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// maxItems is how many completions are given.
const maxItems = 300

// Complete returns what may be written at a position.
func (d *Document) Complete(at protocol.Position) *protocol.CompletionList {
	list := &completion{CompletionList: protocol.CompletionList{Items: []protocol.CompletionItem{}}}
	offset := d.Text.Offset(at)
	p, inner, ok := d.Analysis.at(d.change.before(offset))
	if !ok {
		return &list.CompletionList
	}
	// Of a module the text is that of this version; of an asm statement that of the analysis.
	text, pos := d.Text.String(), offset
	if d.host {
		text, pos = p.file.Text, int(inner)
	}
	c, ok := cursorAt(text, pos)
	if !ok {
		return &list.CompletionList
	}
	list.word = word(c.before)
	list.edit = d.Text.Range(max(0, offset-len(list.word)), offset)
	if d.host && list.word != "" {
		// In the string literal the word may be spelled longer, as %% for %.
		start, _ := p.outer(source.Span{Start: max(0, inner-source.Pos(len(list.word))), End: inner})
		list.edit = protocol.Range{Start: d.rangeOf(start, start).Start, End: at}
	}
	list.spell = p.spell
	d.complete(list, c, p, inner)
	return &list.CompletionList
}

// completion is a list that grows.
type completion struct {
	protocol.CompletionList
	word  string // what is written already
	edit  protocol.Range
	spell func(name string) string
}

// add adds an item if what is written may stand for it; those that come first are shown first.
func (l *completion) add(label string, kind protocol.CompletionItemKind, detail, documentation string) {
	if !abbreviates(strings.ToLower(l.word), strings.ToLower(label)) {
		return
	}
	if len(l.Items) >= maxItems {
		l.IsIncomplete = true
		return
	}
	text := l.spell(label)
	item := protocol.CompletionItem{
		Label: label, Kind: kind, Detail: detail, SortText: fmt.Sprintf("%04d", len(l.Items)), FilterText: text,
		TextEdit: &protocol.TextEdit{Range: l.edit, NewText: text},
	}
	if documentation != "" {
		content := markdown(documentation)
		item.Documentation = &content
	}
	l.Items = append(l.Items, item)
}

// abbreviates reports whether a word begins as a label, and its other characters come in that order
// in it: .st for .sat, as editors choose.
func abbreviates(word, label string) bool {
	if word == "" || label == "" || word[0] != label[0] {
		return word == ""
	}
	for i := range len(word) {
		n := strings.IndexByte(label, word[i])
		if n < 0 {
			return false
		}
		label = label[n+1:]
	}
	return true
}

// complete adds what may stand at the cursor.
func (d *Document) complete(list *completion, c cursor, p placed, pos source.Pos) {
	c, guard := c.guard()
	if guard {
		d.symbols(list, p, pos, func(s *symbol) bool { return s.typ == ".pred" })
		return
	}
	w := c.instruction()
	video := w.video()
	switch {
	case c.before == "" || isIdentifier(c.before):
		instructions(list)
	case strings.HasPrefix(c.before, ".") && !strings.ContainsAny(c.before, " \t\r\n"):
		for _, name := range syntax.Directives() {
			list.add(name, protocol.CompletionKeyword, "directive", "")
		}
	case strings.HasPrefix(c.before, "."):
		for _, name := range check.TypeNames() {
			list.add(name, protocol.CompletionEnumMember, "type", "")
		}
	case video && !w.inside:
		w.completeModifiers(list)
	case video && strings.HasPrefix(list.word, "."):
		w.completeSelectors(list)
	case !strings.ContainsAny(c.before, " \t\r\n"):
		w.completeOrdinary(list)
	case strings.HasPrefix(c.before, "bra"):
		d.symbols(list, p, pos, func(s *symbol) bool { return s.kind == labelSymbol })
	case strings.HasPrefix(c.before, "call"):
		d.symbols(list, p, pos, func(s *symbol) bool { return s.kind != labelSymbol })
		d.globals(list, p, functionSymbol)
	default:
		d.symbols(list, p, pos, func(s *symbol) bool {
			if video {
				return s.kind == operandSymbol || isRegister(s) && s.typ != ".pred" && !strings.HasSuffix(s.typ, "64")
			}
			return s.kind != labelSymbol
		})
		if !video {
			d.globals(list, p, variableSymbol)
			for _, name := range check.SpecialRegisters() {
				list.add(name, protocol.CompletionConstant, "special register", "")
			}
		}
	}
}

// instructions adds the mnemonics.
func instructions(list *completion) {
	for _, op := range isa.Ops() {
		s := isa.SectionOf(op)
		lines := ""
		for _, row := range isa.RowsOf(op) {
			lines += row.Line + "\n"
		}
		list.add(op.String(), protocol.CompletionFunction, "video instruction, sm_"+fmt.Sprint(s.SM), "```ptx\n"+lines+"```\n\nPTX ISA "+s.Number)
	}
	ordinaryInstructions(list)
}

// completeModifiers adds the modifiers that are still allowed, first those that must be written.
func (w writing) completeModifiers(list *completion) {
	rows := w.rows()
	seen := map[string]bool{}
	for _, must := range []bool{true, false} {
		for _, r := range rows {
			for _, slot := range r.free {
				for _, value := range slot.Values {
					if !seen[value] && must == needed(rows, value) {
						seen[value] = true
						list.add(value, protocol.CompletionEnumMember, slotName(slot), "```ptx\n"+r.Line+"\n```")
					}
				}
			}
		}
	}
}

// needed reports whether a modifier, or another in its place, is missing in whichever syntax line
// is meant.
func needed(rows []row, value string) bool {
	for _, r := range rows {
		if !slices.ContainsFunc(r.free, func(s *isa.Slot) bool { return !s.Optional && slices.Contains(s.Values, value) }) {
			return false
		}
	}
	return true
}

// slotNames say what a slot is for.
var slotNames = map[string]string{
	".dtype": "the type of d", ".atype": "the type of a", ".btype": "the type of b", ".mode": "shift amounts above 31", ".cmp": "the comparison",
	".scale": "a shift of the result", ".op2": "the second operation, with c", ".sat": "saturates", ".po": "adds 1", ".add": "adds the lanes to c",
	".u32": "the type of b", ".dsel": "the part of d", ".asel": "the part of a", ".bsel": "the part of b", ".mask": "the lanes of d",
}

func slotName(s *isa.Slot) string { return slotNames[s.Name] }

// completeSelectors adds the selectors of the operand at the cursor.
func (w writing) completeSelectors(list *completion) {
	number, _ := w.operand()
	seen := map[string]bool{}
	for _, r := range w.rows() {
		if number >= len(r.Operands) || r.Operands[number].Sel == nil {
			continue
		}
		slot := r.Operands[number].Sel
		for _, value := range slot.Values {
			if !seen[value] && abbreviates(list.word, value) {
				seen[value] = true
				list.add(value, protocol.CompletionProperty, slotName(slot), "")
			}
		}
	}
}

func isRegister(s *symbol) bool { return s.kind == registerSymbol || s.kind == rowSymbol }

// symbols adds the names that are visible at a place, of rows those registers that are used.
func (d *Document) symbols(list *completion, p placed, pos source.Pos, wanted func(*symbol) bool) {
	n := p.names()
	scope := n.scopeAt(pos)
	seen := map[string]bool{}
	add := func(s *symbol) {
		if !seen[s.name] {
			seen[s.name] = true
			list.add(s.name, symbolItems[s.kind], s.typ, "")
		}
	}
	for _, s := range n.visible(scope) {
		switch {
		case !wanted(s):
		case s.kind != rowSymbol:
			add(s)
		default:
			for _, member := range n.symbols {
				if member.row == s {
					add(member)
				}
			}
			if s.count > 0 {
				add(&symbol{name: s.name + "0", kind: registerSymbol, typ: s.typ})
			}
		}
	}
}

var symbolItems = map[symbolKind]protocol.CompletionItemKind{
	registerSymbol: protocol.CompletionVariable, operandSymbol: protocol.CompletionVariable, labelSymbol: protocol.CompletionReference, listSymbol: protocol.CompletionReference,
	variableSymbol: protocol.CompletionVariable, parameterSymbol: protocol.CompletionVariable, functionSymbol: protocol.CompletionFunction,
}

// globals adds the names of a kind that other pieces of the module declare.
func (d *Document) globals(list *completion, p placed, kind symbolKind) {
	if d.host {
		return
	}
	for _, q := range d.Analysis.pieces {
		if q.piece == p.piece || len(list.Items) >= maxItems {
			continue
		}
		for _, s := range q.skeletonNames() {
			if s.kind == kind {
				list.add(s.name, symbolItems[kind], s.typ, "")
			}
		}
	}
}
