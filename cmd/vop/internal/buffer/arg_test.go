package buffer

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		spec          string
		input, output string
		layout        string // "" of an argument whose layout its input gives
	}{
		{"in:a.npy", "a.npy", "", ""},
		{"in:C:\\a:b.npy", "C:\\a:b.npy", "", ""},
		{"in:-", "-", "", ""},
		{"zero:4096", "", "", "4096xu8"},
		{"zero:0x1000", "", "", "4096xu8"},
		{"out:a.bin:12", "", "a.bin", "12xu8"},
		{"out:-:12", "", "-", "12xu8"},
		{`out:C:\a.bin:12`, "", `C:\a.bin`, "12xu8"},
		{"out:a:b.bin:12", "", "a:b.bin", "12xu8"},
		{"out:v.npy:100", "", "v.npy", "100xu8"},
		{"out:v.npy:32x32x2xi16", "", "v.npy", "32x32x2xi16"},
		{"out:v.npy:3xf64", "", "v.npy", "3xf64"},
		{"out:v.NPY:3xf16", "", "v.NPY", "3xf16"},
		{"out:v.png:40x30", "", "v.png", "30x40xu8"},
		{"out:v.png:40x30x1", "", "v.png", "30x40xu8"},
		{"out:v.png:40x30x3", "", "v.png", "30x40x3xu8"},
		{"out:v.png:40x30x4", "", "v.png", "30x40x4xu8"},
		{"out:v.pgm:40x30", "", "v.pgm", "30x40xu8"},
		{"out:v.ppm:40x30", "", "v.ppm", "30x40x3xu8"},
		{"out:v.ppm:40x30x3", "", "v.ppm", "30x40x3xu8"},
		{"inout:a.npy", "a.npy", "a.npy", ""},
		{"inout:a.npy:b.png", "a.npy", "b.png", ""},
		{"inout:-", "-", "-", ""},
	} {
		a, err := Parse(test.spec)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		layout := ""
		if a.Layout.Shape != nil {
			layout = a.Layout.String()
		}
		got := []string{a.Input, a.Output, layout}
		if diff := cmp.Diff([]string{test.input, test.output, test.layout}, got); diff != "" {
			t.Errorf("%s: %s", test.spec, diff)
		}
		if !Is(test.spec) {
			t.Errorf("Is(%q) = false", test.spec)
		}
	}
}

func TestIsNot(t *testing.T) {
	for _, spec := range []string{"", "512", "-1", "0x10", "1.5", "in", "input:a", "IN:a", ":a"} {
		if Is(spec) {
			t.Errorf("Is(%q) = true", spec)
		}
	}
}

// Every message is one line that begins with the argument and says what would be right.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ spec, want string }{
		{"", "not a buffer; want in:FILE, out:FILE:SIZE, inout:FILE[:FILE2], zero:SIZE or random:SIZE"},
		{"into:a", "want in:FILE"},
		{"in:", "names no file; want in:FILE"},
		{"inout:", "names no file; want inout:FILE"},
		{"zero:", `"" is not a number from 1 on; SIZE is the number of bytes`},
		{"zero:0", `"0" is not a number from 1 on`},
		{"zero:-1", `"-1" is not a number from 1 on`},
		{"zero:010", `"010" begins with a zero: write 10, or 0o10 if it is octal; SIZE is the number of bytes`},
		{"zero:1e9", `"1e9" is not a number`},
		{"zero:1000000000000000000", "\"1000000000000000000\" is more than the 8589934592 bytes a buffer may have"},
		{"zero:99999999999999999999999999", "\"99999999999999999999999999\" is more than"},
		{"out:a.bin", "want out:FILE:SIZE"},
		{"out:a.bin:", "want out:FILE:SIZE"},
		{"out::12", "want out:FILE:SIZE"},
		{`out:C:\a.bin`, "has no size; want out:FILE:SIZE"},
		{"out:a.bin:12x3", `"12x3" is not a number from 1 on; SIZE is the number of bytes`},
		{"out:a.npy:32x32", `"32" is not a type, of which there are u8 u16 u32 u64 i8`},
		{"out:a.npy:32xint", `"int" is not a type`},
		{"out:a.npy:i16", `"i16" is not a number`},
		{"out:a.npy:xi16", `"" is not a number from 1 on; SIZE is a number of bytes, or the shape and the type, such as 32x32x2xi16`},
		{"out:a.npy:4294967296x4294967296xu8", "is more than"},
		{"out:a.npy:4000000000x4000000000x4000000000xu64", "4000000000x4000000000x4000000000xu64 is more than the 8589934592 bytes a buffer may have"},
		{"out:a.npy:" + strings.Repeat("1x", 65) + "u8", "65 dimensions; NumPy has at most 64"},
		{"out:a.png:12", `"12" is not the size of a picture; SIZE is WxH or WxHxC, such as 640x480x3`},
		{"out:a.png:12x", `"" is not a number from 1 on; SIZE is WxH or WxHxC`},
		{"out:a.png:12x12x12x3", "is not the size of a picture"},
		{"out:a.png:12x10x2", "10x12x2xu8 is not a picture with 1, 3 or 4 channels of u8"},
		{"out:a.pgm:12x10x3", "is not a picture with 1 channel(s)"},
		{"out:a.ppm:12x10x4", "is not a picture with 3 channel(s)"},
		{"out:a.png:4294967296x4294967296", "more than the 8589934592 bytes"},
		{"inout:a:b:c", "has more than two files"},
		{"inout:a:", "names no file on one side of the colon"},
		{"inout::b", "names no file on one side of the colon"},
	} {
		_, err := Parse(test.spec)
		if err == nil {
			t.Errorf("%s: no error", test.spec)
			continue
		}
		checkMessage(t, test.spec, err, test.want)
	}
}

