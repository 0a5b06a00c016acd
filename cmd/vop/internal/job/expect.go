package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/tomlfile"
	"github.com/vop-ptx/vop/internal/compare"
)

// Expectation is what a buffer holds after the last launch.
type Expectation struct {
	Buffer *Buffer
	Arg    *buffer.Arg // the file of the wanted values

	where     string // before messages about it
	tolerance compare.Tolerance
	data      []byte // of the file, from Load on
	missing   bool   // there is no such file
}

// expectations reads the table [expect], in the order of the text.
func (f *launchFile) expectations(value any) error {
	table, ok := value.(map[string]any)
	if !ok && value != nil {
		return f.errorf("expect", "expect: want a table of buffers and files, got %s", tomlfile.Describe(value))
	}
	for _, key := range f.toml.Keys() {
		if len(key) != 2 || key[0] != "expect" {
			continue
		}
		e, err := f.expected(tomlfile.Join("expect", key[1]), key[1], table[key[1]])
		if err != nil {
			return err
		}
		f.result.Expected = append(f.result.Expected, e)
	}
	return nil
}

func (f *launchFile) expected(path, name string, value any) (*Expectation, error) {
	e := &Expectation{where: f.toml.Where(path)}
	for _, b := range f.result.Buffers {
		if b.Name == name {
			e.Buffer = b
		}
	}
	if e.Buffer == nil {
		return nil, f.errorf(path, "expect: there is no buffer %q; %s", name, f.bufferNames())
	}
	file := value
	if table, ok := value.(map[string]any); ok {
		if err := f.toml.Only(path, table, "file", "absolute", "relative", "allowed"); err != nil {
			return nil, err
		}
		file = table["file"]
		for key, into := range map[string]*float64{"absolute": &e.tolerance.Absolute, "relative": &e.tolerance.Relative} {
			if err := f.amount(tomlfile.Join(path, key), key, table[key], into); err != nil {
				return nil, err
			}
		}
		if n, ok := table["allowed"].(int64); ok && n >= 0 && n <= math.MaxInt32 {
			e.tolerance.Allowed = int(n)
		} else if given := table["allowed"]; given != nil {
			return nil, f.errorf(tomlfile.Join(path, "allowed"), "allowed: want how many elements may differ, got %s", tomlfile.Describe(given))
		}
	}
	text, ok := file.(string)
	if !ok || text == "" || text == "-" {
		return nil, f.errorf(path, "expect: want %s = \"FILE\" or { file = \"FILE\", absolute = 0.5, relative = 1e-5, allowed = 3 }", tomlfile.Quote(name))
	}
	e.Arg = &buffer.Arg{Spec: text, Input: f.beside(text)}
	return e, nil
}

// amount reads a number from 0 on.
func (f *launchFile) amount(path, key string, value any, into *float64) error {
	switch value := value.(type) {
	case nil:
		return nil
	case int64:
		*into = float64(value)
	case float64:
		*into = value
	default:
		*into = math.NaN()
	}
	if !(*into >= 0) {
		return f.errorf(path, "%s: want a number from 0 on, got %s", key, tomlfile.Describe(value))
	}
	return nil
}

// open reads the wanted values, before anything is run. Without a file there are none yet.
func (e *Expectation) open() (err error) {
	if _, err := os.Stat(e.Arg.Input); errors.Is(err, fs.ErrNotExist) {
		e.missing = true
		return nil
	}
	if e.data, err = e.Arg.Open(nil); err != nil {
		return fmt.Errorf("%s%w", e.where, err)
	}
	return nil
}

// Want returns the wanted array.
func (e *Expectation) Want() compare.Array {
	return compare.Array{Type: e.Arg.Layout.Elem.Name, Shape: e.Arg.Layout.Shape, Data: e.data}
}

// Difference is that a buffer does not hold what is expected.
type Difference struct {
	Expectation *Expectation
	Found       *compare.Difference // nil where there is nothing to compare with
	text        string
}

// Add adds a line to what is told of it.
func (e *Difference) Add(line string) { e.text += line + "\n" }

func (e *Difference) Error() string { return strings.TrimSuffix(e.text, "\n") }

// compare holds the buffer against the wanted values.
func (e *Expectation) compare() *Difference {
	failed := func(d *compare.Difference, format string, args ...any) *Difference {
		return &Difference{e, d, fmt.Sprintf("%sbuffer %s: ", e.where, e.Buffer.Name) + fmt.Sprintf(format, args...)}
	}
	if e.missing {
		return failed(nil, "there is no file %s that it is expected to equal; vop test --update writes it", e.Arg.Input)
	}
	d, err := compare.Arrays(e.Buffer.Memory.Bytes(), e.Want(), e.tolerance)
	switch {
	case err != nil:
		return failed(nil, "%s holds %s: %v", e.Arg.Input, e.Arg.Layout, err)
	case d != nil:
		return failed(d, "is not %s (%s): %s", e.Arg.Input, e.Arg.Layout, d)
	}
	return nil
}

// openExpected reads all that is expected.
func (j *Job) openExpected() error {
	for _, e := range j.Expected {
		if err := e.open(); err != nil {
			return err
		}
	}
	return nil
}

// Compare holds all buffers against what is expected, and returns how they differ.
func (j *Job) Compare() (list []*Difference) {
	for _, e := range j.Expected {
		if d := e.compare(); d != nil {
			list = append(list, d)
		}
	}
	return list
}

// Differences are the buffers of a run that do not hold what is expected.
type Differences []*Difference

func (d Differences) Error() string {
	var all []string
	for _, one := range d {
		all = append(all, one.Error())
	}
	return strings.Join(all, "\n")
}

// Update writes what the buffer holds as what is expected. The file takes the layout that the
// buffer has, or that of the file that is there.
func (e *Expectation) Update(ctx context.Context, stdout io.Writer) error {
	layout := e.Buffer.Arg.Layout
	if !e.missing && len(e.data) == len(e.Buffer.Memory.Bytes()) {
		layout = e.Arg.Layout
	}
	out := buffer.Output{Arg: &buffer.Arg{Spec: e.Arg.Spec, Output: e.Arg.Input, Layout: layout}, Data: e.Buffer.Memory.Bytes()}
	if err := out.Arg.Holds(); err != nil {
		return fmt.Errorf("%s%w", e.where, err)
	}
	return buffer.Write(ctx, stdout, []buffer.Output{out})
}
