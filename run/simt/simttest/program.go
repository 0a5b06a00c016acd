package simttest

import (
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
)

// Header starts the module of a test.
const Header = ".version 7.8\n.target sm_80\n.address_size 64\n"

// Program is a module whose functions are built, and the memory that its variables have. Global memory is one piece,
// from Base on.
type Program struct {
	Module    *check.Module
	Options   build.Options
	Functions []*simt.Function // that could be built, in the order of the text
	Lacking   int              // functions that could not
	Offsets   map[*check.Variable]uint64
	Global    []byte
	Shared    uint64 // bytes
}

// Base is where global memory begins.
const Base = 0x1000_0000

// RefusedError is what package check finds in a text.
type RefusedError string

func (e RefusedError) Error() string { return string(e) }

// Load reads a module and builds all of its functions.
func Load(text string, options build.Options) (*Program, error) {
	tree, found := syntax.Parse(source.New("test.ptx", text))
	m, more := check.Check(tree)
	for _, d := range append(found, more...) {
		if diag.SeverityOf(d.Code) == diag.Error {
			at := d.File.Position(d.Span.Start)
			return nil, RefusedError(fmt.Sprintf("%d:%d: %s", at.Line, at.Col, d.Message))
		}
	}
	p := &Program{Module: m, Offsets: map[*check.Variable]uint64{}}
	options.Module = m
	options.Caps = word.Portable
	params := map[*check.Function]uint64{}
	place := func(v *check.Variable, at uint64) uint64 {
		align := uint64(max(v.Align, 1))
		at = (at + align - 1) &^ (align - 1)
		p.Offsets[v] = at
		return at + uint64(v.Size)
	}
	globals := uint64(0)
	variables := func(all []*check.Variable) {
		for _, v := range all {
			switch v.Space {
			case check.Global, check.Const:
				globals = place(v, globals)
			case check.Shared:
				p.Shared = place(v, p.Shared)
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
	p.Global = make([]byte, globals)
	for v, at := range p.Offsets {
		if v.Space == check.Global || v.Space == check.Const {
			copy(p.Global[at:], v.Data)
		}
	}
	for _, v := range m.Variables {
		if v.Space == check.Local || v.Space == check.Param {
			options.Locals = append(options.Locals, v)
		}
	}
	options.Place = func(v *check.Variable) (uint64, bool) {
		at, ok := p.Offsets[v]
		if v.Space == check.Global || v.Space == check.Const {
			at += Base
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
	p.Options = options
	p.Build()
	return p, nil
}

// Build builds the functions of the module.
func (p *Program) Build() {
	p.Functions, p.Lacking = nil, 0
	for _, f := range p.Module.Functions {
		if f.Extern {
			continue
		}
		built, missing := build.Function(f, &p.Options)
		if len(missing) > 0 || built.Local > simt.MaxLocal {
			p.Lacking++
			continue
		}
		p.Functions = append(p.Functions, built)
	}
}

// MustLoad is Load for a text without its header, of which all functions can be built.
func MustLoad(t testing.TB, text string) *Program {
	t.Helper()
	p, err := Load(Header+text, build.Options{Reading: isa.Manual})
	if err != nil {
		t.Fatal(err)
	}
	if p.Lacking > 0 {
		t.Fatalf("%d functions cannot be built", p.Lacking)
	}
	return p
}