func checkMessage(t *testing.T, spec string, err error, want string) {
	t.Helper()
	message := err.Error()
	if !strings.HasPrefix(message, spec+": ") || !strings.Contains(message, want) || strings.Contains(message, "\n") {
		t.Errorf("%s: got %q; want %q, in one line that begins with the argument", spec, message, want)
	}
}

func TestSplitFiles(t *testing.T) {
	for _, test := range []struct {
		text          string
		drives        bool
		first, second string
		ok            bool
	}{
		{"a", true, "a", "", true},
		{"a:b", true, "a", "b", true},
		{`C:\a`, true, `C:\a`, "", true},
		{`C:\a:b`, true, `C:\a`, "b", true},
		{`C:\a:D:\b`, true, `C:\a`, `D:\b`, true},
		{`C:/a:D:/b`, true, `C:/a`, `D:/b`, true},
		{`ab:D:\b`, true, `ab`, `D:\b`, true},
		{`a:b:c`, true, "", "", false},
		{"a:/b", false, "a", "/b", true},
		{`C:\a:D:\b`, false, "", "", false},
	} {
		first, second, err := splitFiles(test.text, test.drives)
		if first != test.first || second != test.second || (err == nil) != test.ok {
			t.Errorf("splitFiles(%q, %v) = %q, %q, %v", test.text, test.drives, first, second, err)
		}
	}
}

// open parses and opens an argument.
func open(t *testing.T, spec, stdin string) (*Arg, []byte) {
	t.Helper()
	a, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	data, err := a.Open(strings.NewReader(stdin))
	if err != nil {
		t.Fatal(err)
	}
	return a, data
}

func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "a.bin", "12345")
	writeFile(t, "a.npy", string(npyHeader(Layout{elems[1], []int{2, 1}}))+"abcd")
	writeFile(t, "a.pgm", "P5 # grey\n2 2 255\nabcd")
	for _, test := range []struct{ spec, stdin, layout, data string }{
		{"zero:3", "", "3xu8", "\x00\x00\x00"},
		{"out:x.npy:1x2xi16", "", "1x2xi16", "\x00\x00\x00\x00"},
		{"in:a.bin", "", "5xu8", "12345"},
		{"in:-", "xyz", "3xu8", "xyz"},
		{"inout:a.bin:-", "", "5xu8", "12345"},
		{"inout:a.npy", "", "2x1xu16", "abcd"},
		{"inout:a.pgm:b.png", "", "2x2xu8", "abcd"},
		{"inout:a.pgm:b.npy", "", "2x2xu8", "abcd"},
	} {
		a, data := open(t, test.spec, test.stdin)
		if got := a.Layout.String(); got != test.layout || string(data) != test.data {
			t.Errorf("%s: got %s %q, want %s %q", test.spec, got, data, test.layout, test.data)
		}
	}
}

