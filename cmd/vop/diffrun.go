package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// vopParam is a parameter of a kernel.
type vopParam = vm.Param

// side is one of the two kernels.
type side struct {
	app    *app
	ptx    string
	kernel string // its name, from find on
	engine level.Level
	o      *diffOptions
	params []vopParam

	job     *job.Job // of the last launch
	printed tail
}

func (s *side) title() string { return s.ptx + " " + s.kernel }

// find finds the kernel, and its parameters.
func (s *side) find() error {
	m, err := s.app.module(job.Files{s.ptx}, front.LoadOptions{Reading: s.o.reading, Engine: s.engine})
	if err != nil {
		return err
	}
	l := &job.Launch{Files: job.Files{s.ptx}, Name: s.kernel}
	if err := l.Find(m); err != nil {
		return fmt.Errorf("%s: %w", s.ptx, err)
	}
	s.kernel, s.params = l.Name, l.Kernel.Params()
	return nil
}

// sameParams returns an error if the kernels cannot take the same arguments.
func sameParams(a, b *side) error {
	same := len(a.params) == len(b.params)
	for i := 0; same && i < len(a.params); i++ {
		p, q := a.params[i], b.params[i]
		same = p.Size == q.Size && (p.Scalar == check.NoType) == (q.Scalar == check.NoType)
	}
	if !same {
		return fmt.Errorf("the kernels have other parameters: %s has %s, and %s has %s", a.title(), paramsText(a.params), b.title(), paramsText(b.params))
	}
	return nil
}

func paramsText(params []vopParam) string {
	if len(params) == 0 {
		return "none"
	}
	return job.ListParams(params)
}

// launch launches the kernel on inputs made new. watch may be nil.
func (s *side) launch(ctx context.Context, args []string, seed uint64, watch func() *vm.Watch) error {
	o := s.o.launch
	o.Kernel, o.Args = s.kernel, args
	j, err := job.OfFlags(job.Files{s.ptx}, o)
	if err != nil {
		return err
	}
	j.Seed = seed
	if err := j.ExpectOnly(); err != nil {
		return err
	}
	if err := j.Load(s.app.source(), s.engine, s.o.reading); err != nil {
		return err
	}
	s.job, s.printed = j, tail{}
	l := j.Launches[0]
	l.Grid.Workers = 1 // so that atomic operations and what is printed come in the same order
	l.Grid.Output = &s.printed
	if watch != nil {
		l.Grid.Watch = watch()
	}
	ctx, cancel := withTimeout(ctx, s.o.timeout)
	defer cancel()
	if err := within(ctx, func() error { return l.Kernel.Launch(ctx, l.Grid, l.Values...) }); err != nil {
		return l.Failed(ctx, err)
	}
	return nil
}

// diffOnce launches both kernels on the same inputs, and returns the first difference, or nil.
func (a *app) diffOnce(ctx context.Context, sides *[2]side, args []string, seed uint64) (*diffDifference, error) {
	var failed [2]error
	for i := range sides {
		if failed[i] = sides[i].launch(ctx, args, seed, nil); failed[i] != nil && !stopsLaunch[errorKind(failed[i])] || errors.Is(failed[i], context.Canceled) {
			return nil, failed[i]
		}
	}
	switch {
	case failed[0] != nil && failed[1] != nil:
		return nil, fmt.Errorf("both kernels fail on these arguments; --arg and --size give others. The first: %w", failed[0])
	case failed[0] != nil || failed[1] != nil:
		err := errors.Join(failed[0], failed[1])
		return &diffDifference{Where: "launch", text: "one alone fails: " + err.Error()}, nil
	}
	if d := compareMemory(sides, &sides[0].o.near); d != nil {
		if err := d.writers(ctx, sides, args, seed); err != nil {
			return nil, err
		}
		d.describe(sides)
		return d, nil
	}
	if p, q := sides[0].printed.String(), sides[1].printed.String(); p != q {
		return &diffDifference{Where: "output", Values: [2]string{p, q}, text: "they print other things:\n" + p + "---\n" + q}, nil
	}
	return nil, nil
}

// memory is a piece of memory that both have.
type memory struct {
	where, name string
	in          func(s *side) *vm.Buffer // nil of a texture
	data        func(s *side) []byte
}

func bufferMemory(what, name string, in func(s *side) *vm.Buffer) memory {
	return memory{what + " " + name, name, in, func(s *side) []byte { return in(s).Bytes() }}
}

