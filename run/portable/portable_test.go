package portable_test

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
)

// memory is a host with one allocation, at address base.
type memory struct{ data []byte }

const base = 0x1000_0000

func (m *memory) Window(address uint64, writes bool) ([]byte, uint64, bool) {
	return m.data, base, true
}
func (m *memory) Texture(*simt.TextureOp, []uint64, []uint64) *portable.Fault {
	return &portable.Fault{Kind: portable.NoTexture}
}
func (m *memory) Texels(*portable.Reads) bool                                          { return false }
func (m *memory) TexelsOf(*simt.TextureOp, uint64) (*simt.Texels, bool)                { return nil, false }
func (m *memory) Call(*portable.Warp, int, string, []uint64) (uint64, *portable.Fault) { return 0, nil }
func (m *memory) InSpace(check.Space, uint64) bool                                     { return true }
func (m *memory) Clock(_ string, steps uint64) uint64                                  { return steps }
func (m *memory) Stopped() bool                                                        { return false }
func (m *memory) LetOthersGo(_, _ int) bool                                            { return false }

// run runs the first kernel of a text, with out as its parameter, as one CTA, and returns what each thread has
// written to out, or the fault.
func run(t *testing.T, threads int, text string) ([]uint32, *portable.Fault) {
	t.Helper()
	tree, found := syntax.Parse(source.New("test.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n"+text))
	module, more := check.Check(tree)
	for _, d := range append(found, more...) {
		t.Fatal(d.Message)
	}
	codes := map[*check.Function]*portable.Code{}
	var kernel *portable.Code
	for _, decl := range module.Functions {
		f, missing := build.Function(decl, &build.Options{
			Module: module, Caps: word.Portable, Code: func(*check.Function) uint64 { return 0 }, Callees: func() []*check.Function { return nil },
			Place: func(*check.Variable) (uint64, bool) { return 0, true },
		})
		if len(missing) > 0 {
			t.Fatal(missing)
		}
		codes[decl] = portable.Bind(f, codes)
		if decl.Entry {
			kernel = codes[decl]
		}
	}
	words := make([]uint64, threads/2+8) // aligned for every access
	m := &memory{unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)}
	params := binary.LittleEndian.AppendUint64(nil, base)
	one := portable.Dim{X: 1, Y: 1, Z: 1}
	cta := portable.NewCTA(portable.Launch{Kernel: kernel, Block: portable.Dim{X: threads, Y: 1, Z: 1}, Grid: one, Shared: make([]byte, 256), Params: params}, m)
	cta.Run(portable.Dim{}, 0)
	out := make([]uint32, threads)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(m.data[4*i:])
	}
	return out, cta.Fault
}

// kernel puts a body between what finds the thread's number, %t, and what writes %r to its word of out.
func kernel(body string) string {
	return `.entry k(.param .u64 out) {
	.reg .pred %p<4>; .reg .b32 %t, %r, %x<9>; .reg .b64 %d<4>;
	mov.u32 %t, %tid.x;
	mov.u32 %r, 0;
	` + body + `
	ld.param.u64 %d0, [out];
	mad.wide.u32 %d0, %t, 4, %d0;
	st.global.u32 [%d0], %r;
	ret; }`
}

func hold(t *testing.T, got []uint32, want func(thread int) uint32) {
	t.Helper()
	for thread, x := range got {
		if x != want(thread) {
			t.Errorf("thread %d of %d: %#x, want %#x", thread, len(got), x, want(thread))
		}
	}
}

// TestLanesMeetAtTheEarliestBlock lets lanes part three times, and go around what others execute: those that
// come to a block that all come to go on together.
func TestLanesMeetAtTheEarliestBlock(t *testing.T) {
	out, fault := run(t, 32, kernel(`
	setp.lt.u32 %p0, %t, 8;
	@%p0 bra A;
	setp.lt.u32 %p0, %t, 16;
	@%p0 bra B;          // lanes 8 to 15 leave the inner arm for where lanes 0 to 7 go as well
	bra C;
A:
B:	activemask.b32 %x0;  // lanes 0 to 15
C:	activemask.b32 %r;   // all
	setp.lt.u32 %p0, %t, 16;
	@%p0 add.u32 %r, %r, %x0;
`))
	if fault != nil {
		t.Fatal(fault)
	}
	hold(t, out, func(thread int) uint32 {
		if thread < 16 {
			return 0xfffe // the sum of 0xffff and 0xffffffff
		}
		return 0xffffffff
	})
}

