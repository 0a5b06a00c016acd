package house

import (
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
// It is linked without the names of folders and of the commit, which are part of a usual build: 70 KB more in a checkout
// with a longer name. The page's programs are stored as what differs between them, and one changed function moves that by
// 50 KB: so the limit leaves twice as much.
func TestSizeOfTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the limit is that of linux/amd64")
	}
	const most = 16_160_000
	program := filepath.Join(t.TempDir(), "vop")
	if out, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, module+"/cmd/vop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > most {
		t.Errorf("the command has %d bytes, and at most %d are allowed; go tool nm -size -sort size tells of what", info.Size(), most)
	}
}
