package inline

import "testing"

// TestIsHost: one list of endings, whatever their case.
func TestIsHost(t *testing.T) {
	for _, name := range []string{
		"a.c", "a.C", "a.cc", "a.cpp", "a.cxx", "a.c++", "a.h", "a.H", "a.hh", "a.hpp", "a.hxx", "a.h++", "a.inl", "a.ipp", "a.inc",
		"dir.ptx/a.cu", "a.CU", "a.cuh", "a.hip", "a.cl", "a.ii", "a.i", "a.cudafe1.cpp", "a.cpp4.ii",
	} {
		if !IsHost(name) {
			t.Errorf("%s is no source", name)
		}
	}
	for _, name := range []string{"a.ptx", "a.PTX", "cu", "a.cu/a", "-", "", "a.s", "a.txt", "a.cubin"} {
		if IsHost(name) {
			t.Errorf("%s is a source", name)
		}
	}
}

// TestLooksLikeC tells C from PTX, modules and parts of them, by how they begin.
func TestLooksLikeC(t *testing.T) {
	for _, text := range []string{
		"// .version\n__global__ void k() {}", "#include <cuda.h>\n", "#if 1\n#define A \\\n .version\nstatic int x;", "/* */ template <int N> f();",
		"asm(\"ret;\");", "int x;", "kernel void f() {}", "\ufeff#include \"x\"",
	} {
		if !LooksLikeC(text) {
			t.Errorf("%q: not C", text)
		}
	}
	for _, text := range []string{
		"", ".version 7.8\nint x;", "// int\n", "add.s32 %r1, %r2, %r3;", "#define x\n.version 7.0", "@%p bra L;", "$L: ret;", "{ int x; }", "\x00\xffint",
		".visible .entry int() {}", "ret;",
	} {
		if LooksLikeC(text) {
			t.Errorf("%q: C", text)
		}
	}
}
