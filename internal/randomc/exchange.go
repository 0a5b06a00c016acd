package randomc

import "fmt"

// exchange is a step in which threads of a warp, or of a block, see words of each other.
type exchange struct {
	number       int
	kind         string
	to, from, by int
}

// exchange writes an exchange. For a device it is a function of C, on the host the loops that it stands for.
func (w *writer) exchange() *exchange {
	x := &exchange{w.exchanges, w.pick("lane", "up", "ballot", "any", "all", "count", "and", "or"), w.rng.IntN(slots), w.rng.IntN(slots), w.rng.IntN(slots)}
	w.exchanges++
	w.line("#ifdef DEVICE")
	w.line("STEP void exchange%d(%s) { own[%d] = see_%s(own[%d], own[%d], tid, size); }", x.number, phaseParameters, x.to, x.kind, x.from, x.by)
	w.line("#endif")
	return x
}

// deviceExchanges are the functions of exchanges for a device: the mask names all threads of a warp, of which the last may have fewer.
const deviceExchanges = `
#define DEVICE
#define WARPWIDE(NAME, BY, TEXT) \
  FN static inline u32 see_##NAME(u32 x, u32 by, u32 tid, u32 size) { \
    u32 first = tid & ~31u, lanes = size - first < 32 ? size - first : 32, mask = 0xffffffffu >> (32 - lanes), d; \
    asm volatile(TEXT : "=r"(d) : "r"(x), "r"(BY), "r"(mask) : "memory"); \
    return d; \
  }
#define VOTE(NAME, TEXT) WARPWIDE(NAME, by, "{ .reg .pred p, q; setp.gt.u32 p, %1, %2; " TEXT " }")
WARPWIDE(lane, by % lanes, "shfl.sync.idx.b32 %0, %1, %2, 31, %3;")
WARPWIDE(up, by & 31, "shfl.sync.up.b32 %0, %1, %2, 0, %3;")
VOTE(ballot, "vote.sync.ballot.b32 %0, p, %3;")
VOTE(any, "vote.sync.any.pred q, p, %3; selp.u32 %0, 1, 0, q;")
VOTE(all, "vote.sync.all.pred q, p, %3; selp.u32 %0, 1, 0, q;")
VOTE(count, "bar.red.popc.u32 %0, 0, p;")
VOTE(and, "bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q;")
VOTE(or, "bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q;")
`

// hostExchanges say the same of all the words of a block.
var hostExchanges = fmt.Sprintf(`
static u32 own[%d][%d], seen[%d];
#define EXCHANGE(NAME, WORD) \
  static void see_##NAME(u32 to, u32 from, u32 by, u32 size) { \
    for (u32 tid = 0; tid < size; tid++) { \
      u32 first = tid & ~31u, end = size - first < 32 ? size : first + 32; \
      (void)first, (void)end; \
      WORD; \
    } \
    for (u32 tid = 0; tid < size; tid++) own[tid][to] = seen[tid]; \
  }
#define OVER(FIRST, END, START, EACH) seen[tid] = START; for (u32 i = FIRST; i < END; i++) { u32 p = own[i][from] > own[i][by]; seen[tid] EACH; }
EXCHANGE(lane, seen[tid] = own[first + own[tid][by] %% (end - first)][from])
EXCHANGE(up, u32 n = own[tid][by] & 31; seen[tid] = own[n > tid - first ? tid : tid - n][from])
EXCHANGE(ballot, OVER(first, end, 0, |= p << (i - first)))
EXCHANGE(any, OVER(first, end, 0, |= p))
EXCHANGE(all, OVER(first, end, 1, &= p))
EXCHANGE(count, OVER(0, size, 0, += p))
EXCHANGE(and, OVER(0, size, 1, &= p))
EXCHANGE(or, OVER(0, size, 0, |= p))
`, maxBlock, slots, maxBlock)
