package model

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// TestKernelsHaveAllOperations looks whether every operation of the table is in some kernel.
func TestKernelsHaveAllOperations(t *testing.T) {
	missing := map[*ops.Op]bool{}
	for _, list := range [][]*ops.Op{ops.All.Plain, ops.All.Tests, ops.All.Warp, ops.All.Votes} {
		for _, op := range list {
			missing[op] = true
		}
	}
	for seed := uint64(0); seed < 6000 && len(missing) > 0; seed++ {
		New(seed).each(func(n Node) {
			if in, ok := n.(*Inst); ok {
				delete(missing, in.Op)
			}
		})
	}
	for op := range missing {
		t.Errorf("no kernel has %s", op.Text)
	}
}

// TestKernelsHave looks whether the kernels have what they are for: every kind of statement, access and address.
func TestKernelsHave(t *testing.T) {
	missing := map[string]bool{}
	for _, part := range []string{
		"@%p", "@!%p", "bra L", "bra.uni", "brx.idx", "exit;", "ret;", "bar.sync", "call (", "call.uni (", "membar.gl", "bar.warp.sync", "isspacep",
		"addc.cc", "madc.hi", "subc.s32", "vadd.", "vset4.", "vmad.", "vadd2.", ".sat.",
		"ld.global.v4.u32", "ld.global.nc", "ld.global.ca", "ld.volatile", "ld.relaxed.gpu", "ld.v2", "ld.u8", "ld.const", "ld.shared.v4", "ld.local.v2",
		"ld.param.u64", "ld.param.v4", "st.global.v2.f64", "st.shared.u8", "st.local", "st.v4", "st.volatile", "{_, ", "cvta.shared", "cvta.local", "cvta.param", "cvta.to.shared",
		"atom.", "red.global", "atom.shared", ".cas.", ".exch.b64", ".inc.u32", "selp.b64", "[loc", "[sh", "[blob", "[ctab", "[gtab", "%ctaid.z", "activemask",
	} {
		missing[part] = true
	}
	blocks := map[[3]int]bool{}
	for seed := range uint64(500) {
		k := New(seed)
		blocks[k.Block] = true
		text := k.Text()
		for part := range missing {
			if strings.Contains(text, part) {
				delete(missing, part)
			}
		}
	}
	for part := range missing {
		t.Errorf("no kernel has %q", part)
	}
	for _, block := range [][3]int{{1, 1, 1}, {17, 1, 1}, {33, 1, 1}, {250, 1, 1}, {5, 3, 1}, {3, 1, 11}} {
		if !blocks[block] {
			t.Errorf("no block of %v threads", block)
		}
	}
}

// TestTexturedKernelsHave looks whether kernels with textures have every geometry, result, way to read and
// access that there is.
func TestTexturedKernelsHave(t *testing.T) {
	missing := map[string]bool{}
	for _, part := range strings.Fields(`tex.1d. tex.2d. tex.3d. tex.a1d. tex.a2d. tex.cube. tex.acube. .v4.u32.f32 .v4.s32.s32 .v4.f32.s32 .v4.f16.f32 .v2.f16x2.f32
		.v2.f16x2.s32 tex.level.2d tex.level.acube tex.grad.1d tex.grad.a2d tex.grad.cube tex.base.3d tld4.r.2d tld4.a.a2d tld4.g.cube tld4.b.acube
		.texref .surfref [t0_ref [own_ref }|%p txq.width suq.height txq.depth txq.num_mipmap_levels
		suld.b.1d suld.b.2d suld.b.3d suld.b.a1d suld.b.a2d suld.b.2d.ca sust.b.a2d sust.b.3d sust.b.2d.wb sust.p.2d sust.p.a1d sured.b.add.2d.u64 sured.b.max.2d.s64
		sured.b.min.3d sured.p.or.1d sured.p.max.2d.b64 .v2.b64.zero .v4.b16.clamp .b32.trap`) {
		missing[part] = true
	}
	for seed := range uint64(1500) {
		text := WithTextures(seed).Text()
		for part := range missing {
			if strings.Contains(text, part) {
				delete(missing, part)
			}
		}
		if len(missing) == 0 {
			return
		}
	}
	for part := range missing {
		t.Errorf("no kernel has %q", part)
	}
}

