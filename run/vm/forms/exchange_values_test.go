package forms

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// exchangeForms are the exchanges: of %a, which several threads may have alike, of %b, %c and the predicate %p, with the members %m.
func exchangeForms() (all []string) {
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		all = append(all, "shfl.sync."+mode+".b32 %d|%q, %a, %b, %c, %m;", "shfl.sync."+mode+".b32 %d, %a, %b, 0x181f, %m;")
	}
	for _, mode := range []string{"all", "any", "uni"} {
		all = append(all, "vote.sync."+mode+".pred %q, %p, %m;")
	}
	for _, o := range []string{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"} {
		all = append(all, "redux.sync."+o+" %d, %a, %m;")
	}
	for _, o := range []string{"min", "max", "min.abs", "max.NaN", "min.abs.NaN"} {
		all = append(all, "redux.sync."+o+".f32 %d, %a, %m;")
	}
	return append(all, "vote.sync.ballot.b32 %d, %p, %m;", "match.any.sync.b32 %d, %a, %m;", "match.any.sync.b64 %d, %w, %m;",
		"match.all.sync.b32 %d|%q, %a, %m;", "match.all.sync.b64 %d|%q, %w, %m;", "elect.sync %d|%q, %m;", "activemask.b32 %d;")
}

// membersOf are ways in which threads come to their mask of members, which is in %v in memory: all have the same one, in a constant
// or as a scalar, or each one has its own.
var membersOf = map[string]string{
	"constant": "mov.u32 %m, 0x0ff0f3cf;", "everyone": "mov.u32 %m, -1;", "nobody": "mov.u32 %m, 0;",
	"scalar": "ld.global.u32 %m, [%g];", "ballot": "and.b32 %m, %v, 1; setp.ne.u32 %q, %m, 0; vote.sync.ballot.b32 %m, %q, -1;",
	"varying": "mov.u32 %m, %v;", "two": "and.b32 %m, %t, 1; selp.u32 %m, 0x5a5a3c3c, 0xff00ffff, %p;",
}

// TestExchangeValues holds every exchange on every level against plain Go: masks of members of all kinds, also of lanes that are none
// themselves, bounds of shuffles that are constants or not, and warps of which some threads are elsewhere, or have a guard.
func TestExchangeValues(t *testing.T) {
	var ways []vmtest.Way
	for _, l := range level.Levels() {
		ways = append(ways, vmtest.Way{Level: l, Workers: 1})
	}
	rng := rand.New(rand.NewPCG(6, 28))
	for _, form := range exchangeForms() {
		for name, members := range membersOf {
			for range long.Of(8, 1) {
				const threads = 80 // of which the last warp has a half
				in := make([]byte, 32*threads)
				few, zeros := 1+rng.Uint32N(40), rng.IntN(2) == 0
				for n := range threads {
					put := func(at int, x uint32) { binary.LittleEndian.PutUint32(in[32*n+at:], x) }
					a := rng.Uint32N(few) * 0x01234567
					put(0, a)
					put(4, rng.Uint32N(few))
					put(8, rng.Uint32()&0xff|rng.Uint32N(40))
					put(12, []uint32{rng.Uint32(), 0x1f, 0, 0x181f, 0x1007}[rng.IntN(5)])
					put(16, rng.Uint32()|rng.Uint32())
					put(20, rng.Uint32N(2))
					if zeros {
						put(20, 0)
					}
				}
				where := []string{"", "setp.lt.u32 %s, %b, 100; @!%s bra PAST;", "@%s ", "@!%s "}[rng.IntN(4)]
				text := exchangeText(members, form, where)
				c := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: threads}}, Args: []any{in, make([]byte, 8*threads)}}
				if err := c.Differ(ways); err != nil {
					t.Fatalf("%s, members %s, %q: %v", form, name, where, err)
				}
			}
		}
	}
}

// exchangeText is a kernel with an exchange, under a guard or behind a branch.
func exchangeText(members, form, where string) string {
	if strings.HasPrefix(where, "@") {
		form = "setp.lt.u32 %s, %b, 90; " + where + form
	} else {
		form = where + form
	}
	target := "sm_90"
	if strings.Contains(form, ".f32") { // which only some targets have
		target = "sm_100a"
	}
	return fmt.Sprintf(`.version 8.6
.target %s
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .b32 %%t, %%a, %%h, %%b, %%c, %%v, %%m, %%d, %%e; .reg .b64 %%g, %%x, %%o, %%w; .reg .pred %%p, %%q, %%s;
	ld.param.u64 %%g, [in]; ld.param.u64 %%o, [out]; mov.u32 %%t, %%tid.x; mad.wide.u32 %%x, %%t, 32, %%g; mad.wide.u32 %%o, %%t, 8, %%o;
	ld.global.v4.u32 {%%a, %%h, %%b, %%c}, [%%x]; ld.global.v2.u32 {%%v, %%e}, [%%x+16]; mov.b64 %%w, {%%a, %%h};
	setp.ne.u32 %%p, %%e, 0; mov.u32 %%d, 77; mov.pred %%q, %%p;
	%s
	mov.pred %%q, %%p;
	%s
	selp.u32 %%e, 1, 0, %%q; st.global.v2.u32 [%%o], {%%d, %%e};
PAST:	ret; }`, target, members, form)
}
