package compiled

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// warnings are the diagnostics that emitted C shall not cause.
var warnings = []string{"-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror"}

// C compiles a file of C functions with a compiler, as C99 or as C++, and makes the calls.
func C(t *testing.T, compiler, standard, text string, functions []Function, calls []Call) []uint32 {
	t.Helper()
	Need(t, compiler)
	dir := t.TempDir()
	Write(t, dir, "video.h", text)
	args := append([]string{"-O0", "-x", "c", "-std=" + standard}, warnings...)
	if strings.Contains(standard, "++") {
		args[2] = "c++"
	}
	main := Write(t, dir, "main.c", "#include <stdint.h>\n#include \"video.h\"\n"+mainOfC(functions))
	Tool(t, dir, compiler, append(args, "-o", "program", main)...)
	return run(t, filepath.Join(dir, "program"), calls)
}

// OpenCL compiles a file of OpenCL C functions for this machine and makes the calls.
func OpenCL(t *testing.T, text string, functions []Function, calls []Call) []uint32 {
	t.Helper()
	const clang = "clang-16"
	Need(t, clang)
	dir := t.TempDir()
	Write(t, dir, "video.cl", text)
	Tool(t, dir, clang, "-x", "cl", "-cl-std=CL1.2", "-O1", "-DVOP_FUNCTION=", "-Wall", "-Wextra", "-Werror", "-c", "-o", "video.o", "video.cl")
	declarations := ""
	for _, f := range functions {
		declarations += fmt.Sprintf("uint32_t %s(%s);\n", f.Name, strings.Join([]string{"uint32_t", "uint32_t", "uint32_t"}[:f.Parameters], ", "))
	}
	Write(t, dir, "main.c", "#include <stdint.h>\n"+declarations+mainOfC(functions))
	Tool(t, dir, clang, "-O1", "-o", "program", "main.c", "video.o")
	return run(t, filepath.Join(dir, "program"), calls)
}

// WGSL has naga validate a file of WGSL functions and translate it to Metal, which
// is C++ with a library; compiles that, and makes the calls.
func WGSL(t *testing.T, text string, functions []Function, calls []Call) []uint32 {
	t.Helper()
	const clang = "clang++-16"
	Need(t, "naga", clang)
	dir := t.TempDir()
	Write(t, dir, "video.wgsl", text)
	command := exec.Command("naga", "video.wgsl", "video.metal")
	command.Dir = dir
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("naga: %v\n%s", err, firstLines(output))
	}
	Write(t, dir, "metal_stdlib", metalLibrary)
	if err := os.Mkdir(filepath.Join(dir, "simd"), 0o755); err != nil {
		t.Fatal(err)
	}
	Write(t, dir, "simd/simd.h", "")
	// naga sets an underscore after names that end in a digit.
	renamed := make([]Function, len(functions))
	for i, f := range functions {
		if last := f.Name[len(f.Name)-1]; '0' <= last && last <= '9' {
			f.Name += "_"
		}
		renamed[i] = f
	}
	Write(t, dir, "main.cc", "#define thread\n#include \"video.metal\"\n#undef thread\n#include <cstdint>\n"+mainOfC(renamed))
	Tool(t, dir, clang, "-std=c++17", "-I.", "-O0", "-o", "program", "main.cc")
	return run(t, filepath.Join(dir, "program"), calls)
}

// metalLibrary is what translated functions use of Metal's library.
const metalLibrary = `
#include <cstring>
namespace metal {
typedef unsigned uint;
struct uint2 { uint x, y; uint2(uint x, uint y) : x(x), y(y) {} };
template <class T> T min(T x, T y) { return x < y ? x : y; }
template <class T> T max(T x, T y) { return x > y ? x : y; }
}
template <class To, class From> To as_type(From from)
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
`

// mainOfC returns a main function that reads calls and writes their values.
func mainOfC(functions []Function) string {
	return "#include <stdio.h>\nstatic uint32_t call(const uint32_t *x)\n{\n    switch (x[0]) {\n" +
		cases(functions, [2]string{"(int32_t)", "(uint32_t)"}, "    case %d: return %s;\n", "x[1]", "x[2]", "x[3]") +
		`    }
    return 0;
}

int main(void)
{
    uint32_t x[4];
    while (fread(x, sizeof x, 1, stdin) == 1) {
        uint32_t d = call(x);
        fwrite(&d, sizeof d, 1, stdout);
    }
    return 0;
}
`
}

// cases returns a line for each function, by its number and a call. signed are the conversions of words to signed
// words and back.
func cases(functions []Function, signed [2]string, format string, arguments ...string) string {
	var s strings.Builder
	for i, f := range functions {
		call := f.Name + "(" + strings.Join(arguments[:f.Parameters], ", ") + ")"
		if f.Signed {
			call = signed[1] + "(" + f.Name + "(" + signed[0] + "(" + strings.Join(arguments[:f.Parameters], "), "+signed[0]+"(") + ")))"
		}
		fmt.Fprintf(&s, format, i, call)
	}
	return s.String()
}

// Go vets and compiles a file of Go functions, of package main, and makes the calls.
func Go(t *testing.T, text string, functions []Function, calls []Call) []uint32 {
	t.Helper()
	Need(t, "go")
	dir := t.TempDir()
	Write(t, dir, "go.mod", "module emitted\n\ngo 1.21\n")
	Write(t, dir, "video.go", text)
	Write(t, dir, "main.go", `package main

import (
	"bufio"
	"encoding/binary"
	"os"
)

func call(x [4]uint32) uint32 {
	switch x[0] {
`+cases(functions, [2]string{"int32", "uint32"}, "\tcase %d:\n\t\treturn %s\n", "x[1]", "x[2]", "x[3]")+`	}
	return 0
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var x [4]uint32
	for binary.Read(in, binary.LittleEndian, &x) == nil {
		binary.Write(out, binary.LittleEndian, call(x))
	}
}
`)
	Tool(t, dir, "go", "vet", ".")
	Tool(t, dir, "go", "build", "-o", "program", ".")
	return run(t, filepath.Join(dir, "program"), calls)
}

// CUDA compiles a file of CUDA functions for a machine, without NVIDIA's headers,
// and, where ptxas is present, the PTX that results.
func CUDA(t *testing.T, machine, text string) {
	t.Helper()
	dir := t.TempDir()
	compileDevice(t, dir, text, "cuda", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "--cuda-gpu-arch="+machine)
	if _, err := exec.LookPath("ptxas"); err != nil {
		t.Log("ptxas is not installed: the PTX is not assembled")
		return
	}
	Tool(t, dir, "ptxas", "-arch="+machine, "-c", "-o", "out.cubin", "out.s")
}

// HIP compiles a file of HIP functions for an AMD machine.
func HIP(t *testing.T, machine, text string) {
	t.Helper()
	compileDevice(t, t.TempDir(), text, "hip", "-nogpuinc", "-nogpulib", "--offload-arch="+machine)
}

func compileDevice(t *testing.T, dir, text, language string, args ...string) {
	t.Helper()
	const clang = "clang-16"
	Need(t, clang)
	// Functions that are not static are compiled though nothing calls them.
	const words = "#define VOP_FUNCTION __attribute__((device))\n"
	Write(t, dir, "video.cu", words+text)
	Tool(t, dir, clang, append(args, "-x", language, "--cuda-device-only", "-O1", "-Wall", "-Wextra", "-Werror", "-S", "-o", "out.s", "video.cu")...)
}
