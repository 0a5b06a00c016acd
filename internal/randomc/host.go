package randomc

import (
	"fmt"
	"strings"
)

// hostHead is what a program has before it for this machine.
const hostHead = "#include <stdio.h>\n#define FN\n#define STEP static\n#define TABLE\n"

// Host is the program as C++ that reads the inputs, a number of threads, and one of those of a block, and writes what all threads
// of all kernels compute.
func (p *Program) Host() string {
	var all strings.Builder
	all.WriteString(hostHead + p.external.Host + prelude + p.text + ends + hostExchanges)
	fmt.Fprintf(&all, `
static u32 in[%d + 2], out[%d], words[%d];
static u8 bytes[%d];
static u64 longs[%d];
int main() {
  if (fread(in, 4, %d + 2, stdin) != %d + 2) return 1;
  u32 n = in[%d], size = in[%d];
#define TOGETHER(STEP) for (u32 tid = 0; tid < size; tid++) STEP(in, own[tid], words, bytes, longs, block * size + tid, tid, size)
`, Inputs, Outputs, maxBlock*shared[0].length, maxBlock*shared[1].length, maxBlock*shared[2].length, Inputs, Inputs, Inputs, Inputs+1)
	for k, steps := range p.kernels {
		if steps == nil {
			fmt.Fprintf(&all, `  for (u32 t = 0; t < n; t++) {
    __builtin_memset(out, 0, sizeof out);
    body%d(in, out, t);
    if (fwrite(out, 4, %d, stdout) != %d) return 1;
  }
`, k, Outputs, Outputs)
			continue
		}
		all.WriteString("  for (u32 block = 0; block * size < n; block++) {\n    TOGETHER(begin);\n")
		hostSteps(&all, steps, 2)
		fmt.Fprintf(&all, `    __builtin_memset(out, 0, sizeof out);
    for (u32 tid = 0; tid < size && block * size + tid < n; tid++) {
      finish(own[tid], out);
      if (fwrite(out, 4, %d, stdout) != %d) return 1;
    }
  }
`, Outputs, Outputs)
	}
	all.WriteString("}\n")
	return all.String()
}

// hostSteps does steps for all threads of a block, one after the other.
func hostSteps(all *strings.Builder, steps []step, depth int) {
	indent := strings.Repeat("  ", depth)
	for _, s := range steps {
		switch x := s.exchange; {
		case x != nil:
			fmt.Fprintf(all, "%ssee_%s(%d, %d, %d, size);\n", indent, x.kind, x.to, x.from, x.by)
		case s.steps != nil:
			fmt.Fprintf(all, "%sfor (u32 turn = 0; turn < (%s); turn++) {\n", indent, s.turns())
			hostSteps(all, s.steps, depth+1)
			fmt.Fprintf(all, "%s}\n", indent)
		default:
			fmt.Fprintf(all, "%sTOGETHER(phase%d);\n", indent, s.phase)
		}
	}
}
