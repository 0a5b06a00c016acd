package lower

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// foundText holds programs for SIMD forms without .add, on all lanes and with the default
// selectors, that a search found to be shorter than what the stages make. Its head says how
// it is written.
//
//go:embed found.txt
var foundText string

// foundPrograms gives the programs of foundText by their forms.
var foundPrograms = sync.OnceValue(func() map[isa.Form][]*word.Program {
	all, err := readFound(foundText)
	if err != nil {
		panic("lower: found.txt: " + err.Error()) // a test reads it: cannot happen in a release
	}
	return all
})

// readFound reads blocks that are separated by blank lines: a target and an instruction, then
// the program. Lines that begin with # are comments.
func readFound(text string) (map[isa.Form][]*word.Program, error) {
	all := map[isa.Form][]*word.Program{}
	for block := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		for line := range strings.Lines(block) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				lines = append(lines, line)
			}
		}
		if len(lines) == 0 {
			continue
		}
		target, instruction, _ := strings.Cut(lines[0], " ")
		if _, err := Target(target); err != nil {
			return nil, err
		}
		f, err := coreOf(instruction)
		if err != nil {
			return nil, err
		}
		p, err := word.Parse(strings.Join(lines[1:], "\n"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", instruction, err)
		}
		if p.Reads(2) {
			return nil, fmt.Errorf("%s: the program reads c", instruction)
		}
		all[f] = append(all[f], p)
	}
	return all, nil
}

// coreOf reads an instruction without selectors.
func coreOf(instruction string) (f isa.Form, err error) {
	mnemonic, _, _ := strings.Cut(instruction, " ")
	op, modifiers, _ := strings.Cut(mnemonic, ".")
	w := isa.Written{Op: isa.ParseOp(op), Operands: make([]isa.Argument, 4)}
	for m := range strings.SplitSeq(modifiers, ".") {
		w.Modifiers = append(w.Modifiers, "."+m)
	}
	ok := w.Op.SIMD()
	if ok {
		ok, _ = isa.Match(&w, &f)
	}
	if !ok || f.Second != isa.NoSecond {
		return f, fmt.Errorf("%q is no SIMD instruction without .add", instruction)
	}
	return core(f), nil
}

// core returns the form that stands for those that differ from f by selectors and mask, or by
// types that are of no account.
func core(f isa.Form) isa.Form {
	f.Mask = isa.FullMask(f.Op)
	f.ALane, f.BLane = isa.DefaultLanes(f.Op)
	if !f.Sat {
		f.DType = isa.U32
		if kind := f.Op.Kind(); kind == isa.Add || kind == isa.Sub {
			f.AType, f.BType = isa.U32, isa.U32
		}
	}
	return f
}

// foundFor returns the programs that a search found for a form and the target has all operations of.
func (b *builder) foundFor(f isa.Form) (programs []*word.Program) {
	if !b.caps.PTX || f.Second != isa.NoSecond {
		return nil
	}
	for _, p := range foundPrograms()[core(f)] {
		has := true
		for n := range p.Insts {
			has = has && b.caps.Has(p.Insts[n].Op)
		}
		if has {
			programs = append(programs, p)
		}
	}
	return programs
}

// inline computes a program of two operands.
func (b *builder) inline(p *word.Program, x, y word.Value) word.Value {
	values := make([]word.Value, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		switch {
		case i.Op == word.Input && i.Imm == 0:
			values[n] = x
		case i.Op == word.Input:
			values[n] = y
		case i.Op.Args() == 0:
			values[n] = b.emit(*i)
		default:
			var args [3]word.Value
			for k, v := range i.Args() {
				args[k] = values[v]
			}
			values[n] = b.doImm(i.Op, i.Imm, args[:i.Op.Args()]...)
		}
	}
	return values[p.Result]
}
