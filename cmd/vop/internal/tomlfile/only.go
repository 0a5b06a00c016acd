package tomlfile

import (
	"math"
	"slices"
	"strings"
)

// Only returns an error if a table has other keys than those wanted: about the first in the text.
func (f *File) Only(path string, table map[string]any, want ...string) error {
	line, unknown := math.MaxInt, ""
	for key := range table {
		if at := f.Line(Join(path, key)); !slices.Contains(want, key) && (at < line || at == line && key < unknown) {
			line, unknown = at, key
		}
	}
	if line == math.MaxInt {
		return nil
	}
	return f.Errorf(Join(path, unknown), "unknown key %s; want one of %s", Quote(unknown), strings.Join(want, ", "))
}

// Tables returns the tables of an array of tables, however it is written.
func Tables(value any) (list []map[string]any, ok bool) {
	if value == nil {
		return nil, true
	}
	elements, ok := value.([]any)
	for _, element := range elements {
		table, isTable := element.(map[string]any)
		if !isTable {
			return nil, false
		}
		list = append(list, table)
	}
	return list, ok
}