// TestLanesWaitForLanesOfTheirWarp has a lane that waits in a loop for what another one of its warp writes.
func TestLanesWaitForLanesOfTheirWarp(t *testing.T) {
	out, fault := run(t, 32, `.shared .align 4 .b32 flag;`+kernel(`
	setp.ne.u32 %p0, %t, 5;
	@%p0 bra L;
	st.volatile.shared.u32 [flag], 7;
	bra M;
L:	ld.volatile.shared.u32 %r, [flag];
	setp.eq.u32 %p1, %r, 0;
	@%p1 bra L;
M:
`))
	if fault != nil {
		t.Fatal(fault)
	}
	hold(t, out, func(thread int) uint32 {
		if thread == 5 {
			return 0
		}
		return 7
	})
}

// TestLanesTakeALockInTurn has all lanes of a warp spin for a lock that one of them holds and gives back further
// on: those that spin stand first, and must let it go on.
func TestLanesTakeALockInTurn(t *testing.T) {
	out, fault := run(t, 32, `.shared .align 4 .b32 lock, taken;`+kernel(`
L:	atom.shared.cas.b32 %x0, [lock], 0, 1;
	setp.ne.u32 %p0, %x0, 0;
	@%p0 bra L;
	ld.volatile.shared.u32 %r, [lock+4];
	add.u32 %r, %r, 1;
	st.volatile.shared.u32 [lock+4], %r;
	atom.shared.exch.b32 %x1, [lock], 0;
`))
	if fault != nil {
		t.Fatal(fault)
	}
	seen := map[uint32]bool{}
	for thread, x := range out {
		if x < 1 || x > 32 || seen[x] {
			t.Errorf("thread %d has taken the lock as number %d", thread, x)
		}
		seen[x] = true
	}
}

// TestBarrierInDivergedCode lets the halves of warps come to a barrier at different places.
func TestBarrierInDivergedCode(t *testing.T) {
	out, fault := run(t, 64, `.shared .align 4 .b32 sum;`+kernel(`
	and.b32 %x0, %t, 1;
	setp.eq.u32 %p0, %x0, 0;
	@%p0 bra A;
	atom.shared.add.u32 %x1, [sum], 1;
	bar.sync 0;
	bra B;
A:	atom.shared.add.u32 %x1, [sum], 100;
	bar.sync 0;
B:	ld.shared.u32 %r, [sum];
`))
	if fault != nil {
		t.Fatal(fault)
	}
	hold(t, out, func(int) uint32 { return 32*100 + 32 })
}

// TestDeadlockIsAFault has threads that wait for ones that wait at another barrier.
func TestDeadlockIsAFault(t *testing.T) {
	_, fault := run(t, 64, kernel(`
	setp.lt.u32 %p0, %t, 32;
	@%p0 bra A;
	bar.sync 1;
	bra B;
A:	bar.sync 2;
B:
`))
	if fault == nil || fault.Kind != portable.Deadlocked || len(fault.Waits) != 2 || fault.Waits[0].Barrier != 1 || fault.Waits[1].Barrier != 2 {
		t.Errorf("the fault is %+v", fault)
	}
}

// TestRecursion calls a function that calls itself, as often as each lane wants.
func TestRecursion(t *testing.T) {
	out, fault := run(t, 32, `
.func (.param .b32 r) down(.param .b32 n) {
	.reg .pred %p; .reg .b32 %n, %m; .param .b32 a, b;
	ld.param.u32 %n, [n];
	setp.eq.u32 %p, %n, 0;
	@%p bra Z;
	sub.u32 %m, %n, 1;
	st.param.b32 [a], %m;
	call (b), down, (a);
	ld.param.u32 %m, [b];
	add.u32 %n, %n, %m;
Z:	st.param.b32 [r], %n;
	ret;
}`+kernel(`
	.param .b32 a, b;
	st.param.b32 [a], %t;
	call (b), down, (a);
	ld.param.u32 %r, [b];
`))
	if fault != nil {
		t.Fatal(fault)
	}
	hold(t, out, func(thread int) uint32 { return uint32(thread * (thread + 1) / 2) })
}

// TestPhisThatExchange runs a loop that exchanges two values in every turn.
func TestPhisThatExchange(t *testing.T) {
	out, fault := run(t, 32, kernel(`
	mov.u32 %x0, 10;
	mov.u32 %x1, 20;
	mov.u32 %x2, %t;
L:	setp.eq.u32 %p0, %x2, 0;
	@%p0 bra M;
	mov.u32 %x3, %x0;
	mov.u32 %x0, %x1;
	mov.u32 %x1, %x3;
	sub.u32 %x2, %x2, 1;
	bra L;
M:	mov.u32 %r, %x0;
`))
	if fault != nil {
		t.Fatal(fault)
	}
	hold(t, out, func(thread int) uint32 { return uint32(10 + 10*(thread%2)) })
}
