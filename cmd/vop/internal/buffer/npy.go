package buffer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The .npy format (NEP 1): magic, two bytes of version, the length of the header
// (two bytes, four from version 2 on), the header, which is a Python dictionary
// literal with three keys, and the elements.
//
// The package reads it itself. github.com/sbinet/npyio, against which the tests hold
// it, panics on damaged headers, allocates whatever they ask for, makes data up that a
// file lacks, has no f16, cannot write a shape known only at run time, and links gonum's
// linear algebra.
const npyMagic = "\x93NUMPY"

// maxNPYHeader bounds the header; NumPy's own bound is 10,000 bytes.
const maxNPYHeader = 1 << 16

func decodeNPY(file []byte) (Layout, []byte, error) {
	header, data, err := splitNPY(file)
	if err != nil {
		return Layout{}, nil, err
	}
	l, err := readNPYHeader(header)
	if err != nil {
		return Layout{}, nil, err
	}
	n, err := l.size()
	if err != nil {
		return Layout{}, nil, err
	}
	if len(data) != n {
		return Layout{}, nil, fmt.Errorf("holds %d bytes after its header; %s takes %d", len(data), l, n)
	}
	return l, data, nil
}

// splitNPY returns the header and what follows it.
func splitNPY(file []byte) (header string, data []byte, err error) {
	rest, ok := bytes.CutPrefix(file, []byte(npyMagic))
	if !ok {
		return "", nil, errors.New(`is not a NumPy file: it does not begin with \x93NUMPY`)
	}
	short := errors.New("ends within its NumPy header")
	if len(rest) < 2 {
		return "", nil, short
	}
	major, rest := rest[0], rest[2:]
	if major < 1 || major > 3 {
		return "", nil, fmt.Errorf("is of NumPy format version %d; 1, 2 and 3 are known", major)
	}
	var length [4]byte
	if major == 1 {
		rest = rest[copy(length[:2], rest):]
	} else {
		rest = rest[copy(length[:], rest):]
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > maxNPYHeader {
		return "", nil, fmt.Errorf("has a NumPy header of more than %d bytes", maxNPYHeader)
	}
	if int(n) > len(rest) {
		return "", nil, short
	}
	return string(rest[:n]), rest[n:], nil
}

// readNPYHeader reads {'descr': '<i2', 'fortran_order': False, 'shape': (32, 32), }.
func readNPYHeader(header string) (Layout, error) {
	var l Layout
	seen := map[string]bool{}
	s := pyScanner{header}
	if !s.take("{") {
		return l, fmt.Errorf("has a NumPy header that is not a dictionary: %.40q", header)
	}
	for !s.take("}") {
		key, ok := s.str()
		if !ok || seen[key] || !s.take(":") {
			return l, s.bad("a key in quotes, each once, and a colon")
		}
		seen[key] = true
		var err error
		switch key {
		case "descr":
			l.Elem, err = s.elem()
		case "fortran_order":
			err = s.order()
		case "shape":
			l.Shape, err = s.shape()
		default:
			err = fmt.Errorf("has the unknown key %q in its NumPy header", key)
		}
		if err != nil {
			return l, err
		}
		if !s.take(",") && !strings.HasPrefix(s.rest, "}") {
			return l, s.bad("a comma or the end of the dictionary")
		}
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return l, fmt.Errorf("has no %q in its NumPy header", key)
		}
	}
	if s.rest != "" {
		return l, s.bad("nothing more")
	}
	return l, nil
}

// pyScanner reads the few Python literals that a header has.
type pyScanner struct{ rest string }

// take skips a token and the space around it.
func (s *pyScanner) take(token string) bool {
	const space = " \t\r\n"
	rest, ok := strings.CutPrefix(strings.TrimLeft(s.rest, space), token)
	if ok {
		s.rest = strings.TrimLeft(rest, space)
	}
	return ok
}

// bad is the error for text that is not what is wanted.
func (s *pyScanner) bad(want string) error {
	return fmt.Errorf("has %.20q in its NumPy header where there should be %s", s.rest, want)
}

