package native_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/array"
	"github.com/vop-ptx/vop/run/simt/build"
)

// instructionsOfNEON returns how many instructions four words take in the main loop of a form, with loads, stores and the
// loop itself.
func instructionsOfNEON(t *testing.T, f isa.Form, o arm64.Options) float64 {
	t.Helper()
	code, err := array.Compile(build.Program(lower.Form(f, word.NEON)), o)
	if err != nil {
		t.Fatalf("%v: %v", f, err)
	}
	return float64(code.Turn*arm64.Lanes) / float64(code.Words)
}

// printVerbose prints with -v.
func printVerbose(format string, args ...any) {
	if testing.Verbose() {
		fmt.Printf(format, args...)
	}
}

// TestInstructionsOfNEON counts the instructions of the ten forms: what can be said of speed where arm64 is emulated. No
// form may take more than it does. With -v it prints the table of docs/performance.md, with what clang makes of the plain
// C++ of peer.cpp where it is.
func TestInstructionsOfNEON(t *testing.T) {
	most := map[string][2]float64{ // with FEAT_DotProd, and without
		"vabsdiff4.u32.u32.u32.add": {4.5, 5.5}, "vadd4.s32.s32.s32.sat": {3, 3}, "vmax4.s32.s32.s32": {3, 3}, "vset4.u32.u32.eq": {4, 4},
		"vmin.s32.s32.s32.max": {4.5, 4.5}, "vshl.u32.u32.u32.clamp.add": {5.5, 5.5}, "vadd2.s32.s32.s32.sat": {3, 3},
		"vavrg4.u32.u32.u32": {3, 3}, "vmad.u32.u32.u32": {5.5, 5.5}, "vsub4.u32.u32.u32": {3, 3},
	}
	compiled := instructionsOfClang(t)
	printVerbose("| form | C++ | neon | with FEAT_DotProd |\n|---|--:|--:|--:|\n")
	for n, m := range measuredForms {
		name, _, _ := strings.Cut(m.spelling, " ")
		with, without := instructionsOfNEON(t, m.form, arm64.Options{DotProduct: true}), instructionsOfNEON(t, m.form, arm64.Options{})
		if limit, ok := most[name]; !ok || with > limit[0] || without > limit[1] {
			t.Errorf("%s takes %v and %v instructions, want at most %v", name, with, without, limit)
		}
		cpp := "–"
		if n < len(compiled) {
			cpp = fmt.Sprint(compiled[n])
		}
		printVerbose("| `%s` | %s | %v | %v |\n", name, cpp, without, with)
	}
}

// TestInstructionsOfManyForms looks for a form whose code is much longer than that of others.
func TestInstructionsOfManyForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var counts []float64
	slowest := ""
	for f := range isa.Sample(rng) {
		n := instructionsOfNEON(t, f, arm64.Options{DotProduct: true})
		if len(counts) == 0 || n > slices.Max(counts) {
			slowest = f.String()
		}
		if counts = append(counts, n); len(counts) == 500 {
			break
		}
	}
	slices.Sort(counts)
	printVerbose("500 forms: median %v instructions for four words, 5 in 100 above %v, most %v: %s\n", counts[250], counts[475], counts[499], slowest)
	if counts[250] > 8 || counts[499] > 26 {
		t.Errorf("the median is %v instructions for four words, and the most %v", counts[250], counts[499])
	}
}

// instructionsOfClang returns how many instructions clang's loops take for four words, by the functions of peer.cpp; none
// where clang is absent.
func instructionsOfClang(t *testing.T) (all []float64) {
	t.Helper()
	clang, err := exec.LookPath("clang++-16")
	if err != nil {
		t.Log("clang++-16 is absent: its instructions are not counted")
		return nil
	}
	text, err := os.ReadFile("peer/peer.cpp")
	if err != nil {
		t.Fatal(err)
	}
	plain := regexp.MustCompile(`(?s)namespace plain \{.*?\n\}\s*//`).FindString(string(text))
	names := regexp.MustCompile(`inline Word (\w+)\(Word a, Word b`).FindAllStringSubmatch(plain, -1)
	if len(names) != len(measuredForms) {
		t.Fatalf("peer.cpp has %d functions", len(names))
	}
	// The few functions of the library that are used, as headers for arm64 are seldom at hand.
	var source strings.Builder
	source.WriteString(`
typedef unsigned uint32_t; typedef int int32_t; typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t; using Word = uint32_t;
namespace std {
template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& clamp(const T& v, const T& l, const T& h) { return v < l ? l : h < v ? h : v; }
inline int abs(int x) { return __builtin_abs(x); }
}
` + plain + "\n")
	for _, name := range names {
		fmt.Fprintf(&source, "extern \"C\" void f_%[1]s(Word* __restrict d, const Word* a, const Word* b, const Word* c, unsigned long n) {"+
			" for (unsigned long i = 0; i < n; i++) d[i] = plain::%[1]s(a[i], b[i], c[i]); }\n", name[1])
	}
	cmd := exec.Command(clang, "--target=aarch64-linux-gnu", "-march=armv8.2-a+dotprod", "-O3", "-ffreestanding", "-nostdinc++", "-S", "-x", "c++", "-o", "-", "-")
	cmd.Stdin = strings.NewReader(source.String())
	out, err := cmd.Output()
	if err != nil {
		t.Logf("clang has no code for arm64: %v", err)
		return nil
	}
	for _, name := range names {
		_, code, _ := strings.Cut(string(out), "\nf_"+name[1]+":")
		code, _, _ = strings.Cut(code, ".Lfunc_end")
		all = append(all, mainLoop(code))
	}
	return all
}

// mainLoop returns how many instructions four words take in the loop that stores whole vectors.
func mainLoop(assembly string) float64 {
	label, instructions, stored := "", 0, 0
	for line := range strings.Lines(assembly) {
		line, _, _ = strings.Cut(line, "//")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], ".") && !strings.HasSuffix(fields[0], ":"):
			continue
		case strings.HasSuffix(fields[0], ":"):
			label, instructions, stored = strings.TrimSuffix(fields[0], ":"), 0, 0
			continue
		}
		instructions++
		switch {
		case fields[0] == "stp" && fields[1][0] == 'q':
			stored += 2
		case (fields[0] == "str" || fields[0] == "stur") && fields[1][0] == 'q':
			stored++
		case strings.HasPrefix(fields[0], "b.") && fields[1] == label && stored > 0:
			return float64(instructions) / float64(stored)
		}
	}
	return 0
}
