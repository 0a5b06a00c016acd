package simt_test

import (
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// header starts the module of a test.
const header = ".version 7.8\n.target sm_80\n.address_size 64\n"

// program is a module whose functions are built, and the memory that its variables have: a machine as small
// as can be. Global memory is one piece, from base on.
type program struct {
	module    *check.Module
	options   simt.Options
	functions []*simt.Function // that could be built, in the order of the text
	lacking   int              // functions that could not
	offsets   map[*check.Variable]uint64
	global    []byte
	shared    uint64
	params    []byte
}

// base is where global memory begins.
const base = 0x1000_0000

// refusedError is what package check finds in a text.
type refusedError string

func (e refusedError) Error() string { return string(e) }

// load reads a module and builds all of its functions.
func load(text string, options simt.Options) (*program, error) {
	tree, found := syntax.Parse(source.New("test.ptx", text))
	m, more := check.Check(tree)
	for _, d := range append(found, more...) {
		if diag.SeverityOf(d.Code) == diag.Error {
			at := d.File.Position(d.Span.Start)
			return nil, refusedError(fmt.Sprintf("%d:%d: %s", at.Line, at.Col, d.Message))
		}
	}
	p := &program{module: m, offsets: map[*check.Variable]uint64{}}
	options.Module = m
	options.Caps = word.Portable
	params := map[*check.Function]uint64{}
	place := func(v *check.Variable, at uint64) uint64 {
		align := uint64(max(v.Align, 1))
		at = (at + align - 1) &^ (align - 1)
		p.offsets[v] = at
		return at + uint64(v.Size)
	}
	globals := uint64(0)
	variables := func(all []*check.Variable) {
		for _, v := range all {
			switch v.Space {
			case check.Global, check.Const:
				globals = place(v, globals)
			case check.Shared:
				p.shared = place(v, p.shared)
			case check.Local, check.Param:
			}
		}
	}
	variables(m.Variables)
	for _, f := range m.Functions {
		variables(f.Variables)
		if f.Entry {
			for _, v := range f.Params {
				params[f] = place(v, params[f])
			}
		}
	}
	p.global = make([]byte, globals)
	for v, at := range p.offsets {
		if v.Space == check.Global || v.Space == check.Const {
			copy(p.global[at:], v.Data)
		}
	}
	for _, v := range m.Variables {
		if v.Space == check.Local || v.Space == check.Param {
			options.Locals = append(options.Locals, v)
		}
	}
	options.Place = func(v *check.Variable) (uint64, bool) {
		at, ok := p.offsets[v]
		if v.Space == check.Global || v.Space == check.Const {
			at += base
		}
		return at, ok
	}
	options.Code = func(f *check.Function) uint64 {
		for i, other := range m.Functions {
			if f == other {
				return 0x4000 + 16*uint64(i)
			}
		}
		return 0
	}
	options.Callees = func() (all []*check.Function) {
		for _, f := range m.Functions {
			if !f.Entry && !f.Extern {
				all = append(all, f)
			}
		}
		return all
	}
	p.options = options
	p.build()
	return p, nil
}

// build builds the functions of the module.
func (p *program) build() {
	p.functions, p.lacking = nil, 0
	for _, f := range p.module.Functions {
		if f.Extern {
			continue
		}
		built, missing := simt.Build(f, &p.options)
		if len(missing) > 0 || built.Local > simt.MaxLocal {
			p.lacking++
			continue
		}
		p.functions = append(p.functions, built)
	}
}

func mustLoad(t testing.TB, text string) *program {
	t.Helper()
	p, err := load(header+text, simt.Options{Reading: isa.Manual})
	if err != nil {
		t.Fatal(err)
	}
	if p.lacking > 0 {
		t.Fatalf("%d functions cannot be built", p.lacking)
	}
	return p
}

// run launches the first kernel of some functions, which may be those of the program or the same printed
// and read back, on global memory, which it changes. A fault is part of the result.
func (p *program) run(functions []*simt.Function, grid, block [3]int, global []byte) (fault string) {
	codes := map[*check.Function]*portable.Code{}
	var kernel *portable.Code
	for _, f := range functions {
		codes[f.Decl] = portable.Bind(f, codes)
		if kernel == nil && f.Decl.Entry {
			kernel = codes[f.Decl]
		}
	}
	h := &host{global: global}
	launch := portable.Launch{Kernel: kernel, Block: dim(block), Grid: dim(grid), Shared: make([]byte, p.shared), Params: p.params}
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
	return h.global, base, address-base < uint64(len(h.global))
}

func (h *host) Stopped() bool { return false }

func (h *host) Clock(string, uint64) uint64 { return 7 }

func (h *host) InSpace(space check.Space, address uint64) bool {
	return space == check.Global && address-base < uint64(len(h.global))
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
