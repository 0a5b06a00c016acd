// Package config reads .vop.toml, in which a project says once what its people would otherwise say with
// flags each time. The file that counts is the nearest in a file's folder or above.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/tomlfile"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
)

// Name is what the file is called.
const Name = ".vop.toml"

// Config is what a project says. The zero value says nothing.
type Config struct {
	File    string   // "" if there is none
	Folder  string   // that the patterns of Exclude start in
	Exclude []string // files and folders that are passed over where folders are named

	Off       []diag.Code
	Severity  string // the least that is told: "error", "warning" or "note"; "" says nothing
	MaxErrors int    // -1 says nothing, 0 has no end

	Target string // of vop lower
	As     string // its reading
}

// none is what holds where there is no file.
var none = &Config{MaxErrors: -1}

// Finder finds the files, and reads each once.
type Finder struct {
	// Fixed, if not empty, is the file that counts for all; "none" for no file at all.
	Fixed string

	byFolder map[string]*Config
}

// For returns what holds for a file; "-" is in the working folder.
func (f *Finder) For(name string) (*Config, error) {
	switch {
	case f.Fixed == "none":
		return none, nil
	case f.Fixed != "":
		return f.read(f.Fixed)
	}
	folder, err := filepath.Abs(filepath.Dir(name))
	if name == "-" {
		folder, err = filepath.Abs(".")
	}
	if err != nil {
		return nil, err
	}
	return f.above(folder)
}

// above looks in a folder and those it is in.
func (f *Finder) above(folder string) (c *Config, err error) {
	if c := f.byFolder[folder]; c != nil {
		return c, nil
	}
	name := filepath.Join(folder, Name)
	info, err := os.Stat(name)
	switch up := filepath.Dir(folder); {
	case err == nil && info.Mode().IsRegular():
		c, err = f.read(name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case up == folder:
		c, err = none, nil
	default:
		c, err = f.above(up)
	}
	if err != nil {
		return nil, err
	}
	f.keep(folder, c)
	return c, nil
}

func (f *Finder) keep(folder string, c *Config) {
	if f.byFolder == nil {
		f.byFolder = map[string]*Config{}
	}
	f.byFolder[folder] = c
}

// maxSize is the size of the largest file that is read.
const maxSize = 1 << 20

func (f *Finder) read(name string) (*Config, error) {
	if c := f.byFolder[name]; c != nil {
		return c, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	if info.Size() > maxSize || info.IsDir() {
		return nil, fmt.Errorf("%s: is no file of at most %d bytes", name, maxSize)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c, err := Parse(near(name), string(text))
	if err != nil {
		return nil, err
	}
	if c.Folder, err = filepath.Abs(filepath.Dir(name)); err != nil {
		return nil, err
	}
	f.keep(name, c)
	return c, nil
}

// near names a file as seen from the working folder, if that is below it or above it.
func near(name string) string {
	wd, err := os.Getwd()
	if err != nil {
		return name
	}
	if relative, err := filepath.Rel(wd, name); err == nil && filepath.IsAbs(name) && len(relative) < len(name) {
		return relative
	}
	return name
}

// Parse reads the text of a file.
func Parse(name, text string) (*Config, error) {
	f, err := tomlfile.Parse(name, text)
	if err != nil {
		return nil, err
	}
	c := &Config{File: name, MaxErrors: -1}
	p := &parser{File: f}
	p.only("", f.Tree, "exclude", "check", "lower")
	c.Exclude = p.strings("exclude", f.Tree["exclude"])
	check := p.table("check", "off", "severity", "max-errors")
	for i, text := range p.strings("check.off", check["off"]) {
		code := diag.Code(text)
		if _, ok := diag.Page(code); !ok {
			p.fail(fmt.Sprintf("check.off[%d]", i), "off: there is no code %q", text)
		}
		c.Off = append(c.Off, code)
	}
	c.Severity = p.oneOf("check.severity", check["severity"], "error", "warning", "note")
	if value, ok := check["max-errors"]; ok {
		n, ok := value.(int64)
		if !ok || n < 0 || n > math.MaxInt32 {
			p.fail("check.max-errors", "max-errors: want a number from 0 on, got %s", tomlfile.Describe(value))
		}
		c.MaxErrors = int(n)
	}
	lower := p.table("lower", "target", "as")
	if value, ok := lower["target"]; ok {
		c.Target, _ = value.(string)
		if _, err := isa.ParseTarget(c.Target); err != nil {
			p.fail("lower.target", "target: want a target as \"sm_80\", got %s", tomlfile.Describe(value))
		}
	}
	c.As = p.oneOf("lower.as", lower["as"], "isa", "sm_86")
	if p.err != nil {
		return nil, p.err
	}
	return c, nil
}

// parser keeps the first error.
type parser struct {
	*tomlfile.File
	err error
}

func (p *parser) fail(path, format string, args ...any) {
	if p.err == nil {
		p.err = p.Errorf(path, format, args...)
	}
}

func (p *parser) only(path string, table map[string]any, want ...string) {
	if err := p.Only(path, table, want...); err != nil && p.err == nil {
		p.err = err
	}
}

func (p *parser) table(name string, keys ...string) map[string]any {
	value, ok := p.Tree[name]
	if !ok {
		return nil
	}
	table, ok := value.(map[string]any)
	if !ok {
		p.fail(name, "%s: want a table, got %s", name, tomlfile.Describe(value))
	}
	p.only(name, table, keys...)
	return table
}

func (p *parser) strings(path string, value any) (list []string) {
	if value == nil {
		return nil
	}
	elements, ok := value.([]any)
	if !ok {
		p.fail(path, "%s: want a list of strings, got %s", last(path), tomlfile.Describe(value))
	}
	for _, element := range elements {
		text, ok := element.(string)
		if !ok || text == "" {
			p.fail(path, "%s: want a list of strings, got %s in it", last(path), tomlfile.Describe(element))
		}
		list = append(list, text)
	}
	return list
}

func (p *parser) oneOf(path string, value any, choices ...string) string {
	if value == nil {
		return ""
	}
	for _, choice := range choices {
		if value == choice {
			return choice
		}
	}
	p.fail(path, "%s: want one of %q, got %s", last(path), choices, tomlfile.Describe(value))
	return ""
}

// last returns the key that a path ends with.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
