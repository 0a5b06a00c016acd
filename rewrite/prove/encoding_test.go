package prove

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// TestManualEqualsSem evaluates the terms of the manual, which the solver is asked
// about, and compares them with the reference, under both readings. What is assumed of
// products must hold, too.
func TestManualEqualsSem(t *testing.T) {
	forms, triples := 3000, 8
	if !long.Tests() {
		forms = 300
	}
	for _, reading := range isa.Readings() {
		rng := rand.New(rand.NewPCG(5, uint64(reading)))
		n := 0
		for f := range isa.Sample(rng) {
			q := &query{reading: reading, multiply: multiplicationOf(f, lower.Facts{})}
			d := q.manual(f)
			for range triples {
				a, b, c := conform.Operands(rng, f)
				e := term.With(a, b, c)
				if got, want := uint32(e.Value(d).Uint64()), sem.EvalAs(reading, f, a, b, c); got != want {
					t.Fatalf("%v, reading %v, a=%08x b=%08x c=%08x: the terms say %08x, sem %08x\n%s", f, reading, a, b, c, got, want, q)
				}
				for _, assumed := range q.asserted {
					if e.Value(assumed).Sign() == 0 {
						t.Fatalf("%v, reading %v, a=%08x b=%08x c=%08x: %v does not hold", f, reading, a, b, c, assumed)
					}
				}
			}
			if n++; n == forms {
				break
			}
		}
	}
}

// TestCompiledTermsEqualSem does the same on the operands for which sem knows the
// readings to differ.
func TestCompiledTermsEqualSem(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 86))
	forms := 0
	for f := range isa.Sample(rng) {
		differences := sem.Differences(f)
		if len(differences) == 0 {
			continue
		}
		q := &query{reading: isa.SM86, multiply: multiplicationOf(f, lower.Facts{})}
		d := q.manual(f)
		for _, x := range differences {
			got := uint32(term.With(x.A, x.B, x.C).Value(d).Uint64())
			if want := sem.EvalAs(isa.SM86, f, x.A, x.B, x.C); got != want {
				t.Fatalf("%v a=%08x b=%08x c=%08x: the terms say %08x, sem %08x\n%s", f, x.A, x.B, x.C, got, want, q)
			}
		}
		if forms++; forms == 1000 {
			break
		}
	}
}

// TestMadOfConstantsEqualsSem is TestManualEqualsSem for vmad with a factor that is known, whose
// products are written in another way.
func TestMadOfConstantsEqualsSem(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	words := conform.EdgeWords()
	for range 1000 {
		f := isa.SampleOp(isa.Vmad, rng)
		v := [3]uint32{}
		v[0], v[1], v[2] = conform.Operands(rng, f)
		known := rng.IntN(2)
		v[known] = words[rng.IntN(len(words))]
		var facts lower.Facts
		facts.Known[known] = lower.Constant(v[known])
		for _, reading := range isa.Readings() {
			for _, multiply := range []multiplication{exactly, abstractly, negating} {
				q := &query{facts: facts, reading: reading, multiply: multiply}
				e := term.With(v[0], v[1], v[2])
				got := uint32(e.Value(q.manual(f)).Uint64())
				if want := sem.EvalAs(reading, f, v[0], v[1], v[2]); got != want {
					t.Fatalf("%s as %v, %08x: the terms say %08x, sem %08x\n%s", facts.Spell(f), reading, v, got, want, q)
				}
				for _, assumed := range q.asserted {
					if e.Value(assumed).Sign() == 0 {
						t.Fatalf("%s as %v, %08x: what is assumed of the product does not hold: %v", facts.Spell(f), reading, v, assumed)
					}
				}
			}
		}
	}
}

// TestProgramEqualsEval evaluates the terms of word programs and compares them with
// the programs, for every target.
func TestProgramEqualsEval(t *testing.T) {
	seen := map[word.Op]bool{}
	for n, caps := range lower.Targets() {
		rng := rand.New(rand.NewPCG(6, uint64(n)))
		forms := 0
		for f := range isa.Sample(rng) {
			p := lower.Form(f, caps)
			q := &query{multiply: multiplicationOf(f, lower.Facts{}), signed: forms%2 == 0}
			d := q.program(p)
			for _, i := range p.Insts {
				seen[i.Op] = true
			}
			for range 4 {
				a, b, c := conform.Operands(rng, f)
				if got, want := uint32(term.With(a, b, c).Value(d).Uint64()), p.Eval(a, b, c); got != want {
					t.Fatalf("%v for %s, a=%08x b=%08x c=%08x: the terms say %08x, the program %08x\n%v\n%s", f, caps.Name, a, b, c, got, want, p, q)
				}
			}
			if forms++; forms == 500 {
				break
			}
		}
	}
}

