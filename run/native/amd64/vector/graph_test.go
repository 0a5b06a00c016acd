package vector_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

var graphsFlag = flag.Int("graphs", 400, "number of blocks that TestGraphs draws for each level")

// graph is a random block: values of all types, each of which may be used by any later one.
type graph struct {
	f       *simt.Function
	byType  map[simt.Type][]simt.ID
	allowed []op.Op
}

// favoured are operations that patterns are made of.
var favoured = []string{"and.b32", "or.b32", "xor.b32", "not.b32", "word.andnot", "lop3.b32", "word.eq.8", "word.gt.s16", "word.lt.u", "mul.lo.u32", "add.u32",
	"shl.b32", "shr.u32", "and.pred", "setp.lt.s32", "setp.ge.f32", "setp.eq.u64", "setp.ltu.f64", "prmt.b32", "selp.32", "selp.64", "selp.pred"}

// newGraph draws a block of operations that a level has code for, and of whose results all bits
// matter.
func newGraph(rng *rand.Rand, allowed []op.Op, size int) *graph {
	g := &graph{f: simt.NewFunction(nil), byType: map[simt.Type][]simt.ID{}, allowed: allowed}
	for k := range 3 {
		for _, t := range []simt.Type{simt.B32, simt.B64, simt.Pred} {
			g.byType[t] = append(g.byType[t], g.f.Special(t, fmt.Sprint(t, k)))
		}
	}
	g.f.Blocks = []simt.Block{{Loop: simt.NoBlock}}
	types := map[byte]simt.Type{'i': simt.B32, 'l': simt.B64, 'p': simt.Pred}
	for range size {
		o := allowed[rng.IntN(len(allowed))]
		if rng.IntN(2) == 0 {
			if found := op.Must(favoured[rng.IntN(len(favoured))]); slices.Contains(allowed, found) {
				o = found
			}
		}
		shape := o.Shape()
		var args []simt.ID
		for _, letter := range []byte(shape[2:]) {
			args = append(args, g.pick(rng, types[letter]))
		}
		g.f.Values = append(g.f.Values, simt.Value{Type: types[shape[0]], Kind: simt.InstDef})
		d := simt.ID(len(g.f.Values) - 1)
		g.f.Blocks[0].Insts = append(g.f.Blocks[0].Insts, simt.Inst{Kind: simt.Compute, Op: o, Defs: []simt.ID{d}, Args: args, At: -1})
		g.byType[types[shape[0]]] = append(g.byType[types[shape[0]]], d)
	}
	end := simt.End{Kind: simt.Return, At: -1}
	for _, t := range []simt.Type{simt.B32, simt.B64, simt.Pred} {
		all := g.byType[t]
		end.Args = append(end.Args, all[len(all)-1], all[rng.IntN(len(all))])
	}
	g.f.Blocks[0].End = end
	return g
}

func (g *graph) pick(rng *rand.Rand, t simt.Type) simt.ID {
	all := g.byType[t]
	switch k := rng.IntN(8); {
	case k == 0:
		return g.f.Constant(t, edge(rng, map[simt.Type]byte{simt.B32: 'i', simt.B64: 'l', simt.Pred: 'p'}[t]))
	case k < 5:
		return all[len(all)-1-rng.IntN(min(3, len(all)))]
	}
	return all[rng.IntN(len(all))]
}

// TestGraphs computes random blocks for warps and compares with the operations one by one.
func TestGraphs(t *testing.T) {
	for _, l := range levels() {
		t.Run(l.String(), func(t *testing.T) {
			var allowed []op.Op
			for o := op.Op(1); o < op.All(); o++ {
				if vector.Selected(l, o) && significant(o) == 1<<64-1 {
					allowed = append(allowed, o)
				}
			}
			rng := rand.New(rand.NewPCG(77, uint64(l)))
			spilled := 0
			for range *graphsFlag {
				g := newGraph(rng, allowed, 1+rng.IntN(40))
				o := amd64.Options{Level: l, NoHoist: rng.IntN(4) == 0, NoFold: rng.IntN(4) == 0}
				if rng.IntN(2) == 0 {
					o.Registers = 8 + rng.IntN(8)
				}
				switch rng.IntN(3) {
				case 0:
					o.Without = amd64.Fusion(rng.Uint32()) & amd64.AllFusions
				case 1:
					o.Without = amd64.AllFusions
				}
				w, err := newWarp(t, g.f, o)
				if err != nil {
					t.Fatalf("%+v: %v\n%s", o, err, g)
				}
				if w.code.Frame > 0 {
					spilled++
				}
				for range 2 {
					g.check(t, rng, w, o)
				}
				w.block.Free()
			}
			if spilled < *graphsFlag/10 {
				t.Errorf("only %d blocks of %d spill", spilled, *graphsFlag)
			}
		})
	}
}

func (g *graph) check(t *testing.T, rng *rand.Rand, w *warp, o amd64.Options) {
	t.Helper()
	f := g.f
	var values [vector.WarpLanes][]uint64
	for lane := range values {
		values[lane] = make([]uint64, len(f.Values))
		for id, v := range f.Values {
			switch v.Kind {
			case simt.Const:
				values[lane][id] = v.Bits
			case simt.Special:
				values[lane][id] = edge(rng, map[simt.Type]byte{simt.B32: 'i', simt.B64: 'l', simt.Pred: 'p'}[v.Type])
				if id > 0 {
					w.set(simt.ID(id), lane, values[lane][id])
				}
			}
		}
		for _, i := range f.Blocks[0].Insts {
			var args []uint64
			for _, a := range i.Args {
				args = append(args, values[lane][a])
			}
			values[lane][i.Defs[0]] = op.Fold(i.Op, args...)
		}
	}
	w.run()
	for lane := range values {
		for _, id := range f.Blocks[0].End.Args {
			if got, want := w.get(id, lane), values[lane][id]; got != want {
				o.Listing = true
				listed, _ := vector.Block(f, o)
				t.Fatalf("%+v: v%d in lane %d is %x, want %x\n%s%v\n%v", o, id, lane, got, want, g, values[lane], short(listed))
			}
		}
	}
}

func (g *graph) String() string {
	var b strings.Builder
	for _, i := range g.f.Blocks[0].Insts {
		fmt.Fprintf(&b, "v%d = %v", i.Defs[0], i.Op)
		for _, a := range i.Args {
			if k, ok := g.f.ConstOf(a); ok {
				fmt.Fprintf(&b, " %#x", k)
			} else {
				fmt.Fprintf(&b, " v%d", a)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintln(&b, "return", g.f.Blocks[0].End.Args)
	return b.String()
}
