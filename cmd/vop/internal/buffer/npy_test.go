package buffer

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio/npy"
)

// npyFile makes a file of the given format version.
func npyFile(major byte, header, data string) []byte {
	file := []byte(npyMagic + string(major) + "\x00")
	if major == 1 {
		file = binary.LittleEndian.AppendUint16(file, uint16(len(header)))
	} else {
		file = binary.LittleEndian.AppendUint32(file, uint32(len(header)))
	}
	return append(file, header+data...)
}

func TestDecodeNPY(t *testing.T) {
	for _, test := range []struct{ header, data, layout string }{
		{"{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", "abc", "3xu8"},
		{"{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }   \n", "abcd", "1x2xi16"},
		{"{'shape':(1,2),\"fortran_order\":False,'descr':\"<f2\"}", "abcd", "1x2xf16"},
		{" {'descr': '<f8', 'fortran_order': False, 'shape': (), }\n", "abcdefgh", "f64"},
		{"{'descr': '|b1', 'fortran_order': False, 'shape': (2L, 1L), }", "\x00\x01", "2x1xbool"},
		{"{'descr': '<u8', 'fortran_order': False, 'shape': (0, 7), }", "", "0x7xu64"},
	} {
		for major := byte(1); major <= 3; major++ {
			l, data, err := decodeNPY(npyFile(major, test.header, test.data))
			if err != nil || l.String() != test.layout || string(data) != test.data {
				t.Errorf("version %d %s: got %s %q %v", major, test.header, l, data, err)
			}
		}
	}
}

func TestDecodeNPYErrors(t *testing.T) {
	const good = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"
	for _, test := range []struct {
		file []byte
		want string
	}{
		{nil, "is not a NumPy file"},
		{[]byte("PK\x03\x04"), "is not a NumPy file"},
		{[]byte(npyMagic), "ends within its NumPy header"},
		{[]byte(npyMagic + "\x01\x00\x40\x00abc"), "ends within its NumPy header"},
		{[]byte(npyMagic + "\x02\x00\xff\xff\xff\xff{"), "header of more than 65536 bytes"},
		{npyFile(4, good, "abc"), "format version 4; 1, 2 and 3 are known"},
		{npyFile(1, good, "ab"), "holds 2 bytes after its header; 3xu8 takes 3"},
		{npyFile(1, good, "abcd"), "holds 4 bytes after its header; 3xu8 takes 3"},
		{npyFile(1, "", ""), "not a dictionary"},
		{npyFile(1, "[1]", ""), "not a dictionary"},
		{npyFile(1, "{", ""), "a key in quotes"},
		{npyFile(1, "{'descr", ""), "a key in quotes"},
		{npyFile(1, "{'descr' '<i2'}", ""), "a key in quotes, each once, and a colon"},
		{npyFile(1, "{'shape': (1,), 'shape': (1,)}", ""), "each once"},
		{npyFile(1, "{'shape': (1,) 'descr': '<i2'}", ""), "a comma or the end of the dictionary"},
		{npyFile(1, "{'other': 1}", ""), `the unknown key "other"`},
		{npyFile(1, "{'descr': '<i2', 'shape': (1,)}", ""), `no "fortran_order"`},
		{npyFile(1, good+"x", "abc"), "where there should be nothing more"},
		{npyFile(1, strings.Replace(good, "False", "True", 1), "abc"), "is in Fortran order (columns first); save it in C order, with numpy.ascontiguousarray(a)"},
		{npyFile(1, strings.Replace(good, "False", "0", 1), "abc"), "True or False"},
		{npyFile(1, strings.Replace(good, "|u1", ">i2", 1), "abcdef"), `is big-endian (dtype ">i2"); save it as little-endian, with a.astype('<i2')`},
		{npyFile(1, strings.Replace(good, "|u1", "<c8", 1), "abc"), `has dtype "<c8"; a buffer has elements of one of the types u8 u16`},
		{npyFile(1, strings.Replace(good, "|u1", "|O", 1), "abc"), `has dtype "|O"`},
		{npyFile(1, strings.Replace(good, "'|u1'", "[('x', '<i2')]", 1), "abc"), "has fields (a structured dtype)"},
		{npyFile(1, strings.Replace(good, "(3,)", "(-3,)", 1), "abc"), "the size of a dimension"},
		{npyFile(1, strings.Replace(good, "(3,)", "(99999999999999999999,)", 1), "abc"), "the size of a dimension"},
		{npyFile(1, strings.Replace(good, "(3,)", "3", 1), "abc"), "a shape in parentheses"},
		{npyFile(1, strings.Replace(good, "(3,)", "(3 3)", 1), "abc"), "a comma or the end of the shape"},
		{npyFile(1, strings.Replace(good, "(3,)", "(3", 1), "abc"), "the size of a dimension"},
		{npyFile(1, strings.Replace(good, "(3,)", "(4294967296, 4294967296)", 1), "abc"), "more than the 8589934592 bytes"},
	} {
		_, _, err := decodeNPY(test.file)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.file, err, test.want)
		}
	}
}

