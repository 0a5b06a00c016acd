// Package tomlfile reads TOML texts for the files that users write, and knows on which line each
// key stands, so that what is wrong with a value can be said where it is.
package tomlfile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// File is a TOML text that has been read. Keys are named by paths as "launch[1].grid"; the elements
// of an array of tables count from 0.
type File struct {
	Name string
	Tree map[string]any

	lines map[string]int
	keys  [][]string
}

// Parse reads a text. The error says where it is wrong. A byte order mark before it, as editors of Windows write, is none of it.
func Parse(name, text string) (*File, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	f := &File{Name: name, lines: map[string]int{}}
	err := toml.Unmarshal([]byte(text), &f.Tree)
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, col := wrong.Position()
		return nil, fmt.Errorf("%s:%d:%d: %s", name, line, col, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.locate([]byte(text))
	return f, nil
}

// locate notes where the keys are. The text has been read without an error.
func (f *File) locate(text []byte) {
	var p unstable.Parser
	p.Reset(text)
	elements := map[string]int{} // of arrays of tables so far
	table, tableKey := "", []string(nil)
	for p.NextExpression() {
		node := p.Expression()
		key, line := keyOf(&p, node)
		if key == nil {
			continue
		}
		path := ""
		for _, part := range key {
			path = Join(path, part)
			if n := elements[path]; n > 0 && node.Kind != unstable.KeyValue && path != joined(key) {
				path = fmt.Sprintf("%s[%d]", path, n-1) // a table of the last element
			}
		}
		switch node.Kind {
		case unstable.Table:
			table, tableKey = path, key
		case unstable.ArrayTable:
			elements[path]++
			table, tableKey = fmt.Sprintf("%s[%d]", path, elements[path]-1), key
		case unstable.KeyValue:
			f.add(joinPaths(table, path), append(tableKey[:len(tableKey):len(tableKey)], key...), line)
			f.inline(&p, node.Value(), joinPaths(table, path), append(tableKey[:len(tableKey):len(tableKey)], key...))
			continue
		default:
			continue
		}
		f.lines[table] = line
		f.keys = append(f.keys, key)
	}
}

// inline notes the keys of inline tables, which may stand in arrays.
func (f *File) inline(p *unstable.Parser, value *unstable.Node, path string, above []string) {
	children := value.Children()
	for i := 0; children.Next(); {
		child := children.Node()
		switch {
		case value.Kind == unstable.InlineTable && child.Kind == unstable.KeyValue:
			key, line := keyOf(p, child)
			full := append(above[:len(above):len(above)], key...)
			f.add(joinPaths(path, joined(key)), full, line)
			f.inline(p, child.Value(), joinPaths(path, joined(key)), full)
		case value.Kind == unstable.Array && child.Kind != unstable.Comment:
			f.inline(p, child, fmt.Sprintf("%s[%d]", path, i), above)
			i++
		}
	}
}

func (f *File) add(path string, key []string, line int) {
	if _, known := f.lines[path]; !known {
		f.lines[path] = line
	}
	f.keys = append(f.keys, key)
}

// keyOf returns the parts of the key of an expression, and its line.
func keyOf(p *unstable.Parser, node *unstable.Node) (key []string, line int) {
	if node.Kind == unstable.Comment {
		return nil, 0
	}
	for parts := node.Key(); parts.Next(); {
		part := parts.Node()
		if line == 0 {
			line = p.Shape(part.Raw).Start.Line
		}
		key = append(key, string(part.Data))
	}
	return key, line
}

// Keys returns the keys in the order of the text, each as its parts.
func (f *File) Keys() [][]string { return f.keys }

// Line returns the line of the key at a path; where it does not stand in the text, that of the table that
// it would belong to.
func (f *File) Line(path string) int {
	for {
		if line, ok := f.lines[path]; ok {
			return line
		}
		end := strings.LastIndexAny(path, ".[")
		if end < 0 {
			return 1
		}
		path = path[:end]
	}
}

// Errorf makes an error about the key at a path.
func (f *File) Errorf(path, format string, args ...any) error {
	return fmt.Errorf("%s%w", f.Where(path), fmt.Errorf(format, args...))
}

// Where is the place of the key at a path, to begin a message with.
func (f *File) Where(path string) string { return fmt.Sprintf("%s:%d: ", f.Name, f.Line(path)) }

var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Quote spells a part of a key as TOML does.
func Quote(part string) string {
	if bare.MatchString(part) {
		return part
	}
	return strconv.Quote(part)
}

// Join returns the path of a key in the table at a path.
func Join(path, key string) string { return joinPaths(path, Quote(key)) }

// joinPaths joins two paths, of which either may be empty.
func joinPaths(path, more string) string {
	if path == "" || more == "" {
		return path + more
	}
	return path + "." + more
}

func joined(key []string) string {
	path := ""
	for _, part := range key {
		path = Join(path, part)
	}
	return path
}

// Describe says what a value of TOML is, for messages.
func Describe(value any) string {
	switch value := value.(type) {
	case string:
		return fmt.Sprintf("%q", value)
	case bool, int64, float64:
		return fmt.Sprint(value)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprintf("a date or time, %v", value)
}
