package found

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/word"
)

// text holds programs for SIMD forms without .add, on all lanes and with the default
// selectors, that a search found to be shorter than what the stages make. Its head says how
// it is written.
//
//go:embed found.txt
var text string

// Programs gives the programs of found.txt by their forms, as [Core] gives them. They are shared and must not be changed.
func Programs() map[isa.Form][]*word.Program { return programs() }

var programs = sync.OnceValue(func() map[isa.Form][]*word.Program {
	all, err := read(text)
	if err != nil {
		panic("found.txt: " + err.Error()) // a test reads it: cannot happen in a release
	}
	return all
})

// read reads blocks that are separated by blank lines: a target and an instruction, then
// the program. Lines that begin with # are comments.
func read(text string) (map[isa.Form][]*word.Program, error) {
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
		if _, err := isa.ParseTarget(target); err != nil {
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
	return Core(f), nil
}

// Core returns the form that stands for those that differ from f by selectors and mask, or by
// types that are of no account.
func Core(f isa.Form) isa.Form {
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

// For returns the programs of a form that a target has all operations of. They are for all lanes, and for the default
// selectors.
func For(f isa.Form, caps word.Caps) (programs []*word.Program) {
	if !caps.PTX || f.Second != isa.NoSecond {
		return nil
	}
	for _, p := range Programs()[Core(f)] {
		has := true
		for n := range p.Insts {
			has = has && caps.Has(p.Insts[n].Op)
		}
		if has {
			programs = append(programs, p)
		}
	}
	return programs
}
