package job

import (
	"fmt"
	"io"

	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
)

// Source is where a job's texts and inputs come from.
type Source struct {
	// Module loads PTX files, as one module.
	Module func(files Files, options front.LoadOptions) (*vm.Module, error)
	Stdin  io.Reader
}

// Load makes everything ready: what is wrong with the last launch is found before
// the first one starts.
func (j *Job) Load(from Source, e level.Level, reading isa.Reading) error {
	memory := vm.NewMemory()
	modules := map[string]*vm.Module{}
	var inOrder []*vm.Module
	for _, l := range j.Launches {
		if modules[l.Files.Key()] == nil {
			var err error
			modules[l.Files.Key()], err = from.Module(l.Files, front.LoadOptions{Reading: reading, Memory: memory, Engine: e})
			if err != nil {
				return fmt.Errorf("%s%w", l.Where, err)
			}
			inOrder = append(inOrder, modules[l.Files.Key()])
			j.Modules = inOrder
		}
		if err := l.prepare(modules[l.Files.Key()]); err != nil {
			return fmt.Errorf("%s%w", l.Where, err)
		}
	}
	if err := j.loadTextures(memory, modules, from.Stdin); err != nil {
		return err
	}
	variables := make([][]vm.Variable, len(j.settings))
	for i, s := range j.settings {
		var err error
		if variables[i], err = s.find(inOrder); err != nil {
			return err
		}
		if err := s.bind(variables[i], from.Stdin); err != nil {
			return err
		}
	}
	for i, b := range j.Buffers {
		if b.variable {
			continue
		}
		b.Arg.Seed = j.Seed + uint64(i)<<32 // another for each buffer
		var data []byte
		size, zeros, err := b.Arg.Zeros()
		if !zeros {
			data, err = b.Arg.Open(from.Stdin)
			size = len(data)
		}
		if err != nil {
			return fmt.Errorf("%s%w", b.where, err)
		}
		if b.Memory, err = memory.Alloc(b.Name, size); err != nil {
			return fmt.Errorf("%s%s: %w", b.where, b.Arg.Spec, err)
		}
		copy(b.Memory.Bytes(), data)
	}
	if err := j.openExpected(); err != nil {
		return err
	}
	for i, s := range j.settings {
		if err := s.value.open(from.Stdin); err != nil {
			return fmt.Errorf("%s%w", s.where, err)
		}
		if err := s.apply(variables[i]); err != nil {
			return err
		}
	}
	for _, l := range j.Launches {
		if err := l.evaluate(modules[l.Files.Key()].AddressSize(), from.Stdin); err != nil {
			return fmt.Errorf("%s%w", l.Where, err)
		}
	}
	return nil
}
