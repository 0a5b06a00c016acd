package random

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// borders writes kernels on pictures, which ask at each neighbour whether it is there.
type borders struct {
	strings.Builder
	rng    *rand.Rand
	plain  bool // all questions are whether a place is beyond a border
	labels int
	loaded int // words
	preds  int
}

func (k *borders) line(format string, args ...any) { fmt.Fprintf(k, format+"\n", args...) }

func (k *borders) pick(all ...string) string { return all[k.rng.IntN(len(all))] }

// question sets a new predicate and returns it.
func (k *borders) question() string {
	p := fmt.Sprintf("%%p%d", k.preds)
	k.preds++
	compare := func(p string) {
		where, limit := k.pick("%x", "%y", "%x", "%left", "%right", "%up"), k.pick("%w", "%h", "0", "1", "-1", "2", "7", "9", "40", "%seven", "%wl")
		relation := k.pick("lt", "le", "gt", "ge")
		if !k.plain {
			where, relation = k.pick(where, where, "%t"), k.pick(relation, relation, "eq", "ne")
		}
		if k.rng.IntN(6) == 0 && limit[0] == '%' {
			where, limit = limit, where
		}
		k.line("setp.%s.%s %s, %s, %s;", relation, k.pick("s32", "s32", "s32", "u32"), p, where, limit)
	}
	compare(p)
	if k.rng.IntN(3) == 0 {
		joined := k.pick("and", "or")
		if !k.plain {
			joined = k.pick(joined, joined, "xor")
		}
		compare("%q")
		k.line("%s.pred %s, %s, %%q;", joined, p, p)
	}
	return p
}

// load loads a word of a neighbour, and returns it.
func (k *borders) load() string {
	w := fmt.Sprintf("%%v%d", k.loaded%30)
	k.loaded++
	x := k.pick("%x", "%left", "%right", "%x", "%up")
	switch n := k.rng.IntN(24); { // what is seldom inside is seldom made, as a fault is the end of a launch
	case n < 8:
		k.line("mul.wide.s32 %%a, %s, 4; add.s64 %%a, %%row, %%a;", x)
	case n < 9:
		k.line("cvt.u64.u32 %%a, %s; shl.b64 %%a, %%a, 2; add.s64 %%a, %%row, %%a;", x)
	case n < 16:
		k.line("mad.lo.s32 %%i, %%y, %%w, %s; mul.wide.s32 %%a, %%i, 4; add.s64 %%a, %%in, %%a;", x)
	case n < 22:
		k.line("cvt.s64.s32 %%a, %s; shl.b64 %%a, %%a, 2; add.s64 %%a, %%row, %%a;", x)
	case n < 23:
		k.line("mul.wide.s32 %%a, %s, %s; add.s64 %%a, %%in, %%a;", x, k.pick("12", "8", "-4", "1073741824"))
	default:
		k.line("add.s32 %%i, %s, %d; cvt.u64.u32 %%a, %%i; shl.b64 %%a, %%a, 2; add.s64 %%a, %%in, %%a;", x, k.rng.IntN(5)-3)
	}
	k.line("ld.global.u32 %s, [%%a+%d];", w, k.rng.IntN(4)/3*4)
	return w
}

// work does something with what has been loaded.
func (k *borders) work() {
	switch k.rng.IntN(5) {
	case 0:
		k.line("mad.lo.u32 %%s, %%s, 31, %s;", k.load())
	case 1:
		first, second := k.load(), k.load()
		k.line("prmt.b32 %%u, %s, %s, %s; vadd4.u32.u32.u32.sat %%s, %%s, %%u, %%w;", first, second, k.pick("0x6543", "0x4321", "0x5432", "%sel"))
	case 2:
		k.line("mad.lo.u32 %%s, %%s, 17, %%v%d;", k.rng.IntN(30))
	case 3:
		k.line("add.u32 %%s, %%s, %d; xor.b32 %%u, %%s, %%x;", k.rng.IntN(100))
	case 4:
		k.line("mad.lo.u32 %%u, %%y, %%pitch, %%x; mul.wide.u32 %%a, %%u, 4; add.u64 %%a, %%more, %%a; st.global.u32 [%%a], %%s;")
	}
}

// border asks, and goes one of two ways.
func (k *borders) border(depth int) {
	k.labels++
	n := k.labels
	p := ""
	if k.preds > 0 && k.rng.IntN(4) == 0 {
		p = fmt.Sprintf("%%p%d", k.rng.IntN(k.preds))
	} else {
		p = k.question()
	}
	some := func() {
		for range k.rng.IntN(3) {
			if depth < 2 && k.rng.IntN(4) == 0 {
				k.border(depth + 1)
			} else {
				k.work()
			}
		}
	}
	k.line("@%s%s bra A%d;", k.pick("", "!"), p, n)
	some()
	if k.rng.IntN(12) == 0 {
		k.line("%s;", k.pick("ret", "exit"))
	} else {
		k.line("bra.uni B%d;", n)
	}
	k.line("A%d:", n)
	some()
	k.line("B%d:", n)
}

