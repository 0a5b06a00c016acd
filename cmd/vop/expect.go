package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/tomlfile"
	"github.com/vop-ptx/vop/internal/compare"
)

// expectation is what a buffer holds after the last launch.
type expectation struct {
	where     string // before messages about it
	buffer    *sharedBuffer
	arg       *buffer.Arg // the file of the wanted values
	tolerance compare.Tolerance
	data      []byte // of the file, from open on
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
		e, err := f.expectation(tomlfile.Join("expect", key[1]), key[1], table[key[1]])
		if err != nil {
			return err
		}
		f.result.expected = append(f.result.expected, e)
	}
	return nil
}

func (f *launchFile) expectation(path, name string, value any) (*expectation, error) {
	e := &expectation{where: f.toml.Where(path)}
	for _, b := range f.result.buffers {
		if b.name == name {
			e.buffer = b
		}
	}
	if e.buffer == nil {
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
	e.arg = &buffer.Arg{Spec: text, Input: f.beside(text)}
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
func (e *expectation) open() (err error) {
	if _, err := os.Stat(e.arg.Input); errors.Is(err, fs.ErrNotExist) {
		e.missing = true
		return nil
	}
	if e.data, err = e.arg.Open(nil); err != nil {
		return fmt.Errorf("%s%w", e.where, err)
	}
	return nil
}

// want returns the wanted array.
func (e *expectation) want() compare.Array {
	return compare.Array{Type: e.arg.Layout.Elem.Name, Shape: e.arg.Layout.Shape, Data: e.data}
}

// differenceError is that a buffer does not hold what is expected.
type differenceError struct {
	e          *expectation
	difference *compare.Difference // nil where there is nothing to compare with
	text       string
}

func (e *differenceError) Error() string { return strings.TrimSuffix(e.text, "\n") }

// compare holds the buffer against the wanted values.
func (e *expectation) compare() *differenceError {
	failed := func(d *compare.Difference, format string, args ...any) *differenceError {
		return &differenceError{e, d, fmt.Sprintf("%sbuffer %s: ", e.where, e.buffer.name) + fmt.Sprintf(format, args...)}
	}
	if e.missing {
		return failed(nil, "there is no file %s that it is expected to equal; vop test --update writes it", e.arg.Input)
	}
	d, err := compare.Arrays(e.buffer.memory.Bytes(), e.want(), e.tolerance)
	switch {
	case err != nil:
		return failed(nil, "%s holds %s: %v", e.arg.Input, e.arg.Layout, err)
	case d != nil:
		return failed(d, "is not %s (%s): %s", e.arg.Input, e.arg.Layout, d)
	}
	return nil
}

// openExpected reads all that is expected.
func (j *job) openExpected() error {
	for _, e := range j.expected {
		if err := e.open(); err != nil {
			return err
		}
	}
	return nil
}

// compare holds all buffers against what is expected, and returns how they differ.
func (j *job) compare() (list []*differenceError) {
	for _, e := range j.expected {
		if d := e.compare(); d != nil {
			list = append(list, d)
		}
	}
	return list
}

// differences are the buffers of a run that do not hold what is expected.
type differences []*differenceError

func (d differences) Error() string {
	var all []string
	for _, one := range d {
		all = append(all, one.Error())
	}
	return strings.Join(all, "\n")
}

// update writes what the buffer holds as what is expected. The file takes the layout that the
// buffer has, or that of the file that is there.
func (e *expectation) update(ctx context.Context, a *app) error {
	layout := e.buffer.arg.Layout
	if !e.missing && len(e.data) == len(e.buffer.memory.Bytes()) {
		layout = e.arg.Layout
	}
	out := buffer.Output{Arg: &buffer.Arg{Spec: e.arg.Spec, Output: e.arg.Input, Layout: layout}, Data: e.buffer.memory.Bytes()}
	if err := out.Arg.Holds(); err != nil {
		return fmt.Errorf("%s%w", e.where, err)
	}
	return buffer.Write(ctx, a.stdout, []buffer.Output{out})
}
