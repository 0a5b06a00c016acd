package main

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// keyLines tells on which line of a TOML text each key stands, which the library tells
// only of what it cannot parse. Keys are paths as "launch[1].grid"; the
// elements of an array of tables count from 0.
type keyLines map[string]int

// join returns the path of a key in the table at a path.
func join(path, key string) string {
	if path == "" {
		return toml.Key{key}.String()
	}
	return path + "." + toml.Key{key}.String()
}

// at returns the line of the key at a path. One in an inline table is on the line of what
// that belongs to.
func (l keyLines) at(path string) int {
	for {
		if line, ok := l[path]; ok {
			return line
		}
		end := strings.LastIndexAny(path, ".[")
		if end < 0 {
			return 1
		}
		path = path[:end]
	}
}

// linesOfKeys reads a text that the library has parsed without an error.
func linesOfKeys(text string) keyLines {
	lines := keyLines{}
	tables := map[string]int{} // elements of arrays of tables so far
	table := ""
	for _, s := range statements(text) {
		name := strings.Trim(s.head, "[] \t")
		path, ok := normal(name)
		switch {
		case !ok:
		case strings.HasPrefix(s.head, "[["):
			table = fmt.Sprintf("%s[%d]", path, tables[path])
			tables[path]++
			lines[table] = s.line
		case strings.HasPrefix(s.head, "["):
			table = path
			lines[table] = s.line
		case table == "":
			lines[path] = s.line
		default:
			lines[table+"."+path] = s.line
		}
	}
	return lines
}

// normal returns a key as toml.Key spells it.
func normal(key string) (path string, ok bool) {
	var tree map[string]any
	meta, err := toml.Decode(key+" = 0", &tree)
	keys := meta.Keys()
	if err != nil || len(keys) == 0 {
		return "", false
	}
	return keys[len(keys)-1].String(), true
}

// statement is a line of TOML, or several where a value goes on: a header or a key with its value.
type statement struct {
	line int
	head string // the header, or what stands before the equals sign
}

// statements splits a text at the ends of lines that are not within strings or brackets.
func statements(text string) (list []statement) {
	const none = -1
	line, depth, start, equals := 1, 0, none, none
	begin := 0 // the line of start
	for i := 0; i <= len(text); {
		atEnd := i == len(text)
		if atEnd || text[i] == '\n' {
			if start != none && (depth == 0 || atEnd) {
				end := i
				if equals != none {
					end = equals
				}
				list = append(list, statement{begin, strings.TrimSpace(text[start:end])})
				start, equals, depth = none, none, 0
			}
			line++
			i++
			continue
		}
		size := 1
		switch c := text[i]; c {
		case '#':
			size = commentSize(text[i:])
			if start != none && equals == none && depth == 0 {
				equals = i // a header ends here
			}
		case ' ', '\t', '\r':
		default:
			if start == none {
				start, begin = i, line
			}
			switch c {
			case '"', '\'':
				size = stringSize(text[i:])
			case '=':
				if equals == none {
					equals = i
				}
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
		}
		line += strings.Count(text[i:i+size], "\n")
		i += size
	}
	return list
}

func commentSize(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// stringSize returns the length of the string that a text begins with, quotes included.
func stringSize(text string) int {
	quote := text[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text, triple) {
		quote = triple
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote[0] == '"':
			i++
		case strings.HasPrefix(text[i:], quote):
			i += len(quote)
			for len(quote) == 3 && i < len(text) && text[i] == quote[0] {
				i++ // up to two quotes may stand before the three that end it
			}
			return i
		}
	}
	return len(text)
}
