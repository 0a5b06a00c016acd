package kernels

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var withNVCC = flag.Bool("nvcc", false, "build with nvcc, too")

// The PTX files are what ./build makes of the sources, with the compilers that are installed.
func TestPTXIsBuilt(t *testing.T) {
	for _, test := range []struct {
		compiler, tool, files string
	}{
		{"clang", "clang-16", "*/*.clang.ptx"},
		{"nvcc", "nvcc", "*/*.nvcc??.ptx"},
		{"gcc", "x86_64-linux-gnu-accel-nvptx-none-gcc-12", "*/*.gcc.ptx"},
	} {
		t.Run(test.compiler, func(t *testing.T) {
			if _, err := exec.LookPath(test.tool); err != nil {
				t.Skipf("%s is not installed", test.tool)
			}
			if test.compiler == "nvcc" && !*withNVCC {
				t.Skip("run with -nvcc: nvcc takes half a minute")
			}
			built := t.TempDir()
			if out, err := exec.Command("./build", "-o", built, test.compiler).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			files, err := filepath.Glob(test.files)
			if err != nil || len(files) == 0 {
				t.Fatalf("no files %s (%v)", test.files, err)
			}
			for _, file := range files {
				want, err := os.ReadFile(filepath.Join(built, file))
				if err != nil {
					t.Error(err)
					continue
				}
				got, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(want, got) {
					t.Errorf("%s is not what ./build makes: run it again", file)
				}
			}
		})
	}
}
