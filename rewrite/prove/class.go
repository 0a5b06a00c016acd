package prove

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/normal"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Scalar forms that differ only in which byte or half they select ask the same question, if their programs
// differ in nothing else: bring the part to the bottom by turning the operand, which maps words to words one to
// one. So does a part of d, with c turned alike. A question is therefore known by the form whose parts are
// at the bottom, and by the normal form of the program on the turned operands.

// turned returns the form whose parts stand at the bottom, and by how many bits each operand is turned for that,
// d like c.
func turned(f isa.Form, reading isa.Reading, facts lower.Facts) (isa.Form, [3]int) {
	var by [3]int
	if f.Op.SIMD() || facts != (lower.Facts{}) {
		return f, by
	}
	if f.Op.Kind() == isa.Mad {
		f.DType = isa.U32 // 9.7.18.1.3 does not look at it
	}
	by[0], by[1] = f.ASel.Shift(), f.BSel.Shift()
	f.ASel, f.BSel = standsFor(f.ASel), standsFor(f.BSel)
	if reading == isa.Manual || f.DSel != isa.H1 { // rule Q1 looks at the place of d's part
		by[2] = f.DSel.Shift()
		f.DSel = standsFor(f.DSel)
	}
	return f, by
}

// question returns the text by which the question about a program is known: it spells out the form, what is
// known of its operands, the manual's stages, the program's normal form, and what its operations are.
func question(f isa.Form, p *word.Program, o Options) string {
	f, by := turned(f, o.Reading, o.Facts)
	if f.Op.SIMD() {
		o.Reading = isa.Manual // they agree
	}
	rename := func(operand, at int) (int, int) {
		switch { // the same register is the same operand
		case o.Facts.SameBC && operand == 2:
			operand = 1
		case o.Facts.SameAC && operand == 2:
			operand = 0
		}
		if o.Facts.SameAB && operand == 1 {
			operand = 0
		}
		return operand, (at - by[operand]) & 31
	}
	d := normal.Form(p, rename, func(at int) int { return (at - by[2]) & 31 })
	q := &query{facts: o.Facts, reading: o.Reading, multiply: multiplicationOf(f, o.Facts)}
	q.manual(f)
	return fmt.Sprintf("%s as %v\n%sd = %s\n%s", o.Facts.Spell(f), o.Reading, q, d, meaningOf(p))
}

// meaningOf writes the terms of a program's operations, so that a change of one is seen. Those that may
// only move bits are left out, so that programs which move them otherwise ask one question.
func meaningOf(p *word.Program) string {
	has := map[word.Op]bool{}
	for n := range p.Insts {
		has[p.Insts[n].Op] = true
	}
	text := ""
	for _, op := range word.Ops() {
		if has[op] && op.Args() > 0 && !moves(op) {
			text += meanings()[op]
		}
	}
	return text
}

// moves reports whether an operation may only move bits: normal forms are made of those, and of what a
// test holds them against.
func moves(op word.Op) bool {
	switch op {
	case word.And, word.Or, word.Xor, word.AndNot, word.Logic3, word.Shl, word.ShrU, word.ShrS, word.Perm, word.PermS, word.Mul:
		return true
	}
	return false
}

// meanings are the operations as terms.
var meanings = sync.OnceValue(func() map[word.Op]string {
	all := map[word.Op]string{}
	for _, op := range word.Ops() {
		if op.Args() == 0 {
			continue
		}
		i := word.Inst{Op: op}
		if op.HasImm() {
			i.Imm = 0x1b & op.MaxImm()
		}
		width := 32
		if op.TakesWide() {
			width = 64
		}
		var args [3]*term.Term
		for k := range op.Args() {
			args[k] = &term.Term{Width: width, Name: string(rune('x' + k))}
		}
		all[op] = fmt.Sprintf("%v is %v\n", op, (&query{}).operation(&i, args, false))
	}
	return all
})

// proofOf returns the hash of a question.
func proofOf(question string) (hash proof) {
	sum := sha256.Sum256([]byte(question))
	copy(hash[:], sum[:])
	return hash
}
