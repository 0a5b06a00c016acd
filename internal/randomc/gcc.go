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
#define TABLE
#define BITS_f32(to, from) asm("mov.b32 %0, %1;" : "=r"(to) : "r"(from))
#pragma omp declare target
`

// Routines is the program as C with OpenMP, which gcc makes functions for a device of: routine<n>(in, out, t) is what thread t does.
func (p *Program) Routines() string {
	var all strings.Builder
	all.WriteString(routinesHead + prelude + p.external.Device + p.text)
	for n := range p.Kernels {
		fmt.Fprintf(&all, "void routine%d(const u32 *in, u32 *out, u32 t) { body%d(in, out, t); }\n", n, n)
	}
	return all.String() + "#pragma omp end declare target\n"
}

// BuildRoutines compiles the program to PTX, and links it with what gcc's libraries have of what it calls: a text for each file.
// The front end has the options on what is optimized, the back end those on the target.
func (p *Program) BuildRoutines(g GCC, folder string, front, back []string) (texts []string, err error) {
	object, linked := filepath.Join(folder, "routines.o"), filepath.Join(folder, "routines.ptx")
	args := append([]string{"-x", "c", "-fopenmp", "-foffload=nvptx-none", "-flto", "-fno-fat-lto-objects", "-ffp-contract=off", "-w", "-c", "-o", object}, front...)
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

// Entries is PTX that has a kernel<n>(in, out, n) for each routine, for the first n threads of a grid of blocks of one dimension.
func (p *Program) Entries() string {
	return p.entries(p.header(), `
	mov.u32 %block, %ctaid.x; mov.u32 %size, %ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %t, %block, %size, %t;`)
}

// softStack is how many bytes of stack a thread of [Program.SoftEntries] has.
const softStack = 16 << 10

// SoftEntries is PTX like that of [Program.Entries], for routines compiled with -mgomp and so many threads: the stacks are global
// memory, and a thread finds its own, and whether it works alone, in arrays that tid.y indexes. So blocks have 1 x 32 threads
// at most.
func (p *Program) SoftEntries(threads int) string {
	return p.entries(p.header()+fmt.Sprintf(`
.extern .shared .u64 __nvptx_stacks[32];
.extern .shared .u32 __nvptx_uni[32];
.global .align 16 .b8 stacks[%d];
`, threads*softStack), fmt.Sprintf(`
	mov.u32 %%block, %%ctaid.x; mov.u32 %%size, %%ntid.y; mov.u32 %%t, %%tid.y; mul.wide.u32 %%slot, %%t, 8; mad.lo.u32 %%t, %%block, %%size, %%t;
	cvta.global.u64 %%stack, stacks; mad.wide.u32 %%stack, %%t, %d, %%stack; add.u64 %%stack, %%stack, %d;
	mov.u64 %%base, __nvptx_stacks; add.u64 %%base, %%base, %%slot; setp.lt.u32 %%more, %%t, %%n; @%%more st.shared.u64 [%%base], %%stack;
	mov.u64 %%base, __nvptx_uni; shr.u64 %%slot, %%slot, 1; add.u64 %%base, %%base, %%slot; st.shared.u32 [%%base], 0;`, softStack, softStack))
}

func (p *Program) header() string {
	return ".version 7.0\n.target sm_80\n.address_size 64\n"
}

// entries gives kernels that compute %t by what is given.
func (p *Program) entries(head, index string) string {
	var all strings.Builder
	all.WriteString(head)
	for n := range p.Kernels {
		fmt.Fprintf(&all, `.extern .func routine%d (.param .u64 in, .param .u64 out, .param .u32 t);
.visible .entry kernel%d(.param .u64 in, .param .u64 out, .param .u32 n) {
	.reg .b32 %%t, %%block, %%size, %%n; .reg .b64 %%in, %%out, %%stack, %%base, %%slot; .reg .pred %%more;
	ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u32 %%n, [n];%s
	setp.ge.u32 %%more, %%t, %%n; @%%more ret;
	mad.wide.u32 %%out, %%t, %d, %%out;
	{ .param .b64 a, b; .param .b32 c; st.param.b64 [a], %%in; st.param.b64 [b], %%out; st.param.b32 [c], %%t; call routine%d, (a, b, c); }
	ret;
}
`, n, n, index, 4*Outputs, n)
	}
	return all.String()
}
