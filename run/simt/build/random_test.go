package build_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/op"
	"github.com/vop-ptx/vop/run/simt/simttest"
)

// The registers of random texts: %r0 to %r5, and %p0 to %p2.
const (
	numWords      = 6
	numPredicates = 3
)

// textBlock is a block of a random text: statements on registers, then where it goes.
type textBlock struct {
	statements []textStatement
	end        textEnd
}

// textStatement is dst = op(src...), or a store of src[0], under a guard.
type textStatement struct {
	op      string // of package op; "" for a store
	dst     int    // a word, or a predicate of setp
	src     []textOperand
	guard   int // a predicate, or -1
	inverse bool
}

// textOperand is a register or a number.
type textOperand struct {
	register int // or -1
	number   uint32
}

// textEnd is a branch to one of the targets: by a predicate to two, by a word to more.
type textEnd struct {
	targets []int
	by      int // register
	exit    int // predicate of an exit before it, or -1
}

// randomText makes a text of n blocks with edges mostly to blocks near, reducible or not. One block of so many
// returns.
func randomText(rng *rand.Rand, n, returns int) (blocks []textBlock) {
	operand := func() textOperand {
		if rng.IntN(4) == 0 {
			return textOperand{-1, []uint32{0, 1, 3, ^uint32(0), rng.Uint32()}[rng.IntN(5)]}
		}
		return textOperand{register: rng.IntN(numWords)}
	}
	for i := range n {
		b := textBlock{}
		for range rng.IntN(5) {
			s := textStatement{guard: -1, dst: rng.IntN(numWords), src: []textOperand{operand(), operand()}}
			if rng.IntN(3) == 0 {
				s.guard, s.inverse = rng.IntN(numPredicates), rng.IntN(2) == 0
			}
			switch k := rng.IntN(10); {
			case k < 2:
				s.src[0] = textOperand{register: rng.IntN(numWords)}
			case k < 4:
				s.op, s.dst = "setp."+[]string{"lt.s32", "eq.u32", "ge.u32"}[rng.IntN(3)], rng.IntN(numPredicates)
			case k == 4:
				s.op, s.src = "mov.u32", s.src[:1]
			default:
				s.op = []string{"add.u32", "sub.u32", "mul.lo.u32", "xor.b32", "and.b32", "min.s32"}[rng.IntN(6)]
			}
			b.statements = append(b.statements, s)
		}
		near := func() int { return min(max(i+rng.IntN(9)-3, 0), n-1) }
		b.end = textEnd{exit: -1}
		if rng.IntN(8) == 0 {
			b.end.exit = rng.IntN(numPredicates)
		}
		switch k := rng.IntN(10); {
		case i == n-1 || rng.IntN(returns) == 0:
		case k < 3:
			b.end.targets = []int{i + 1}
		case k < 9:
			b.end.targets, b.end.by = []int{near(), i + 1}, rng.IntN(numPredicates)
		default:
			b.end.targets, b.end.by = []int{near(), rng.IntN(n), near(), near()}, rng.IntN(numWords)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// ptx writes a text.
func ptx(blocks []textBlock) string {
	var s strings.Builder
	s.WriteString(simttest.Header + ".visible .entry k(")
	for i := range numWords {
		fmt.Fprintf(&s, "%s.param .u32 x%d", ", "[:min(i, 1)*2], i)
	}
	s.WriteString(")\n{\n.reg .b32 %r<7>;\n.reg .pred %p<3>;\n")
	for i := range numWords {
		if i%3 != 2 { // some registers are not written before they are read
			fmt.Fprintf(&s, "ld.param.u32 %%r%d, [x%d];\n", i, i)
		}
	}
	for n, b := range blocks {
		fmt.Fprintf(&s, "b%d:\n", n)
		for _, t := range b.statements {
			s.WriteString(t.String())
		}
		if b.end.exit >= 0 {
			fmt.Fprintf(&s, "@%%p%d exit;\n", b.end.exit)
		}
		switch to := b.end.targets; len(to) {
		case 0:
			s.WriteString("ret;\n")
		case 1:
			fmt.Fprintf(&s, "bra b%d;\n", to[0])
		case 2:
			fmt.Fprintf(&s, "@%%p%d bra b%d;\nbra b%d;\n", b.end.by, to[0], to[1])
		default:
			fmt.Fprintf(&s, "and.b32 %%r6, %%r%d, 3;\nt%d: .branchtargets b%d, b%d, b%d, b%d;\nbrx.idx %%r6, t%d;\n", b.end.by, n, to[0], to[1], to[2], to[3], n)
		}
	}
	s.WriteString("}\n")
	return s.String()
}

func (t *textStatement) String() string {
	var s strings.Builder
	if t.guard >= 0 {
		fmt.Fprintf(&s, "@%s%%p%d ", "!"[:min(1, btoi(t.inverse))], t.guard)
	}
	operands := make([]string, len(t.src))
	for i, o := range t.src {
		operands[i] = fmt.Sprintf("%%r%d", o.register)
		if o.register < 0 {
			operands[i] = fmt.Sprint(o.number)
		}
	}
	switch {
	case t.op == "":
		fmt.Fprintf(&s, "st.global.u32 [0], %s;\n", operands[0])
	case strings.HasPrefix(t.op, "setp"):
		fmt.Fprintf(&s, "%s %%p%d, %s;\n", t.op, t.dst, strings.Join(operands, ", "))
	default:
		fmt.Fprintf(&s, "%s %%r%d, %s;\n", t.op, t.dst, strings.Join(operands, ", "))
	}
	return s.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// follow executes a text for one thread, registers being what they are in it: names for places that are
// written again and again. It returns what is stored, up to a number of stores and blocks.
func follow(blocks []textBlock, params []uint32, limit int) (stored []uint32, ended bool) {
	var words [numWords]uint32
	var predicates [numPredicates]bool
	for i := range words {
		if i%3 != 2 {
			words[i] = params[i]
		}
	}
	for at, steps := 0, 0; steps < limit; steps++ {
		b := &blocks[at]
		for i := range b.statements {
			t := &b.statements[i]
			if t.guard >= 0 && predicates[t.guard] == t.inverse {
				continue
			}
			var args []uint64
			for _, o := range t.src {
				if o.register >= 0 {
					args = append(args, uint64(words[o.register]))
				} else {
					args = append(args, uint64(o.number))
				}
			}
			switch {
			case t.op == "":
				stored = append(stored, uint32(args[0]))
			case t.op == "mov.u32":
				words[t.dst] = uint32(args[0])
			case strings.HasPrefix(t.op, "setp"):
				predicates[t.dst] = op.Fold(op.Must(t.op), args...) != 0
			default:
				words[t.dst] = uint32(op.Fold(op.Must(t.op), args...))
			}
		}
		if b.end.exit >= 0 && predicates[b.end.exit] {
			return stored, true
		}
		switch to := b.end.targets; len(to) {
		case 0:
			return stored, true
		case 1:
			at = to[0]
		case 2:
			at = to[1-btoi(predicates[b.end.by])]
		default:
			at = to[words[b.end.by]&3]
		}
	}
	return stored, false
}

// thread executes a function for one lane. Values are in homes, as executors have them; each home knows whose
// value it holds.
type thread struct {
	f      *simt.Function
	homes  *simt.Homes
	bits   map[int32]uint64
	owner  map[int32]simt.ID
	params []uint32
	stored []uint32
}

// read returns a value, which must still be in its home.
func (t *thread) read(v simt.ID) uint64 {
	value := &t.f.Values[v]
	switch value.Kind {
	case simt.Const:
		return value.Bits
	case simt.Special:
		panic("there is no special value " + value.Name)
	}
	home := t.homes.Offset[v]
	if owner := t.owner[home]; owner != v {
		panic(fmt.Sprintf("%s has lost its home to %s", t.f.Names()[v], t.f.Names()[owner]))
	}
	return t.bits[home]
}

func (t *thread) write(v simt.ID, bits uint64) {
	home := t.homes.Offset[v]
	t.bits[home], t.owner[home] = bits, v
}

// run executes the function, and reports whether it has ended within a number of stores.
func (t *thread) run(stores int) (ended bool) {
	for at, steps := simt.BlockID(0), 0; len(t.stored) < stores; steps++ {
		if steps > 10000 {
			panic("it does not end")
		}
		b := &t.f.Blocks[at]
		for i := range b.Insts {
			t.step(&b.Insts[i])
		}
		next := 0
		switch b.End.Kind {
		case simt.Return, simt.Exit:
			return true
		case simt.Branch:
			next = 1 - int(t.read(b.End.Cond))
		case simt.Switch:
			next = int(t.read(b.End.Cond))
		}
		moves := t.f.Moves(at, next)
		var values []uint64
		for _, m := range moves {
			values = append(values, t.read(m.From))
		}
		for i, m := range moves {
			t.write(m.To, values[i])
		}
		at = b.End.To[next]
	}
	return false
}

func (t *thread) step(i *simt.Inst) {
	var args []uint64
	for _, a := range i.Args {
		args = append(args, t.read(a))
	}
	active := i.Guard == 0 || t.read(i.Guard) != uint64(btoi(i.GuardNot))
	switch {
	case i.Kind == simt.Compute:
		t.write(i.Defs[0], op.Fold(i.Op, args...))
	case i.Kind == simt.Load && active:
		t.write(i.Defs[0], uint64(t.params[args[0]/4]))
	case i.Kind == simt.Store && active:
		t.stored = append(t.stored, uint32(args[1]))
	}
}

// TestSingleAssignment executes random texts, and the functions that are built of them: the same is stored.
// No value is lost that is still used: no two that a lane needs share a home.
func TestSingleAssignment(t *testing.T) {
	seeds := long.Of[uint64](3000, 500)
	stored, phis, shared := 0, 0, 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 9))
		blocks := randomText(rng, 2+rng.IntN(20), 10)
		text := ptx(blocks)
		p, err := simttest.Load(text, build.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := p.Functions[0]
		if err := listing.Check(f); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, listing.String(f))
		}
		if err := f.LoopsClosed(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, listing.String(f))
		}
		homes := simt.NewHomes(f, nil)
		if err := apart(f, homes); err != "" {
			t.Fatalf("seed %d: %s\n%s", seed, err, listing.String(f))
		}
		for range 4 {
			params := make([]uint32, numWords)
			for i := range params {
				params[i] = []uint32{rng.Uint32(), uint32(rng.IntN(5))}[rng.IntN(2)]
			}
			want, ended := follow(blocks, params, 300)
			th := thread{f: f, homes: homes, bits: map[int32]uint64{}, owner: map[int32]simt.ID{}, params: params}
			failure := catch(func() {
				limit := len(want)
				if ended {
					limit++
				}
				if th.run(limit) != ended {
					panic("it goes on, or ends")
				}
			})
			if failure != "" || !slices.Equal(th.stored, want) {
				t.Fatalf("seed %d, parameters %d: stored %d, want %d; %s\n%s\n%s", seed, params, th.stored, want, failure, text, listing.String(f))
			}
			stored += len(want)
		}
		for b := range f.Blocks {
			phis += len(f.Blocks[b].Phis)
		}
		shared += len(f.Values) - len(distinct(homes))
	}
	if stored < int(seeds)*10 || phis < int(seeds)*5 || shared < int(seeds)*10 {
		t.Errorf("only %d numbers are stored, there are only %d phis, and %d values share homes", stored, phis, shared)
	}
}

