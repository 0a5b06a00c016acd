package machine

import (
	"context"
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/internal/sass/listing"
)

// Program is a kernel that can be run.
type Program struct {
	name      string
	steps     []step
	code      []listing.Instruction
	constants map[int][]byte
}

// step executes an instruction.
type step func(t *thread)

// Compile reads a kernel's instructions. An error names the first that is not known.
func Compile(k *listing.Kernel) (*Program, error) {
	p := &Program{name: k.Name, code: k.Code, constants: k.Constants}
	for i := range k.Code {
		s, err := compile(k, &k.Code[i])
		if err != nil {
			return nil, p.at(i, err)
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// at says of which instruction an error tells.
func (p *Program) at(i int, err error) error {
	in := p.code[i]
	text := in.Text
	if in.Op == "" && in.Problem == "" {
		text = fmt.Sprintf("%#x", in.Code)
	}
	return fmt.Errorf("%s: line %d: %w: %s", p.name, in.Line, err, text)
}

// uniformOps are the instructions of the uniform datapath that are those of the same name without U.
var uniformOps = map[string]bool{
	"UMOV": true, "USEL": true, "UPRMT": true, "UIADD3": true, "ULEA": true, "UIMAD": true, "USHF": true, "USGXT": true, "UBMSK": true,
	"ULOP3": true, "UPLOP3": true, "UPOPC": true, "UFLO": true, "UBREV": true, "UISETP": true, "ULDC": true,
}

// compile makes a step of an instruction.
func compile(k *listing.Kernel, in *listing.Instruction) (step, error) {
	if in.Problem != "" {
		return nil, fmt.Errorf("%s", in.Problem)
	}
	if in.Op == "" {
		named, err := name(in)
		if err != nil {
			return nil, err
		}
		in = named
	}
	f := &form{kernel: k, in: in, left: append([]string{}, in.Mods...)}
	var guard truth
	if in.Guard != nil {
		if in.Guard.Number == listing.Zero && in.Guard.Negated {
			return func(*thread) {}, nil // @!PT: sm_70 has a SHFL that is never executed
		}
		guard = f.truthOf(*in.Guard)
	}
	op := in.Op
	if uniformOps[op] {
		op = op[1:]
	}
	build := known[op]
	if build == nil {
		return nil, fmt.Errorf("%s is not known", in.Op)
	}
	s := build(f)
	if err := f.done(); err != nil {
		return nil, err
	}
	if guard == nil {
		return s, nil
	}
	return func(t *thread) {
		if guard(t) {
			s(t)
		}
	}, nil
}

// known are the instructions that are known.
var known = func() map[string]func(f *form) step {
	all := map[string]func(f *form) step{}
	for _, family := range []map[string]func(f *form) step{
		moves, additions, products, shifts, logic, comparisons, bytewise, accesses, flow,
	} {
		for op, build := range family {
			if all[op] != nil {
				panic("machine: " + op + " comes twice")
			}
			all[op] = build
		}
	}
	return all
}()

// Run executes the kernel for one thread.
func (p *Program) Run(ctx context.Context, l Launch, tid, cta [3]uint32) error {
	steps := l.Steps
	if steps == 0 {
		steps = 1 << 20
	}
	return p.run(ctx, &thread{launch: &l, program: p, tid: tid, cta: cta, local: map[uint32]byte{}}, steps)
}

// run executes at most so many instructions.
func (p *Program) run(ctx context.Context, t *thread, limit int) error {
	for n := 0; !t.ended; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i := t.next
		if i >= len(p.steps) {
			return fmt.Errorf("%s: a thread runs past the last instruction", p.name)
		}
		if n >= limit {
			return p.at(i, fmt.Errorf("a thread has executed %d instructions, and not ended", limit))
		}
		t.next++
		p.steps[i](t)
		if t.err != nil {
			return p.at(i, t.err)
		}
	}
	return nil
}

// spelled returns the name of an instruction with its modifiers.
func spelled(in *listing.Instruction) string {
	return strings.Join(append([]string{in.Op}, in.Mods...), ".")
}
