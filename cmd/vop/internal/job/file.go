package job

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/tomlfile"
	"github.com/vop-ptx/vop/run/vm"
)

// launchFile is a launch description being read. The format is told by "vop run --help".
type launchFile struct {
	name   string
	folder string // what its files are looked for in
	toml   *tomlfile.File
	ptx    Files // on the command line, or of the whole file
	used   map[string]bool
	byName map[string]*Buffer
	result *Job
}

// OfFile makes the job that a launch description describes. ptx is the PTX file on the
// command line, if there are any, and textures are its --tex.
func OfFile(name, text string, ptx Files, textures ...string) (*Job, error) {
	parsed, err := tomlfile.Parse(name, text)
	if err != nil {
		return nil, err
	}
	f := &launchFile{
		name: name, folder: filepath.Dir(name), toml: parsed, ptx: ptx,
		used: map[string]bool{}, byName: map[string]*Buffer{}, result: &Job{file: name},
	}
	if err := f.result.addTextures(textures); err != nil {
		return nil, err
	}
	return f.job(parsed.Tree, parsed.Keys())
}

// errorf makes an error about the key at a path.
func (f *launchFile) errorf(path, format string, args ...any) error {
	return f.toml.Errorf(path, format, args...)
}

func (f *launchFile) job(tree map[string]any, keys [][]string) (*Job, error) {
	if err := f.toml.Only("", tree, "ptx", "buffers", "variables", "launch", "expect"); err != nil {
		return nil, err
	}
	if value, ok := tree["ptx"]; ok {
		ptx, err := f.files("ptx", value)
		if err != nil {
			return nil, err
		}
		f.ptx = ptx
	}
	j := f.result
	var err error
	if j.Buffers, err = f.buffers(tree["buffers"], keys); err != nil {
		return nil, err
	}
	launches, ok := tomlfile.Tables(tree["launch"])
	if !ok {
		return nil, f.errorf("launch", "launch: want [[launch]] once for each launch")
	}
	if len(launches) == 0 {
		return nil, fmt.Errorf("%s: nothing is launched; want [[launch]] once for each launch", f.name)
	}
	for i, table := range launches {
		l, err := f.launch(fmt.Sprintf("launch[%d]", i), table)
		if err != nil {
			return nil, err
		}
		if len(launches) > 1 {
			l.Title = fmt.Sprintf(", launch %d of %d", i+1, len(launches))
		}
		j.Launches = append(j.Launches, l)
	}
	if len(f.ptx) > 0 && !slices.ContainsFunc(launches, func(table map[string]any) bool { return table["ptx"] == nil }) {
		return nil, fmt.Errorf("%s: no launch is of %s; all have a ptx of their own", f.name, f.ptx)
	}
	if err := f.settings(tree["variables"], keys); err != nil {
		return nil, err
	}
	if err := f.expectations(tree["expect"]); err != nil {
		return nil, err
	}
	for _, b := range j.Buffers {
		if b.Name != "" && !f.used[b.Name] {
			return nil, fmt.Errorf("%sno launch has it among its args", b.where)
		}
	}
	return j, nil
}

// Files reads the name of a PTX file, or a list of names.
func (f *launchFile) files(path string, value any) (files Files, err error) {
	if path == "ptx" && len(f.ptx) > 0 {
		return nil, f.errorf(path, "ptx excludes the file on the command line, %s", f.ptx)
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, element := range list {
		name, ok := element.(string)
		if !ok || name == "" {
			return nil, f.errorf(path, "ptx: want the name of a file, got %s", tomlfile.Describe(element))
		}
		files = append(files, f.beside(name))
	}
	if files == nil {
		return nil, f.errorf(path, "ptx: want the name of a file, got an empty list")
	}
	return files, nil
}

// beside returns the path of a file that is named beside the description.
func (f *launchFile) beside(name string) string {
	if name == "-" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.folder, name)
}

// buffers reads the table of buffers, in the order of the text.
func (f *launchFile) buffers(value any, keys [][]string) (list []*Buffer, err error) {
	table, ok := value.(map[string]any)
	if !ok && value != nil {
		return nil, f.errorf("buffers", "buffers: want a table of names and strings, got %s", tomlfile.Describe(value))
	}
	for _, key := range keys {
		if len(key) != 2 || key[0] != "buffers" {
			continue
		}
		path, name := tomlfile.Join("buffers", key[1]), key[1]
		spec, ok := table[name].(string)
		if !ok {
			return nil, f.errorf(path, "buffer %s: want a string as \"in:FILE\", got %s", name, tomlfile.Describe(table[name]))
		}
		arg, err := buffer.Parse(spec)
		if err != nil {
			return nil, f.errorf(path, "buffer %s: %w", name, err)
		}
		f.place(arg)
		b := &Buffer{where: f.toml.Where(path) + "buffer " + name + ": ", Name: name, Arg: arg}
		f.byName[name] = b
		list = append(list, b)
	}
	return list, nil
}

// place looks for the input of a buffer beside the description. Where it is written back,
// that is the output too.
func (f *launchFile) place(arg *buffer.Arg) {
	if arg.Input == "" {
		return
	}
	written := arg.Input
	arg.Input = f.beside(written)
	kind, rest, _ := strings.Cut(arg.Spec, ":")
	if rest == written {
		if arg.Output != "" {
			arg.Output = arg.Input
		}
	}
	arg.Spec = kind + ":" + arg.Input + strings.TrimPrefix(rest, written)
}

