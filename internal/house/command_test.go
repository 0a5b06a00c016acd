package house

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// heavy are packages that the command does without: net/http would be a tenth of it, and a quarter of the time to build it.
var heavy = []string{"net/http", "crypto/tls", "crypto/x509", "encoding/xml"}

// TestCommandIsLight holds that no library brings heavy packages into the command.
func TestCommandIsLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../../cmd/vop").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, name := range strings.Fields(string(out)) {
		if slices.Contains(heavy, name) {
			t.Errorf("cmd/vop needs %s: go mod why -m says through which module", name)
		}
	}
}

// What makes the command larger is noticed: a library that does much more than is asked of it, or a small function with
// large arguments that is inlined at each of a thousand calls (docs/rationale.md).
//
// The names of folders do not count, of which a build has one for each source file: 70 KB more in a checkout with a longer
// name. (-trimpath leaves them out, but compiles everything once more for that.) The page's programs are stored as what differs between them, and one changed function moves that by
// 50 KB: so the limit leaves twice as much.
func TestSizeOfTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the limit is that of linux/amd64")
	}
	const most = 16_650_000
	file := filepath.Join(t.TempDir(), "vop")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", file, module+"/cmd/vop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	size := len(program) - lengthOfFolders(t, program)
	t.Logf("%d bytes", size)
	if size > most {
		t.Errorf("the command has %d bytes, and at most %d are allowed; go tool nm -size -sort size tells of what", size, most)
	}
}

// lengthOfFolders returns how much longer the names of source files make a program than those that -trimpath would leave.
func lengthOfFolders(t *testing.T, program []byte) (length int) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(folders) != 3 {
		t.Fatalf("the folders are %q", folders)
	}
	for folder, left := range map[string]string{filepath.Dir(folders[0]) + "/": module + "/", folders[1] + "/src/": "", folders[2] + "/": ""} {
		length += bytes.Count(program, []byte(folder)) * (len(folder) - len(left))
	}
	return length
}
