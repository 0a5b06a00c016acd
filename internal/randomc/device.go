package randomc

import (
	"fmt"
	"strings"
)

// deviceHead is what a program has before it for clang.
const deviceHead = `#define FN __attribute__((device))
#define STEP FN static
#define TABLE __attribute__((constant))
#define APART(STEP) STEP(in, own, words, bytes, longs, t, tid, size)
#define TOGETHER(STEP) APART(STEP); __syncthreads()
`

// Device is the program as CUDA: kernel n is kernel<n>(in, out, n), for the first n threads of a grid.
func (p *Program) Device() string {
	var all strings.Builder
	all.WriteString(deviceHead + prelude + deviceExchanges + p.external.Device + p.text + ends)
	for k, steps := range p.kernels {
		fmt.Fprintf(&all, `extern "C" __attribute__((global)) void kernel%d(const u32 *in, u32 *out, u32 n) {
  u32 tid = __nvvm_read_ptx_sreg_tid_x(), size = __nvvm_read_ptx_sreg_ntid_x(), t = __nvvm_read_ptx_sreg_ctaid_x() * size + tid;
`, k)
		if steps == nil {
			fmt.Fprintf(&all, "  if (t < n) body%d(in, out + t * %d, t);\n}\n", k, Outputs)
			continue
		}
		fmt.Fprintf(&all, `  __attribute__((shared)) static u32 words[%d];
  __attribute__((shared)) static u8 bytes[%d];
  __attribute__((shared)) static u64 longs[%d];
  u32 own[%d];
  TOGETHER(begin);
`, maxBlock*shared[0].length, maxBlock*shared[1].length, maxBlock*shared[2].length, slots)
		deviceSteps(&all, steps, 1)
		fmt.Fprintf(&all, "  if (t < n) finish(own, out + t * %d);\n}\n", Outputs)
	}
	return all.String()
}

// deviceSteps does steps for a thread, with a barrier after each where one must be.
func deviceSteps(all *strings.Builder, steps []step, depth int) {
	indent := strings.Repeat("  ", depth)
	for n, s := range steps {
		if s.steps == nil {
			how := "TOGETHER"
			if exchangeNext(steps, n) {
				how = "APART"
			}
			fmt.Fprintf(all, "%s%s(%s);\n", indent, how, s.name())
			continue
		}
		fmt.Fprintf(all, "%sfor (u32 turn = 0; turn < (%s); turn++) {\n", indent, s.turns())
		deviceSteps(all, s.steps, depth+1)
		fmt.Fprintf(all, "%s}\n", indent)
	}
}

// name is that of the function that does the step.
func (s step) name() string {
	if s.exchange != nil {
		return fmt.Sprintf("exchange%d", s.exchange.number)
	}
	return fmt.Sprintf("phase%d", s.phase)
}
