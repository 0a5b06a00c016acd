package buffer

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is written is what is read again: every format, dtype and shape.
func TestWriteRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, spec := range []string{
		"out:a.bin:7", "out:a.npy:7", "out:a.npy:5x3xi16", "out:a.npy:2x3x4xf64", "out:a.npy:3xbool", "out:a.npy:3xf16",
		"out:a.png:5x3", "out:a.png:5x3x3", "out:a.png:5x3x4", "out:a.pgm:5x3", "out:a.ppm:5x3",
	} {
		a, data := open(t, spec, "")
		for i := range data {
			data[i] = byte(i*37 + 11)
		}
		if err := Write(t.Context(), nil, []Output{{a, data}}); err != nil {
			t.Error(err)
			continue
		}
		b, again := open(t, "in:"+a.Output, "")
		if a.Layout.String() != b.Layout.String() || !bytes.Equal(data, again) {
			t.Errorf("%s: wrote %s %x, read %s %x", spec, a.Layout, data, b.Layout, again)
		}
	}
}

// A picture in which alpha is opaque everywhere still has four channels when read again.
func TestWritePNGKeepsAlpha(t *testing.T) {
	t.Chdir(t.TempDir())
	a, data := open(t, "out:a.png:2x1x4", "")
	copy(data, "abc\xffdef\xff")
	if err := Write(t.Context(), nil, []Output{{a, data}}); err != nil {
		t.Fatal(err)
	}
	if b, again := open(t, "in:a.png", ""); !bytes.Equal(data, again) {
		t.Errorf("wrote %q, read %s %q", data, b.Layout, again)
	}
}

func TestWriteStdout(t *testing.T) {
	a, data := open(t, "out:-:3", "")
	copy(data, "abc")
	var stdout bytes.Buffer
	if err := Write(t.Context(), &stdout, []Output{{a, data}}); err != nil || stdout.String() != "abc" {
		t.Errorf("got %q, %v", &stdout, err)
	}
}

type brokenPipe struct{}

var errBrokenPipe = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBrokenPipe }

// If one output cannot be written, none is, and no file is left over.
func TestWriteNothingOrAll(t *testing.T) {
	for _, test := range []struct {
		name  string
		specs []string
		spoil func() // makes the last output impossible after Open has accepted it
	}{
		{"folder gone", []string{"out:a.bin:1", "out:folder/b.bin:1"}, func() { os.RemoveAll("folder") }},
		{"standard output closed", []string{"out:a.bin:1", "out:-:1"}, func() {}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFile(t, "a.bin", "old")
			if err := os.Mkdir("folder", 0o777); err != nil {
				t.Fatal(err)
			}
			var outputs []Output
			for _, spec := range test.specs {
				a, data := open(t, spec, "")
				outputs = append(outputs, Output{a, data})
			}
			test.spoil()
			if err := Write(t.Context(), brokenPipe{}, outputs); err == nil {
				t.Error("no error")
			}
			if old, err := os.ReadFile("a.bin"); err != nil || string(old) != "old" {
				t.Errorf("a.bin is now %q, %v", old, err)
			}
			if names := list(t, "."); slices.ContainsFunc(names, func(n string) bool { return n[0] == '.' }) {
				t.Errorf("left over: %q", names)
			}
		})
	}
}

func TestWriteKeepsModeAndLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are of another kind on Windows")
	}
	t.Chdir(t.TempDir())
	writeFile(t, "real.bin", "old")
	if err := errors.Join(os.Chmod("real.bin", 0o640), os.Symlink("real.bin", "link.bin")); err != nil {
		t.Fatal(err)
	}
	a, data := open(t, "out:link.bin:3", "")
	copy(data, "new")
	if err := Write(t.Context(), nil, []Output{{a, data}}); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile("real.bin"); err != nil || string(now) != "new" {
		t.Errorf("real.bin is %q, %v", now, err)
	}
	info, err := os.Lstat("real.bin")
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("real.bin has mode %v, %v", info.Mode(), err)
	}
	if diff := cmp.Diff([]string{"link.bin", "real.bin"}, list(t, ".")); diff != "" {
		t.Error(diff)
	}
}

func TestWriteWrongSize(t *testing.T) {
	a, data := open(t, "out:a.bin:3", "")
	err := Write(t.Context(), nil, []Output{{a, data[:2]}})
	if err == nil {
		t.Fatal("no error")
	}
	checkMessage(t, a.Spec, err, "the buffer has 2 bytes; 3xu8 takes 3")
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		specs []string
		want  string // "" for no error
	}{
		{[]string{"in:-", "in:a", "in:a", "out:-:1", "zero:1", "zero:1"}, ""},
		{[]string{"inout:a", "out:b:1"}, ""},
		{[]string{"in:-", "inout:-"}, "the standard input is read by in:- already"},
		{[]string{"out:a:1", "inout:./a"}, "./a is written by out:a:1 already"},
		{[]string{"out:-:1", "inout:a:-"}, "- is written by out:-:1 already"},
		{[]string{"inout:a", "in:a", "in:b"}, ""},
		{[]string{"in:a", "out:b:1", "out:./a:1"}, "./a is what in:a reads; inout:a writes a buffer back"},
		{[]string{"in:a", "inout:b:a"}, "a is what in:a reads"},
	} {
		var args []*Arg
		for _, spec := range test.specs {
			a, err := Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, a)
		}
		err := Check(args)
		if test.want == "" {
			if err != nil {
				t.Errorf("%q: %v", test.specs, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%q: no error", test.specs)
			continue
		}
		checkMessage(t, test.specs[len(test.specs)-1], err, test.want)
	}
}

func list(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.FromSlash(folder))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
