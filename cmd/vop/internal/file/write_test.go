package file

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// write writes one file.
func write(t *testing.T, name, text string) error {
	t.Helper()
	return Write(t.Context(), nil, Bytes(name, []byte(text)))
}

// put makes a file without this package.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// wantText demands the contents of a file.
func wantText(t *testing.T, name, want string) {
	t.Helper()
	if text, err := os.ReadFile(name); err != nil || string(text) != want {
		t.Errorf("%s holds %q (%v), want %q", name, text, err, want)
	}
}

// wantNames demands what a folder holds: no file under another name is left.
func wantNames(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("%s holds %q, want %q", folder, names, want)
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestWriteNew(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := write(t, "a", "text"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "a", "text")
	wantNames(t, ".", "a")
}

func TestWriteToStandardOutput(t *testing.T) {
	var stdout bytes.Buffer
	if err := Write(t.Context(), &stdout, Bytes("-", []byte("text"))); err != nil || stdout.String() != "text" {
		t.Errorf("got %q, %v", &stdout, err)
	}
}

// If one of several files cannot be written, none is.
func TestNoneOfSeveralIsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a", "old")
	broken := Output{Name: "c", Title: "out:c:9", Write: func(w io.Writer) error {
		io.WriteString(w, "half of it")
		return errors.New("too hard")
	}}
	err := Write(t.Context(), nil, Bytes("a", []byte("new")), Bytes("b", []byte("new")), broken)
	wantError(t, err, "out:c:9: too hard")
	wantText(t, "a", "old")
	wantNames(t, ".", "a")
}

// What goes to a stream is written before any file gets its name: if it cannot be, no file does.
func TestNoFileIfAStreamFails(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a", "old")
	err := Write(t.Context(), failing{}, Bytes("a", []byte("new")), Bytes("-", []byte("new")))
	wantError(t, err, "closed")
	wantText(t, "a", "old")
	wantNames(t, ".", "a")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("closed") }

// An interrupt while a file is written leaves the old one.
func TestInterruptedWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a", "old")
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("interrupted")
	err := Write(ctx, nil, Output{Name: "a", Write: func(w io.Writer) error {
		cancel(cause)
		_, err := io.WriteString(w, strings.Repeat("x", 1<<20))
		return err
	}})
	if !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	err = Write(ctx, nil, Bytes("a", nil))
	if !errors.Is(err, cause) {
		t.Errorf("an empty file: got %v", err)
	}
	wantText(t, "a", "old")
	wantNames(t, ".", "a")
}

// Abandon removes what does not have its name yet, and nothing gets one afterwards.
func TestAbandon(t *testing.T) {
	t.Chdir(t.TempDir())
	defer func() { temporaries.abandoned = false }()
	err := Write(t.Context(), nil, Bytes("a", nil), Output{Name: "b", Write: func(io.Writer) error {
		entries, _ := os.ReadDir(".")
		if len(entries) != 2 || !strings.HasPrefix(entries[0].Name(), ".vop-") {
			t.Errorf("while it is written the folder holds %v", entries)
		}
		Abandon()
		wantNames(t, ".")
		return nil
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := write(t, "c", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("a file after it: %v", err)
	}
	wantNames(t, ".")
}

// Messages name the file that was asked for, and never the other name.
func TestErrorsNameTheFileAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "plain", "")
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 256)
	for _, test := range []struct{ name, want string }{
		{"", `"": a file needs a name`},
		{"none/a", "none/a: there is no folder none to write the file in"},
		{"plain/a", "plain/a: there is no folder plain to write the file in"},
		{"folder", "folder: is a folder; want a file"},
		{"folder/", "folder/: is a folder; want a file"},
		{"new/", "new/: is a folder; want a file"},
		{".", ".: is a folder; want a file"},
		{"a\x00b", "a\x00b: invalid argument"},
		{long, long + ": file name too long"},
	} {
		wantError(t, write(t, test.name, "text"), test.want)
	}
	wantNames(t, ".", "folder", "plain")
}

func TestCheckPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "plain", "")
	for _, name := range []string{"-", "plain", "new", "./new"} {
		if err := CheckPlace(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantError(t, CheckPlace("none/a"), "there is no folder none to write the file in")
	wantError(t, CheckPlace("plain/a"), "there is no folder plain to write the file in")
	wantError(t, CheckPlace("."), ". is a folder; want a file")
}
