package simt_test

import (
	"testing"

	"github.com/vop-ptx/vop/run/simt"
)

// TestOnlyEdge holds which edge lanes take where the condition is a constant, and that they may take any where it is not, or where
// an index is too large.
func TestOnlyEdge(t *testing.T) {
	f := simt.NewFunction(nil)
	no, yes, word := f.Constant(simt.Pred, 0), f.Constant(simt.Pred, 1), func(n uint64) simt.ID { return f.Constant(simt.B32, n) }
	unknown := f.Special(simt.Pred, "unknown")
	to := []simt.BlockID{1, 2, 3}
	for _, test := range []struct {
		end           simt.End
		first, behind int
	}{
		{simt.End{Kind: simt.Jump, To: to[:1]}, 0, 1},
		{simt.End{Kind: simt.Branch, Cond: yes, To: to[:2]}, 0, 1},
		{simt.End{Kind: simt.Branch, Cond: no, To: to[:2]}, 1, 2},
		{simt.End{Kind: simt.Branch, Cond: unknown, To: to[:2]}, 0, 2},
		{simt.End{Kind: simt.BranchAll, Cond: yes, To: to[:2]}, 0, 1},
		{simt.End{Kind: simt.BranchAll, Cond: no, To: to[:2]}, 1, 2},
		{simt.End{Kind: simt.BranchAll, Cond: unknown, To: to[:2]}, 0, 2},
		{simt.End{Kind: simt.Switch, Cond: word(2), To: to}, 2, 3},
		{simt.End{Kind: simt.Switch, Cond: word(3), To: to}, 0, 3},
		{simt.End{Kind: simt.WarpSync, Cond: word(1), To: to[:1]}, 0, 1},
		{simt.End{Kind: simt.Return}, 0, 0},
	} {
		f.Blocks = []simt.Block{{End: test.end}}
		first, behind := f.Taken(0)
		if first != test.first || behind != test.behind {
			t.Errorf("%+v: lanes may take the edges from %d to before %d, want %d to before %d", test.end, first, behind, test.first, test.behind)
		}
		if n, ok := f.OnlyEdge(0); ok != (behind == first+1 && len(test.end.To) > 1) || ok && n != first {
			t.Errorf("%+v: the only edge is %d, %v", test.end, n, ok)
		}
	}
}