// catch returns what a function panics with.
func catch(f func()) (failure string) {
	defer func() {
		if r := recover(); r != nil {
			failure = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func distinct(h *simt.Homes) map[int32]bool {
	all := map[int32]bool{}
	for _, at := range h.Offset {
		all[at] = true
	}
	return all
}

// apart says what is wrong with where homes are: they may be the same, but do not overlap otherwise, and those of
// constants are not shared.
func apart(f *simt.Function, h *simt.Homes) string {
	type home struct{ at, end int32 }
	fixed := map[int32]simt.ID{}
	var all []home
	for v := 1; v < len(f.Values); v++ {
		at := h.Offset[v]
		if at < 0 {
			continue
		}
		size := map[simt.Type]int32{simt.Pred: 8, simt.B32: 128, simt.B64: 256}[f.Values[v].Type]
		if int(at+size) > h.Size {
			return fmt.Sprintf("value %d is at %d, behind the end of the frame, %d", v, at, h.Size)
		}
		if size > 8 && at%64 != 0 || at%8 != 0 {
			return fmt.Sprintf("value %d is at %d, which is not aligned", v, at)
		}
		if kind := f.Values[v].Kind; kind == simt.Const || kind == simt.Special {
			if other, ok := fixed[at]; ok {
				return fmt.Sprintf("the constants %d and %d share a home", v, other)
			}
			fixed[at] = simt.ID(v)
		}
		all = append(all, home{at, at + size})
	}
	for v := 1; v < len(f.Values); v++ {
		if kind := f.Values[v].Kind; kind != simt.Const && kind != simt.Special && fixed[h.Offset[v]] != 0 {
			return fmt.Sprintf("value %d is in the home of the constant %d", v, fixed[h.Offset[v]])
		}
	}
	slices.SortFunc(all, func(a, b home) int { return int(a.at - b.at) })
	for i := 1; i < len(all); i++ {
		if all[i] != all[i-1] && all[i].at < all[i-1].end {
			return fmt.Sprintf("the homes %v and %v overlap", all[i-1], all[i])
		}
	}
	return ""
}
