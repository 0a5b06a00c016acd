package apart

import "math/bits"

// operations are what assignments compute, with the PTX of it.
var operations = map[string]struct {
	text string // %s are d, a, b
	do   func(a, b uint32) uint32
}{
	"add": {"add.u32 %s, %s, %s;", func(a, b uint32) uint32 { return a + b }},
	"sub": {"sub.u32 %s, %s, %s;", func(a, b uint32) uint32 { return a - b }},
	"mul": {"mul.lo.u32 %s, %s, %s;", func(a, b uint32) uint32 { return a * b }},
	"xor": {"xor.b32 %s, %s, %s;", func(a, b uint32) uint32 { return a ^ b }},
	"and": {"and.b32 %s, %s, %s;", func(a, b uint32) uint32 { return a & b }},
	"or":  {"or.b32 %s, %s, %s;", func(a, b uint32) uint32 { return a | b }},
	"min": {"min.u32 %s, %s, %s;", func(a, b uint32) uint32 { return min(a, b) }},
	"max": {"max.s32 %s, %s, %s;", func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }},
	"rot": {"shf.l.wrap.b32 %[1]s, %[2]s, %[2]s, %[3]s;", func(a, b uint32) uint32 { return bits.RotateLeft32(a, int(b&31)) }},
	"shr": {"shr.u32 %s, %s, %s;", func(a, b uint32) uint32 { return a >> min(b, 32) }},
	"mad": {"mad.lo.u32 %s, %s, 5, %s;", func(a, b uint32) uint32 { return a*5 + b }},
}

var operationNames = []string{"add", "sub", "mul", "xor", "and", "or", "min", "max", "rot", "shr", "mad", "add", "add", "mad"}

// comparisons are what branches depend on.
var comparisons = map[string]func(a, b uint32) bool{
	"lt.u32": func(a, b uint32) bool { return a < b },
	"ge.s32": func(a, b uint32) bool { return int32(a) >= int32(b) },
	"eq.u32": func(a, b uint32) bool { return a == b },
	"ne.u32": func(a, b uint32) bool { return a != b },
}

var comparisonNames = []string{"lt.u32", "ge.s32", "eq.u32", "ne.u32"}

// shares are exchanges whose result is made of what all of a team have.
var shares = map[string]func(values map[int]uint32, lane int) uint32{
	"redux.sync.add.u32": func(v map[int]uint32, _ int) (d uint32) {
		for _, x := range v {
			d += x
		}
		return d
	},
	"redux.sync.max.s32": func(v map[int]uint32, lane int) uint32 {
		d := v[lane]
		for _, x := range v {
			d = uint32(max(int32(d), int32(x)))
		}
		return d
	},
	"redux.sync.xor.b32": func(v map[int]uint32, _ int) (d uint32) {
		for _, x := range v {
			d ^= x
		}
		return d
	},
	"match.any.sync.b32": func(v map[int]uint32, lane int) (d uint32) {
		for other, x := range v {
			if x == v[lane] {
				d |= 1 << other
			}
		}
		return d
	},
	// These look at the lowest bit.
	"vote.sync.ballot.b32": func(v map[int]uint32, _ int) (d uint32) {
		for lane, x := range v {
			d |= x & 1 << lane
		}
		return d
	},
	"vote.sync.all.pred": func(v map[int]uint32, _ int) uint32 { return bit(ones(v) == len(v)) },
	"vote.sync.any.pred": func(v map[int]uint32, _ int) uint32 { return bit(ones(v) > 0) },
	"vote.sync.uni.pred": func(v map[int]uint32, _ int) uint32 { return bit(ones(v) == 0 || ones(v) == len(v)) },
}

var shareNames = []string{"redux.sync.add.u32", "redux.sync.max.s32", "redux.sync.xor.b32", "match.any.sync.b32", "vote.sync.ballot.b32",
	"vote.sync.all.pred", "vote.sync.any.pred", "vote.sync.uni.pred"}

// shuffles tell which lane's value a lane takes.
var shuffles = map[string]func(lane, b int) int{
	"shfl.sync.idx.b32":  func(_, b int) int { return b },
	"shfl.sync.bfly.b32": func(lane, b int) int { return lane ^ b },
	"shfl.sync.up.b32":   func(lane, b int) int { return lane - b },
	"shfl.sync.down.b32": func(lane, b int) int { return lane + b },
}

var shuffleNames = []string{"shfl.sync.idx.b32", "shfl.sync.bfly.b32", "shfl.sync.up.b32", "shfl.sync.down.b32"}

// reductions are what a barrier makes of the lowest bits that threads bring.
var reductions = map[string]func(values map[int]uint32) uint32{
	"popc": func(v map[int]uint32) uint32 { return uint32(ones(v)) },
	"and":  func(v map[int]uint32) uint32 { return bit(ones(v) == len(v)) },
	"or":   func(v map[int]uint32) uint32 { return bit(ones(v) > 0) },
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// ones is how many values are odd.
func ones(values map[int]uint32) (n int) {
	for _, x := range values {
		n += int(x & 1)
	}
	return n
}
