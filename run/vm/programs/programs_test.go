package programs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// programModule reads a program of testdata.
func programModule(t testing.TB, name string) *check.Module {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return vmtest.Checked(t, name+".ptx", string(text))
}

// TestProgramsAreBuilt holds that the PTX of programs is what testdata/build makes of their sources.
func TestProgramsAreBuilt(t *testing.T) {
	if _, err := exec.LookPath("clang-16"); err != nil {
		t.Skip("clang-16 is not installed")
	}
	const folder = "testdata"
	built := t.TempDir()
	command := exec.Command("./build", "-o", built)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.ptx"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	for _, file := range files {
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(built, filepath.Base(file)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what ./build makes (%v): run it again", file, err)
		}
	}
}

// eachProgram runs a test of a program on every level, in all ways.
func eachProgram(t *testing.T, name string, test func(p *vmtest.Program)) {
	t.Helper()
	vmtest.EachModule(t, programModule(t, name), test)
}

// blocksFor is the number of blocks for n threads, at least one.
func blocksFor(n, threads int) int { return max(1, (n+threads-1)/threads) }
