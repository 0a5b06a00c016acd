//go:build unix

package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFilesKeepModeOwnerAndOtherNames(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a", "old")
	if os.Getuid() == 0 {
		if err := os.Chown("a", 1234, 4321); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod("a", 0o640|fs.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat("a")
	if err := write(t, "a", "new"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "a", "new")
	wantNames(t, ".", "a")
	after, err := os.Stat("a")
	if err != nil || after.Mode() != before.Mode() {
		t.Errorf("the mode is %v (%v), was %v", after.Mode(), err, before.Mode())
	}
	was, is := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
	if was.Uid != is.Uid || was.Gid != is.Gid {
		t.Errorf("the owner is %d:%d, was %d:%d", is.Uid, is.Gid, was.Uid, was.Gid)
	}

	put(t, "b", "long and old")
	if err := os.Link("b", "c"); err != nil {
		t.Fatal(err)
	}
	if err := write(t, "c", "new"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "b", "new")
	wantNames(t, ".", "a", "b", "c")
}

// A link stays one, and what it leads to is written, also where that does not exist yet.
func TestLinksAreKept(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"x", "x/y"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	put(t, "real", "old")
	for _, link := range [][2]string{
		{"real", "one"}, {"one", "two"}, {"new", "dangling"}, {"../real", "x/up"}, {"x/y", "deep"}, {"loop", "loop"}, {"no/where", "lost"},
	} {
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ name, written string }{
		{"two", "real"}, {"dangling", "new"}, {"x/up", "real"},
		{"deep/../above", "x/above"}, // not ./above
	} {
		if err := write(t, test.name, "by "+test.name); err != nil {
			t.Error(err)
		}
		wantText(t, test.written, "by "+test.name)
	}
	for name, want := range map[string]string{
		"loop": "loop: too many levels of symbolic links",
		"lost": "lost: there is no folder no to write the file in",
		"deep": "deep: is a folder; want a file",
	} {
		err := write(t, name, "")
		if name == "lost" { // the folder is told whole
			here, _ := filepath.EvalSymlinks(".")
			want = fmt.Sprintf("lost: there is no folder %s to write the file in", filepath.Join(here, "no"))
		}
		wantError(t, err, want)
	}
	for _, name := range []string{"one", "two", "dangling", "x/up"} {
		if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more (%v)", name, err)
		}
	}
}

// A pipe is written to and stays one.
func TestPipeIsWrittenTo(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip("no named pipes here")
	}
	read := make(chan string)
	go func() {
		f, err := os.Open("pipe")
		if err != nil {
			read <- err.Error()
			return
		}
		defer f.Close()
		text, _ := io.ReadAll(f)
		read <- string(text)
	}()
	if err := write(t, "pipe", "text"); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "text" {
		t.Errorf("read %q", got)
	}
	if info, err := os.Stat("pipe"); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("it is no pipe any more (%v)", err)
	}
	wantNames(t, ".", "pipe")
}

// node makes a device of this test's own, in the current folder.
func node(t *testing.T, name string, major, minor int) {
	t.Helper()
	if err := syscall.Mknod(name, syscall.S_IFCHR|0o666, major<<8|minor); err != nil {
		t.Skipf("no device can be made here: %v", err)
	}
	if f, err := os.OpenFile(name, os.O_WRONLY, 0); err != nil {
		t.Skipf("no device can be opened here: %v", err)
	} else {
		f.Close()
	}
}

// A device is written to and never replaced, by its name or through a link.
func TestDeviceIsWrittenTo(t *testing.T) {
	t.Chdir(t.TempDir())
	node(t, "null", 1, 3) // of Linux
	before, err := os.Stat("null")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("null", "link"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"null", "link"} {
		if err := write(t, name, "text"); err != nil {
			t.Error(err)
		}
	}
	after, err := os.Stat("null")
	if err != nil || !os.SameFile(before, after) || after.Mode()&fs.ModeDevice == 0 {
		t.Errorf("the device was replaced: %v, %v", after, err)
	}
	wantNames(t, ".", "link", "null")
}

func TestFullDevice(t *testing.T) {
	t.Chdir(t.TempDir())
	node(t, "full", 1, 7) // of Linux
	err := Write(t.Context(), nil, Bytes("a", []byte("text")), Bytes("full", []byte("text")))
	wantError(t, err, "full: no space left on device")
	wantNames(t, ".", "full")
}

// An open descriptor is written to where it is. Opened by its name it would be written from its start.
func TestDescriptorIsWrittenTo(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := os.Create("log")
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("/dev/fd/%d", f.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip("no /dev/fd here")
	}
	if err := os.Symlink(name, "link"); err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "one ")
	for _, name := range []string{name, "link"} {
		if err := write(t, name, "two "); err != nil {
			t.Error(err)
		}
	}
	wantText(t, "log", "one two two ")
	// The file belongs to this test: nothing but the kept file must close it.
	descriptors[int(f.Fd())] = f
	wantNames(t, ".", "link", "log")
}

func TestStandardOutputByItsOtherNames(t *testing.T) {
	if _, err := os.Stat("/dev/stdout"); err != nil {
		t.Skip("no /dev/stdout here")
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink("/dev/stdout", "link"); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	for _, name := range []string{"-", "/dev/stdout", "/dev/fd/1", "link"} {
		if err := Write(t.Context(), &stdout, Bytes(name, []byte(name+"\n"))); err != nil {
			t.Error(err)
		}
	}
	if got, want := stdout.String(), "-\n/dev/stdout\n/dev/fd/1\nlink\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSame(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a", "")
	put(t, "other", "")
	if err := errors.Join(
		os.Mkdir("x", 0o777), os.Symlink("x", "y"), os.Symlink("a", "link"), os.Link("a", "hard"), os.Symlink("new", "dangling"),
	); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"a", "./a", true}, {"a", "x/../a", true}, {"a", "link", true}, {"a", "hard", true}, {"a", filepath.Join(here, "a"), true},
		{"new", "dangling", true}, {"x/new", "y/new", true}, {"x/new", "y/./new", true},
		{"a", "other", false}, {"a", "new", false}, {"new", "newer", false}, {"x/new", "new", false}, {"none/a", "a", false},
		{"-", "-", true}, {"-", "./-", false},
	} {
		if got := Same(test.a, test.b); got != test.same {
			t.Errorf("Same(%s, %s) = %v", test.a, test.b, got)
		}
		if got := Same(test.b, test.a); got != test.same {
			t.Errorf("Same(%s, %s) = %v", test.b, test.a, got)
		}
	}
	if _, err := os.Stat("/dev/stdout"); err == nil && (!Same("-", "/dev/stdout") || !Same("/dev/fd/1", "/dev/stdout")) {
		t.Error("standard output is not the same under its other names")
	}
}
