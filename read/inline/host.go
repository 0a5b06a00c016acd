package inline

import (
	"path/filepath"
	"strings"
)

// host is what the ending of a name says about a file.
type host uint8

const (
	notHost      host = iota
	anyCompiler       // C or C++, for any machine
	cuda              // a language of GPUs: what stands in asm is hardly of another machine
	otherGPU          // likewise, and nvcc does not compile it
	preprocessed      // what the preprocessor has left of one of the others
)

// hosts are the endings, in lower case, of the files in which PTX stands in asm
// statements. This is the only list of them.
var hosts = map[string]host{
	".c": anyCompiler, ".cc": anyCompiler, ".cpp": anyCompiler, ".cxx": anyCompiler, ".c++": anyCompiler, ".cppm": anyCompiler, ".ixx": anyCompiler,
	".h": anyCompiler, ".hh": anyCompiler, ".hpp": anyCompiler, ".hxx": anyCompiler, ".h++": anyCompiler,
	".inl": anyCompiler, ".ipp": anyCompiler, ".tpp": anyCompiler, ".tcc": anyCompiler, ".inc": anyCompiler,
	".cu": cuda, ".cuh": cuda, ".hip": otherGPU, ".cl": otherGPU, ".clcpp": otherGPU,
	".i": preprocessed, ".ii": preprocessed, ".cui": preprocessed, ".hipi": preprocessed,
}

func hostOf(name string) host { return hosts[strings.ToLower(filepath.Ext(name))] }

func (h host) isGPU() bool { return h == cuda || h == otherGPU }

// IsHost reports whether a file of the given name is a source in C, C++, CUDA, HIP or
// OpenCL C, in which PTX stands in asm statements. The case of the ending does not
// matter: .C and .CU are sources as well.
func IsHost(name string) bool { return hostOf(name) != notHost }

// LooksLikeC reports whether a text is C or C++ rather than PTX: its first word
// outside of comments and preprocessor lines, or an #include, tells.
func LooksLikeC(text string) bool {
	s := newScanner(text)
	for s.next(); s.kind != endOfFile; s.next() {
		switch {
		case s.kind == directive:
			if directiveName(s.token()) == "include" {
				return true
			}
			for s.kind != directiveEnd && s.kind != endOfFile {
				s.next()
			}
		case s.kind == identifier:
			return wordsOfC[s.token()]
		default:
			return false
		}
	}
	return false
}

// directiveName returns the name in a token such as "#  if".
func directiveName(token string) string { return strings.TrimLeft(token, "# \t") }

// wordsOfC are words that declarations begin with, and PTX statements do not.
var wordsOfC = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`
		__global__ __device__ __host__ __constant__ __shared__ __managed__ __launch_bounds__ __forceinline__ __inline__ __inline
		__kernel kernel __attribute__ __attribute __constant __local __extension__ asm __asm__ __asm
		extern static inline const constexpr consteval constinit volatile typedef struct union enum class template namespace using
		concept requires export module import static_assert _Static_assert
		void bool char short int long float double signed unsigned auto _Bool half size_t ptrdiff_t
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uchar ushort uint ulong uint2 uint4 int2 int4 float2 float4`) {
		words[w] = true
	}
	return words
}()
