// Package proof proves that what package code prints in each language computes what it should: each
// operation by itself for all operands, and each function as made of operations.
package proof

import (
	"context"
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/translate/readback"
	"github.com/vop-ptx/vop/rewrite/word"
)

// How says how it is known that a spelling is its operation.
type How uint8

// The ways.
const (
	NotAtAll   How = iota // it is not, or not known to be: Result.Why
	Definition            // the spelling is an operator, a built-in function or an instruction that is defined as the operation is
	Solver                // the solver has proved it
)

// String returns "not proved", "definition" or "smt".
func (h How) String() string { return [...]string{"not proved", "definition", "smt"}[h] }

// Result tells of one operation in one language.
type Result struct {
	Language, Operation string
	Spelling            string // of the first immediate
	Immediates          int    // how many the operation was tried with: 1 if it has none
	How                 How
	Why                 string // of NotAtAll
}

// Operation proves that a language's code for an operation is that operation, for all operands, with each of the immediates given.
// That it is never undefined is part of it.
func Operation(ctx context.Context, l *code.Language, op word.Op, immediates []uint64, o prove.Options) Result {
	r := Result{Language: l.Name, Operation: op.String(), How: Definition, Immediates: len(immediates)}
	for n, imm := range immediates {
		s := l.Spell(op, imm)
		if n == 0 {
			r.Spelling = short(s)
		}
		how, why := spelled(ctx, l.Name, s, op, imm, o)
		if how == NotAtAll {
			r.How, r.Why = how, why
			if op.HasImm() {
				r.Why = fmt.Sprintf("with the immediate %#x: %s", imm, why)
			}
			return r
		}
		r.How = max(r.How, how)
	}
	return r
}

// short is a spelling in one line: what is returned where there is nothing else.
func short(s code.Spelling) string {
	text := strings.Join(strings.Fields(s.Statements), " ")
	return strings.TrimSuffix(strings.TrimPrefix(text, "return "), ";")
}

// spelled proves one spelling.
func spelled(ctx context.Context, language string, s code.Spelling, op word.Op, imm uint64, o prove.Options) (How, string) {
	var body *readback.Body
	file, err := helpersOf(language, s)
	if err == nil {
		if op == word.MulWideS { // it is made of the unsigned product, which is proven by itself
			proven(file, language, word.MulWideU)
		}
		body, err = file.Body(s.Statements)
	}
	if err != nil {
		return NotAtAll, err.Error()
	}
	b := readback.NewBuilder()
	parameters, want := operationOn(b, language, op, imm)
	got, err := returned(b, body, op, parameters)
	if err != nil {
		return NotAtAll, err.Error()
	}
	how := Definition
	for _, claim := range []struct {
		x, y word.Value
		what string
	}{{want, got, ""}, {b.Const(0), b.Undefined(), "something is undefined: "}} {
		if claim.x == claim.y {
			continue
		}
		how = Solver
		if e := prove.Equal(ctx, &b.Program, claim.x, claim.y, o); e.Verdict != prove.Proved {
			return NotAtAll, claim.what + e.String()
		}
	}
	return how, ""
}

// proven tells that the function that is the spelling of an operation is that operation, if one is.
func proven(file *readback.File, language string, op word.Op) {
	l, err := code.ParseLanguage(language)
	if err != nil || !l.Has(op) {
		return
	}
	if name, found := strings.CutSuffix(short(l.Spell(op, 0)), "(x, y)"); found && !strings.ContainsAny(name, "( ") {
		file.Proven(name, op)
	}
}

// helpersOf reads the functions that a spelling calls.
func helpersOf(language string, s code.Spelling) (*readback.File, error) {
	head := ""
	if language == code.Go.Name {
		head = "package p\n"
	}
	return readback.Parse(language, head+s.Helpers)
}

// bodyOf reads a spelling.
func bodyOf(language string, s code.Spelling) (*readback.Body, error) {
	file, err := helpersOf(language, s)
	if err != nil {
		return nil, err
	}
	return file.Body(s.Statements)
}

// operationOn makes the arguments of an operation, which may be any, by the names that spellings have for them,
// and the operation on them.
func operationOn(b *readback.Builder, language string, op word.Op, imm uint64) (map[string]readback.Value, word.Value) {
	parameters := map[string]readback.Value{}
	var args []word.Value
	for n := range op.Args() {
		v := b.Input(n)
		switch {
		case op.TakesWide():
			v = b.Join(v, b.Input(n+3))
		case op == word.Select && n == 0:
			v = b.Apply(word.CmpEq, 0, v, b.Const(0)) // any condition
		}
		args = append(args, v)
		parameters[argumentNames[n]] = argument(b, language, op, n, v)
	}
	return parameters, b.Apply(op, imm, args...)
}

var argumentNames = [3]string{"x", "y", "z"}

// argument is argument n of an operation as a spelling takes it.
func argument(b *readback.Builder, language string, op word.Op, n int, v word.Value) readback.Value {
	switch {
	case op.TakesWide():
		return b.Wide(language, v)
	case op == word.Select && n == 0:
		return b.Truth(language, v)
	}
	return b.Word(v)
}

// returned is what a spelling of an operation computes.
func returned(b *readback.Builder, body *readback.Body, op word.Op, parameters map[string]readback.Value) (word.Value, error) {
	to := readback.U32
	if op.Wide() {
		to = readback.U64
	}
	v, err := body.Result(b, parameters, to)
	if err != nil {
		return 0, err
	}
	return b.Bits(v), nil
}