// An argument without an input says how many zeros it begins with, and looks at its output as Open does.
func TestZeros(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		spec  string
		bytes int
		ok    bool
		want  string // in the error
	}{
		{"zero:2000000000", 2_000_000_000, true, ""},
		{"out:x.npy:1x2xi16", 4, true, ""},
		{"out:none/a.bin:3", 0, true, "out:none/a.bin:3: there is no folder none to write the file in"},
		{"in:none.bin", 0, false, ""},
		{"inout:none.bin", 0, false, ""},
	} {
		a, err := Parse(test.spec)
		if err != nil {
			t.Error(err)
			continue
		}
		bytes, ok, err := a.Zeros()
		if test.want != "" {
			if err == nil || err.Error() != test.want {
				t.Errorf("%s: got %v", test.spec, err)
			}
		} else if bytes != test.bytes || ok != test.ok || err != nil {
			t.Errorf("%s: got %d, %v, %v", test.spec, bytes, ok, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "a.bin", "12345")
	writeFile(t, "a.npy", string(npyHeader(Layout{elems[1], []int{2, 1}}))+"abcd")
	writeFile(t, "short.npy", string(npyHeader(Layout{elems[1], []int{2, 1}}))+"abc")
	writeFile(t, "a.ppm", "P6 1 1 255\nabc")
	writeFile(t, "huge.pgm", "P5 100000 100000 255\nabc")
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ spec, want string }{
		{"in:none.bin", "there is no such file"},
		{"in:folder", "is a folder; want a file"},
		{"in:short.npy", "the file holds 3 bytes after its header; 2x1xu16 takes 4"},
		{"in:huge.pgm", "the file 100000x100000xu8 is more than the 8589934592 bytes a buffer may have"},
		{"out:none/a.bin:3", "there is no folder none to write the file in"},
		{"out:a.bin/b.bin:3", "there is no folder a.bin to write the file in"},
		{"out:folder:3", "folder is a folder; want a file"},
		{"inout:a.bin:b.png", "b.png cannot hold the buffer: 5xu8 is not a picture"},
		{"inout:a.npy:b.png", "b.png cannot hold the buffer: 2x1xu16 is not a picture"},
		{"inout:a.ppm:b.pgm", "b.pgm cannot hold the buffer: 1x1x3xu8 is not a picture with 1 channel(s)"},
	} {
		a, err := Parse(test.spec)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := a.Open(nil); err == nil {
			t.Errorf("%s: no error", test.spec)
		} else {
			checkMessage(t, test.spec, err, test.want)
		}
	}
}

// Whatever is written after --arg, Parse either refuses it in one line or gives an
// argument whose buffer, if its size is known, is within bounds.
func FuzzParse(f *testing.F) {
	for _, spec := range []string{"in:a", "out:a.npy:32x32x2xi16", "out:a.png:9x9x3", "inout:a:b", "zero:0x10", `out:C:\a:1`} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		a, err := Parse(spec)
		if err != nil {
			if rest, ok := strings.CutPrefix(err.Error(), spec+": "); !ok || strings.Contains(rest, "\n") {
				t.Errorf("message %q", err)
			}
			return
		}
		if n, err := a.Layout.size(); err != nil || n > MaxBytes {
			t.Errorf("%q: %d bytes, %v", spec, n, err)
		}
	})
}

func TestReadAtMost(t *testing.T) {
	for _, test := range []struct {
		limit int64
		ok    bool
	}{{4, false}, {5, true}, {6, true}} {
		got, err := readAtMost(bytes.NewReader([]byte("12345")), test.limit)
		if (err == nil) != test.ok || test.ok && string(got) != "12345" {
			t.Errorf("limit %d: got %q, %v", test.limit, got, err)
		}
	}
}

func writeFile(t *testing.T, path, data string) {
	t.Helper()
	if err := os.WriteFile(filepath.FromSlash(path), []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRandomNumbers holds that random numbers are of their type, from 0 to 1, and not all alike.
func TestRandomNumbers(t *testing.T) {
	for kind, size := range map[string]int{"f16": 2, "f32": 4, "f64": 8} {
		a, err := Parse("random:8000:" + kind)
		if err != nil {
			t.Fatal(err)
		}
		data, err := a.Open(nil)
		if err != nil || len(data) != 8000 {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		seen := map[float64]bool{}
		for ; len(data) > 0; data = data[size:] {
			var x float64
			switch kind {
			case "f16":
				if x = float64(binary.LittleEndian.Uint16(data)); x >= 0x3c00 {
					t.Fatalf("an f16 has the bits %#x: it is 1 or more", int(x))
				}
			case "f32":
				x = float64(math.Float32frombits(binary.LittleEndian.Uint32(data)))
			case "f64":
				x = math.Float64frombits(binary.LittleEndian.Uint64(data))
			}
			if kind != "f16" && !(0 <= x && x < 1) {
				t.Fatalf("%s: %v", kind, x)
			}
			seen[x] = true
		}
		if len(seen) < 900 {
			t.Errorf("%s: %d numbers are different", kind, len(seen))
		}
	}
	if _, err := Parse("random:64:u8"); err == nil {
		t.Error("there are random numbers of type u8")
	}
}
