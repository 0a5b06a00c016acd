package proof

import (
	"errors"
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/translate/readback"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Program prints a program as a function of three words and is [Function] for it.
func Program(l *code.Language, p *word.Program) error {
	return Function(l, code.Function{Name: "f", Parameters: 3, Program: p})
}

// Function prints a function, reads it back, and reports if it is not made of the spellings of its program's operations as the program is
// of operations, or undefined where they are not. As those are proven ([Operation]), the function then computes
// the program; and so for what it tells through pointers.
func Function(l *code.Language, f code.Function) error {
	text, err := l.File("f", "a function.", []code.Function{f})
	if err != nil {
		return err
	}
	if err := Text(l, text, f); err != nil {
		return fmt.Errorf("%s: %w; the program is\n%vand is printed as\n%s", l.Name, err, f.Program, text)
	}
	return nil
}

// Text is [Function] for a text in which the function has been printed.
func Text(l *code.Language, text string, f code.Function) error {
	b := readback.NewBuilder()
	want, err := composed(b, l, f.Program)
	if err != nil {
		return err
	}
	told := map[string]word.Value{}
	for _, p := range f.Predicates {
		v, err := composed(b, l, p.Program)
		if err != nil {
			return err
		}
		told[p.Name] = b.Apply(word.Not, 0, b.Apply(word.CmpEq, 0, v, b.Const(0)))
	}
	undefined := b.Undefined()
	file, err := readback.Parse(l.Name, text)
	if err != nil {
		return err
	}
	var operands []readback.Value
	for n := range f.Parameters {
		x := b.Word(b.Input(n))
		if f.Signed {
			x = b.Signed(b.Input(n))
		}
		operands = append(operands, x)
	}
	got, conditions, err := file.Call(b, f.Name, operands...)
	switch {
	case err != nil:
		return err
	case b.Bits(got) != want:
		return errors.New("it is read back as another")
	case len(conditions) != len(told):
		return fmt.Errorf("it tells %d conditions, want %d", len(conditions), len(told))
	case b.Undefined() != undefined:
		return errors.New("it may be undefined where the operations are not")
	}
	for name, x := range conditions {
		if mask, err := b.Mask(l.Name, x); err != nil || mask != told[name] {
			return fmt.Errorf("what it tells of %s is read back as another", name)
		}
	}
	return nil
}

// composed makes a program of what a language's spellings of its operations compute.
func composed(b *readback.Builder, l *code.Language, p *word.Program) (word.Value, error) {
	values := make([]word.Value, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		switch i.Op {
		case word.Input:
			values[n] = b.Input(int(i.Imm))
			continue
		case word.Const:
			values[n] = b.Const(uint32(i.Imm))
			continue
		case word.WideConst:
			values[n] = b.WideConst(i.Imm)
			continue
		}
		body, err := bodies.of(l, i.Op, i.Imm)
		if err != nil {
			return 0, err
		}
		parameters := make(map[string]readback.Value, 3)
		for k, v := range i.Args() {
			parameters[argumentNames[k]] = argument(b, l.Name, i.Op, k, values[v])
		}
		if values[n], err = returned(b, body, i.Op, parameters); err != nil {
			return 0, err
		}
	}
	return values[p.Result], nil
}

// bodies are the spellings that have been read.
var bodies spellings

type spellings struct {
	mu    sync.Mutex
	known map[spelling]*readback.Body
}

type spelling struct {
	language *code.Language
	op       word.Op
	imm      uint64
}

// of returns what the spelling of an operation is read as.
func (s *spellings) of(l *code.Language, op word.Op, imm uint64) (*readback.Body, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := spelling{l, op, imm}
	if body := s.known[key]; body != nil {
		return body, nil
	}
	body, err := bodyOf(l.Name, l.Spell(op, imm))
	if err != nil {
		return nil, err
	}
	if s.known == nil {
		s.known = map[spelling]*readback.Body{}
	}
	s.known[key] = body
	return body, nil
}
