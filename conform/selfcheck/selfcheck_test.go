package selfcheck

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/sem"
)

var (
	update = flag.Bool("update", false, "rewrite the checksum")
	all    = flag.Bool("selfcheck", false, "launch each file on each engine")
)

// whole is the set that vop vectors --ptx writes unless told otherwise.
func whole() []OneFile { return Set(conform.Classes(), 8, 0) }

// TestSetIsTheOneOfTheChecksum: the set is generated, its checksum is in the repository, and it is small.
func TestSetIsTheOneOfTheChecksum(t *testing.T) {
	files := whole()
	const name = "testdata/set.sha256"
	if *update {
		if err := os.WriteFile(name, []byte(Sum(files)+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := Sum(files); got != strings.TrimSpace(string(want)) {
		t.Errorf("the set has the checksum %s, not that of %s: -update rewrites it where that is meant", got, name)
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	names := map[string]bool{}
	for _, f := range files {
		if names[f.Name] {
			t.Errorf("two files are called %s", f.Name)
		}
		names[f.Name] = true
		if err := archive.WriteHeader(&tar.Header{Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))}); err != nil {
			t.Fatal(err)
		}
		archive.Write(f.Data)
	}
	archive.Close()
	zip.Close()
	if packed.Len() > 5<<20 {
		t.Errorf("%d bytes compressed, want less than 5 MB", packed.Len())
	}
	t.Logf("%d files, %d bytes compressed", len(files), packed.Len())
}

// TestNamesAreThoseOfFunctions: a form has one name, whatever is written for it.
func TestNamesAreThoseOfFunctions(t *testing.T) {
	for _, f := range conform.Classes() {
		if got, want := Name(f), translate.FunctionName(f); got != want {
			t.Errorf("%v: %s, its function is %s", f, got, want)
		}
	}
}

// launch runs a file and returns what it writes.
func launch(t *testing.T, name string, data []byte, options vop.LoadOptions) []uint32 {
	t.Helper()
	module, err := vop.LoadWith(name, string(data), options)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := module.Kernel(Kernel)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := vop.NewBuffer(module, "verdict", make([]uint32, Words))
	if err != nil {
		t.Fatal(err)
	}
	if err := kernel.Launch(context.Background(), vop.Grid{X: 1}, vop.Block{X: 1}, verdict); err != nil {
		t.Fatal(err)
	}
	return vop.Values[uint32](verdict)
}

// TestFilesPassUnderBothReadings launches every third file and those on which the readings differ, each on one engine
// after another. With -selfcheck it is all files on all engines.
func TestFilesPassUnderBothReadings(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range whole() {
		files[f.Name] = f.Data
	}
	checks, err := ReadList(files[List])
	if err != nil || len(checks) != len(conform.Classes()) {
		t.Fatalf("%d lines, %v", len(checks), err)
	}
	compiled, launches := 0, 0
	have := level.Levels()
	for i, c := range checks {
		if !*all && i%3 != 0 && c.Verdicts[sem.SM86] != AsCompiled || !long.Tests() && i%10 != 0 {
			continue
		}
		for n, e := range have {
			if !*all && n != i/3%len(have) {
				continue
			}
			for _, r := range isa.Readings() {
				launches++
				if got := launch(t, c.File, files[c.File], vop.LoadOptions{Reading: vop.Reading(r), Engine: vop.Engine(e)}); got[0] != c.Verdicts[r] || got[1] != uint32(c.Vectors) || got[4] != c.Hashes[r] {
					t.Errorf("%s, read as %v, on %v: %d, want %d", c.File, r, e, got, c.Verdicts[r])
				}
			}
		}
		if c.Verdicts[sem.SM86] == AsCompiled {
			compiled++
		}
	}
	if compiled < 30 {
		t.Errorf("the readings differ in %d files", compiled)
	}
	t.Logf("%d launches on %v", launches, level.Levels())
}

// TestWrongImplementationsAreTold: files whose instruction does something else give the verdict Neither, and the first
// vector that tells.
func TestWrongImplementationsAreTold(t *testing.T) {
	for _, f := range conform.Real()[:20] {
		vectors := conform.Pick(f, 8, 0)
		for _, m := range mistake.Concerning(f) {
			set := mistake.Of(m)
			planted := make([]conform.Tagged, len(vectors))
			first, manual := -1, true
			for i, v := range vectors {
				planted[i] = v
				// The file expects what a wrong implementation gives: the right one is then wrong.
				wrong := mistake.Eval(&set, f, v.A, v.B, v.C)
				planted[i].Want = [2]uint32{wrong, wrong}
				if wrong != v.Want[sem.ISA] {
					manual = false
					if first < 0 {
						first = i
					}
				}
			}
			if manual {
				continue
			}
			got := launch(t, Name(f), File(planted), vop.LoadOptions{})
			if got[0] != Neither || got[1] != uint32(first) || got[2] != vectors[first].Want[sem.ISA] || got[3] != planted[first].Want[sem.ISA] || got[4] != Hash(vectors, sem.ISA) {
				t.Errorf("%v with %v: %08x, want the verdict 3 at vector %d", f, m, got, first)
			}
			break
		}
	}
}

// TestAVerdictIsOfAllVectors: values some of which are only the manual's and some only as compiled are neither.
func TestAVerdictIsOfAllVectors(t *testing.T) {
	f, err := conform.ParseForm("vadd.s32.s32.s32 d.h1, a, b, c;")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []conform.Tagged
	for _, v := range conform.Pick(f, 8, 0) {
		if v.Want[0] != v.Want[1] {
			vectors = append(vectors, v)
		}
	}
	vectors[1].Want[0], vectors[1].Want[1] = vectors[1].Want[1], vectors[1].Want[0]
	if got := launch(t, "mixed.ptx", File(vectors), vop.LoadOptions{}); got[0] != Neither || got[1] != uint32(len(vectors)) {
		t.Errorf("%d of %d", got, len(vectors))
	}
}

func TestReadListRejects(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{"# x\na.ptx\tvadd\n", "list.tsv:2: want 7 columns"},
		{"a.ptx\tvadd d;\t1\t1\t1\t0\t0\n", "list.tsv:1"},
		{"a.ptx\tvadd.u32.u32.u32 d, a, b;\tx\t1\t1\t0\t0\n", `"x" is not a number`},
		{"a.ptx\tvadd.u32.u32.u32 d, a, b;\t8\t1\t1\t0\tz\n", `"z" is not 8 hexadecimal digits`},
	} {
		if _, err := ReadList([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

// TestHostProgram runs launch.c with a driver that writes verdicts without a card.
func TestHostProgram(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler here")
	}
	folder := t.TempDir()
	build := func(args ...string) {
		if out, err := exec.Command(compiler, append([]string{"-std=c99", "-Wall", "-Wextra", "-Werror"}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("%v\n%s", err, out)
		}
	}
	program := filepath.Join(folder, "launch")
	build("-o", program, "host/launch.c", "-ldl")
	build("-shared", "-fPIC", "-o", filepath.Join(folder, "libcuda.so.1"), "testdata/driver.c")
	for name, text := range map[string]string{"right.ptx": "verdict 1", "compiled.ptx": "verdict 2", "wrong.ptx": "verdict 3", "bad.ptx": "no PTX"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(stdin string, args ...string) (string, int) {
		cmd := exec.Command(program, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder)
		cmd.Stdin = strings.NewReader(stdin)
		out, _ := cmd.Output()
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, code := run("", "right.ptx", "compiled.ptx"); code != 0 || out != "TAP version 13\n1..2\nok 1 - right.ptx\nok 2 - compiled.ptx # as compiled for sm_86\n" {
		t.Errorf("%d: %s", code, out)
	}
	if out, code := run("", "wrong.ptx", "bad.ptx", "none.ptx"); code != 1 ||
		!strings.Contains(out, "not ok 1 - wrong.ptx # vector 7: got 000000aa, the manual gives 000000bb\n") ||
		!strings.Contains(out, "not ok 2 - bad.ptx # the driver does not compile it (driver error 218)\n") ||
		!strings.Contains(out, "not ok 3 - none.ptx # the file cannot be read (driver error 0)\n") {
		t.Errorf("%d: %s", code, out)
	}
	if out, code := run("right.ptx\nbad.ptx\nwrong.ptx\n"); code != 0 || out != "00000001\nerror: the driver does not compile it (driver error 218)\n00000003\n" {
		t.Errorf("%d: %s", code, out)
	}
	if out, _ := run("", "-O0", "--record", "wrong.ptx", "bad.ptx"); !strings.HasPrefix(out,
		`{"record":"vop-record","version":1,"card":"A \"card\"","driver":13000,"compute":"9.0","optimization":0}`+"\n"+
			`{"file":"wrong.ptx","verdict":3,"vector":7,"got":"000000aa","isa":"000000bb","hash":"000000cc"}`+"\n"+`{"file":"bad.ptx","error":"the driver`) {
		t.Errorf("%s", out)
	}
	if _, code := run("", "--unknown"); code != 2 {
		t.Errorf("exit code %d", code)
	}
}