// bordersKernel returns such a kernel.
func bordersKernel(rng *rand.Rand) string {
	k := &borders{rng: rng, plain: rng.IntN(4) > 0}
	k.line(vmtest.Header + ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 more, .param .u32 w, .param .u32 h, .param .u32 turns) {")
	k.line(".reg .b32 %%x, %%y, %%t, %%w, %%h, %%i, %%u, %%s, %%sel, %%seven, %%wl, %%left, %%right, %%up, %%c, %%n, %%pitch, %%v<30>; .reg .b64 %%in, %%out, %%more, %%row, %%a; .reg .pred %%q, %%p<40>;")
	k.line("ld.param.u32 %%w, [w]; ld.param.u32 %%h, [h]; mov.u32 %%seven, 7; mov.u32 %%s, 1; mov.u32 %%t, %%tid.x; and.b32 %%sel, %%t, 3; add.u32 %%sel, %%sel, 0x3210;")
	k.line("mov.u32 %%c, %%ctaid.x; mov.u32 %%n, %%ntid.x; mad.lo.s32 %%x, %%c, %%n, %%t; mov.u32 %%c, %%ctaid.y; mov.u32 %%n, %%ntid.y; mov.u32 %%i, %%tid.y; mad.lo.s32 %%y, %%c, %%n, %%i;")
	k.line("add.s32 %%left, %%x, -%d; add.s32 %%right, %%x, %d; add.s32 %%up, %%y, -%d; sub.s32 %%wl, %%w, 1;", 1+rng.IntN(2), 1+rng.IntN(2), 1+rng.IntN(2))
	k.line("mov.u32 %%pitch, %%w;")
	if rng.IntN(4) == 0 { // threads beyond the last pixel of a row write words of their own, too: warps may be executed in any order
		k.line("mov.u32 %%n, %%nctaid.x; mov.u32 %%pitch, %%ntid.x; mul.lo.u32 %%pitch, %%pitch, %%n;")
	} else {
		k.line("setp.%s %%q, %%x, %%w; @%%q bra END; setp.%s %%q, %%y, %%h; @%%q bra END;", k.pick("ge.s32", "ge.s32", "ge.u32"), k.pick("ge.s32", "ge.s32", "gt.s32"))
	}
	k.line("ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%more, [more]; mul.lo.s32 %%i, %%y, %%w; mul.wide.s32 %%row, %%i, 4; add.s64 %%row, %%in, %%row;")
	if rng.IntN(6) > 0 { // pixels before the first one are in the buffer
		k.line("add.s64 %%row, %%row, 1200; add.s64 %%in, %%in, 1200;")
	}
	switch rng.IntN(8) {
	case 0:
		k.line("ld.param.u32 %%n, [turns];\nTURN: mad.lo.u32 %%s, %%s, 5, %%n; sub.u32 %%n, %%n, 1; setp.gt.s32 %%q, %%n, 0; @%%q bra TURN;")
	case 1:
		k.line("bar.sync 0;")
	}
	for range 2 + rng.IntN(5) {
		k.border(0)
		k.work()
	}
	k.line("mad.lo.u32 %%u, %%y, %%pitch, %%x; mul.wide.u32 %%a, %%u, 4; add.u64 %%a, %%out, %%a; st.global.u32 [%%a], %%s;\nEND: ret; }")
	return k.String()
}

// TestBorders runs such kernels on all levels, on pictures of all sizes, in machine code with and without superblocks: what they
// compute, and how they fail, is what package portable does without any.
func TestBorders(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](200, 16))
	levels := vmtest.MachineLevels(t)
	cases := newBordersCases(t, from, to)
	formed, failed := 0, 0
	for _, c := range cases {
		formed, failed = formed+c.formed(t, levels[0]), failed+c.failed()
	}
	for name, o := range map[string]native.Options{"default": {}, "none": {Without: amd64.FuseBlocks}, "few registers": {Registers: 10}, "careful": {Careful: true}, "same": {Without: amd64.FuseSame}} {
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(o)()
			vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) { cases[seed-from].hold(t, levels) })
		})
	}
	// The generator must not only make kernels that nothing is done to, or that only fail.
	if all := 3 * int(to-from); all >= 48 && (formed < all/4 || failed > all/2) {
		t.Errorf("of %d launches %d are of kernels with superblocks, and %d fail", all, formed, failed)
	}
}

