package ptx

import (
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// piece is some text of a template and what follows it: the letter of a slot (see
// spelling), or 0 for the end of a statement.
type piece struct {
	text string
	slot byte
}

// template is a spelling, cut up.
type template struct {
	spelling
	statements [][]piece
	spares     Registers // how many registers $t and $w are
}

// compile cuts a spelling up.
func compile(s spelling) *template {
	t := &template{spelling: s}
	for statement := range strings.SplitSeq(s.text, "; ") {
		var pieces []piece
		for i, part := range strings.Split(statement, "$") {
			if i == 0 {
				pieces = append(pieces, piece{text: part})
				continue
			}
			pieces[len(pieces)-1].slot = part[0]
			switch part[0] {
			case 't':
				t.spares[Word] = 1
			case 'w':
				t.spares[Wide] = 1
			}
			pieces = append(pieces, piece{text: part[1:]})
		}
		t.statements = append(t.statements, pieces)
	}
	return t
}

// byOp returns the templates of a table, by operation; nil where it has none.
func byOp(table map[word.Op]spelling) []*template {
	all := make([]*template, len(word.Ops())+1)
	for op, s := range table {
		all[op] = compile(s)
	}
	return all
}

var (
	operations  = byOp(table)
	comparisons = byOp(predicates)
	copying     = compile(move)
	narrowShift = compile(shortShift)
	summing     = compile(carrySum)
	carrying    = compile(carryPredicate)
)
