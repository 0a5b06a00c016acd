package service

import (
	"sync"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// instructionAt returns the instruction of a piece that a place is in, or nil.
func (p *piece) instructionAt(pos source.Pos) *syntax.Instruction {
	return instructionIn(p.tree().Stmts, pos)
}

func instructionIn(stmts []syntax.Stmt, pos source.Pos) *syntax.Instruction {
	for _, s := range stmts {
		at := s.Span()
		if at.Start > pos {
			return nil
		}
		if pos > at.End {
			continue
		}
		switch s := s.(type) {
		case *syntax.Instruction:
			return s
		case *syntax.Function:
			if s.Body != nil {
				return instructionIn(s.Body.Stmts, pos)
			}
		case *syntax.Block:
			return instructionIn(s.Stmts, pos)
		}
	}
	return nil
}

// mnemonic is the place of an instruction's name with its modifiers.
func mnemonic(in *syntax.Instruction) source.Span {
	at := in.Name.Span()
	if n := len(in.Modifiers); n > 0 {
		at.End = in.Modifiers[n-1].Span().End
	}
	return at
}

// formOf returns the form of a video instruction; ok is false if it is none, or has errors.
func (p *piece) formOf(in *syntax.Instruction) (isa.Form, bool) {
	if isa.ParseOp(in.Name.Text) == isa.NoOp {
		return isa.Form{}, false
	}
	bare := *in
	bare.Guard = syntax.Guard{}
	form, errs := check.Instruction(&bare, p.file)
	return form, !errs.HasErrors() && form.Valid()
}

// costs remembers what instructions cost: the same few come again and again.
var costs = struct {
	sync.Mutex
	known map[priced]translate.Rewrite
}{known: map[priced]translate.Rewrite{}}

// priced is what a cost depends on.
type priced struct {
	form    isa.Form
	facts   lower.Facts
	sm      int
	version isa.Version
}

// maxCosts is how many are remembered.
const maxCosts = 4096

// cost returns how many machine instructions a video instruction is on the machine of the document.
func (a *Analysis) cost(f isa.Form, operands []syntax.Operand) translate.Rewrite {
	key := priced{f, translate.FactsOf(operands), a.sm, a.version}
	costs.Lock()
	known, ok := costs.known[key]
	costs.Unlock()
	if ok {
		return known
	}
	fresh := translate.Cost(f, operands, a.sm, a.version)
	costs.Lock()
	defer costs.Unlock()
	if len(costs.known) >= maxCosts {
		clear(costs.known)
	}
	costs.known[key] = fresh
	return fresh
}
