package build_test

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/simttest"
)

// run launches the first kernel of some functions of a program, which may be those of the program or the same printed
// and read back, on global memory, which it changes. A fault is part of the result.
func run(p *simttest.Program, functions []*simt.Function, params []byte, grid, block [3]int, global []byte) (fault string) {
	codes := map[*check.Function]*portable.Code{}
	var kernel *portable.Code
	for _, f := range functions {
		codes[f.Decl] = portable.Bind(f, codes)
		if kernel == nil && f.Decl.Entry {
			kernel = codes[f.Decl]
		}
	}
	h := &host{global: global}
	launch := portable.Launch{Kernel: kernel, Block: dim(block), Grid: dim(grid), Shared: make([]byte, p.Shared), Params: params}
	cta := portable.NewCTA(launch, h)
	for z := range grid[2] {
		for y := range grid[1] {
			for x := range grid[0] {
				switch cta.Run(portable.Dim{X: x, Y: y, Z: z}, 0) {
				case portable.Failed:
					f := cta.Fault
					return fmt.Sprintf("fault %d of lane %d of warp %d at instruction %d, address %#x", f.Kind, f.Lane, f.Warp, f.At, f.Address)
				}
			}
		}
	}
	return fmt.Sprint(h.calls)
}

func dim(d [3]int) portable.Dim { return portable.Dim{X: d[0], Y: d[1], Z: d[2]} }

// host is what the machine of a test has besides CTAs. Its textures hold their coordinates.
type host struct {
	portable.Host
	global []byte
	calls  []string
}

func (h *host) Window(address uint64, _ bool) (data []byte, at uint64, ok bool) {
	return h.global, simttest.Base, address-simttest.Base < uint64(len(h.global))
}

func (h *host) Stopped() bool { return false }

// LetOthersGo does nothing: there is one CTA.
func (h *host) LetOthersGo(_, _ int) bool { return false }

func (h *host) Clock(string, uint64) uint64 { return 7 }

func (h *host) InSpace(space check.Space, address uint64) bool {
	return space == check.Global && address-simttest.Base < uint64(len(h.global))
}

func (h *host) Texture(op *simt.TextureOp, args, defs []uint64) *portable.Fault {
	h.calls = append(h.calls, fmt.Sprint(op.Spelling, args))
	for i := range defs {
		defs[i] = args[len(args)-1] + uint64(i)
	}
	return nil
}

func (h *host) Call(_ *portable.Warp, lane int, name string, args []uint64) (uint64, *portable.Fault) {
	h.calls = append(h.calls, fmt.Sprint(lane, name, args))
	return uint64(lane), nil
}
