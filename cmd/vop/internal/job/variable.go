package job

import (
	"fmt"
	"io"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/suggest"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/vm"
)

// setting is a --set NAME=V: a variable and the value it has when the first launch begins.
type setting struct {
	where string // before messages about it: "launch.toml:4: variable table: ", "--set table=1: " on the command line
	name  string
	value argument
}

// AddSettings adds the variables of --set to the job.
func (j *Job) AddSettings(specs []string) error {
	for _, spec := range specs {
		name, text, ok := strings.Cut(spec, "=")
		if !ok || name == "" || text == "" {
			return fmt.Errorf("--set %s: want NAME=V, where V is as after --arg", spec)
		}
		value, err := j.argument(text)
		if err != nil {
			return fmt.Errorf("--set %s: %w", name, err)
		}
		value.name(name)
		if err := j.addSetting(&setting{"--set " + spec + ": ", name, value}); err != nil {
			return err
		}
	}
	return nil
}

func (j *Job) addSetting(s *setting) error {
	for _, other := range j.settings {
		if other.name == s.name {
			return fmt.Errorf("%s%s has a value already", s.where, s.name)
		}
	}
	j.settings = append(j.settings, s)
	return nil
}

// find returns the variables of the setting's name, one of each module that has it.
func (s *setting) find(modules []*vm.Module) (found []vm.Variable, err error) {
	var names []string
	for _, m := range modules {
		before := len(found)
		for _, v := range m.Variables() {
			names = append(names, v.Name)
			if v.Name == s.name {
				found = append(found, v)
			}
		}
		if len(found)-before > 1 {
			return nil, fmt.Errorf("%sthere are %d variables of that name, in several functions", s.where, len(found)-before)
		}
	}
	switch {
	case len(found) > 0:
		return found, nil
	case len(names) == 0:
		return nil, fmt.Errorf("%sthere is no .global or .const variable at all", s.where)
	}
	near := suggest.DidYouMean("", s.name, names)
	if near == "" {
		near = "; there is " + strings.Join(names, ", ")
	}
	return nil, fmt.Errorf("%sthere is no .global or .const variable %s%s", s.where, s.name, near)
}

// contents reports whether a buffer is the contents of a variable, and not a value of it: the
// variable is an array or a struct.
func contents(v vm.Variable) bool { return v.Scalar == check.NoType }

// bind makes the buffers that are the contents of variables those variables' memory, so that
// load needs no other.
func (s *setting) bind(found []vm.Variable, stdin io.Reader) error {
	b := s.value.buffer
	if b == nil || !contents(found[0]) {
		return nil
	}
	if b.Arg.Output != "" && len(found) > 1 {
		return fmt.Errorf("%s%d modules have a variable of that name, which cannot all be written to %s", s.where, len(found), b.Arg.Output)
	}
	if b.variable {
		return fmt.Errorf("%sthe buffer %s is a variable's contents already", s.where, b.Name)
	}
	data, err := b.Arg.Open(stdin)
	if err != nil {
		return fmt.Errorf("%s%w", s.where, err)
	}
	for _, v := range found {
		if len(data) != v.Size {
			return fmt.Errorf("%svariable %s (%s) has %s, %s %d", s.where, v.Name, v.Type, diag.Count(v.Size, "byte"), b.Arg.Spec, len(data))
		}
		if b.Arg.Input != "" || b.Arg.Output == "" {
			copy(v.Memory.Bytes(), data) // what is only written begins as the module says
		}
		b.Memory, b.variable = v.Memory, true
	}
	return nil
}

// apply gives the variables the value.
func (s *setting) apply(found []vm.Variable) error {
	for _, v := range found {
		var err error
		switch value := s.value; {
		case value.buffer != nil && value.buffer.variable:
		case value.buffer == nil && value.structure == nil && value.texture == nil && contents(v):
			err = fmt.Errorf("variable %s is %s, %s: give them as in:FILE or struct:[...], not %v", v.Name, v.Type, diag.Count(v.Size, "byte"), value.number)
		default:
			var bytes vm.Argument
			if bytes, err = value.of(v.Param, v.AddressSize()); err == nil {
				err = v.Set(bytes)
			}
		}
		if err != nil {
			return fmt.Errorf("%s%w", s.where, err)
		}
	}
	return nil
}
