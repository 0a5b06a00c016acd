package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// blocks is a text file: comment lines, then entries that begin with a target and an instruction.
type blocks struct {
	name     string // of the file, or "": it is not written
	head     string
	tail     bool // the text of an entry follows its first line, and a blank line follows that
	entries  map[string]string
	modified bool
}

// open reads the files that are to be written.
func open(o options) (found, bounds *blocks, err error) {
	found = &blocks{name: o.found, tail: true, entries: map[string]string{}, head: `# Programs that internal/cmd/shortest has found and z3 has proved: a target from which on a PTX target
# can have them, an instruction, and the program for its operands.
`}
	bounds = &blocks{name: o.bounds, entries: map[string]string{}, head: `# How long programs are, written by internal/cmd/shortest: the target, the instruction, the number of machine
# instructions that no program of the space that package search describes goes below, and that of the shortest known.
`}
	return found, bounds, errors.Join(found.read(), bounds.read())
}

func (b *blocks) read() error {
	if b.name == "" {
		return nil
	}
	text, err := os.ReadFile(b.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	separator := "\n"
	if b.tail {
		separator = "\n\n"
	}
	for entry := range strings.SplitSeq(strings.TrimPrefix(string(text), b.head), separator) {
		if entry = strings.Trim(entry, "\n"); entry == "" {
			continue
		}
		if b.tail {
			first, program, _ := strings.Cut(entry, "\n")
			b.entries[first] = program
			continue
		}
		fields := strings.SplitN(entry, "\t", 3)
		b.entries[strings.Join(fields[:2], "\t")] = fields[2]
	}
	return nil
}

func (b *blocks) set(target string, f isa.Form, text string) {
	separator := "\t"
	if b.tail {
		separator = " "
	}
	b.entries[target+separator+f.String()] = strings.TrimRight(text, "\n")
	b.modified = true
}

// write writes the file, entries in order.
func (b *blocks) write() error {
	if b.name == "" || !b.modified {
		return nil
	}
	keys := make([]string, 0, len(b.entries))
	for key := range b.entries {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var s strings.Builder
	s.WriteString(b.head)
	for _, key := range keys {
		if b.tail {
			s.WriteString("\n" + key + "\n" + b.entries[key] + "\n")
		} else {
			s.WriteString(key + "\t" + b.entries[key] + "\n")
		}
	}
	return os.WriteFile(b.name, []byte(s.String()), 0o644)
}
