package builder_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// newBuilder returns the builder of programs whose operands are not known.
func newBuilder(caps word.Caps) *builder.Builder {
	b := builder.New(caps, builder.AnyOperands)
	return &b
}

// constants are what random programs are made of, beside the operands: what rules look for.
var constants = []uint32{0, 1, 7, 8, 16, 24, 31, 32, 0xff, 0xff00, 0xffff, 0x00ff00ff, 0x01010101, 0x7f7f7f7f,
	0x80808080, 0x80008000, 0x7fff7fff, 0xffff0000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x12345678}

// TestRulesKeepValues builds random programs twice, with all rules and instruction by
// instruction, and compares their values; and every value with the bits that it may have.
func TestRulesKeepValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var ops []word.Op
	for _, op := range word.Ops() {
		if op.Args() > 0 && op != word.Select {
			ops = append(ops, op)
		}
	}
	for range long.Of(20_000, 5000) {
		caps := lower.Targets()[rng.IntN(len(lower.Targets()))]
		b := newBuilder(caps)
		plain := &word.Program{}
		moved := []word.Value{} // from plain to b
		push := func(i word.Inst, v word.Value) {
			plain.Insts = append(plain.Insts, i)
			moved = append(moved, v)
		}
		for n := range 2 {
			push(word.Inst{Op: word.Input, Imm: uint64(n)}, b.Input(n))
		}
		for range 2 {
			k := constants[rng.IntN(len(constants))]
			push(word.Inst{Op: word.Const, Imm: uint64(k)}, b.Con(k))
		}
		for range 1 + rng.IntN(8) {
			i := word.Inst{Op: ops[rng.IntN(len(ops))]}
			if i.Op.HasImm() {
				i.Imm = rng.Uint64() & i.Op.MaxImm()
				if i.Op == word.Perm {
					i.Imm &= 0x7777
				}
			}
			if !chooseArguments(rng, plain, &i) || i.Op == word.DotS8 && caps.NonNegativeDotS8 && i.Imm&0x80808080 != 0 {
				continue
			}
			args := make([]word.Value, i.Op.Args())
			for k := range args {
				args[k] = moved[i.Arg[k]]
			}
			push(i, b.DoImm(i.Op, i.Imm, args...))
		}
		last := len(plain.Insts) - 1
		if plain.Insts[last].Op.Wide() {
			continue
		}
		plain.Result = word.Value(last)
		simplified := &word.Program{Insts: slices.Clone(b.Insts()), Result: moved[last]}
		finished := b.Finish(moved[last])
		if err := simplified.Check(); err != nil {
			t.Fatalf("%v\n%v", err, simplified)
		}
		for range 20 {
			x, y := rng.Uint32(), rng.Uint32()
			want := plain.Eval(x, y, 0)
			for _, p := range []*word.Program{simplified, finished} {
				if got := p.Eval(x, y, 0); got != want {
					t.Fatalf("%s: a=%08x b=%08x: %08x, want %08x\n%vis simplified to\n%v", caps.Name, x, y, got, want, plain, p)
				}
			}
			checkKnownBits(t, simplified, x, y)
		}
	}
}

// chooseArguments takes values of the right width at random.
func chooseArguments(rng *rand.Rand, p *word.Program, i *word.Inst) bool {
	for k := range i.Op.Args() {
		for tries := 0; ; tries++ {
			v := word.Value(rng.IntN(len(p.Insts)))
			if p.Insts[v].Op.Wide() == i.Op.TakesWide() {
				i.Arg[k] = v
				break
			}
			if tries == 20 {
				return false
			}
		}
	}
	return true
}

// checkKnownBits holds the values of a program against the bits that the builder takes
// them to have.
func checkKnownBits(t *testing.T, p *word.Program, x, y uint32) {
	t.Helper()
	bits := builder.BitsOf(p.Insts)
	for n := range p.Insts {
		one := &word.Program{Insts: p.Insts, Result: word.Value(n)}
		if p.Insts[n].Op.Wide() {
			continue
		}
		if got := one.Eval(x, y, 0); got&^bits[n] != 0 {
			t.Fatalf("v%d is %08x, but only the bits %08x were expected\n%v", n, got, bits[n], p)
		}
	}
}

// TestBytes makes words of random bytes, zeros and signs of up to five values.
func TestBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 20_000 {
		caps := lower.Targets()[rng.IntN(len(lower.Targets()))]
		b := newBuilder(caps)
		sources := []word.Value{b.Input(0), b.Input(1), b.Input(2), b.Con(rng.Uint32())}
		sources = append(sources, b.Do(word.Add, sources[0], sources[1]), b.Shl(sources[0], 8), b.AndCon(sources[1], 0xff00ff))
		sources = sources[:1+rng.IntN(len(sources))]
		var picks [4]builder.Pick
		for i := range picks {
			picks[i] = builder.ByteOf(sources[rng.IntN(len(sources))], rng.IntN(4))
			switch rng.IntN(6) {
			case 0:
				picks[i] = builder.ZeroByte
			case 1:
				picks[i].Sign = true
			case 2:
				picks[i] = picks[0]
			}
		}
		v := b.Bytes(picks)
		p := &word.Program{Insts: b.Insts(), Result: v}
		if err := p.Check(); err != nil {
			t.Fatalf("%v\n%v", err, p)
		}
		x, y, z := rng.Uint32(), rng.Uint32(), rng.Uint32()
		want := uint32(0)
		for i, from := range picks {
			if from.Zero {
				continue
			}
			one := &word.Program{Insts: b.Insts(), Result: from.Src}
			value := one.Eval(x, y, z) >> (8 * from.N) & 0xff
			if from.Sign {
				value = word.Ones(value >= 0x80) & 0xff
			}
			want |= value << (8 * i)
		}
		if got := p.Eval(x, y, z); got != want {
			t.Fatalf("%s: the bytes %v are %08x, want %08x\n%v", caps.Name, picks, got, want, p)
		}
	}
}

// TestFormulas computes all 256 functions of three bits.
func TestFormulas(t *testing.T) {
	for table := range 256 {
		b := newBuilder(word.Portable)
		v := b.Table(uint8(table), b.Input(0), b.Input(1), b.Input(2))
		p := &word.Program{Insts: b.Insts(), Result: v}
		if got := p.Eval(builder.TableX, builder.TableY, builder.TableZ) & 0xff; got != uint32(table) {
			t.Errorf("table %02x is computed as %02x\n%v", table, got, p)
		}
		if p.Cost() > 5 {
			t.Errorf("table %02x takes %d operations, no function needs more than 5\n%v", table, p.Cost(), p)
		}
	}
}

// TestFuseLogic checks that no more than one operation is left of any logic on three values.
func TestFuseLogic(t *testing.T) {
	for table := range 256 {
		b := newBuilder(word.Portable)
		v := b.Table(uint8(table), b.Input(0), b.Input(1), b.Input(2))
		p := b.Fused(&word.Program{Insts: b.Insts(), Result: v})
		if got := p.Eval(builder.TableX, builder.TableY, builder.TableZ) & 0xff; got != uint32(table) || p.Cost() > 1 {
			t.Errorf("table %02x is fused to %d operations that give %02x\n%v", table, p.Cost(), got, p)
		}
	}
}