// memories returns the buffers of the arguments, and the variables that both modules have.
func memories(sides *[2]side) (list []memory) {
	for i, b := range sides[0].job.Buffers {
		list = append(list, bufferMemory("parameter", b.Name, func(s *side) *vm.Buffer { return s.job.Buffers[i].Memory }))
	}
	for _, v := range sides[0].variables() {
		if other := sides[1].variable(v.Name); other != nil && len(v.Memory.Bytes()) == len(other.Bytes()) {
			list = append(list, bufferMemory("variable", v.Name, func(s *side) *vm.Buffer { return s.variable(v.Name) }))
		}
	}
	for i, t := range sides[0].job.Textures {
		list = append(list, memory{"surface " + t.Name, t.Name, nil, func(s *side) []byte { return s.job.Textures[i].Texture.Image().Data }})
	}
	return list
}

// variables returns the variables of the module that has been launched.
func (s *side) variables() []vm.Variable { return s.job.Modules[0].Variables() }

func (s *side) variable(name string) *vm.Buffer {
	for _, v := range s.variables() {
		if v.Name == name {
			return v.Memory
		}
	}
	return nil
}

// compareMemory returns the first difference of what the launches have left.
func compareMemory(sides *[2]side, near *nearness) *diffDifference {
	for _, m := range memories(sides) {
		p, q := m.data(&sides[0]), m.data(&sides[1])
		if bytes.Equal(p, q) {
			continue
		}
		if kind := near.typeOf(m.name); kind != "" {
			if d := near.compare(m, kind, p, q); d != nil {
				return d
			}
			continue
		}
		d := &diffDifference{Where: m.where, Byte: -1, in: m.in}
		for i := range p {
			if p[i] != q[i] {
				if d.Bytes++; d.Byte < 0 {
					d.Byte = i
				}
			}
		}
		d.Values = [2]string{wordAt(p, d.Byte), wordAt(q, d.Byte)}
		return d
	}
	return nil
}

// wordAt spells the aligned 32-bit word that a byte is in, or the byte where there is none.
func wordAt(data []byte, at int) string {
	if at &= ^3; at+4 <= len(data) {
		return fmt.Sprintf("%02x%02x%02x%02x", data[at+3], data[at+2], data[at+1], data[at])
	}
	return fmt.Sprintf("%x", data[at:])
}

// writers launches both again, watching the byte, for who writes it last.
func (d *diffDifference) writers(ctx context.Context, sides *[2]side, args []string, seed uint64) error {
	for i := range sides {
		if d.in == nil {
			return nil // writes to surfaces are not watched
		}
		watch := &vm.Watch{Size: 1}
		err := sides[i].launch(ctx, args, seed, func() *vm.Watch {
			watch.Address = d.in(&sides[i]).Address() + uint64(d.Byte)
			return watch
		})
		if err != nil {
			return err
		}
		if watch.Count == 0 {
			continue
		}
		w := watch.Last
		d.Writes[i] = &diffWrite{w.File, w.Line, w.Col, w.Source, w.Access, dimReport(w.Block), dimReport(w.Thread)}
	}
	return nil
}

// describe words the difference.
func (d *diffDifference) describe(sides *[2]side) {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, from byte %d on, %s in all\n", d.Where, d.Byte, diag.Count(d.Bytes, "byte"))
	for i := range sides {
		fmt.Fprintf(&s, "  %s  %s %d is %s", sides[i].ptx, cmp.Or(d.Type, "word"), d.Byte/cmp.Or(d.size, 4), d.Values[i])
		w := d.Writes[i]
		if d.in == nil {
			s.WriteByte('\n')
			continue
		}
		s.WriteString(", ")
		if w == nil {
			s.WriteString("as it was before: nobody writes it\n")
			continue
		}
		fmt.Fprintf(&s, "written at %s:%d:%d: %s, block (%d, %d, %d) thread (%d, %d, %d)", w.File, w.Line, w.Col, w.Access,
			w.Block[0], w.Block[1], w.Block[2], w.Thread[0], w.Thread[1], w.Thread[2])
		if w.Source != "" {
			fmt.Fprintf(&s, ", %s", w.Source)
		}
		s.WriteByte('\n')
	}
	d.text = strings.TrimSuffix(s.String(), "\n")
}
