package inst

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed table.txt
var tableText string

// table is what table.txt says. Only the heads of its sections are read at first: a program
// that checks a file needs few of them.
type table struct {
	sections []*Section
	byName   map[string]*family
	names    []string // the mnemonics up to their first dots, in order
	global   map[string]*set
}

// family is all syntax lines of a mnemonic, in one section or several.
type family struct {
	sections []*Section
	read     sync.Once
	rows     []*Row

	modifiers func() []string // of all rows
}

var theTable = sync.OnceValue(func() *table {
	t, err := readTable(tableText)
	if err != nil {
		panic("inst: table.txt: " + err.Error()) // a test reads it: cannot happen in a release
	}
	return t
})

// readTable reads the heads of the notation described at the beginning of table.txt.
func readTable(text string) (*table, error) {
	chunks := strings.Split(text, "\nsection ")
	t := &table{byName: map[string]*family{}, global: map[string]*set{}}
	if err := readSection(new(Section), chunks[0], sets{own: t.global}); err != nil {
		return nil, err
	}
	for _, chunk := range chunks[1:] {
		head, body, _ := strings.Cut(chunk, "\n")
		parts := strings.Split(head, `"`)
		if len(parts) != 3 {
			return nil, fmt.Errorf("no title in %q", head)
		}
		s := &Section{
			Number: strings.TrimSpace(parts[0]), Title: parts[1], Meaning: strings.TrimSpace(parts[2]),
			table: t, body: body,
		}
		t.sections = append(t.sections, s)
		for title := range strings.SplitSeq(s.Title, ", ") {
			name, _, _ := strings.Cut(title, ".")
			f := t.byName[name]
			if f == nil {
				f = new(family)
				f.modifiers = sync.OnceValue(func() []string { return modifiersOf(t.rows(name)) })
				t.byName[name] = f
				t.names = append(t.names, name)
			}
			if !slices.Contains(f.sections, s) {
				f.sections = append(f.sections, s)
			}
		}
	}
	slices.Sort(t.names)
	return t, nil
}

// Rows returns the syntax lines of the section.
func (s *Section) Rows() []*Row {
	s.read.Do(func() {
		if err := readSection(s, s.body, sets{map[string]*set{}, s.table.global}); err != nil {
			panic("inst: table.txt: section " + s.Number + ": " + err.Error()) // a test reads all
		}
	})
	return s.rows
}

// rows returns the syntax lines of a mnemonic up to its first dot, or nil.
func (t *table) rows(name string) []*Row {
	f := t.byName[name]
	if f == nil {
		return nil
	}
	f.read.Do(func() {
		for _, s := range f.sections {
			for _, row := range s.Rows() {
				if row.name == name {
					f.rows = append(f.rows, row)
				}
			}
		}
		flags := slices.ContainsFunc(f.rows, func(r *Row) bool { return r.slot(".sat") != nil || r.slot(".ftz") != nil })
		for _, row := range f.rows {
			row.flags = flags
		}
	})
	return f.rows
}

// allWords are the modifiers of all lines. Only messages need them.
var allWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, name := range theTable().names {
		for _, word := range theTable().byName[name].modifiers() {
			words[word] = true
		}
	}
	return words
})