func (s *pyScanner) str() (string, bool) {
	for _, quote := range []string{"'", `"`} {
		if s.take(quote) {
			text, rest, ok := strings.Cut(s.rest, quote)
			s.rest = rest
			return text, ok
		}
	}
	return "", false
}

func (s *pyScanner) elem() (Elem, error) {
	descr, ok := s.str()
	if !ok {
		return Elem{}, fmt.Errorf("has fields (a structured dtype); a buffer has elements of one type: %s", elemNames())
	}
	if e, ok := elemBy(func(e Elem) string { return e.descr }, descr); ok {
		return e, nil
	}
	if little, ok := strings.CutPrefix(descr, ">"); ok {
		if _, ok := elemBy(func(e Elem) string { return e.descr[1:] }, little); ok {
			return Elem{}, fmt.Errorf("is big-endian (dtype %q); save it as little-endian, with a.astype('<%s')", descr, little)
		}
	}
	return Elem{}, fmt.Errorf("has dtype %q; a buffer has elements of one of the types %s", descr, elemNames())
}

func (s *pyScanner) order() error {
	switch {
	case s.take("False"):
		return nil
	case s.take("True"):
		return errors.New("is in Fortran order (columns first); save it in C order, with numpy.ascontiguousarray(a)")
	}
	return s.bad("True or False")
}

func (s *pyScanner) shape() ([]int, error) {
	shape := []int{}
	if !s.take("(") {
		return nil, s.bad("a shape in parentheses")
	}
	for !s.take(")") {
		digits := len(s.rest) - len(strings.TrimLeft(s.rest, "0123456789"))
		n, err := strconv.Atoi(s.rest[:digits])
		if err != nil {
			return nil, s.bad("the size of a dimension")
		}
		s.rest = s.rest[digits:]
		s.take("L") // Python 2's long integers
		if !s.take(",") && !strings.HasPrefix(s.rest, ")") {
			return nil, s.bad("a comma or the end of the shape")
		}
		shape = append(shape, n)
	}
	return shape, nil
}

// encodeNPY writes version 1.0, padded so that the elements begin at a multiple of 64 bytes.
func encodeNPY(w io.Writer, l Layout, data []byte) error {
	_, err := w.Write(append(npyHeader(l), data...))
	return err
}

func npyHeader(l Layout) []byte {
	var shape strings.Builder
	for _, d := range l.Shape {
		fmt.Fprintf(&shape, "%d, ", d)
	}
	tuple := strings.TrimSuffix(shape.String(), " ")
	if len(l.Shape) > 1 {
		tuple = strings.TrimSuffix(tuple, ",")
	}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", l.Elem.descr, tuple)
	const prefix = len(npyMagic) + 4
	pad := 63 - (prefix+len(dict))%64
	header := binary.LittleEndian.AppendUint16([]byte(npyMagic+"\x01\x00"), uint16(len(dict)+pad+1))
	return append(header, dict+strings.Repeat(" ", pad)+"\n"...)
}

// holdsNPY refuses shapes that NumPy does: 64 dimensions is its own limit, and
// keeps the header within version 1.0's 65,535 bytes.
func holdsNPY(l Layout) error {
	if len(l.Shape) > 64 {
		return fmt.Errorf("has %d dimensions; NumPy has at most 64", len(l.Shape))
	}
	return nil
}

func parseNPY(size string) (Layout, error) {
	const want = "SIZE is a number of bytes, or the shape and the type, such as 32x32x2xi16"
	if n, err := count(size); err == nil {
		return raw(n), nil
	}
	dims, name, ok := cutLast(size, "x")
	if !ok {
		_, err := count(size)
		return Layout{}, fmt.Errorf("%w; %s", err, want)
	}
	elem, ok := elemBy(func(e Elem) string { return e.Name }, name)
	if !ok {
		return Layout{}, fmt.Errorf("%q is not a type, of which there are %s; %s", name, elemNames(), want)
	}
	shape, err := counts(dims)
	if err != nil {
		return Layout{}, fmt.Errorf("%w; %s", err, want)
	}
	return Layout{elem, shape}, nil
}

// cutLast splits s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
