package ops

import (
	"math/bits"
	"slices"
	"strings"
)

// Warp is what the threads of a warp bring to an operation that they execute together.
type Warp struct {
	Active uint32        // threads that take part
	S      [][32]uint64  // sources
	D      [4][32]uint64 // destinations
	Shared []byte        // the shared memory of their block
}

// members are the threads of the mask that a thread gives as its last source, and that take part.
func (w *Warp) members(lane int) uint32 { return w.Active & uint32(w.S[len(w.S)-1][lane]) }

// Meet is the barrier of a warp: nothing is exchanged by those who meet there.
var Meet = &Op{Name: "bar.warp.sync", Text: "bar.warp.sync $", Src: []Class{B32}, Warp: func(*Warp) {}}

// warps enters the operations across a warp. All have a member mask but activemask.
func (t *operations) warps() {
	enter := func(text string, f func(w *Warp, lane int)) {
		op := NewOp(text, nil)
		op.Warp = func(w *Warp) {
			for lane := range 32 {
				if w.Active>>lane&1 != 0 {
					f(w, lane)
				}
			}
		}
		t.Warp = append(t.Warp, op)
		t.named[op.Name] = op
	}
	modes := map[string]func(lane, by, low, high int) (from int, ok bool){
		"up":   func(lane, by, low, high int) (int, bool) { return lane - by, lane-by >= high },
		"down": func(lane, by, low, high int) (int, bool) { return lane + by, lane+by <= high },
		"bfly": func(lane, by, low, high int) (int, bool) { return lane ^ by, lane^by <= high },
		"idx":  func(lane, by, low, high int) (int, bool) { return low | by, low|by <= high },
	}
	for _, mode := range sortedKeys(modes) {
		source := modes[mode]
		shuffle := func(w *Warp, lane int) {
			by, c := int(w.S[1][lane]&31), int(w.S[2][lane])
			segment, clamp := c>>8&31, c&31
			low := lane & segment
			high := low | clamp&^segment
			if mode == "idx" {
				by &^= segment
			}
			from, ok := source(lane, by, low, high)
			if !ok {
				from = lane
			}
			w.D[0][lane] = 0
			if w.members(lane)>>from&1 != 0 {
				w.D[0][lane] = w.S[0][from]
			}
			w.D[1][lane] = Choose(ok, 1, 0)
		}
		enter("shfl.sync."+mode+".b32 r|p, R, r, r, r", shuffle)
		enter("shfl.sync."+mode+".b32 r, R, r, r, r", shuffle)
	}
	votes := func(w *Warp, lane int) (yes, all uint32) {
		all = w.members(lane)
		for i := range 32 {
			yes |= uint32(w.S[0][i]) << i
		}
		return yes & all, all
	}
	enter("vote.sync.all.pred p, p, r", func(w *Warp, lane int) {
		yes, all := votes(w, lane)
		w.D[0][lane] = Choose(yes == all, 1, 0)
	})
	enter("vote.sync.any.pred p, p, r", func(w *Warp, lane int) {
		yes, _ := votes(w, lane)
		w.D[0][lane] = Choose(yes != 0, 1, 0)
	})
	enter("vote.sync.uni.pred p, p, r", func(w *Warp, lane int) {
		yes, all := votes(w, lane)
		w.D[0][lane] = Choose(yes == all || yes == 0, 1, 0)
	})
	enter("vote.sync.ballot.b32 r, p, r", func(w *Warp, lane int) {
		yes, _ := votes(w, lane)
		w.D[0][lane] = uint64(yes)
	})
	for _, width := range []string{"b32 r, R, r", "b64 r, D, r"} {
		same := func(w *Warp, lane int) (same, all uint32) {
			all = w.members(lane)
			for i := range 32 {
				if all>>i&1 != 0 && w.S[0][i] == w.S[0][lane] {
					same |= 1 << i
				}
			}
			return same, all
		}
		enter("match.any.sync."+width, func(w *Warp, lane int) {
			same, _ := same(w, lane)
			w.D[0][lane] = uint64(same)
		})
		enter("match.all.sync."+width[:5]+"|p"+width[5:], func(w *Warp, lane int) {
			same, all := same(w, lane)
			w.D[0][lane] = Choose(same == all, w.S[1][lane], 0)
			w.D[1][lane] = Choose(same == all, 1, 0)
		})
	}
	reductions := map[string]func(a, b uint32) uint32{
		"add.u32": func(a, b uint32) uint32 { return a + b }, "add.s32": func(a, b uint32) uint32 { return a + b },
		"min.u32": func(a, b uint32) uint32 { return min(a, b) }, "max.u32": func(a, b uint32) uint32 { return max(a, b) },
		"min.s32": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
		"max.s32": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
		"and.b32": func(a, b uint32) uint32 { return a & b }, "or.b32": func(a, b uint32) uint32 { return a | b },
		"xor.b32": func(a, b uint32) uint32 { return a ^ b },
	}
	for _, name := range sortedKeys(reductions) {
		f := reductions[name]
		enter("redux.sync."+name+" r, R, r", func(w *Warp, lane int) {
			all := w.members(lane)
			first := true
			for i := range 32 {
				switch {
				case all>>i&1 == 0:
				case first:
					w.D[0][lane], first = w.S[0][i], false
				default:
					w.D[0][lane] = uint64(f(uint32(w.D[0][lane]), uint32(w.S[0][i])))
				}
			}
		})
	}
	enter("elect.sync r|p, r", func(w *Warp, lane int) {
		leader := bits.TrailingZeros32(w.members(lane))
		w.D[0][lane], w.D[1][lane] = uint64(leader), Choose(leader == lane, 1, 0)
	})
	for _, text := range []string{"bar.red.popc.u32 r, 0, p", "barrier.red.and.pred p, 1, p", "bar.cta.red.or.pred p, 2, p"} {
		op := NewOp(text, nil)
		op.Vote = func(votes, voters int) uint64 { return uint64(votes) }
		switch {
		case strings.Contains(text, ".and"):
			op.Vote = func(votes, voters int) uint64 { return Choose(votes == voters, 1, 0) }
		case strings.Contains(text, ".or"):
			op.Vote = func(votes, voters int) uint64 { return Choose(votes > 0, 1, 0) }
		}
		t.Votes = append(t.Votes, op)
	}
	enter("activemask.b32 r", func(w *Warp, lane int) { w.D[0][lane] = uint64(w.Active) })
}

// sortedKeys returns the keys in their order, so that the table is the same in every run.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
