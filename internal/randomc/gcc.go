package randomc

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// GCC is gcc with its back end for PTX: the program that reads C, and the one that writes PTX and links it with gcc's libraries.
type GCC struct{ front, back string }

// FindGCC returns gcc of Debian; the error says what there is none of.
func FindGCC() (g GCC, err error) {
	if g.front, err = exec.LookPath("gcc-12"); err == nil {
		g.back, err = exec.LookPath("x86_64-linux-gnu-accel-nvptx-none-gcc-12")
	}
	return g, err
}

// routinesHead is what a program has before it for gcc. An operand of asm that has the bits of a float would be the float's register,
// which is of a type that no video instruction takes: gcc's mistake, for its own instructions it moves them.
const routinesHead = `#define FN
#define STEP
#define TABLE
#define BITS_f32(to, from) asm("mov.b32 %0, %1;" : "=r"(to) : "r"(from))
#pragma omp declare target
`

// Routines is the program as C with OpenMP, which gcc makes functions for a device of: routine<n>(in, out, t) is what thread t does.
func (p *Program) Routines() string {
	var all strings.Builder
	all.WriteString(routinesHead + prelude + deviceExchanges + p.external.Device + p.text + ends)
	for n, steps := range p.kernels {
		if steps == nil {
			fmt.Fprintf(&all, "void routine%d(const u32 *in, u32 *out, u32 t) { body%d(in, out, t); }\n", n, n)
		} else {
			fmt.Fprintf(&all, "void routine%d(u32 *own, u32 *out) { finish(own, out); }\n", n)
		}
	}
	return all.String() + "#pragma omp end declare target\n"
}

// BuildRoutines compiles the program to PTX, and links it with what gcc's libraries have of what it calls: a text for each file.
// The front end has the options on what is optimized, the back end those on the target. gcc 12 makes -x of 0.0 - x where x is converted
// from an integer, which is -0.0 for 0, but where rounding may be other than to the nearest.
func (p *Program) BuildRoutines(g GCC, folder string, front, back []string) (texts []string, err error) {
	object, linked := filepath.Join(folder, "routines.o"), filepath.Join(folder, "routines.ptx")
	args := append([]string{
		"-x", "c", "-fopenmp", "-foffload=nvptx-none", "-flto", "-fno-fat-lto-objects", "-ffp-contract=off", "-frounding-math", "-w", "-c", "-o", object,
	}, front...)
	if _, err := compile(g.front, p.Routines(), append(args, "-")); err != nil {
		return nil, err
	}
	args = append([]string{"-x", "lto", "-m64", "-ffp-contract=off", "-nostartfiles", "-o", linked}, back...)
	if _, err := compile(g.back, "", append(args, object, "-x", "none", "-lm")); err != nil {
		return nil, err
	}
	all, err := os.ReadFile(linked)
	for text := range bytes.SplitSeq(all, []byte{0}) { // as the linker puts them into one file
		if len(bytes.TrimSpace(text)) > 0 {
			texts = append(texts, string(text))
		}
	}
	return texts, err
}
