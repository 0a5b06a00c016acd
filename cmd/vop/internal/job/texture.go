package job

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/run/vm"
)

// Texture is a --tex NAME=FILE[:OPTION,...].
type Texture struct {
	Name     string
	arg      *buffer.Arg
	sampling vm.Sampling
	volume   bool // the file's three dimensions are z, y, x

	Texture *vm.Texture // from Load on
}

// textureOptions are the words after the file.
var textureOptions = map[string]func(t *Texture){
	"point":      func(t *Texture) { t.sampling.Linear = false },
	"linear":     func(t *Texture) { t.sampling.Linear = true },
	"normalized": func(t *Texture) { t.sampling.Normalized = true },
	"clamp":      func(t *Texture) { t.sampling.Address = vm.Clamp },
	"border":     func(t *Texture) { t.sampling.Address = vm.Border },
	"wrap":       func(t *Texture) { t.sampling.Address = vm.Wrap },
	"mirror":     func(t *Texture) { t.sampling.Address = vm.Mirror },
	"3d":         func(t *Texture) { t.volume = true },
}

// parseTexture reads a --tex. What follows the last colon is options if its first word is one; otherwise it
// is part of the file's name.
func parseTexture(spec string) (*Texture, error) {
	name, file, ok := strings.Cut(spec, "=")
	if !ok || name == "" || file == "" {
		return nil, fmt.Errorf("--tex %s: want NAME=FILE or NAME=FILE:OPTION[,OPTION]", spec)
	}
	t := &Texture{Name: name}
	if at := strings.LastIndexByte(file, ':'); at > 0 {
		words := strings.Split(file[at+1:], ",")
		if textureOptions[words[0]] != nil {
			file = file[:at]
			for _, w := range words {
				set, ok := textureOptions[w]
				if !ok {
					return nil, fmt.Errorf("--tex %s: the option %q: there are point, linear, normalized, clamp, border, wrap, mirror and 3d", spec, w)
				}
				set(t)
			}
		}
	}
	var err error
	if t.arg, err = buffer.Parse("in:" + file); err != nil {
		return nil, fmt.Errorf("--tex %s: %w", spec, err)
	}
	t.arg.Spec = "--tex " + spec
	return t, nil
}

// texels are the types of channels by the names of package buffer.
var texels = map[string]vm.Texel{
	"u8": vm.TexelU8, "i8": vm.TexelS8, "u16": vm.TexelU16, "i16": vm.TexelS16,
	"u32": vm.TexelU32, "i32": vm.TexelS32, "f16": vm.TexelF16, "f32": vm.TexelF32,
}

// load reads the file and makes the texture.
func (t *Texture) load(memory *vm.Memory, stdin io.Reader) error {
	data, err := t.arg.Open(stdin)
	if err != nil {
		return err
	}
	layout := t.arg.Layout
	texel, ok := texels[layout.Elem.Name]
	if !ok {
		return fmt.Errorf("--tex %s: texels of type %s: want 8, 16 or 32 bits", t.Name, layout.Elem.Name)
	}
	image := vm.Image{Texel: texel, Channels: 1}
	shape := slices.Clone(layout.Shape)
	if n := len(shape); n == 3 && !t.volume || n == 4 {
		image.Channels, shape = shape[n-1], shape[:n-1]
	}
	slices.Reverse(shape)
	switch sizes := []*int{&image.Width, &image.Height, &image.Depth}; {
	case len(shape) > len(sizes):
		return fmt.Errorf("--tex %s: %d dimensions: want at most 3, and channels", t.Name, len(shape))
	default:
		for i, n := range shape {
			*sizes[i] = n
		}
	}
	if image.Data = data; image.Channels == 3 {
		image.Channels, image.Data = 4, fourChannels(data, texel)
	}
	if t.Texture, err = memory.NewTexture(image, t.sampling); err != nil {
		return fmt.Errorf("--tex %s: %w", t.Name, err)
	}
	return nil
}

// fourChannels gives texels of three channels a fourth with all bits set: textures have no three.
func fourChannels(data []byte, texel vm.Texel) (all []byte) {
	size := texel.Bytes()
	for three := range slices.Chunk(data, 3*size) {
		all = append(all, three...)
		all = append(all, slices.Repeat([]byte{0xff}, size)...)
	}
	return all
}

// addTextures adds the textures of --tex to the job.
func (j *Job) addTextures(specs []string) error {
	for _, spec := range specs {
		t, err := parseTexture(spec)
		if err != nil {
			return err
		}
		if other, _ := j.textureOf(t.Name); other != nil {
			return fmt.Errorf("--tex %s: given twice", t.Name)
		}
		j.Textures = append(j.Textures, t)
	}
	return nil
}

// textureOf returns the texture of a name.
func (j *Job) textureOf(name string) (*Texture, error) {
	for _, t := range j.Textures {
		if t.Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("tex:%s: there is no --tex %s=FILE", name, name)
}

// loadTextures makes the textures, and binds them to the variables of their names.
func (j *Job) loadTextures(memory *vm.Memory, modules map[string]*vm.Module, stdin io.Reader) error {
	for _, t := range j.Textures {
		if err := t.load(memory, stdin); err != nil {
			return err
		}
		used := slices.ContainsFunc(j.Launches, func(l *Launch) bool {
			return slices.ContainsFunc(l.args, func(a argument) bool { return a.uses(t) })
		}) || slices.ContainsFunc(j.settings, func(s *setting) bool { return s.value.uses(t) })
		for _, m := range modules {
			err := m.BindTexture(t.Name, t.Texture)
			used = used || err == nil
		}
		if !used {
			return fmt.Errorf("--tex %s: there is no .texref or .surfref of that name, and no --arg tex:%s", t.Name, t.Name)
		}
	}
	return nil
}
