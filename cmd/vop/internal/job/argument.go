package job

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/number"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/vm"
)

// argument is a number, or what of the others is not nil.
type argument struct {
	number    any // int64, uint64 or float64
	buffer    *Buffer
	texture   *Texture
	structure *structValue
}

// of returns the argument as the value of a parameter or variable, where addresses have so many bytes.
func (a argument) of(p vm.Param, addressSize int) (vm.Argument, error) {
	switch {
	case a.texture != nil:
		return a.texture.Texture, nil
	case a.structure != nil:
		data, err := a.structure.fit(p.Size, p.Align, addressSize)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %s: %w", p.Type, p.Name, a.structure.spec, err)
		}
		return data, nil
	case a.buffer == nil:
		return a.number, nil
	case p.Scalar == check.NoType:
		return a.buffer.Memory.Bytes(), nil
	}
	return a.buffer.Memory, nil
}

// argument reads what stands after --arg. The error begins with it.
func (j *Job) argument(spec string) (argument, error) {
	switch {
	case isStruct(spec):
		s, err := parseStruct(spec, j.reference)
		if err != nil {
			err = fmt.Errorf("%s: %w", spec, err)
		}
		return argument{structure: s}, err
	case strings.HasPrefix(spec, "tex:"), buffer.Is(spec):
		return j.reference(spec)
	}
	number, err := parseNumber(spec)
	return argument{number: number}, err
}

// reference reads a buffer or a texture: what has an address or a handle.
func (j *Job) reference(spec string) (argument, error) {
	if name, ok := strings.CutPrefix(spec, "tex:"); ok {
		t, err := j.textureOf(name)
		return argument{texture: t}, err
	}
	if !buffer.Is(spec) {
		return argument{}, fmt.Errorf("%q is none of %s", spec, memberKinds)
	}
	arg, err := buffer.Parse(spec)
	if err != nil {
		return argument{}, err
	}
	b := &Buffer{Arg: arg}
	j.Buffers = append(j.Buffers, b)
	return argument{buffer: b}, nil
}

// parseNumber reads a number, as an integer if it is one.
func parseNumber(text string) (any, error) {
	if text == "" {
		return nil, errors.New("is empty; want a number, a buffer (in:FILE ...), a texture (tex:NAME) or a struct (struct:[V,V,...])")
	}
	x, err := number.Signed(text, 64)
	switch {
	case err == nil:
		return x, nil
	case number.IsLeadingZero(err):
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	if x, err := number.Unsigned(text, 64); err == nil {
		return x, nil
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, nil
	}
	return nil, fmt.Errorf("%s: neither a number nor a buffer (in:FILE, out:FILE:SIZE, inout:FILE, zero:SIZE, random:SIZE) nor a texture (tex:NAME) nor a struct (struct:[V,V,...])", text)
}

// open reads the files that are part of a struct.
func (a argument) open(stdin io.Reader) error {
	if a.structure == nil {
		return nil
	}
	if err := a.structure.open(stdin); err != nil {
		return fmt.Errorf("%s: %w", a.structure.spec, err)
	}
	return nil
}

// uses reports whether the argument is a texture, or has it in a struct.
func (a argument) uses(t *Texture) bool {
	used := a.texture == t
	if a.structure != nil {
		a.structure.each(func(m *member) error {
			used = used || m.refer != nil && m.refer.texture == t
			return nil
		})
	}
	return used
}

// name gives the buffers of the argument the name of what they are given for, unless they have one.
func (a argument) name(name string) {
	if a.buffer != nil && a.buffer.Name == "" {
		a.buffer.Name = name
	}
	if a.structure != nil {
		n := 0
		a.structure.each(func(m *member) error {
			n++
			if m.refer != nil && m.refer.buffer != nil && m.refer.buffer.Name == "" {
				m.refer.buffer.Name = fmt.Sprintf("%s.%d", name, n)
			}
			return nil
		})
	}
}
