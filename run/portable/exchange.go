package portable

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/vop-ptx/vop/run/simt"
)

// exchanged is what a warp's lanes bring to an exchange, and what they get.
type exchanged struct {
	active  uint32                    // lanes that execute it
	members *[simt.WarpSize]uint32    // who takes part, as each lane says; nil: all active ones
	args    [3]*[simt.WarpSize]uint32 // a, b, c
	wide    *[simt.WarpSize]uint64    // a, if it has 64 bits
	p       uint32                    // the predicate
	d       [simt.WarpSize]uint32
	q       uint32 // the predicate that comes out
}

// participants are the active lanes in the member mask of a lane, if there is one.
func (x *exchanged) participants(lane int) uint32 {
	if x.members == nil {
		return x.active
	}
	return x.active & x.members[lane]
}

// value returns what a lane brings.
func (x *exchanged) value(lane int) uint64 {
	if x.wide != nil {
		return x.wide[lane]
	}
	return uint64(x.args[0][lane])
}

// same returns the lanes of a set that have the same value as the given one.
func (x *exchanged) same(lane int, set uint32) (lanes uint32) {
	for rest := set; rest != 0; rest &= rest - 1 {
		if other := bits.TrailingZeros32(rest); x.value(other) == x.value(lane) {
			lanes |= 1 << other
		}
	}
	return lanes
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// gather returns what fills in what a warp's lanes bring to an exchange.
func (c *Code) gather(i *simt.Inst) func(w *Warp, x *exchanged) {
	op := i.Aux.(*simt.ExchangeOp)
	args := i.Args
	members := int32(-1)
	if op.Members {
		members = c.home(args[len(args)-1])
		args = args[:len(args)-1]
	}
	homes, types := c.homesOf(args), c.typesOf(args)
	return func(w *Warp, x *exchanged) {
		x.active = w.mask
		if members >= 0 {
			x.members = w.words(members)
		}
		for k, home := range homes {
			switch types[k] {
			case simt.Pred:
				x.p = w.predicate(home)
			case simt.B64:
				x.wide = w.wides(home)
			default:
				x.args[k] = w.words(home)
			}
		}
	}
}

// exchange makes the step of an exchange.
func (c *Code) exchange(i *simt.Inst) step {
	op := i.Aux.(*simt.ExchangeOp)
	f, gather := exchangeOf(op.Name), c.gather(i)
	d, q := int32(-1), int32(-1)
	if op.D {
		d = c.home(i.Defs[0])
	}
	if op.P {
		q = c.home(i.Defs[len(i.Defs)-1])
	}
	return func(w *Warp) bool {
		var x exchanged
		gather(w, &x)
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			f(&x, bits.TrailingZeros32(rest))
		}
		if d >= 0 {
			blend(w.words(d), &x.d, w.mask)
		}
		if q >= 0 {
			blendPredicate(predicateAt(w.frame, q), x.q, w.mask)
		}
		return true
	}
}

// exchangeOf returns what an exchange computes for one lane.
func exchangeOf(name string) func(x *exchanged, lane int) {
	if f, ok := exchanges[name]; ok {
		return f
	}
	if _, ok := sources[name]; ok {
		return shuffle(shuffleSource(name))
	}
	if reduction, ok := strings.CutPrefix(name, "redux."); ok {
		return reduce(reductions[reduction])
	}
	panic(fmt.Sprintf("portable: no exchange %s", name))
}

var exchanges = map[string]func(x *exchanged, lane int){
	"vote.all": func(x *exchanged, lane int) {
		threads := x.participants(lane)
		x.q |= bit(x.p&threads == threads) << lane
	},
	"vote.any": func(x *exchanged, lane int) { x.q |= bit(x.p&x.participants(lane) != 0) << lane },
	"vote.uni": func(x *exchanged, lane int) {
		threads := x.participants(lane)
		yes := x.p & threads
		x.q |= bit(yes == 0 || yes == threads) << lane
	},
	"vote.ballot": func(x *exchanged, lane int) { x.d[lane] = x.p & x.participants(lane) },
	"match.any":   func(x *exchanged, lane int) { x.d[lane] = x.same(lane, x.participants(lane)) },
	"match.all": func(x *exchanged, lane int) {
		if threads := x.participants(lane); x.same(lane, threads) == threads {
			x.d[lane] = threads
			x.q |= 1 << lane
		}
	},
	"activemask": func(x *exchanged, lane int) { x.d[lane] = x.active },
	"elect": func(x *exchanged, lane int) {
		leader := bits.TrailingZeros32(x.participants(lane))
		x.d[lane] = uint32(leader)
		x.q |= bit(leader == lane) << lane
	},
}

// sources tell for each mode of shfl (PTX ISA 9.7.9.6) which lane's value a lane takes, and whether
// that is one of its segment.
var sources = map[string]func(lane, amount, low, high, segment int) (int, bool){
	"shfl.up":   func(lane, amount, _, high, _ int) (int, bool) { return lane - amount, lane-amount >= high },
	"shfl.down": func(lane, amount, _, high, _ int) (int, bool) { return lane + amount, lane+amount <= high },
	"shfl.bfly": func(lane, amount, _, high, _ int) (int, bool) { return lane ^ amount, lane^amount <= high },
	"shfl.idx": func(_, amount, low, high, segment int) (int, bool) {
		from := low | amount&^segment
		return from, from <= high
	},
}

// shuffleSource returns what tells which lane's value a lane takes, or nil if the exchange is no shuffle.
func shuffleSource(name string) func(x *exchanged, lane int) (from int, ok bool) {
	source, ok := sources[name]
	if !ok {
		return nil
	}
	return func(x *exchanged, lane int) (from int, ok bool) {
		b, c := x.args[1][lane], x.args[2][lane]
		amount, clamp, segment := int(b&31), int(c&31), int(c>>8&31)
		low := lane & segment
		return source(lane, amount, low, low|clamp&^segment, segment)
	}
}

// shuffle gives a lane the value of the one that source names, or its own.
func shuffle(source func(x *exchanged, lane int) (from int, ok bool)) func(x *exchanged, lane int) {
	return func(x *exchanged, lane int) {
		j, ok := source(x, lane)
		if !ok {
			j = lane
		}
		if x.participants(lane)>>j&1 != 0 {
			x.d[lane] = x.args[0][j]
		}
		x.q |= bit(ok) << lane
	}
}

// reductions are the operations of redux on words.
var reductions = map[string]func(a, b uint32) uint32{
	"add.u32": func(a, b uint32) uint32 { return a + b },
	"add.s32": func(a, b uint32) uint32 { return a + b },
	"min.u32": func(a, b uint32) uint32 { return min(a, b) },
	"max.u32": func(a, b uint32) uint32 { return max(a, b) },
	"min.s32": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	"max.s32": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	"and.b32": func(a, b uint32) uint32 { return a & b },
	"or.b32":  func(a, b uint32) uint32 { return a | b },
	"xor.b32": func(a, b uint32) uint32 { return a ^ b },
}

func reduce(f func(a, b uint32) uint32) func(x *exchanged, lane int) {
	return func(x *exchanged, lane int) {
		threads := x.participants(lane)
		if threads == 0 {
			return
		}
		result := x.args[0][bits.TrailingZeros32(threads)]
		for rest := threads & (threads - 1); rest != 0; rest &= rest - 1 {
			result = f(result, x.args[0][bits.TrailingZeros32(rest)])
		}
		x.d[lane] = result
	}
}
