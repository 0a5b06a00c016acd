package programs

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// pipelineText is a kernel whose blocks take tiles of 256 words in turn: one thread copies them to three places of shared memory by cp.async.bulk, as soon as
// 96 others have done with what was there, and waits for nothing else. These await a tile by the barrier that is told of its bytes, write 2 * x + the
// tile's number, and one of them copies that to global memory. The parts that tests replace stand on lines of their own.
const pipelineText = `.version 8.3
.target sm_90
.address_size 64
.visible .entry pipeline(.param .u64 in, .param .u64 out, .param .u32 tiles)
{
	.shared .align 128 .b8 stages[3072]; .shared .align 128 .b8 results[1024]; .shared .align 8 .b64 full[3]; .shared .align 8 .b64 empty[3];
	.reg .b64 %in, %out, %g; .reg .b32 %id, %tiles, %t, %i, %stage, %parity, %full, %empty, %s, %r, %n, %x, %at; .reg .pred %p, %q, %first;
	ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u32 %tiles, [tiles]; mov.u32 %id, %tid.x; mov.u32 %t, %ctaid.x; mov.u32 %i, 0;
	setp.ne.u32 %p, %id, 0; @%p bra MADE;
	mbarrier.init.shared::cta.b64 [full], 1; mbarrier.init.shared::cta.b64 [full+8], 1; mbarrier.init.shared::cta.b64 [full+16], 1;
	mbarrier.init.shared::cta.b64 [empty], 96; mbarrier.init.shared::cta.b64 [empty+8], 96; mbarrier.init.shared::cta.b64 [empty+16], 96;
	fence.mbarrier_init.release.cluster;
MADE:
	barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
	setp.lt.u32 %p, %id, 32; @!%p bra CONSUMER;
	setp.ne.u32 %p, %id, 0; @%p bra END;
PRODUCER:
	setp.ge.u32 %p, %t, %tiles; @%p bra END;
	rem.u32 %stage, %i, 3; div.u32 %parity, %i, 3; and.b32 %parity, %parity, 1; xor.b32 %parity, %parity, 1;
	mov.u32 %full, full; mad.lo.u32 %full, %stage, 8, %full; mov.u32 %empty, empty; mad.lo.u32 %empty, %stage, 8, %empty; mov.u32 %s, stages; mad.lo.u32 %s, %stage, 1024, %s;
FREE:
	mbarrier.try_wait.parity.shared::cta.b64 %q, [%empty], %parity; @!%q bra FREE;
	mul.wide.u32 %g, %t, 1024; add.u64 %g, %g, %in;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%full], 1024;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 1024, [%full];
	add.u32 %i, %i, 1; mov.u32 %n, %nctaid.x; add.u32 %t, %t, %n;
	bra PRODUCER;
CONSUMER:
	setp.eq.u32 %first, %id, 32;
NEXT:
	setp.ge.u32 %p, %t, %tiles; @%p bra END;
	rem.u32 %stage, %i, 3; div.u32 %parity, %i, 3; and.b32 %parity, %parity, 1;
	mov.u32 %full, full; mad.lo.u32 %full, %stage, 8, %full; mov.u32 %empty, empty; mad.lo.u32 %empty, %stage, 8, %empty; mov.u32 %s, stages; mad.lo.u32 %s, %stage, 1024, %s;
FILLED:
	mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %q, [%full], %parity; @!%q bra FILLED;
	sub.u32 %n, %id, 32;
WORD:
	shl.b32 %at, %n, 2; add.u32 %at, %at, %s;
	ld.shared.u32 %x, [%at];
	mad.lo.u32 %x, %x, 2, %t; mov.u32 %r, results; mad.lo.u32 %at, %n, 4, %r;
	st.shared.u32 [%at], %x;
	add.u32 %n, %n, 96; setp.lt.u32 %p, %n, 256; @%p bra WORD;
	mbarrier.arrive.shared::cta.b64 _, [%empty];
	fence.proxy.async.shared::cta;
	bar.sync 1, 96;
	@!%first bra STORED;
	mul.wide.u32 %g, %t, 1024; add.u64 %g, %g, %out;
	cp.async.bulk.global.shared::cta.bulk_group [%g], [results], 1024;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
STORED:
	bar.sync 2, 96;
	add.u32 %i, %i, 1; mov.u32 %n, %nctaid.x; add.u32 %t, %t, %n;
	bra NEXT;
END:
	ret;
}
`

