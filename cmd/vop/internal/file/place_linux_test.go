package file

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// asNobody lets the files that the test makes and opens from now on be those of a user who may do
// little. Linux tells threads apart in this; the test's is thrown away after it.
func asNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return // everybody may do little
	}
	runtime.LockOSThread()
	const nobody = 65534
	if err := syscall.Setfsgid(nobody); err != nil {
		t.Skip(err)
	}
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		syscall.Setfsuid(0)
		syscall.Setfsgid(0)
	})
}

func TestReadOnlyFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("locked", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "locked/a", "old")
	if err := os.Chmod("locked", 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("locked/a", 0o666); err != nil {
		t.Fatal(err)
	}
	asNobody(t)
	want := "no file can be made in the folder locked: permission denied"
	wantError(t, write(t, "locked/a", "new"), "locked/a: "+want)
	wantError(t, write(t, "locked/b", "new"), "locked/b: "+want)
	wantText(t, "locked/a", "old")
}

// A file that may not be written is not replaced, though the folder would allow that.
func TestReadOnlyFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Chmod(".", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "a", "old")
	if err := os.Chmod("a", 0o444); err != nil {
		t.Fatal(err)
	}
	asNobody(t)
	wantError(t, write(t, "a", "new"), "a: permission denied")
	wantText(t, "a", "old")
	wantNames(t, ".", "a")
}

// A file of somebody else, which may be written, is written and stays theirs.
func TestFileOfSomebodyElse(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file to somebody else")
	}
	t.Chdir(t.TempDir())
	if err := os.Chmod(".", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "a", "old and long")
	if err := os.Chown("a", 1234, 4321); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("a", 0o666); err != nil {
		t.Fatal(err)
	}
	asNobody(t)
	if err := write(t, "a", "new"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "a", "new")
	wantNames(t, ".", "a")
	info, err := os.Stat("a")
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != 1234 {
		t.Errorf("it belongs to %v now (%v)", info.Sys(), err)
	}
}

// In /proc nothing can be made, not even by root.
func TestFolderThatTakesNoFile(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("no /proc here")
	}
	wantError(t, write(t, "/proc/a.ptx", "text"), "/proc/a.ptx: no file can be made in the folder /proc: no such file or directory")
}