// launch reads one launch.
func (f *launchFile) launch(path string, table map[string]any) (*Launch, error) {
	if err := f.toml.Only(path, table, "ptx", "kernel", "grid", "block", "shared", "args"); err != nil {
		return nil, err
	}
	l := &Launch{Files: f.ptx, Where: f.toml.Where(path)}
	var err error
	if value, ok := table["ptx"]; ok {
		if l.Files, err = f.files(tomlfile.Join(path, "ptx"), value); err != nil {
			return nil, err
		}
	}
	if len(l.Files) == 0 {
		return nil, f.errorf(path, "of which PTX file? Want ptx = \"FILE.ptx\" here or at the top, or FILE.ptx on the command line")
	}
	if value, ok := table["kernel"]; ok {
		if l.Name, ok = value.(string); !ok || l.Name == "" {
			return nil, f.errorf(tomlfile.Join(path, "kernel"), "kernel: want a kernel's name, got %s", tomlfile.Describe(value))
		}
	}
	if l.Grid.Grid, err = f.dim(path, "grid", table); err != nil {
		return nil, err
	}
	if l.Grid.Block, err = f.dim(path, "block", table); err != nil {
		return nil, err
	}
	if value, ok := table["shared"]; ok {
		bytes, ok := value.(int64)
		if !ok || bytes < 0 || bytes > math.MaxInt32 {
			return nil, f.errorf(tomlfile.Join(path, "shared"), "shared: want a number of bytes, got %s", tomlfile.Describe(value))
		}
		l.Grid.Shared = int(bytes)
	}
	if l.args, err = f.arguments(tomlfile.Join(path, "args"), table["args"]); err != nil {
		return nil, err
	}
	return l, nil
}

// dim reads a number, or a list of one to three.
func (f *launchFile) dim(path, key string, table map[string]any) (vm.Dim, error) {
	value, ok := table[key]
	if !ok {
		return vm.Dim{X: 1, Y: 1, Z: 1}, nil
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	n := [3]int{1, 1, 1}
	for i, element := range list {
		size, ok := element.(int64)
		if !ok || i >= len(n) || size < 1 || size > math.MaxInt32 {
			list = nil
			break
		}
		n[i] = int(size)
	}
	if len(list) == 0 {
		return vm.Dim{}, f.errorf(tomlfile.Join(path, key), "%s: want X, [X, Y] or [X, Y, Z], each 1 to 2147483647", key)
	}
	return vm.Dim{X: n[0], Y: n[1], Z: n[2]}, nil
}

// settings reads the table of variables, in the order of the text.
func (f *launchFile) settings(value any, keys [][]string) error {
	table, ok := value.(map[string]any)
	if !ok && value != nil {
		return f.errorf("variables", "variables: want a table of names and values, got %s", tomlfile.Describe(value))
	}
	for _, key := range keys {
		if len(key) != 2 || key[0] != "variables" {
			continue
		}
		path, name := tomlfile.Join("variables", key[1]), key[1]
		s := &setting{where: f.toml.Where(path) + "variable " + name + ": ", name: name}
		switch element := table[name].(type) {
		case int64, float64:
			s.value = argument{number: element}
		case string:
			var err error
			if s.value, err = f.argument(path, element); err != nil {
				return f.errorf(path, "variable %s: %w", name, err)
			}
			s.value.name(name)
		default:
			return f.errorf(path, "variable %s: want a number or a string as \"in:FILE\", got %s", name, tomlfile.Describe(element))
		}
		if err := f.result.addSetting(s); err != nil {
			return err
		}
	}
	return nil
}

// argument reads a string: the name of a buffer, or what may stand after --arg.
func (f *launchFile) argument(path, text string) (argument, error) {
	reference := func(spec string) (argument, error) { return f.reference(path, spec) }
	if f.byName[text] != nil || !isStruct(text) {
		return reference(text)
	}
	s, err := parseStruct(text, reference)
	if err != nil {
		return argument{}, fmt.Errorf("%s: %w", text, err)
	}
	s.each(func(m *member) error {
		if m.file != nil {
			f.place(m.file)
		}
		return nil
	})
	return argument{structure: s}, nil
}

// reference reads the name of a buffer, or a buffer or texture as after --arg.
func (f *launchFile) reference(path, spec string) (argument, error) {
	if b := f.byName[spec]; b != nil {
		f.used[spec] = true
		return argument{buffer: b}, nil
	}
	if !buffer.Is(spec) && !strings.HasPrefix(spec, "tex:") {
		return argument{}, fmt.Errorf("there is no buffer %q; %s", spec, f.bufferNames())
	}
	arg, err := f.result.reference(spec)
	if b := arg.buffer; b != nil {
		b.where = f.toml.Where(path)
		f.place(b.Arg)
	}
	return arg, err
}

// arguments reads a list of numbers and names of buffers.
func (f *launchFile) arguments(path string, value any) (args []argument, err error) {
	list, ok := value.([]any)
	if !ok && value != nil {
		return nil, f.errorf(path, "args: want a list of numbers and names of buffers, got %s", tomlfile.Describe(value))
	}
	for i, element := range list {
		switch element := element.(type) {
		case int64, float64:
			args = append(args, argument{number: element})
		case string:
			arg, err := f.argument(path, element)
			if err != nil {
				return nil, f.errorf(path, "args: argument %d: %w", i+1, err)
			}
			args = append(args, arg)
		default:
			return nil, f.errorf(path, "args: argument %d: want a number or the name of a buffer, got %s", i+1, tomlfile.Describe(element))
		}
	}
	return args, nil
}

func (f *launchFile) bufferNames() string {
	if len(f.byName) == 0 {
		return "there is no [buffers] with names in it"
	}
	var names []string
	for name := range f.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return "[buffers] has " + strings.Join(names, ", ")
}
