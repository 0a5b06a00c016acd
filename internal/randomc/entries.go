package randomc

import (
	"fmt"
	"strings"
)

// Entries is PTX that has a kernel<n>(in, out, n) for each routine, for the first n threads of a grid of blocks of one dimension.
func (p *Program) Entries() string {
	return p.entries("", `
	mov.u32 %i, %tid.x; mov.u32 %size, %ntid.x; mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, %size, %i;`)
}

// softStack is how many bytes of stack a thread of [Program.SoftEntries] has.
const softStack = 16 << 10

// SoftEntries is PTX like that of [Program.Entries], for routines compiled with -mgomp and so many threads in whole blocks: the stacks
// are global memory, and a thread finds its own, and whether it works alone, in arrays that tid.y indexes. So blocks have 1 x 32
// threads at most.
func (p *Program) SoftEntries(threads int) string {
	return p.entries(fmt.Sprintf(`.extern .shared .u64 __nvptx_stacks[32];
.extern .shared .u32 __nvptx_uni[32];
.global .align 16 .b8 stacks[%d];
`, threads*softStack), fmt.Sprintf(`
	mov.u32 %%i, %%tid.y; mov.u32 %%size, %%ntid.y; mov.u32 %%t, %%ctaid.x; mad.lo.u32 %%t, %%t, %%size, %%i;
	cvta.global.u64 %%stack, stacks; mad.wide.u32 %%stack, %%t, %d, %%stack; add.u64 %%stack, %%stack, %d;
	mov.u64 %%at, __nvptx_stacks; mad.wide.u32 %%at, %%i, 8, %%at; st.shared.u64 [%%at], %%stack;
	mov.u64 %%at, __nvptx_uni; mad.wide.u32 %%at, %%i, 4, %%at; st.shared.u32 [%%at], 0;`, softStack, softStack))
}

// entries gives kernels that compute %t, %i and %size by what is given.
func (p *Program) entries(variables, index string) string {
	w := &entryWriter{declared: map[string]bool{}}
	for k, steps := range p.kernels {
		var body strings.Builder
		declare := fmt.Sprintf(".extern .func routine%d (.param .u64 in, .param .u64 out, .param .u32 t);\n", k)
		if steps == nil {
			fmt.Fprintf(&body, `
	setp.ge.u32 %%p, %%t, %%n; @%%p ret;
	{ .param .b64 a, b; .param .b32 c; st.param.b64 [a], %%in; st.param.b64 [b], %%out; st.param.b32 [c], %%t; call routine%d, (a, b, c); }`, k)
		} else {
			declare = fmt.Sprintf(".extern .func routine%d (.param .u64 own, .param .u64 out);\n", k)
			fmt.Fprintf(&body, `
	.local .align 8 .b8 own[%d]; .shared .align 8 .b8 words[%d], bytes[%d], longs[%d];
	.reg .b64 %%own, %%words, %%bytes, %%longs; .reg .b32 %%times, %%turn<9>;
	cvta.local.u64 %%own, own; cvta.shared.u64 %%words, words; cvta.shared.u64 %%bytes, bytes; cvta.shared.u64 %%longs, longs;`,
				4*slots, 4*maxBlock*shared[0].length, maxBlock*shared[1].length, 8*maxBlock*shared[2].length)
			w.call(&body, "begin")
			body.WriteString(barrier)
			w.steps(&body, steps, 0)
			fmt.Fprintf(&body, `
	setp.ge.u32 %%p, %%t, %%n; @%%p ret;
	{ .param .b64 a, b; st.param.b64 [a], %%own; st.param.b64 [b], %%out; call routine%d, (a, b); }`, k)
		}
		w.line("%s.visible .entry kernel%d(.param .u64 in, .param .u64 out, .param .u32 n) {", declare, k)
		w.line("	.reg .b32 %%t, %%i, %%size, %%n; .reg .b64 %%in, %%out, %%stack, %%at; .reg .pred %%p;")
		w.line("	ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u32 %%n, [n];%s", index)
		w.line("	mad.wide.u32 %%out, %%t, %d, %%out;%s", 4*Outputs, body.String())
		w.line("	ret;\n}")
	}
	return ".version 7.0\n.target sm_80\n.address_size 64\n" + variables + w.externs.String() + w.String()
}

// entryWriter writes kernels. It declares what they call, once.
type entryWriter struct {
	strings.Builder
	externs  strings.Builder
	declared map[string]bool
	labels   int
}

func (w *entryWriter) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

const barrier = "\n	bar.sync 0;"

// call does a step.
func (w *entryWriter) call(body *strings.Builder, name string) {
	if !w.declared[name] {
		w.declared[name] = true
		fmt.Fprintf(&w.externs, ".extern .func %s (.param .u64 in, .param .u64 own, .param .u64 words, .param .u64 bytes, .param .u64 longs, "+
			".param .u32 t, .param .u32 tid, .param .u32 size);\n", name)
	}
	fmt.Fprintf(body, `
	{
		.param .b64 a, b, c, d, e; .param .b32 f, g, h;
		st.param.b64 [a], %%in; st.param.b64 [b], %%own; st.param.b64 [c], %%words; st.param.b64 [d], %%bytes; st.param.b64 [e], %%longs;
		st.param.b32 [f], %%t; st.param.b32 [g], %%i; st.param.b32 [h], %%size; call %s, (a, b, c, d, e, f, g, h);
	}`, name)
}

// steps does steps; so deep they are in loops.
func (w *entryWriter) steps(body *strings.Builder, steps []step, depth int) {
	for n, s := range steps {
		if s.steps == nil {
			w.call(body, s.name())
			if !exchangeNext(steps, n) {
				body.WriteString(barrier)
			}
			continue
		}
		w.labels++
		if s.input {
			fmt.Fprintf(body, "\n	ld.u32 %%times, [%%in+%d]; and.b32 %%turn%d, %%times, 3;", 4*s.times, depth)
		} else {
			fmt.Fprintf(body, "\n	mov.u32 %%turn%d, %d;", depth, s.times)
		}
		fmt.Fprintf(body, "\nL%d:	setp.eq.u32 %%p, %%turn%d, 0; @%%p bra E%d; sub.u32 %%turn%d, %%turn%d, 1;", w.labels, depth, w.labels, depth, depth)
		label := w.labels
		w.steps(body, s.steps, depth+1)
		fmt.Fprintf(body, "\n	bra L%d;\nE%d:", label, label)
	}
}
