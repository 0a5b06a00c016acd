package listing_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/op"
	"github.com/vop-ptx/vop/run/simt/simttest"
)

// TestCheckFinds spoils a function that is right, and reads what the verifier says. What the printed form
// can say that is wrong stands in TestParseErrors.
func TestCheckFinds(t *testing.T) {
	const text = `declare f(x u32) (r u32)

kernel k(), local 8
b0:
  %1:32 = add.u32 %tid.x, 1
  %2:p = setp.lt.u32 %1, 5
  jump b1
b1: <- b0 b3, loop b1
  %3:32 = phi b0 0, b3 %5
  %4:64 = ld.global.u64 [0] if %2
  branch %2, b2, b4
b2: <- b1, loop b1
  %5:32 = call f(%3), b3
b3: <- b2, loop b1
  jump b1
b4: <- b1
  st.global.u32 [%4], %3
  barrier 0, b5
b5: <- b4
  return
`
	const phi, inst = simt.PhiDef, simt.InstDef
	for _, test := range []struct {
		spoil func(f *simt.Function)
		want  string
	}{
		{func(f *simt.Function) { f.Blocks = nil }, "the function has no blocks"},
		{func(f *simt.Function) { f.Values = nil }, "value 0, which is none, is missing"},
		{func(f *simt.Function) { f.Local = -1 }, "the function has -1 bytes of local memory; a thread may have 0 to 524288"},
		{func(f *simt.Function) { f.Decl.Entry, f.Decl.Params = false, callee(f).Params }, "x has no place in local memory"},
		{func(f *simt.Function) { f.Constant(simt.B32, 77); f.Values[len(f.Values)-1].Bits = 1 << 40 }, "value 11 is the constant 0x10000000000, which is none of type 2"},
		{func(f *simt.Function) { f.Special(simt.B64, "%tid.y") }, "value 11 is called %tid.y, which is no special value of type 3"},
		{func(f *simt.Function) { f.Values[1].Type = 9 }, "value 1 is of type 9, which is none"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Defs[0] = 99 }, "b0: %?99 = add.u32 %tid.x, 1: it defines value 99, which is none"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Defs = nil }, "b0: add.u32 %tid.x, 1: it defines one value, not none"},
		{func(f *simt.Function) { f.Blocks[0].Insts[1].Defs[0] = f.Blocks[0].Insts[0].Defs[0] }, "b0: %1:32 = setp.lt.u32 %1, 5: what it defines has been defined in b0"},
		{func(f *simt.Function) { f.Values[f.Blocks[0].Insts[0].Defs[0]].Block = 1 }, "b0: %1:32 = add.u32 %tid.x, 1: what it defines says that it is defined otherwise: kind 3, b1"},
		{func(f *simt.Function) { f.Values[f.Blocks[1].Phis[0].Def].Kind = inst }, "b1: %3:32 = phi b0 0, b3 %5: what it defines says that it is defined otherwise: kind 3, b1"},
		{func(f *simt.Function) { f.Values[f.Blocks[0].Insts[0].Defs[0]].Kind = phi }, "b0: %1:32 = add.u32 %tid.x, 1: what it defines says that it is defined otherwise: kind 2, b0"},
		{func(f *simt.Function) { f.Values[f.Blocks[0].Insts[0].Defs[0]].Type = simt.NoType }, "b0: %1:none = add.u32 %tid.x, 1: what it defines has no type"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Args[0] = 0 }, "b0: %1:32 = add.u32 _, 1: it reads value 0, which is none"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Args[0] = -3 }, "b0: %1:32 = add.u32 %?-3, 1: it reads value -3, which is none"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Args[0] = f.Blocks[0].Insts[0].Defs[0] }, "b0: %1:32 = add.u32 %1, 1: %1 is used before it is defined"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Args[0] = f.Blocks[1].Insts[0].Defs[0] }, "b0: %1:32 = add.u32 %4, 1: %4 is defined in b1, which is not on every way to b0"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Args[0] = f.Blocks[0].Insts[1].Defs[0]; swap(f) }, "b0: %2:32 = add.u32 %1, 1: operand 1 has type p, not 32"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Args = nil }, "b0: %1:32 = add.u32: it takes 2 operands, not none"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Op = op.All() }, "b0: instruction 0: there is no operation " + "ALL"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].Kind = simt.Load }, "b0: instruction 0: an instruction of kind 1 has not a <nil>"},
		{func(f *simt.Function) { f.Blocks[0].Insts[0].At = -2 }, "b0: %1:32 = add.u32 %tid.x, 1: the text has no instruction -2"},
		{func(f *simt.Function) { f.Blocks[1].Insts[0].Guard = f.Blocks[0].Insts[0].Defs[0] }, "b1: %4:64 = ld.global.u64 [0] if %1: operand 1 has type 32, not p"},
		{func(f *simt.Function) { f.Blocks[1].Insts[0].Guard, f.Blocks[1].Insts[0].GuardNot = 0, true }, "b1: %4:64 = ld.global.u64 [0]: it is under the opposite of no guard"},
		{func(f *simt.Function) { access(f).Size = 4 }, "b1: instruction 0: the access is "},
		{func(f *simt.Function) { access(f).Spelling = "ld.u64" }, ""}, // says less of its space
		{func(f *simt.Function) { access(f).Spelling = "load" }, "b1: instruction 0: \"load\" is not a form that this accesses memory by"},
		{func(f *simt.Function) { f.Blocks[1].Phis[0].Args = nil }, "b1: %3:32 = phi : it chooses between no value, and 2 edges lead here"},
		{func(f *simt.Function) { f.Blocks[1].End.Cond = 0 }, "b1: branch b2, b4: it takes one operand, not none"},
		{func(f *simt.Function) { f.Blocks[1].End.Kind = simt.Exit }, "b1: exit %2, b2, b4: it leads to no block, not 2"},
		{func(f *simt.Function) { f.Blocks[1].End.Kind = 99 }, "b1: its end: an end of kind 99 has not a <nil>"},
		{func(f *simt.Function) { f.Blocks[1].End.Aux = &simt.CallOp{} }, "b1: its end: an end of kind 1 has not a *simt.CallOp"},
		{func(f *simt.Function) { f.Blocks[2].End.Aux = &simt.CallOp{} }, "b2: its end: a call that is not through a register has one callee, not 0"},
		{func(f *simt.Function) { callOp(f).Callees[0].In[0].Register = 1 }, "b2: its end: x is register 1 of those passed, and stands in place 0"},
		{func(f *simt.Function) { callOp(f).Callees[0].In[0].Inner = nil }, "b2: its end: what is passed is not what f has as parameters and results"},
		{func(f *simt.Function) { callOp(f).Callees[0].Function = nil }, "b2: its end: a call of no function"},
		{func(f *simt.Function) { f.Blocks[4].End.Args[1] = f.Constant(simt.B32, 32) }, "b4: barrier 0, b5: it has a number of threads, and does not count them"},
		{func(f *simt.Function) { f.Blocks[4].End.Aux.(*simt.BarrierOp).Reduce = "xor" }, "b4: its end: barriers do not reduce by xor"},
		{func(f *simt.Function) { f.Blocks[3].Loop = 0 }, "b3: it says that it is in the loop of b0, and is in the loop of b1"},
		{func(f *simt.Function) { f.Blocks[5].Preds[0] = 77 }, "b5: b4 leads to it; it names b77"},
	} {
		f, err := listing.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		test.spoil(f)
		got := ""
		if err := listing.Check(f); err != nil {
			got = err.Error()
		}
		want := strings.Replace(test.want, "ALL", strings.TrimSpace(strings.TrimPrefix(got, "b0: instruction 0: there is no operation ")), 1)
		if got != want && !(strings.HasSuffix(want, " is ") && strings.HasPrefix(got, want)) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func callOp(f *simt.Function) *simt.CallOp { return f.Blocks[2].End.Aux.(*simt.CallOp) }
func access(f *simt.Function) *simt.Access { return f.Blocks[1].Insts[0].Aux.(*simt.Access) }

// swap exchanges the first two instructions.
func swap(f *simt.Function) {
	insts := f.Blocks[0].Insts
	insts[0], insts[1] = insts[1], insts[0]
	insts[0].Args[0] = insts[0].Args[1]
}

// TestCheckNeverPanics spoils functions at random: Check and String come back whatever there is. Most
// of what is spoilt is found.
func TestCheckNeverPanics(t *testing.T) {
	found, all := 0, 0
	for seed := range uint64(40) {
		k := model.New(seed)
		for n := range uint64(15) {
			p, err := simttest.Load(k.Text(), build.Options{Reading: k.Reading})
			if err != nil {
				t.Fatal(err)
			}
			f := p.Functions[len(p.Functions)-1]
			spoil(f, rand.New(rand.NewPCG(seed, n)))
			all++
			if listing.Check(f) != nil {
				found++
			} else if _, err := listing.Parse(listing.String(f)); err != nil {
				t.Fatalf("seed %d, %d: Check finds nothing, but: %v\n%s", seed, n, err, listing.String(f))
			}
			_ = listing.String(f)
			if n > 3 && !long.Tests() {
				break
			}
		}
	}
	if found < all*6/10 {
		t.Errorf("only %d of %d spoilt functions are found", found, all)
	}
}

// spoil changes one thing of a function.
func spoil(f *simt.Function, rng *rand.Rand) {
	id := func() simt.ID { return simt.ID(rng.IntN(len(f.Values)+2) - 1) }
	block := func() simt.BlockID { return simt.BlockID(rng.IntN(len(f.Blocks)+2) - 1) }
	b := &f.Blocks[rng.IntN(len(f.Blocks))]
	one := func(ids []simt.ID) {
		if len(ids) > 0 {
			ids[rng.IntN(len(ids))] = id()
		}
	}
	switch rng.IntN(9) {
	case 0:
		if len(b.Preds) > 0 {
			b.Preds[rng.IntN(len(b.Preds))] = block()
		}
	case 1:
		b.Loop = block()
	case 2:
		if len(b.End.To) > 0 {
			b.End.To[rng.IntN(len(b.End.To))] = block()
		}
	case 3:
		b.End.Kind = simt.EndKind(rng.IntN(10))
	case 4:
		v := &f.Values[1+rng.IntN(len(f.Values)-1)]
		v.Kind, v.Type, v.Block = simt.ValueKind(rng.IntN(6)), simt.Type(rng.IntN(6)), block()
	case 5:
		b.End.Cond = id()
		one(b.End.Args)
	default:
		if len(b.Insts) == 0 {
			b.End.Aux = 1
			return
		}
		in := &b.Insts[rng.IntN(len(b.Insts))]
		switch rng.IntN(6) {
		case 0:
			in.Kind = simt.Kind(rng.IntN(14))
		case 1:
			in.Op = op.Op(rng.IntN(int(op.All()) + 3))
		case 2:
			in.Aux = []any{nil, 1, "x", &simt.HostCall{}, &simt.Access{}, &simt.ExchangeOp{}, &simt.TextureOp{}, &simt.CallOp{}}[rng.IntN(8)]
		case 3:
			in.Guard, in.GuardNot = id(), rng.IntN(2) == 0
		case 4:
			one(in.Defs)
		case 5:
			one(in.Args)
		}
	}
}

// callee returns the function that is called.
func callee(f *simt.Function) *check.Function { return callOp(f).Callees[0].Function }
