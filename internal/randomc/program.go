package randomc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is some functions, each of which computes [Outputs] words of each thread from [Inputs] words that all threads read.
type Program struct {
	text     string
	external External
	Kernels  int
}

// External are functions that a program calls, of three words each, which give a word: their names, and what defines them on
// either machine.
type External struct {
	Names        []string
	Host, Device string
}

// Inputs and Outputs are how many words the functions read, and write for each thread.
const (
	Inputs  = 256
	Outputs = 24
)

// New returns a program of so many kernels.
func New(seed uint64, kernels int, external External) *Program {
	w := &writer{rng: rand.New(rand.NewPCG(seed, 77)), external: external.Names}
	for n := range 1 + w.rng.IntN(4) {
		w.define(n)
	}
	for n := range kernels {
		w.kernel(n)
	}
	return &Program{w.String(), external, kernels}
}

// Device is the program as CUDA: kernel n is kernel<n>(in, out, n), for the first n threads of a grid.
func (p *Program) Device() string {
	var all strings.Builder
	all.WriteString("#define FN __attribute__((device))\n#define TABLE __attribute__((constant))\n" + prelude + p.external.Device + p.text)
	for n := range p.Kernels {
		fmt.Fprintf(&all, `extern "C" __attribute__((global)) void kernel%d(const u32 *in, u32 *out, u32 n) {
  u32 t = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  if (t < n) body%d(in, out + t * %d, t);
}
`, n, n, Outputs)
	}
	return all.String()
}

// Host is the program as C++ that reads the inputs, and a number of threads, and writes what all threads of all kernels compute.
func (p *Program) Host() string {
	var all strings.Builder
	all.WriteString("#include <stdio.h>\n#define FN\n#define TABLE\n" + p.external.Host + prelude + p.text)
	fmt.Fprintf(&all, `
static u32 words[%d + 1], out[%d];
int main() {
  if (fread(words, 4, %d + 1, stdin) != %d + 1) return 1;
  void (*all[])(const u32 *, u32 *, u32) = {`, Inputs, Outputs, Inputs, Inputs)
	for n := range p.Kernels {
		fmt.Fprintf(&all, "body%d, ", n)
	}
	fmt.Fprintf(&all, `};
  for (auto body : all)
    for (u32 t = 0; t < words[%d]; t++) {
      __builtin_memset(out, 0, sizeof out);
      body(words, out, t);
      if (fwrite(out, 4, %d, stdout) != %d) return 1;
    }
}
`, Inputs, Outputs, Outputs)
	return all.String()
}

// String is the text of the functions, without what stands around them.
func (p *Program) String() string { return p.text }
