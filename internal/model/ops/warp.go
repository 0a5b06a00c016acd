package ops

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// Warp is what the threads of a warp bring to an operation that they execute together.
type Warp struct {
	Active uint32        // threads that take part
	masked bool          // each names members by its last source
	S      [][32]uint64  // sources
	D      [4][32]uint64 // destinations
	Shared []byte        // the shared memory of their block
}

// members are the threads that take part, of those that a thread names if it does.
func (w *Warp) members(lane int) uint32 {
	if !w.masked {
		return w.Active
	}
	return w.Active & uint32(w.S[len(w.S)-1][lane])
}

// Meet is the barrier of a warp: nothing is exchanged by those who meet there.
var Meet = &Op{Name: "bar.warp.sync", Text: "bar.warp.sync $", Src: []Class{B32}, Warp: func(*Warp) {}}

// forEach makes what an operation does of what it does for a lane.
func forEach(masked bool, f func(w *Warp, lane int)) func(w *Warp) {
	return func(w *Warp) {
		w.masked = masked
		for lane := range 32 {
			if w.Active>>lane&1 != 0 {
				f(w, lane)
			}
		}
	}
}

// warps enters the operations across a warp. All have a mask of members but activemask.
func (t *Table) warps() {
	enter := func(text string, f func(w *Warp, lane int)) {
		op := NewOp(text, nil)
		op.forLane, op.Warp = f, forEach(true, f)
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
			w.D[0][lane] = Choose(same == all, uint64(all), 0)
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
	active := NewOp("activemask.b32 r", nil)
	active.Together, active.Warp = true, forEach(false, func(w *Warp, lane int) { w.D[0][lane] = uint64(w.Active) })
	t.Warp, t.named[active.Name] = append(t.Warp, active), active
}

// withoutMask is an operation across a warp as targets before sm_70 have it, if they do.
func (op *Op) withoutMask() (old *Op, ok bool) {
	kind, rest, _ := strings.Cut(op.Name, ".sync")
	if kind != "shfl" && kind != "vote" {
		return op, op.Together
	}
	old = &Op{Name: kind + rest, Together: true, Dst: op.Dst, Warp: forEach(false, op.forLane)}
	old.Text = strings.TrimSuffix(strings.Replace(op.Text, ".sync", "", 1), ", $")
	last := len(op.Src) - 1
	old.Src, old.Only = op.Src[:last], op.Only[:last]
	return old, true
}

// StoreInStep and LoadInStep are a store to and a load from shared memory that all lanes which are
// at it make before any goes on. The address is that in shared memory.
var (
	StoreInStep = &Op{
		Name: "st.volatile.shared.u32", Text: "st.volatile.shared.u32 [$], $", Src: []Class{B32, B32}, Only: []bool{true, true}, Together: true,
		Warp: forEach(false, func(w *Warp, lane int) {
			binary.LittleEndian.PutUint32(w.Shared[w.S[0][lane]:], uint32(w.S[1][lane]))
		}),
	}
	LoadInStep = &Op{
		Name: "ld.volatile.shared.u32", Text: "ld.volatile.shared.u32 $, [$]", Dst: []Class{B32}, Src: []Class{B32}, Only: []bool{true}, Together: true,
		Warp: forEach(false, func(w *Warp, lane int) {
			w.D[0][lane] = uint64(binary.LittleEndian.Uint32(w.Shared[w.S[0][lane]:]))
		}),
	}
)

// sortedKeys returns the keys in their order, so that the table is the same in every run.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