// TestBulkPipeline runs it with more and fewer tiles than blocks, and than places.
func TestBulkPipeline(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	vmtest.EachModule(t, vmtest.Checked(t, "test.ptx", pipelineText), func(p *vmtest.Program) {
		for _, tiles := range []int{0, 1, 2, 3, 10, 29} {
			in, want := make([]uint32, max(tiles, 1)*256), make([]uint32, tiles*256)
			for i := range in {
				in[i] = rng.Uint32()
			}
			for i := range want {
				want[i] = 2*in[i] + uint32(i/256)
			}
			for _, blocks := range []int{1, 3} {
				out := p.Filled("out", len(in), 5)
				p.Launch("pipeline", blocks, 128, p.Words("in", in...), out, uint32(tiles))
				p.Hold("the tiles", out, want)
			}
		}
	})
}

// TestBulkPipelineMistakes runs it with a mistake, of which checks tell, or which is a fault on all levels.
func TestBulkPipelineMistakes(t *testing.T) {
	for _, test := range []struct {
		name, from, to string
		checked        bool // only checks tell
		says           string
	}{
		{"barriers are made without a fence", "fence.mbarrier_init.release.cluster;", "", true, "in a race"},
		{"tiles are not awaited", "@!%q bra FILLED;", "", true, "ld.shared.u32 of 4 bytes of unset memory"},
		{"tiles are awaited without order", "try_wait.parity.acquire.cta", "try_wait.parity.relaxed.cta", true, "ld.shared.u32 of 4 bytes in a race at 0x0, block (0, 0, 0) thread (32, 0, 0): thread (0, 0, 0) of another warp has written it at line 25"},
		{"what is free is told without order", "mbarrier.arrive.shared::cta.b64 _, [%empty];", "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%empty];", true, "complete_tx::bytes of 16 bytes in a race"},
		{"results are not awaited", "bar.sync 1, 96;", "", true, "st.shared.u32 of 4 bytes in a race at 0xc80"},
		{"less is copied than is read", "1024, [%full];\n	add", "1008, [%full]; mbarrier.complete_tx.shared.b64 [%full], 16;\n	add", true, "ld.shared.u32 of 4 bytes of unset memory at 0x3f0"},
		{"less is copied than is expected", "[%s], [%g], 1024, [%full]", "[%s], [%g], 1000, [%full]", false, "of 1000 bytes misaligned at 0x0, block (0, 0, 0) thread (0, 0, 0): the number of bytes is not a multiple of 16"},
		{"addresses are not aligned", "add.u64 %g, %g, %in;", "add.u64 %g, %g, %in; add.u64 %g, %g, 4;", false, "offset 4 in in is not a multiple of 16"},
		{"behind the end", "mul.wide.u32 %g, %t, 1024; add.u64 %g, %g, %in;", "mul.wide.u32 %g, %t, 1024; add.u64 %g, %g, %in; add.u64 %g, %g, 256;", false, "of 1024 bytes out of bounds"},
		{"behind the end of the results", "add.u64 %g, %g, %out;", "add.u64 %g, %g, %out; add.u64 %g, %g, 5120;", false, "cp.async.bulk.global.shared::cta.bulk_group of 1024 bytes out of bounds"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer vmtest.WithGrace(20 * time.Millisecond)() // for those that wait for who has failed
			text := strings.Replace(pipelineText, test.from, test.to, 1)
			if text == pipelineText {
				t.Fatal("the text is not there")
			}
			vmtest.EachModule(t, vmtest.Checked(t, "test.ptx", text), func(p *vmtest.Program) {
				if test.checked && !p.How.Check {
					return
				}
				in := make([]uint32, 5*256)
				for i := range in {
					in[i] = uint32(i)
				}
				err := p.Try("pipeline", vm.Dim{X: 1}, vm.Dim{X: 128}, p.Words("in", in...), p.Filled("out", len(in), 5), uint32(5))
				if p.How.Check {
					if _, ok := errors.AsType[*vm.CheckError](err); !ok && test.checked {
						t.Errorf("%v is no report", err)
					}
				}
				if err == nil || !strings.Contains(err.Error(), test.says) {
					t.Errorf("got %v, want %s", err, test.says)
				}
			})
		})
	}
}