// TestEveryOperation evaluates the term of each operation by itself: the lowerings of a
// sample of forms need not use them all.
func TestEveryOperation(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	words := conform.EdgeWords()
	operand := func() uint32 {
		if rng.IntN(2) == 0 {
			return words[rng.IntN(len(words))]
		}
		return rng.Uint32()
	}
	for _, op := range word.Ops() {
		if op.Args() == 0 {
			continue
		}
		for range 300 {
			p := programOf(op, rng)
			if err := p.Check(); err != nil {
				t.Fatalf("%v: %v", op, err)
			}
			q := &query{}
			d := q.program(p)
			a, b, c := operand(), operand(), operand()
			if op == word.Shl || op == word.ShrU || op == word.ShrS || op == word.ShlWide {
				b = uint32(rng.IntN(70))
			}
			if got, want := uint32(term.With(a, b, c).Value(d).Uint64()), p.Eval(a, b, c); got != want {
				t.Fatalf("a=%08x b=%08x c=%08x: the terms say %08x, the program %08x\n%v\n%s", a, b, c, got, want, p, q)
			}
		}
	}
}

// programOf returns a program that applies one operation to a, b and c, made wide or
// compared where it takes that, and gives one word of what comes out.
func programOf(op word.Op, rng *rand.Rand) *word.Program {
	p := &word.Program{}
	emit := func(i word.Inst) word.Value {
		p.Insts = append(p.Insts, i)
		return word.Value(len(p.Insts) - 1)
	}
	i := word.Inst{Op: op, Imm: immediate(op, rng)}
	for k := range op.Args() {
		v := emit(word.Inst{Op: word.Input, Imm: uint64(k)})
		switch {
		case (op == word.Mul || op == word.MulWideU || op == word.MulWideS) && rng.IntN(3) == 0:
			v = emit(word.Inst{Op: word.Const, Imm: uint64(rng.Uint32()) >> rng.IntN(32)})
			if rng.IntN(2) == 0 {
				p.Insts[v].Imm ^= 0xffffffff
			}
		case op == word.Select && k == 0:
			v = emit(word.Inst{Op: word.CmpLtS, Arg: [3]word.Value{v, v}})
			if rng.IntN(2) == 0 {
				p.Insts[v].Op = word.CmpEq
			}
		case op.TakesWide() && k == 1 && op == word.ShlWide:
			v = emit(word.Inst{Op: word.WideU, Arg: [3]word.Value{v}})
		case op.TakesWide():
			v = emit(word.Inst{Op: word.WideU, Arg: [3]word.Value{v}})
			high := emit(word.Inst{Op: word.WideConst, Imm: rng.Uint64()})
			v = emit(word.Inst{Op: word.AddWide, Arg: [3]word.Value{v, high}})
		}
		i.Arg[k] = v
	}
	p.Result = emit(i)
	if op.Wide() {
		half := emit(word.Inst{Op: word.ShrWideU, Arg: [3]word.Value{p.Result}, Imm: 32 * uint64(rng.IntN(2))})
		p.Result = emit(word.Inst{Op: word.Lo, Arg: [3]word.Value{half}})
	}
	return p
}

// immediate draws one that the operation may have.
func immediate(op word.Op, rng *rand.Rand) uint64 {
	switch op {
	case word.DotU8, word.DotS8:
		return uint64(rng.Uint32())
	case word.Perm:
		return uint64(rng.Uint32()) & 0x7777
	case word.PermS, word.DotU16, word.DotS16:
		return uint64(rng.Uint32()) & 0xffff
	case word.Logic3:
		return uint64(rng.Uint32()) & 0xff
	case word.ShrWideU, word.ShrWideS:
		return uint64(rng.IntN(64))
	}
	return 0
}

// TestProductBySign evaluates the terms of products by the sign of a word, and by powers of two, which are written without one; a shift by less is no
// sign, and what another number is shifted to no power.
func TestProductBySign(t *testing.T) {
	for _, text := range []string{
		"v1 = shr.s a, 1f\nv2 = mul b, v1\nd = v2", "v1 = shr.s a, 1f\nv2 = mul v1, b\nd = v2", "v1 = shr.s a, 1e\nv2 = mul v1, b\nd = v2",
		"v1 = shl 1, a\nv2 = mul.wide.u b, v1\nv3 = shr.wide.u v2, 1c\nv4 = lo v3\nd = v4", "v1 = shl ffffffff, a\nv2 = mul.wide.s v1, b\nv3 = shr.wide.u v2, 1c\nv4 = lo v3\nd = v4",
		"v1 = shl 1, a\nv2 = mul.wide.s b, v1\nv3 = shr.wide.u v2, 1c\nv4 = lo v3\nd = v4", "v1 = shl ffffffff, a\nv2 = mul.wide.u v1, b\nv3 = shr.wide.u v2, 1c\nv4 = lo v3\nd = v4",
		"v1 = shr.u a, 1f\nv2 = mul v1, b\nd = v2", "v1 = shr.s a, c\nv2 = mul v1, b\nd = v2", "v1 = shr.s a, 1f\nv2 = shr.s b, 1f\nv3 = mul v1, v2\nd = v3",
	} {
		p, err := word.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range append(conform.EdgeWords(), 3, 30, 31, 32, 33) {
			for _, b := range conform.EdgeWords() {
				q := &query{}
				if got, want := uint32(term.With(a, b, 5).Value(q.program(p)).Uint64()), p.Eval(a, b, 5); got != want {
					t.Fatalf("a=%08x b=%08x: the terms say %08x, the program %08x\n%v", a, b, got, want, p)
				}
			}
		}
	}
}
