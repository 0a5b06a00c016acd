package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
)

// The names of OpenCL, CUDA and HIP, for a C or C++ compiler of the CPU.
const (
	openCLOnCPU = `typedef unsigned int uint;
typedef unsigned long ulong; // 64 bits, as in OpenCL, where C has them
#define __constant static const
#define __kernel static
#define __global
`
	hipOnCPU = `#include <cstdlib>
#include <cstring>
#define __device__
#define __forceinline__ inline
#define __global__
enum { hipSuccess, hipMemcpyHostToDevice, hipMemcpyDeviceToHost };
static int hipMalloc(void **p, size_t n) { *p = malloc(n); return *p == 0; }
static int hipMemcpy(void *to, const void *from, size_t n, int) { memcpy(to, from, n); return 0; }
`
)

// TestFunctionChecksRun compiles and runs the programs of vop vectors --functions, in which GPU languages are given to a compiler of
// the CPU, and then with one value changed.
func TestFunctionChecksRun(t *testing.T) {
	forms := conform.Real()
	if !long.Tests() {
		forms = forms[:30]
	}
	for _, c := range []struct {
		language, compiler, file string
		prepare                  func(text string) string
	}{
		{"c", "cc", "check.c", func(text string) string { return text }},
		{"opencl", "cc", "check.c", func(text string) string {
			return openCLOnCPU + text + "#include <stdio.h>\nint main(void)\n{\n    uint verdict[4];\n    selfcheck(verdict);\n" + printVerdict
		}},
		{"hip", "c++", "check.cpp", func(text string) string {
			text = strings.Replace(text, "#include <hip/hip_runtime.h>", hipOnCPU, 1)
			return strings.Replace(text, "selfcheck<<<1, 1>>>(memory);", "selfcheck(memory);", 1)
		}},
	} {
		t.Run(c.language, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil {
				t.Skip(err)
			}
			var text bytes.Buffer
			if err := writeFunctionCheck(&text, c.language, forms, 8, 0); err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			run := func(text string) string {
				source, binary := filepath.Join(folder, c.file), filepath.Join(folder, "check")
				if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(c.compiler, "-O0", "-Wall", "-Wno-unused-function", "-o", binary, source).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%.2000s", err, out)
				}
				out, _ := exec.Command(binary).Output()
				return string(out)
			}
			program := c.prepare(text.String())
			if got, want := run(program), fmt.Sprintf("1..1\nok 1 - %d vectors\n", 8*len(forms)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			// The value of the tenth vector.
			at := 0
			for range 10 {
				at += strings.Index(program[at:], "u},\n") + 4
			}
			digit := map[bool]string{true: "1", false: "0"}[program[at-5] == '0']
			if got := run(program[:at-5] + digit + program[at-4:]); !strings.HasPrefix(got, "1..1\nnot ok 1 - vector 9: got ") {
				t.Errorf("with a wrong value: %s", got)
			}
		})
	}
}