// The header is byte for byte what NumPy 1.x writes for these arrays.
func TestNPYHeader(t *testing.T) {
	for _, test := range []struct {
		layout Layout
		want   string
	}{
		{Layout{elems[5], []int{2, 3}}, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"},
		{Layout{u8, []int{7}}, "{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }"},
		{Layout{elems[9], nil}, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }"},
	} {
		want := npyMagic + "\x01\x00\x76\x00" + test.want + strings.Repeat(" ", 117-len(test.want)) + "\n"
		if diff := cmp.Diff(want, string(npyHeader(test.layout))); diff != "" {
			t.Error(diff)
		}
	}
}

// peerValues are values of every type that npyio knows.
var peerValues = []any{
	[]uint8{1, 254}, []uint16{1, 0xfffe}, []uint32{1, 0xfffffffe}, []uint64{1, 1<<64 - 2},
	[]int8{1, -2}, []int16{1, -2}, []int32{1, -2}, []int64{1, -2},
	[]float32{1.5, -2}, []float64{1.5, -2}, []bool{true, false},
}

// npyio, an independent implementation, writes files that we read and reads those that we write.
func TestNPYAgainstPeer(t *testing.T) {
	for _, value := range peerValues {
		var theirs bytes.Buffer
		if err := npy.Write(&theirs, value); err != nil {
			t.Fatal(err)
		}
		l, data, err := decodeNPY(theirs.Bytes())
		if err != nil {
			t.Errorf("%T: %v", value, err)
			continue
		}
		var bits bytes.Buffer
		if err := binary.Write(&bits, binary.LittleEndian, value); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bits.Bytes(), data) {
			t.Errorf("%T: npyio wrote %x, read as %x", value, &bits, data)
		}

		var ours bytes.Buffer
		if err := encodeNPY(&ours, l, data); err != nil {
			t.Fatal(err)
		}
		again := reflect.New(reflect.TypeOf(value))
		if err := npy.Read(&ours, again.Interface()); err != nil {
			t.Errorf("%T: npyio reads our file: %v", value, err)
		}
		if diff := cmp.Diff(value, again.Elem().Interface()); diff != "" {
			t.Errorf("npyio reads our file: %s", diff)
		}
	}
}

func FuzzNPY(f *testing.F) {
	f.Add(npyFile(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }", "abcd"))
	f.Add(npyFile(2, "{'shape':(),'fortran_order':False,'descr':\"|u1\"}", "a"))
	f.Add(npyFile(1, "{'descr': [('x', '>f4')], 'fortran_order': True, 'shape': (3L,), }", ""))
	f.Fuzz(func(t *testing.T, file []byte) { checkDecode(t, ".npy", file) })
}

// checkDecode decodes a file; if it is a good one, encodes it and decodes that again,
// which must give the same.
func checkDecode(t *testing.T, ending string, file []byte) {
	format := formats[ending]
	l, data, err := format.decode(file)
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("message of several lines: %v", err)
		}
		return
	}
	if n, err := l.size(); err != nil || n != len(data) {
		t.Fatalf("%s: %d bytes, %v", l, len(data), err)
	}
	if err := format.holds(l); err != nil {
		return // a grey picture in a file that ends in .ppm
	}
	var again bytes.Buffer
	if err := format.encode(&again, l, data); err != nil {
		t.Fatal(err)
	}
	l2, data2, err := format.decode(again.Bytes())
	if err != nil || l.String() != l2.String() || !bytes.Equal(data, data2) {
		t.Errorf("%s became %s, %v", l, l2, err)
	}
}