// TestMatrixKernelsHave looks whether kernels with matrices have every instruction on them, and whole warps.
func TestMatrixKernelsHave(t *testing.T) {
	missing := map[string]bool{"ldmatrix.sync.aligned.m8n8.x4.trans": true, "ldmatrix.sync.aligned.m8n8.x1.shared": true, "stmatrix.sync.aligned.m8n8.x2.shared": true, "stmatrix.sync.aligned.m8n8.x4.trans": true}
	for _, op := range ops.All.Matrices {
		missing[op.Name] = true
	}
	for seed := range uint64(300) {
		k := WithMatrices(seed)
		if k.Threads()%32 != 0 {
			t.Errorf("seed %d has %d threads in a block", seed, k.Threads())
		}
		text := k.Text()
		for part := range missing {
			if strings.Contains(text, part) {
				delete(missing, part)
			}
		}
	}
	for part := range missing {
		t.Errorf("no kernel has %q", part)
	}
}

// TestKernelIsTheSame makes the kernel of a seed twice: a find must be found again.
func TestKernelIsTheSame(t *testing.T) {
	for seed := range uint64(50) {
		for _, kernelOf := range []func(uint64) *Kernel{New, WithTextures, WithMatrices, InStep} {
			if first, second := kernelOf(seed), kernelOf(seed); first.Text() != second.Text() {
				t.Errorf("seed %d makes two kernels", seed)
			}
		}
	}
}

// TestReduceToWhatFails takes everything away from a kernel but one instruction and what it needs.
func TestReduceToWhatFails(t *testing.T) {
	const part = "st.global.b32 "
	tried := 0
	for seed := range uint64(20) {
		k := New(seed)
		if !strings.Contains(k.Text(), part) {
			continue
		}
		tried++
		k.Reduce(func(k *Kernel) bool { return strings.Contains(k.Text(), part) })
		if text := k.Text(); strings.Count(text, "\t") > 12 || k.Threads() != 1 || k.Blocks() != 1 {
			t.Errorf("seed %d is reduced to %d threads and\n%s", seed, k.Threads(), text)
		}
	}
	if tried == 0 {
		t.Error("no kernel has what is looked for")
	}
}

// TestMembersAreThere: what exchanges name as their members are all threads, or those that are active where it stands. A mask that is
// computed may leave out a thread that executes the exchange: then nothing is said of its result (PTX ISA 9.7.9.6).
func TestMembersAreThere(t *testing.T) {
	for n := range uint64(2000) {
		seed := n*longEach/2 + longEach - 1 // every other one has a long loop
		active := map[Reg]bool{}            // the registers that activemask writes, and nothing else
		New(seed).each(func(n Node) {
			in, ok := n.(*Inst)
			switch {
			case !ok || in.Op.Warp == nil:
			case in.Op.Name == "activemask.b32":
				active[in.Dst[0]] = true
			default:
				if members := in.Src[len(in.Src)-1]; members != imm(0xffffffff) && !active[members.Reg] {
					t.Errorf("seed %d: the members of %s are %v", seed, in.Op.Text, members)
				}
			}
		})
	}
}

// TestKernelsInStepHave looks whether kernels for targets on which lanes keep in step have every
// operation across a warp of those, words that lanes pass on in shared memory, and nothing newer.
func TestKernelsInStepHave(t *testing.T) {
	missing := map[*ops.Op]bool{ops.StoreInStep: true, ops.LoadInStep: true}
	for _, op := range ops.InStep.Warp {
		missing[op] = true
	}
	for seed := range uint64(1000) {
		k := InStep(seed)
		k.each(func(n Node) {
			if in, ok := n.(*Inst); ok {
				delete(missing, in.Op)
			}
		})
		if text := k.Text(); strings.Contains(text, "shfl.sync") || strings.Contains(text, ".relaxed") || strings.Contains(text, "fence.") {
			t.Errorf("seed %d has what came with sm_70:\n%s", seed, text)
		}
	}
	for op := range missing {
		t.Errorf("no kernel has %s", op.Text)
	}
}
