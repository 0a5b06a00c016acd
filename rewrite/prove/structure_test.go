package prove

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// scramble changes the operand bytes that are not in a set.
func scramble(x [3]uint32, keep byteSet, rng *rand.Rand) [3]uint32 {
	for n := range x {
		mask := groupMask(keep, n)
		x[n] = x[n]&mask | rng.Uint32()&^mask
	}
	return x
}

// TestBytes: a byte of a result does not change with operand bytes that it is said not to
// depend on, neither by the manual nor by the program's structure.
func TestBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	n, tracedPrograms := 0, 0
	for f := range isa.Sample(rng) {
		caps := lower.Targets()[n%len(lower.Targets())]
		p := lower.Form(f, caps)
		structure, ok := traced(p)
		if ok {
			tracedPrograms++
		}
		for range 5 {
			var x [3]uint32
			x[0], x[1], x[2] = conform.Operands(rng, f)
			for i, needs := range meant(f) {
				y := scramble(x, needs, rng)
				if (sem.Eval(f, x[0], x[1], x[2])^sem.Eval(f, y[0], y[1], y[2]))>>(8*i)&0xff != 0 {
					t.Fatalf("%v: byte %d depends on more than %012b: %08x and %08x", f, i, needs, x, y)
				}
			}
			for bit, needs := range structure {
				y := scramble(x, needs, rng)
				if ok && (p.Eval(x[0], x[1], x[2])^p.Eval(y[0], y[1], y[2]))>>bit&1 != 0 {
					t.Fatalf("%v for %s: bit %d depends on more than %012b: %08x and %08x\n%v", f, caps.Name, bit, needs, x, y, p)
				}
			}
		}
		if n++; n == 2000 {
			break
		}
	}
	if tracedPrograms < n/2 {
		t.Errorf("only %d of %d programs could be traced", tracedPrograms, n)
	}
}

// TestSumsAreThePrograms: what a program is said to be the sum of adds up to its result,
// and each term says what its number is.
func TestSumsAreThePrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	n, sums := 0, 0
	for f := range isa.Sample(rng) {
		if f.Second != isa.SecondAdd {
			continue
		}
		caps := lower.Targets()[n%len(lower.Targets())]
		p := lower.Form(f, caps)
		s, ok := sumOf(p)
		if ok {
			sums++
			q := &query{}
			terms := q.values(p)
			for range 5 {
				a, b, c := conform.Operands(rng, f)
				values := p.Values(a, b, c)
				e := term.With(a, b, c)
				total := c + s.constant
				for k, leaves := range [][]leaf{s.plus, s.minus} {
					for _, l := range leaves {
						x := l.number(values)
						total += x * [...]uint32{1, 0xffffffff}[k]
						if got := uint32(e.Value(l.term(terms)).Uint64()); got != x {
							t.Fatalf("%v for %s: a term %v is %08x, its number %08x", f, caps.Name, l.term(terms), got, x)
						}
					}
				}
				if want := p.Eval(a, b, c); total != want {
					t.Fatalf("%v for %s, a=%08x b=%08x c=%08x: the sum is %08x, the program gives %08x\n%v", f, caps.Name, a, b, c, total, want, p)
				}
			}
		}
		if n++; n == 2000 {
			break
		}
	}
	if sums < n*9/10 {
		t.Errorf("only %d of %d programs are sums", sums, n)
	}
}

// TestLongSumsAreRefused: splitting ends also where every step doubles what is to do.
func TestLongSumsAreRefused(t *testing.T) {
	p := &word.Program{}
	v := constant(p, 1)
	for range 100 {
		v = emit(p, word.Inst{Op: word.Add, Arg: [3]word.Value{v, v}})
	}
	p.Result = v
	if _, ok := sumOf(p); ok {
		t.Error("a sum of 2^100 constants was split")
	}
}

// TestClassesAreForms: each is one of the table's, and there are as many as the choices give.
func TestClassesAreForms(t *testing.T) {
	ops := map[isa.Op]int{}
	for f := range Classes() {
		if !f.Valid() {
			t.Fatalf("%+v is not valid", f)
		}
		ops[f.Op]++
	}
	for _, op := range isa.Ops() {
		if ops[op] == 0 {
			t.Errorf("no class of %v", op)
		}
	}
	// 8 types x 9 pairs of widths x 2 for .sat x (1 plain, 3 op2, 2 widths of a merge).
	if want := 8 * 9 * 2 * 6; ops[isa.Vadd] != want {
		t.Errorf("%d classes of vadd, want %d", ops[isa.Vadd], want)
	}
}

// TestCompleteCountsAsTheTable: all forms of one and two lanes, each once.
func TestCompleteCountsAsTheTable(t *testing.T) {
	counts := map[isa.Op]uint64{}
	for f := range Complete() {
		counts[f.Op]++
	}
	for _, op := range isa.Ops() {
		want := isa.Count(op)
		if op.Lanes() == 4 {
			want /= 1 << 24 // the selectors
		}
		if counts[op] != want {
			t.Errorf("%d forms of %v, want %d", counts[op], op, want)
		}
	}
}