// TestBordersBySteps is TestBorders for package portable with superblocks.
func TestBordersBySteps(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](500, 30))
	cases := newBordersCases(t, from, to)
	defer vmtest.WithSuperblocks(level.Portable)()
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) { cases[seed-from].hold(t, []level.Level{level.Portable}) })
}

// bordersCase is one of the kernels, with launches and what steps make of them.
type bordersCase struct {
	seed     uint64
	text     string
	module   *check.Module
	launches []bordersLaunch
}

type bordersLaunch struct {
	grid        vm.Grid
	w, h, turns uint32
	content     []byte
	want        []byte
	wantErr     error
}

// newBordersCases makes the kernels of some seeds.
func newBordersCases(t *testing.T, from, to uint64) []*bordersCase {
	t.Helper()
	cases := make([]*bordersCase, to-from)
	vmtest.EachSeed(t, from, to, func(t *testing.T, seed uint64) { cases[seed-from] = newBorders(t, seed) })
	if t.Failed() {
		t.FailNow()
	}
	return cases
}

// newBorders makes the kernel of a seed, and launches it by steps without superblocks.
func newBorders(t *testing.T, seed uint64) *bordersCase {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 11))
	c := &bordersCase{seed: seed, text: bordersKernel(rng)}
	c.module = vmtest.Checked(t, "test.ptx", c.text)
	blocks := []vm.Dim{{X: 32, Y: 4}, {X: 16, Y: 4}, {X: 10, Y: 3}, {X: 48, Y: 2}, {X: 33}, {X: 64}}
	for range 3 {
		l := bordersLaunch{grid: vm.Grid{Block: blocks[rng.IntN(len(blocks))], Grid: vm.Dim{X: 1 + rng.IntN(4), Y: 1 + rng.IntN(3)}, Workers: 1}}
		l.w, l.h = uint32(1+rng.IntN(l.grid.Block.X*l.grid.Grid.X+4)), uint32(1+rng.IntN(14))
		switch rng.IntN(24) {
		case 0:
			l.w = uint32(-rng.IntN(3))
		case 1:
			l.w = 1<<31 - uint32(rng.IntN(3))
		}
		l.content = make([]byte, 4*[]int{8, 200, 2000, 20000}[min(3, rng.IntN(20))])
		for n := range l.content {
			l.content[n] = byte(rng.Uint32())
		}
		l.turns = uint32(rng.IntN(3))
		l.want, l.wantErr = l.run(t, c.load(t, level.Portable))
		c.launches = append(c.launches, l)
	}
	return c
}

// load loads the kernel into memory of its own.
func (c *bordersCase) load(t *testing.T, l level.Level) *vm.Module {
	t.Helper()
	m, err := vm.NewMemory().Load(c.module, l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// failed is how many launches fail.
func (c *bordersCase) failed() (n int) {
	for _, l := range c.launches {
		if l.wantErr != nil {
			n++
		}
	}
	return n
}

// formed is how many launches are of a kernel with superblocks, on a level.
func (c *bordersCase) formed(t *testing.T, on level.Level) (n int) {
	t.Helper()
	for _, l := range c.launches {
		var code strings.Builder
		if err := vmtest.Kernel(t, c.load(t, on), "k").Print(&code, "simt", l.grid.Block); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(code.String(), "branchall") {
			n++
		}
	}
	return n
}

// hold demands that the launches do on some levels what steps do without superblocks.
func (c *bordersCase) hold(t *testing.T, levels []level.Level) {
	t.Helper()
	for _, launch := range c.launches {
		for _, l := range levels {
			got, err := launch.run(t, c.load(t, l))
			if fmt.Sprint(err) != fmt.Sprint(launch.wantErr) {
				t.Errorf("seed %d, %v, %dx%d, %v: got\n%v\nwant\n%v\n%s", c.seed, launch.grid, launch.w, launch.h, l, err, launch.wantErr, c.text)
			} else if err == nil && !bytes.Equal(got, launch.want) {
				t.Errorf("seed %d, %v, %dx%d, %v: differs at byte %d\n%s", c.seed, launch.grid, launch.w, launch.h, l, vmtest.FirstDifference(got, launch.want), c.text)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// run launches the kernel of a module, and returns what it has written.
func (l *bordersLaunch) run(t *testing.T, m *vm.Module) ([]byte, error) {
	t.Helper()
	var buffers [3]*vm.Buffer
	for n, name := range []string{"in", "out", "more"} {
		buffers[n], _ = m.Memory().Alloc(name, len(l.content))
	}
	copy(buffers[0].Bytes(), l.content)
	err := vmtest.Kernel(t, m, "k").Launch(t.Context(), l.grid, buffers[0], buffers[1], buffers[2], l.w, l.h, l.turns)
	return append(bytes.Clone(buffers[1].Bytes()), buffers[2].Bytes()...), err
}
